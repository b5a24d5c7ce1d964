// SPDX-License-Identifier: BSD-3-Clause
// Text for people: quoting, nearest names, wrapping.
#include "words.h"

#include <algorithm>

#include <fmt/format.h>

namespace barewire::cli {
namespace {

constexpr size_t kMostQuoted = 60;
/// Longer input is no mistyped name: it is not compared.
constexpr size_t kMostCompared = 40;
constexpr size_t kMostSuggestions = 3;

bool printable(char c) {
    return static_cast<unsigned char>(c) >= 0x20 && c != 0x7F;
}

}  // namespace

std::string quote(std::string_view text) {
    std::string out = "'";
    for (const char c : text.substr(0, kMostQuoted)) {
        if (printable(c)) {
            out += c;
        } else {
            out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        }
    }
    return out + (text.size() > kMostQuoted ? "...'" : "'");
}

size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<size_t> before(b.size() + 1);
    std::vector<size_t> last(b.size() + 1);
    std::vector<size_t> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

std::vector<std::string_view> nearest(std::string_view typed,
                                      const std::vector<std::string_view>& names) {
    std::vector<std::string_view> found;
    if (typed.empty() || typed.size() > kMostCompared) return found;
    for (const std::string_view name : names) {
        if (name.starts_with(typed)) found.push_back(name);
    }
    if (found.empty()) {
        const size_t most = typed.size() < 5 ? 1 : 2;
        std::vector<std::pair<size_t, std::string_view>> close;
        for (const std::string_view name : names) {
            const size_t edits = edit_distance(typed, name);
            if (edits <= most) close.emplace_back(edits, name);
        }
        std::stable_sort(close.begin(), close.end(),
                         [](const auto& x, const auto& y) { return x.first < y.first; });
        for (const auto& [edits, name] : close) found.push_back(name);
    }
    if (found.size() > kMostSuggestions) found.resize(kMostSuggestions);
    return found;
}

std::string either(const std::vector<std::string>& items) {
    std::string out;
    for (size_t i = 0; i < items.size(); ++i) {
        if (i > 0) out += i + 1 == items.size() ? " or " : ", ";
        out += items[i];
    }
    return out;
}

std::vector<std::string> wrap(std::string_view text, size_t width) {
    std::vector<std::string> lines(1);
    size_t at = 0;
    while (at < text.size()) {
        if (text[at] == '\n') {
            lines.emplace_back();
            ++at;
        } else if (text[at] == ' ') {
            ++at;
        } else {
            const std::string_view word = text.substr(at, text.find_first_of(" \n", at) - at);
            if (!lines.back().empty()) {
                if (lines.back().size() + 1 + word.size() > width) {
                    lines.emplace_back();
                } else {
                    lines.back() += ' ';
                }
            }
            lines.back() += word;
            at += word.size();
        }
    }
    return lines;
}

}  // namespace barewire::cli
