// SPDX-License-Identifier: BSD-3-Clause
// Fits a table into a page.
#include "table.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

namespace barewire::report {
namespace {

size_t width_of(const Column& column) {
    size_t width = column.title.size();
    for (const std::string& cell : column.cells) width = std::max(width, cell.size());
    return width;
}

size_t total_width(const std::vector<Column>& columns, size_t gap) {
    return std::accumulate(
        columns.begin(), columns.end(), size_t{1} - gap,
        [gap](size_t sum, const Column& column) { return sum + width_of(column) + gap; });
}

void drop_separators(std::vector<Column>& columns) {
    for (Column& column : columns) {
        for (std::string& cell : column.cells) std::erase(cell, ',');
    }
}

/// Removes the column of the highest rank, unless that is below `least_rank`.
bool drop_column(std::vector<Column>& columns, int least_rank) {
    const auto last =
        std::max_element(columns.begin(), columns.end(),
                         [](const Column& a, const Column& b) { return a.rank < b.rank; });
    if (last == columns.end() || last->rank < least_rank) return false;
    columns.erase(last);
    return true;
}

void put_rows(Page& page, const std::vector<Column>& columns, size_t gap) {
    const size_t rows = columns.front().cells.size();
    std::string header;
    std::vector<std::string> lines(rows);
    for (const Column& column : columns) {
        const size_t width = width_of(column) + (&column == &columns.front() ? 1 : gap);
        header += padded_left(column.title, width);
        for (size_t i = 0; i < rows; ++i) lines[i] += padded_left(column.cells[i], width);
    }
    page.line(header);
    for (const std::string& line : lines) page.line(line);
}

void put_stacked(Page& page, const std::vector<Column>& columns) {
    size_t width = 0;
    for (const Column& column : columns) width = std::max(width, column.title.size());
    for (size_t i = 0; i < columns.front().cells.size(); ++i) {
        for (const Column& column : columns) {
            if (column.cells[i].empty()) continue;
            page.line(fmt::format(" {}  {}", padded_right(column.title, width), column.cells[i]));
        }
    }
}

}  // namespace

void put_table(Page& page, std::vector<Column> columns) {
    if (columns.empty()) return;
    const std::vector<Column> all = columns;
    while (total_width(columns, 2) > page.width()) {
        if (drop_column(columns, kRankOfExtras)) continue;
        if (total_width(columns, 1) <= page.width()) return put_rows(page, columns, 1);
        if (drop_column(columns, 1)) continue;
        drop_separators(columns);
        if (total_width(columns, 1) <= page.width()) return put_rows(page, columns, 1);
        return put_stacked(page, all);
    }
    put_rows(page, columns, 2);
}

}  // namespace barewire::report
