// SPDX-License-Identifier: BSD-3-Clause
// Formatting of numbers and lines.
#include "layout.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace barewire::report {
namespace {

constexpr char kFirstPrintable = ' ';
constexpr char kLastPrintable = '~';

/// Bytes 10xxxxxx follow the first one of a UTF-8 character.
bool continues_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

std::string with_separators(std::string digits, size_t integer_length) {
    for (size_t at = integer_length; at > 3; at -= 3) digits.insert(at - 3, 1, ',');
    return digits;
}

struct Scale {
    double factor;
    const char* unit;
};

/// The largest scale that `value` reaches, the last one for all below.
template <size_t kCount>
const Scale& scale_of(const std::array<Scale, kCount>& scales, double value) {
    for (const Scale& scale : scales) {
        if (value >= scale.factor) return scale;
    }
    return scales.back();
}

constexpr std::array<Scale, 4> kFrameScales = {
    {{1e9, "Gpps"}, {1e6, "Mpps"}, {1e3, "kpps"}, {1, "pps"}}};

}  // namespace

std::string ascii(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    bool in_character = false;
    for (const char c : text) {
        if (c >= kFirstPrintable && c <= kLastPrintable) {
            out += c;
            in_character = false;
        } else if (!in_character || !continues_character(c)) {
            out += '?';
            in_character = static_cast<unsigned char>(c) >= 0xC0U;
        }
    }
    return out;
}

std::string grouped(uint64_t value) {
    std::string digits = fmt::format("{}", value);
    const size_t length = digits.size();
    return with_separators(std::move(digits), length);
}

std::string loss_share(uint64_t lost, uint64_t of) {
    if (lost == 0) return "0";
    if (lost >= of) return "100%";
    constexpr double kLeast = 0.001;
    const double percent = 100.0 * static_cast<double>(lost) / static_cast<double>(of);
    if (percent < kLeast) return "<0.001%";
    if (percent >= 100 - kLeast) return ">99.999%";
    return fmt::format("{:.3f}%", percent);
}

std::string short_time(double ns) {
    static constexpr std::array<Scale, 4> kScales = {
        {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}}};
    const Scale& scale = scale_of(kScales, ns);
    const double value = ns / scale.factor;
    const bool whole = scale.factor == 1 || value >= 100;
    return fmt::format("{} {}", fixed(value, whole ? 0 : 1), scale.unit);
}

std::string fixed(double value, int decimals) {
    constexpr double kMostPlain = 1e15;
    if (!(std::abs(value) < kMostPlain)) return fmt::format("{:.3e}", value);
    std::string digits = fmt::format("{:.{}f}", std::abs(value), decimals);
    const size_t point = std::min(digits.find('.'), digits.size());
    digits = with_separators(std::move(digits), point);
    return value < 0 ? "-" + digits : digits;
}

std::string frame_rate(double frames_per_second) {
    const Scale& scale = scale_of(kFrameScales, frames_per_second);
    const double value = frames_per_second / scale.factor;
    return fmt::format("{} {}", fixed(value, value >= 100 ? 1 : value >= 10 ? 2 : 3), scale.unit);
}

std::string bit_rate(double bits_per_second) {
    constexpr double kFine = 20;  // a thousandth counts at the speeds of 10GbE
    const double gigabits = bits_per_second / 1e9;
    return fixed(gigabits, gigabits < kFine ? 3 : 1) + " Gb/s";
}

std::string listed(const std::vector<std::string>& items) {
    std::string out;
    for (size_t i = 0; i < items.size(); ++i) {
        if (i > 0) out += i + 1 < items.size() ? ", " : " and ";
        out += items[i];
    }
    return out;
}

std::vector<std::string> wrapped(std::string_view text, size_t width) {
    std::vector<std::string> lines;
    while (text.size() > width) {
        size_t at = text.rfind(' ', width);
        if (at == std::string_view::npos || text.find_first_not_of(' ') >= at) at = width;
        lines.emplace_back(text.substr(0, at));
        while (!lines.back().empty() && lines.back().back() == ' ') lines.back().pop_back();
        text.remove_prefix(std::min(text.find_first_not_of(' ', at), text.size()));
    }
    if (!text.empty() || lines.empty()) lines.emplace_back(text);
    return lines;
}

std::string padded_left(std::string_view text, size_t width) {
    return fmt::format("{:>{}}", text, width);
}

std::string padded_right(std::string_view text, size_t width) {
    return fmt::format("{:<{}}", text, width);
}

void Page::line(std::string_view text, size_t indent) {
    std::string clean = ascii(text);
    clean.erase(clean.find_last_not_of(' ') + 1);
    if (clean.size() <= width_) {
        lines_.push_back(std::move(clean));
        return;
    }
    // The first line has the whole width, the others what the indent leaves.
    std::string first = wrapped(clean, width_).front();
    const std::string rest =
        clean.substr(std::min(clean.find_first_not_of(' ', first.size()), clean.size()));
    lines_.push_back(std::move(first));
    for (const std::string& more : wrapped(rest, width_ - indent)) {
        lines_.push_back(std::string(indent, ' ') + more);
    }
}

void Page::section(std::string_view head, std::string_view text) {
    line(padded_right(head, kIndent) + std::string(text));
}

void Page::gap() {
    if (!lines_.empty() && !lines_.back().empty()) lines_.emplace_back();
}

std::string Page::pop() {
    std::string last = std::move(lines_.back());
    lines_.pop_back();
    return last;
}

std::string Page::text() const {
    std::string out;
    size_t used = lines_.size();
    while (used > 1 && lines_[used - 1].empty()) --used;
    for (size_t i = 0; i < used; ++i) out += lines_[i] + "\n";
    return out;
}

}  // namespace barewire::report
