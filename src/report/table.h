// SPDX-License-Identifier: BSD-3-Clause
// A table that gives up separators, gaps and its least needed columns before it grows too wide.
#pragma once

#include <string>
#include <vector>

#include "layout.h"

namespace barewire::report {

/// From this rank on a column is dropped before gaps are narrowed.
inline constexpr int kRankOfExtras = 5;

struct Column {
    std::string title;
    int rank = 0;                    ///< columns of the highest rank go first; 0: never
    std::vector<std::string> cells;  ///< one a row, right-aligned
};

/// Adds the table to `page`. Where even the needed columns are too wide, each row becomes lines
/// of "title cell".
void put_table(Page& page, std::vector<Column> columns);

}  // namespace barewire::report
