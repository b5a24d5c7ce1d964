// SPDX-License-Identifier: BSD-3-Clause
// What a run tells while it goes on: one line, redrawn on a terminal, added to a pipe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "barewire/plan/result.h"

namespace barewire::report {

/// Where a run stands.
struct LivePosition {
    uint32_t trial = 1;                  ///< from 1
    uint32_t trials = 1;                 ///< in all
    double elapsed_s = 0;                ///< since the trial began
    std::optional<double> duration_s{};  ///< of the trial, where time ends it
};

/// One line without its end, ASCII, at most `width` columns: `intervals` are those of one moment,
/// one for each direction.
std::string render_live(const std::vector<plan::Interval>& intervals, const LivePosition& position,
                        size_t width);

/// How LiveLine writes.
struct LiveOptions {
    bool redraw = false;  ///< on a terminal: the line replaces itself; else each line stays
    size_t width = 80;
};

/// Writes live lines to a stream, and leaves the terminal's line as it found it. One thread.
class LiveLine {
  public:
    LiveLine(FILE* stream, const LiveOptions& options) : stream_(stream), options_(options) {}
    LiveLine(const LiveLine&) = delete;
    LiveLine& operator=(const LiveLine&) = delete;
    ~LiveLine() { finish(); }

    /// The interval that just ended, one direction of it. Directions of one moment share a line.
    void show(const plan::Interval& interval, const LivePosition& position);
    /// Clears the line that redraws itself. Nothing to do otherwise; may be called again.
    void finish();

  private:
    void write(const std::string& line);

    FILE* stream_;
    LiveOptions options_;
    std::vector<plan::Interval> moment_;
    bool drawn_ = false;
};

}  // namespace barewire::report
