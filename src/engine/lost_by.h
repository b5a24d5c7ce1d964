// SPDX-License-Identifier: BSD-3-Clause
// Where lost frames went: by the counters of the two ports, and the path for the rest.
#pragma once

#include <optional>

#include "barewire/plan/result.h"

namespace barewire::engine {

/// Counters of the ports at the two ends of a way; empty where nobody told them.
struct LostBetween {
    std::optional<plan::PortCounters> tx, rx;
};

/// Takes into `trial`, which has the near end's half, what the far end counted and sent: its half
/// of the ledger, its workers, stalls and port counters.
void merge_far(const plan::TrialResult& far, plan::TrialResult& trial, LostBetween& between);

/// Fills lost_by of a trial of which both ends are known; what a port cannot tell stays null, and
/// then is in the path's share.
void set_lost_by(const LostBetween& between, plan::TrialResult& trial);

}  // namespace barewire::engine
