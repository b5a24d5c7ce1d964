// SPDX-License-Identifier: BSD-3-Clause
// Splitting, joining and making printable.
#include "barewire/base/text.h"

#include <algorithm>

namespace barewire {

std::string printable(std::string_view text) {
    constexpr size_t kMost = 80;
    if (text.empty()) return "(nothing)";
    std::string shown(text.substr(0, kMost));
    std::replace_if(
        shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    if (text.size() > kMost) shown.replace(kMost - 3, 3, "...");
    return shown;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (size_t end = text.find(separator); end != text.npos; end = text.find(separator)) {
        parts.push_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    parts.push_back(text);
    return parts;
}

std::string join(const std::vector<std::string_view>& parts, std::string_view separator) {
    std::string all;
    for (const std::string_view part : parts) {
        if (!all.empty()) all += separator;
        all += part;
    }
    return all;
}

std::string grouped(unsigned long long number) {
    std::string digits = std::to_string(number);
    for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
    return digits;
}

}  // namespace barewire
