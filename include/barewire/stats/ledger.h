// SPDX-License-Identifier: BSD-3-Clause
// One trial's account: what the senders offered against what the sinks received, so that
// offered + surplus + duplicated = received + lost.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "barewire/plan/flow_layout.h"
#include "barewire/plan/result.h"
#include "barewire/stats/receiver.h"

namespace barewire::stats {

/// What the senders of one direction did in one trial, all workers together.
struct SentTotals {
    plan::Count intended = 0;
    plan::Count unsent = 0;
    std::vector<uint64_t> offered;  ///< by stream, one for each of the layout
};

/// One direction of one trial. Receivers are finished, and their layout is this one.
struct LedgerInput {
    plan::FlowLayout layout{1, 1};
    const SentTotals* sent = nullptr;            ///< null: this process does not send
    std::span<const Receiver* const> receivers;  ///< empty: this process does not receive
    bool one_clock = true;  ///< senders' and receivers' times compare: they are of one host
};

/// What a result has no field for.
struct LedgerNotes {
    std::vector<std::string> problems;  ///< one sentence for each sum that does not hold
    plan::Count negative_latencies = 0;
};

/// Fills intended, offered, unsent, received, lost, surplus, duplicated, reordered, corrupted,
/// foreign, foreign_by, stale, latency_ns, jitter_ns, flows, tx, rx and ledger_adds_up of `result`,
/// which already has frame_size and, where frames are sent, duration_s. What this process cannot
/// know stays empty: without senders intended, offered, unsent and latency_ns (two clocks), and
/// lost counts up to the highest sequence that arrived; without receivers all that is received.
///
/// Streams are accounted for one by one, so what one has too much hides no loss of another. A
/// stream's frames may be spread over several receivers, as long as all copies of a frame reach
/// the same one.
LedgerNotes fill_ledger(const LedgerInput& input, plan::TrialResult& result);

/// Frames a second in bits a second on L1 and L2; `frame_size` with FCS.
plan::Rates rates_of(double frames_per_second, uint32_t frame_size);

}  // namespace barewire::stats
