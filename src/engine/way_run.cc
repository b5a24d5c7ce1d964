// SPDX-License-Identifier: BSD-3-Clause
// Sets up the workers of one way for each trial.
#include "way_run.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "barewire/base/check.h"
#include "barewire/nic/wire_port.h"

namespace barewire::engine {
namespace {

constexpr double kNsPerSecond = 1e9;

/// Frames that a generator may have out: the rings to all sinks, and both sides' bursts.
uint32_t frames_in_flight(const Way& way, uint32_t frame_size) {
    const auto sinks = static_cast<uint32_t>(std::max<size_t>(way.sink_cores.size(), 1));
    return nic::WirePath::ring_frames(frame_size) * sinks + kBurst * (sinks + 1);
}

uint32_t lcores(const Way& way) {
    return static_cast<uint32_t>(way.sink_cores.size()) + 1;
}

}  // namespace

WayRun::WayRun(const Setting& setting, const Way& way, const PortEnd& tx, const PortEnd& rx)
    : plan_(setting.plan),
      way_(way),
      tx_(tx),
      rx_(rx),
      run_id_(setting.run_id),
      clock_(setting.clock),
      flows_(std::max(1U, way.tx != nullptr ? static_cast<uint32_t>(way.generator_cores.size())
                                            : way.far_streams),
             plan_.flows) {
    add_generators(setting);
    add_sinks(setting);
    add_reflectors(setting);
}

void WayRun::add_generators(const Setting& setting) {
    for (int core : way_.generator_cores) {
        auto& worker = generators_.emplace_back(std::make_unique<GenerateWorker>());
        worker->core = core;
        worker->shares_core = setting.crowded_cores.count(core) != 0;
        worker->tx = tx_.port->tx_queue(static_cast<uint32_t>(generators_.size()) - 1);
    }
    // The one on the queue that the control thread would use itself.
    if (!generators_.empty() && tx_.channel != nullptr) {
        generators_.front()->outbox = tx_.channel->outbox();
    }
}

void WayRun::add_sinks(const Setting& setting) {
    const stats::ReceiverConfig config{.run = run_id_,
                                       .layout = flows_,
                                       .payload_check = plan_.payload_check,
                                       .count_flows = plan_.flows > 1,
                                       .addresses = addresses()};
    for (int core : way_.sink_cores) {
        receivers_.push_back(std::make_unique<stats::Receiver>(config));
        auto& worker = sinks_.emplace_back(std::make_unique<SinkWorker>());
        worker->core = core;
        worker->shares_core = setting.crowded_cores.count(core) != 0;
        worker->rx = rx_.port->rx_queue(static_cast<uint32_t>(sinks_.size()) - 1);
        worker->receiver = receivers_.back().get();
        if (rx_.channel != nullptr) worker->inbox = rx_.channel->inbox();
        worker->hands_over_all = plan_.command == "far";
    }
}

void WayRun::add_reflectors(const Setting& setting) {
    for (int core : way_.reflect_cores) {
        const auto queue = static_cast<uint32_t>(reflectors_.size());
        auto& worker = reflectors_.emplace_back(std::make_unique<ReflectWorker>());
        worker->core = core;
        worker->shares_core = setting.crowded_cores.count(core) != 0;
        worker->rx = rx_.port->rx_queue(queue);
        worker->tx = rx_.port->tx_queue(queue);
        worker->mac = rx_.port->mac();
        if (rx_.channel == nullptr) continue;
        worker->inbox = rx_.channel->inbox();
        if (queue == 0) worker->outbox = rx_.channel->outbox();
    }
}

wire::ProbeAddresses WayRun::addresses() const {
    const plan::Addressing& asked = plan_.addressing;
    // A file or net_null has no far end: the wire's b is as good an address as any.
    const std::array<uint8_t, 6> nobody{0x02, 0xBA, 0x4E, 0x00, 0x00, 0x0B};
    const auto mac_of = [&](const PortEnd& end) {
        return end.port != nullptr ? end.port->mac() : way_.far_mac.value_or(nobody);
    };
    return {.src_mac = asked.src_mac.value_or(mac_of(tx_)),
            .dst_mac = asked.dst_mac.value_or(mac_of(rx_)),
            .src_ip = asked.src_ip,
            .dst_ip = asked.dst_ip,
            .src_port = asked.src_port,
            .dst_port = asked.dst_port};
}

std::vector<Team::Member> WayRun::members(const std::function<void()>& meet) {
    std::vector<Team::Member> members;
    const bool flows = flows_.flows() > flows_.streams();
    for (size_t i = 0; i < generators_.size(); ++i) {
        GenerateWorker& worker = *generators_[i];
        members.push_back(
            {worker.core, fmt::format("generate-{}", i), [this, meet, flows, &worker] {
                 meet();
                 generate_loop_for(spec_.fps.has_value(), worker.frame->with_crc(), flows)(worker);
             }});
    }
    for (size_t i = 0; i < sinks_.size(); ++i) {
        SinkWorker& worker = *sinks_[i];
        members.push_back({worker.core, fmt::format("sink-{}", i), [this, meet, &worker] {
                               meet();
                               sink_loop_for(plan_.payload_check, plan_.flows > 1)(worker);
                           }});
    }
    for (size_t i = 0; i < reflectors_.size(); ++i) {
        ReflectWorker& worker = *reflectors_[i];
        members.push_back({worker.core, fmt::format("reflect-{}", i), [meet, &worker] {
                               meet();
                               reflect_loop(worker);
                           }});
    }
    return members;
}

uint64_t WayRun::pool_bytes(const Way& way, uint32_t frame_size) {
    return way.generator_cores.size() *
           nic::FramePool::bytes_needed(frames_in_flight(way, frame_size),
                                        frame_size - kFcsSize + nic::kSendingSpare, lcores(way),
                                        true);
}

void WayRun::prepare(const TrialSpec& spec) {
    spec_ = spec;
    const bool far_sends = generators_.empty() && way_.far_streams != 0;
    control_.stop = false;
    control_.has_senders = far_sends || !generators_.empty();
    control_.sending = far_sends ? 1 : static_cast<uint32_t>(generators_.size());
    control_.quiet_ns = rx_.port != nullptr ? rx_.port->drain_quiet_ns() : 0;
    far_sent_.reset();
    pools_.clear();
    frames_.clear();
    stamps_.clear();
    for (uint32_t i = 0; i < generators_.size(); ++i) prepare_generator(i);
    for (size_t i = 0; i < sinks_.size(); ++i) {
        sinks_[i]->begin_trial(&control_, rx_.port->exhausted());
        sinks_[i]->clock = clock_;
        receivers_[i]->begin_trial(spec.number);
    }
    for (const auto& worker : reflectors_) {
        worker->begin_trial(&control_);
        worker->clock = clock_;
    }
    // While they work, they have the queues.
    if (rx_.channel != nullptr) {
        rx_.channel->workers_receive();
        if (!reflectors_.empty()) rx_.channel->worker_sends(reflectors_.front()->done);
    }
    if (tx_.channel != nullptr) tx_.channel->worker_sends(generators_.front()->done);
}

stats::SentTotals WayRun::sent() const {
    stats::SentTotals totals;
    for (const auto& worker : generators_) {
        totals.intended += worker->intended;
        totals.unsent += worker->unsent;
        totals.offered.push_back(worker->offered);
    }
    return totals;
}

void WayRun::far_sent(std::optional<stats::SentTotals> totals) noexcept {
    far_sent_ = std::move(totals);
    control_.sending.store(0, std::memory_order_release);
}

void WayRun::prepare_generator(uint32_t index) {
    GenerateWorker& worker = *generators_[index];
    const uint32_t length = spec_.frame_size - kFcsSize;
    const wire::ProbeIdentity identity{run_id_, static_cast<uint8_t>(spec_.number),
                                       static_cast<uint8_t>(index)};
    const bool several = flows_.flows() > flows_.streams();
    const auto first = wire::flow_addresses(addresses(), several ? 0 : flows_.flow_at(index, 0));
    const bool crc = plan_.payload_check && spec_.frame_size >= wire::kMinCrcFrameSize;
    const auto& frame = frames_.emplace_back(
        std::make_unique<wire::FrameTemplate>(spec_.frame_size, first, identity, crc));
    auto& stamps = stamps_.emplace_back();
    for (uint32_t slot = 0; slot < (several ? flows_.flows_of(index) : 1); ++slot) {
        stamps.push_back(frame->flow_stamp(several ? flows_.flow_at(index, slot) : 0));
    }
    const auto& pool = pools_.emplace_back(std::make_unique<nic::FramePool>(
        fmt::format("{}-{}-{}", way_.name, index, spec_.number % 1000),
        frames_in_flight(way_, spec_.frame_size), length + nic::kSendingSpare, lcores(way_)));
    BW_CHECK(pool->prebuild(frame->bytes()));

    worker.begin_trial();
    worker.way = &control_;
    worker.sending = &control_.sending;
    worker.clock = clock_;
    worker.pool = pool.get();
    worker.frame = frame.get();
    worker.flows = stamps;
}

void WayRun::arm(Ns start) noexcept {
    const auto workers = static_cast<double>(generators_.size());
    const double period = spec_.fps ? kNsPerSecond / *spec_.fps : 0;
    Ns window = spec_.window_ns != 0 ? spec_.window_ns : plan::Schedule::kNoEnd - start;
    if (spec_.fps && spec_.count != 0) {
        const double counted = std::ceil(static_cast<double>(spec_.count) * period);
        window = static_cast<Ns>(std::min(static_cast<double>(window), counted));
    }
    control_.end_ns = start + window;
    for (size_t i = 0; i < generators_.size(); ++i) {
        plan::Schedule& schedule = generators_[i]->schedule;
        schedule.period_ns = period * workers;
        schedule.phase_ns = period * static_cast<double>(i);
        schedule.start_ns = start;
        schedule.end_ns = control_.end_ns;
        schedule.count = spec_.count == 0
                             ? plan::Schedule::kNoCount
                             : (spec_.count + generators_.size() - 1 - i) / generators_.size();
        schedule.late = plan_.late;
    }
}

template <class Workers>
static std::optional<WayRun::Live> sum_of(const Workers& workers) {
    if (workers.empty()) return std::nullopt;
    WayRun::Live live;
    for (const auto& worker : workers) {
        const stats::Progress progress = worker->snapshot.read();
        live.time += progress.time;
        live.frames += progress.frames;
    }
    live.time /= static_cast<Ns>(workers.size());
    return live;
}

std::optional<WayRun::Live> WayRun::sending() const {
    return sum_of(generators_);
}
std::optional<WayRun::Live> WayRun::receiving() const {
    return reflectors_.empty() ? sum_of(sinks_) : sum_of(reflectors_);
}

uint32_t WayRun::release_pools() {
    uint32_t missing = 0;
    for (auto& pool : pools_) {
        const uint32_t out = pool->in_use();
        const uint32_t kept = tx_.port->keeps_sent();
        if (out > kept) missing += out - kept;
        if (kept != 0) tx_.port->keep(std::move(pool));
    }
    pools_.clear();
    return missing;
}

}  // namespace barewire::engine
