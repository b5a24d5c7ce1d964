// SPDX-License-Identifier: BSD-3-Clause
// Two halves of a trial become one.
#include "lost_by.h"

#include <algorithm>

namespace barewire::engine {
namespace {

void take_received(const plan::TrialResult& far, plan::TrialResult& trial) {
    trial.received = far.received;
    trial.lost = far.lost;
    trial.surplus = far.surplus;
    trial.duplicated = far.duplicated;
    trial.reordered = far.reordered;
    trial.corrupted = far.corrupted;
    trial.foreign = far.foreign;
    trial.foreign_by = far.foreign_by;
    trial.stale = far.stale;
    trial.rx = far.rx;
    trial.jitter_ns = far.jitter_ns;
    trial.flows = far.flows;
    // The far end settled it by what our end told; here it is proved once more.
    const auto& t = trial;
    const bool sums = t.offered && t.received && t.lost && t.surplus && t.duplicated &&
                      *t.offered + *t.surplus + *t.duplicated == *t.received + *t.lost;
    trial.ledger_adds_up = trial.ledger_adds_up && far.ledger_adds_up && sums;
}

void take_sent(const plan::TrialResult& far, plan::TrialResult& trial) {
    trial.duration_s = far.duration_s;
    trial.duration_raw_s = far.duration_raw_s;
    trial.tx = far.tx;
    trial.lateness_ns = far.lateness_ns;
    trial.gap_ns = far.gap_ns;
    trial.unsent_explained = far.unsent_explained;
}

}  // namespace

void merge_far(const plan::TrialResult& far, plan::TrialResult& trial, LostBetween& between) {
    const bool far_receives = !between.rx;
    far_receives ? take_received(far, trial) : take_sent(far, trial);
    for (plan::WorkerResult worker : far.workers) {
        worker.far = true;
        trial.workers.push_back(worker);
    }
    for (plan::PortCounters port : far.port_counters) {
        port.far = true;
        trial.port_counters.push_back(port);
        (far_receives ? between.rx : between.tx) = port;
    }
    trial.stalls.count += far.stalls.count;
    trial.stalls.total_ns += far.stalls.total_ns;
    trial.stalls.longest_ns = std::max(trial.stalls.longest_ns, far.stalls.longest_ns);
}

void set_lost_by(const LostBetween& between, plan::TrialResult& trial) {
    if (!between.tx || !between.rx || !trial.lost) return;
    trial.lost_by = {.tx_port = between.tx->oerrors,
                     .path = 0,
                     .rx_damaged = between.rx->ierrors,
                     .rx_missed = between.rx->imissed,
                     .rx_no_buffer = between.rx->rx_nombuf};
    // A port counts frames of others too: no more is said to be lost there than is lost.
    plan::Count rest = *trial.lost;
    for (plan::MaybeCount* share : {&trial.lost_by.tx_port, &trial.lost_by.rx_damaged,
                                    &trial.lost_by.rx_missed, &trial.lost_by.rx_no_buffer}) {
        if (!*share) continue;
        **share = std::min(**share, rest);
        rest -= **share;
    }
    trial.lost_by.path = rest;
}

}  // namespace barewire::engine
