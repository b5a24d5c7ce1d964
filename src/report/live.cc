// SPDX-License-Identifier: BSD-3-Clause
// The live line.
#include "barewire/report/live.h"

#include <algorithm>

#include <fmt/format.h>

#include "layout.h"

namespace barewire::report {
namespace {

/// Erases from the cursor to the end of the line (ECMA-48 8.3.41).
constexpr const char* kEraseToEnd = "\x1b[K";

std::string rate(const char* word, const std::optional<double>& fps) {
    return fps ? fmt::format("  {} {}", word, frame_rate(*fps)) : std::string();
}

/// Alone on its line an interval tells all; beside another, what arrived, or else was sent.
std::string rates_of(const plan::Interval& interval, bool alone) {
    std::string text;
    if (!interval.direction.empty()) text += "  " + interval.direction;
    if (alone || !interval.rx_fps) text += rate("sent", interval.tx_fps);
    text += rate("got", interval.rx_fps);
    const auto& l1 = interval.rx_l1_bps ? interval.rx_l1_bps : interval.tx_l1_bps;
    if (l1 && alone) text += "  " + bit_rate(*l1);
    return text;
}

}  // namespace

std::string render_live(const std::vector<plan::Interval>& intervals, const LivePosition& position,
                        size_t width) {
    std::string line;
    if (position.trials > 1) line += fmt::format("{}/{} ", position.trial, position.trials);
    if (!intervals.empty() && intervals.front().frame_size > 0) {
        line += fmt::format(" {} bytes ", intervals.front().frame_size);
    }
    line += fmt::format(" {} s", fixed(position.elapsed_s, 1));
    if (position.duration_s) line += fmt::format(" of {}", fixed(*position.duration_s, 1));
    for (const plan::Interval& interval : intervals) {
        line += rates_of(interval, intervals.size() == 1);
    }
    return ascii(line).substr(0, width);
}

void LiveLine::show(const plan::Interval& interval, const LivePosition& position) {
    const bool same_moment = !moment_.empty() && moment_.front().trial == interval.trial &&
                             moment_.front().end_s == interval.end_s &&
                             moment_.front().direction != interval.direction;
    if (!same_moment || moment_.size() > 1) moment_.clear();
    moment_.push_back(interval);
    if (options_.redraw) {
        // One column stays free: a full line would wrap on some terminals.
        write(
            fmt::format("\r{}{}", render_live(moment_, position, options_.width - 1), kEraseToEnd));
        drawn_ = true;
    } else {
        write(render_live({interval}, position, options_.width) + "\n");
    }
}

void LiveLine::finish() {
    if (drawn_) write(std::string("\r") + kEraseToEnd);
    drawn_ = false;
}

void LiveLine::write(const std::string& line) {
    std::fwrite(line.data(), 1, line.size(), stream_);
    std::fflush(stream_);
}

}  // namespace barewire::report
