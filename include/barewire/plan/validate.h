// SPDX-License-Identifier: BSD-3-Clause
// Judges a plan as a whole, before anything is opened: every problem in words, all at once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "barewire/base/clock.h"
#include "barewire/plan/network.h"
#include "barewire/plan/plan.h"

namespace barewire::plan {

/// What a plan is judged against.
struct MachineFacts {
    std::vector<int> cores_allowed;  ///< ascending; empty: unknown, nothing is refused
    uint64_t memory_available = 0;   ///< bytes that this process may take; 0: unknown
    Network network{};               ///< what the guard looks at
};

/// Longest send window, and longest time that --count may take at a set rate.
inline constexpr Ns kMaxDurationNs = Ns{366} * 24 * 3600 * 1'000'000'000;
/// Most trials of one run: each is kept until the end.
inline constexpr uint64_t kMaxTrials = 100'000;
/// Most intervals of one run, for the same reason.
inline constexpr uint64_t kMaxIntervals = 1'000'000;
/// Shortest interval: the control thread is not a real-time one.
inline constexpr Ns kMinIntervalNs = 10'000'000;
/// One frame a ns: departures are whole ns.
inline constexpr double kMaxFramesPerSecond = 1e9;

/// One sentence for each thing that makes the plan impossible or meaningless, with what would be
/// right. Empty: the plan can be run, as far as can be told without opening a port.
std::vector<std::string> validate(const Plan& plan, const MachineFacts& machine);

/// What a user ought to know although the run goes on. What depends on the cores that workers get
/// the engine adds.
std::vector<std::string> cautions(const Plan& plan);

}  // namespace barewire::plan
