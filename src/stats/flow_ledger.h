// SPDX-License-Identifier: BSD-3-Clause
// The ledger flow by flow, for the flows that a result lists.
#pragma once

#include <vector>

#include "barewire/stats/ledger.h"

namespace barewire::stats {

/// Fills result.flows where receivers count flows or, without receivers, where there are several.
/// `extents`: frames sent, by stream. Returns first copies that a flow has too many: several
/// receivers took the same frame for theirs.
plan::Count fill_flows(const LedgerInput& input, const std::vector<plan::Count>& extents,
                       plan::TrialResult& result);

/// Where all flows are listed, their losses are those of the whole. Need not hold where a stream or
/// a flow has first copies too many: those hide a loss of the same stream in another flow.
void prove_flows(const LedgerInput& input, const plan::TrialResult& result, LedgerNotes& notes);

}  // namespace barewire::stats
