// SPDX-License-Identifier: BSD-3-Clause
// Runs a plan: opens ports, starts workers, runs its trials, settles the ledger.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "barewire/base/clock.h"
#include "barewire/plan/plan.h"
#include "barewire/plan/result.h"

namespace barewire::engine {

/// What the control thread tells while a run goes on.
struct Progress {
    const plan::Interval* interval;  ///< the interval that just ended; never null
    uint32_t trial;                  ///< from 1
    uint32_t trials;                 ///< in all
    double elapsed_s;                ///< since the trial began
};

struct RunOptions {
    const std::atomic<bool>* stop = nullptr;           ///< true: end now, keep the result so far
    std::function<void(const Progress&)> on_progress;  ///< called on the calling thread
    Ns progress_every_ns = 0;                          ///< 0: never
    std::function<void(const std::string&)> on_note;   ///< one line on what goes on; may be empty
    std::string version;                               ///< of barewire, told to the far end
};

/// Runs `plan`, which validate() found good. Fills all of the result but what only the command
/// knows (command line, run id unless given, effective options, label, version). An interrupt or a
/// failure in the middle is in the result's status; its trials so far are kept.
/// Throws ConfigError where the machine cannot do what is asked (memory, files), DeviceError where
/// a port refuses; both before the first frame.
/// One run a process: DPDK cannot be started twice.
plan::RunResult run(const plan::Plan& plan, const RunOptions& options);

}  // namespace barewire::engine
