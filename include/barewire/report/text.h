// SPDX-License-Identifier: BSD-3-Clause
// The page at the end of a run: the answer, the figures, what to do next.
#pragma once

#include <cstddef>
#include <string>

#include "barewire/report/json.h"

namespace barewire::report {

/// Columns that a page keeps to at most, whatever the terminal has.
inline constexpr size_t kMostColumns = 80;
/// A page for less is rendered for this many.
inline constexpr size_t kFewestColumns = 40;

struct TextOptions {
    bool colour = false;          ///< of the first word
    size_t width = kMostColumns;  ///< no line is longer; taken as 40 to 80
    bool saved = false;           ///< the run was kept under its id
};

/// Rendered from the JSON alone, so a saved run reads as it did at its end. ASCII only; other
/// characters become '?'. Keys that are missing or null leave their line or column out.
std::string render_text(const Json& result, const TextOptions& options);

/// Whether text that goes to `fd` is to be coloured: a terminal that is not "dumb", and NO_COLOR
/// (no-color.org) unset or empty.
bool wants_colour(int fd);

}  // namespace barewire::report
