// SPDX-License-Identifier: BSD-3-Clause
// One way of one trial, settled: workers' counters into a TrialResult.
#include <algorithm>
#include <cmath>

#include "barewire/base/knobs.h"
#include "barewire/stats/ledger.h"

#include "way_run.h"

namespace barewire::engine {
namespace {

constexpr double kNsPerSecond = 1e9;

void add(plan::Stalls& sum, const plan::Stalls& one) {
    sum.count += one.count;
    sum.total_ns += one.total_ns;
    sum.longest_ns = std::max(sum.longest_ns, one.longest_ns);
}

plan::WorkerResult describe(const LoopHealth& health, int core, const char* role,
                            const std::string& direction) {
    plan::WorkerResult worker;
    worker.core = core;
    worker.role = role;
    worker.direction = direction;
    worker.turns = health.turns;
    worker.productive_turns = health.productive;
    worker.stalls = health.stalls;
    return worker;
}

/// From the first generator's start to the last one's end.
template <class Member>
double window_s(const std::vector<std::unique_ptr<GenerateWorker>>& generators, Member began,
                Member ended) {
    Ns first = (*generators.front()).*began;
    Ns last = (*generators.front()).*ended;
    for (const auto& worker : generators) {
        first = std::min(first, (*worker).*began);
        last = std::max(last, (*worker).*ended);
    }
    return static_cast<double>(last - first) / kNsPerSecond;
}

stats::SentTotals totals_of(const std::vector<std::unique_ptr<GenerateWorker>>& generators) {
    stats::SentTotals totals;
    for (const auto& worker : generators) {
        totals.intended += worker->intended;
        totals.unsent += worker->unsent;
        totals.offered.push_back(worker->offered);
    }
    return totals;
}

}  // namespace

plan::TrialResult WayRun::result() {
    plan::TrialResult result;
    result.frame_size = spec_.frame_size;
    result.direction = way_.name;
    result.trial = spec_.number;
    result.repeat = spec_.repeat;
    result.target_fps = spec_.fps;
    result.payload_check = !plan_.payload_check                         ? "none"
                           : spec_.frame_size >= wire::kMinCrcFrameSize ? "crc32c"
                                                                        : "udp-checksum";
    if (!generators_.empty()) add_send_side(result);

    const stats::SentTotals totals = totals_of(generators_);
    std::vector<const stats::Receiver*> receivers;
    for (const auto& receiver : receivers_) receivers.push_back(receiver.get());
    for (const auto& receiver : receivers_) receiver->finish(receivers);
    stats::fill_ledger(
        {.layout = flows_, .sent = generators_.empty() ? nullptr : &totals, .receivers = receivers},
        result);
    if (spec_.frame_size == 0) result.rx.l1_bps = result.rx.l2_bps = std::nullopt;
    add_workers(result);
    if (!generators_.empty() && !sinks_.empty()) {
        // No port of this version drops by itself: what is missing went missing between them.
        result.lost_by = {
            .tx_port = 0, .path = result.lost, .rx_damaged = 0, .rx_missed = 0, .rx_no_buffer = 0};
    }
    if (result.target_fps && result.unsent) {
        result.unsent_explained = static_cast<plan::Count>(std::ceil(
            static_cast<double>(result.stalls.total_ns) / kNsPerSecond * *result.target_fps));
    }
    const auto& l1 = result.rx.l1_bps ? result.rx.l1_bps : result.tx.l1_bps;
    if (plan_.line_bps && l1) result.line_rate_ratio = *l1 / *plan_.line_bps;
    return result;
}

void WayRun::add_send_side(plan::TrialResult& result) const {
    result.duration_s = window_s(generators_, &GenerateWorker::began_ns, &GenerateWorker::ended_ns);
    result.duration_raw_s =
        window_s(generators_, &GenerateWorker::began_raw_ns, &GenerateWorker::ended_raw_ns);
    stats::Histogram lateness;
    stats::Histogram gap;
    for (const auto& worker : generators_) {
        lateness.merge(worker->lateness);
        gap.merge(worker->gap);
    }
    result.lateness_ns = lateness.summary();
    result.gap_ns = gap.summary();
}

void WayRun::add_workers(plan::TrialResult& result) const {
    for (const auto& worker : generators_) {
        auto& one = result.workers.emplace_back(
            describe(worker->health, worker->core, "generate", way_.name));
        one.short_sends = worker->short_sends;
        one.pool_empty = worker->pool_empty;
        add(result.stalls, worker->health.stalls);
    }
    for (const auto& worker : sinks_) {
        result.workers.push_back(describe(worker->health, worker->core, "sink", way_.name));
        add(result.stalls, worker->health.stalls);
    }
}

}  // namespace barewire::engine
