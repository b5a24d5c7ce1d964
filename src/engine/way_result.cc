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

    const std::optional<stats::SentTotals> totals =
        generators_.empty() ? far_sent_ : std::optional(sent());
    std::vector<const stats::Receiver*> receivers;
    for (const auto& receiver : receivers_) receivers.push_back(receiver.get());
    for (const auto& receiver : receivers_) receiver->finish(receivers);
    notes_ = stats::fill_ledger({.layout = flows_,
                                 .sent = totals ? &*totals : nullptr,
                                 .receivers = receivers,
                                 .one_clock = !generators_.empty()},
                                result);
    if (!reflectors_.empty()) add_reflected(result);
    if (spec_.frame_size == 0) result.rx.l1_bps = result.rx.l2_bps = std::nullopt;
    add_workers(result);
    if (result.target_fps && result.unsent) {
        result.unsent_explained = static_cast<plan::Count>(std::ceil(
            static_cast<double>(result.stalls.total_ns) / kNsPerSecond * *result.target_fps));
    }
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
        result.workers.back().received = worker->receiver->received();
        add(result.stalls, worker->health.stalls);
    }
    for (const auto& worker : reflectors_) {
        result.workers.push_back(describe(worker->health, worker->core, "reflect", way_.name));
        result.workers.back().received = worker->received;
        add(result.stalls, worker->health.stalls);
    }
}

/// What came and was turned round: taken by the port (offered) or not (unsent).
void WayRun::add_reflected(plan::TrialResult& result) const {
    wire::ForeignTally foreign;
    plan::Count received = 0;
    plan::Count offered = 0;
    for (const auto& worker : reflectors_) {
        received += worker->received;
        offered += worker->offered;
        foreign.merge(worker->foreign);
    }
    result.received = result.intended = received;
    result.offered = offered;
    result.unsent = received - offered;
    result.foreign = foreign.total();
    result.foreign_by = foreign.by_name();
}

}  // namespace barewire::engine
