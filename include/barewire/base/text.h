// SPDX-License-Identifier: BSD-3-Clause
// Small tools for the parsers of what users type.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace barewire {

/// What was typed, fit for a one-line message: every byte that is not printable ASCII becomes '?',
/// at most 80 characters, "(nothing)" if empty.
std::string printable(std::string_view text);

/// The parts of `text` between separators; one part, perhaps empty, if there is no separator.
std::vector<std::string_view> split(std::string_view text, char separator);

/// "a, b, c".
std::string join(const std::vector<std::string_view>& parts, std::string_view separator = ", ");

/// 1234567 as "1,234,567".
std::string grouped(unsigned long long number);

}  // namespace barewire
