// SPDX-License-Identifier: BSD-3-Clause
// Text for people: quoting what they typed, the nearest name, lines of at most 80 columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace barewire::cli {

/// Columns that help and problems keep to.
inline constexpr size_t kColumns = 80;

/// `text` in single quotes, control bytes as \xNN, cut after 60 bytes: safe for any terminal.
std::string quote(std::string_view text);

/// Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`.
size_t edit_distance(std::string_view a, std::string_view b);

/// The names that `typed` may stand for, best first: those it is the start of, else those within
/// two edits (one for names under five letters). At most three; empty for far-fetched input.
std::vector<std::string_view> nearest(std::string_view typed,
                                      const std::vector<std::string_view>& names);

/// "a", "a or b", "a, b or c".
std::string either(const std::vector<std::string>& items);

/// Wraps `text` at spaces into lines of at most `width` columns. A word longer than that stands
/// alone. Line breaks in `text` are kept.
std::vector<std::string> wrap(std::string_view text, size_t width);

}  // namespace barewire::cli
