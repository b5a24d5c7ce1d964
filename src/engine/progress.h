// SPDX-License-Identifier: BSD-3-Clause
// Live figures: what the workers published, turned into intervals.
#pragma once

#include <algorithm>
#include <optional>

#include "barewire/base/clock.h"
#include "barewire/plan/result.h"

#include "way_run.h"

namespace barewire::engine {

/// When the next interval ends. Intervals keep to the grid of the trial's start.
class ProgressClock {
  public:
    /// `every` 0: never.
    ProgressClock(Ns start, Ns every) : next_(start + every), every_(every) {}
    /// How long the control thread may sleep.
    [[nodiscard]] Ns sleep(Ns now, Ns most) const {
        return every_ == 0 ? most : std::clamp(next_ - now, Ns{1}, most);
    }
    bool due(Ns now) {
        if (every_ == 0 || now < next_) return false;
        while (next_ <= now) next_ += every_;
        return true;
    }

  private:
    Ns next_;
    Ns every_;
};

/// One way's intervals, from one reading to the next, timed by the workers' own clocks.
class IntervalMeter {
  public:
    IntervalMeter(const WayRun& way, const TrialSpec& spec) : way_(&way), spec_(spec) {}
    /// The interval since the last call; empty before the trial has begun.
    std::optional<plan::Interval> next(Ns trial_start);

  private:
    const WayRun* way_;
    TrialSpec spec_;
    WayRun::Live sent_, received_;
};

}  // namespace barewire::engine
