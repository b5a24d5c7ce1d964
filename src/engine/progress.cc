// SPDX-License-Identifier: BSD-3-Clause
// Intervals from snapshots.
#include "progress.h"

#include "barewire/stats/ledger.h"

namespace barewire::engine {
namespace {

constexpr double kNsPerSecond = 1e9;

struct Delta {
    plan::MaybeCount frames;
    std::optional<double> fps, l1_bps;
};

Delta delta_of(const std::optional<WayRun::Live>& now, WayRun::Live& before, Ns start,
               uint32_t frame_size) {
    if (!now || now->time <= std::max(before.time, start)) return {};
    const Ns since = std::max(before.time, start);
    Delta delta;
    delta.frames = now->frames - before.frames;
    delta.fps =
        static_cast<double>(*delta.frames) * kNsPerSecond / static_cast<double>(now->time - since);
    if (frame_size != 0) delta.l1_bps = stats::rates_of(*delta.fps, frame_size).l1_bps;
    before = *now;
    return delta;
}

}  // namespace

std::optional<plan::Interval> IntervalMeter::next(Ns trial_start) {
    const Ns begin = std::max({trial_start, sent_.time, received_.time});
    const Delta sent = delta_of(way_->sending(), sent_, trial_start, spec_.frame_size);
    const Delta received = delta_of(way_->receiving(), received_, trial_start, spec_.frame_size);
    if (!sent.frames && !received.frames) return std::nullopt;
    plan::Interval interval;
    interval.trial = spec_.number;
    interval.frame_size = spec_.frame_size;
    interval.direction = way_->way().name;
    interval.begin_s = static_cast<double>(begin - trial_start) / kNsPerSecond;
    interval.end_s =
        static_cast<double>(std::max(sent_.time, received_.time) - trial_start) / kNsPerSecond;
    interval.offered = sent.frames;
    interval.received = received.frames;
    interval.tx_fps = sent.fps;
    interval.rx_fps = received.fps;
    interval.tx_l1_bps = sent.l1_bps;
    interval.rx_l1_bps = received.l1_bps;
    return interval;
}

}  // namespace barewire::engine
