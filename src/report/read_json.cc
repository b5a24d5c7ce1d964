// SPDX-License-Identifier: BSD-3-Clause
// The other way of json.cc, key by key.
#include "barewire/report/read_json.h"

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>

namespace barewire::report {
namespace {

constexpr size_t kMostText = 256;

/// The member `key`; null if there is none.
const Json& at(const Json& json, const char* key) {
    static const Json nothing = nullptr;
    if (!json.is_object()) return nothing;
    const auto found = json.find(key);
    return found == json.end() ? nothing : *found;
}

/// What another host says, fit for a terminal and of bounded length.
std::string cleaned(std::string text) {
    text.resize(std::min(text.size(), kMostText));
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return text;
}

void read(const Json& json, std::string& to) {
    if (json.is_string()) to = cleaned(json.get_ref<const std::string&>());
}
void read(const Json& json, bool& to) {
    if (json.is_boolean()) to = json.get<bool>();
}

template <class T>
constexpr bool holds(const Json& json) {
    if constexpr (std::is_same_v<T, std::string>) return json.is_string();
    if constexpr (std::is_same_v<T, bool>) return json.is_boolean();
    if constexpr (std::is_same_v<T, double>) return json.is_number();
    if constexpr (std::is_unsigned_v<T>) return json.is_number_unsigned();
    return json.is_number_integer();
}

/// Numbers; a double from any, a count only from one that is no fraction and not negative.
template <class T>
requires std::is_arithmetic_v<T>
void read(const Json& json, T& to) {
    if (holds<T>(json)) to = json.get<T>();
}

template <class T>
void read(const Json& json, std::optional<T>& to) {
    if (holds<T>(json)) read(json, to.emplace());
}

/// Reads each element of a list by `convert`.
template <class T, class Convert>
void read_list(const Json& json, std::vector<T>& to, Convert convert) {
    if (!json.is_array()) return;
    const size_t size = std::min(json.size(), kMostElements);
    for (size_t i = 0; i < size; ++i) to.push_back(convert(json[i]));
}

std::string text_of(const Json& json) {
    std::string text;
    read(json, text);
    return text;
}

plan::Rates rates_of(const Json& json) {
    plan::Rates rates;
    read(at(json, "fps"), rates.fps);
    read(at(json, "l1_bps"), rates.l1_bps);
    read(at(json, "l2_bps"), rates.l2_bps);
    return rates;
}

plan::Distribution distribution_of(const Json& json) {
    plan::Distribution of;
    read(at(json, "count"), of.count);
    read(at(json, "min"), of.min);
    read(at(json, "mean"), of.mean);
    read(at(json, "p50"), of.p50);
    read(at(json, "p90"), of.p90);
    read(at(json, "p99"), of.p99);
    read(at(json, "p999"), of.p999);
    read(at(json, "max"), of.max);
    read(at(json, "error_bound"), of.error_bound);
    return of;
}

plan::Stalls stalls_of(const Json& json) {
    plan::Stalls stalls;
    read(at(json, "count"), stalls.count);
    read(at(json, "longest_ns"), stalls.longest_ns);
    read(at(json, "total_ns"), stalls.total_ns);
    return stalls;
}

plan::WorkerResult worker_of(const Json& json) {
    plan::WorkerResult worker;
    read(at(json, "core"), worker.core);
    read(at(json, "role"), worker.role);
    read(at(json, "direction"), worker.direction);
    read(at(json, "turns"), worker.turns);
    read(at(json, "productive_turns"), worker.productive_turns);
    read(at(json, "short_sends"), worker.short_sends);
    read(at(json, "pool_empty"), worker.pool_empty);
    read(at(json, "received"), worker.received);
    read(at(json, "far"), worker.far);
    worker.stalls = stalls_of(at(json, "stalls"));
    return worker;
}

plan::PortCounters counters_of(const Json& json) {
    plan::PortCounters port;
    read(at(json, "port"), port.port);
    read(at(json, "far"), port.far);
    read(at(json, "ipackets"), port.ipackets);
    read(at(json, "opackets"), port.opackets);
    read(at(json, "ibytes"), port.ibytes);
    read(at(json, "obytes"), port.obytes);
    read(at(json, "ierrors"), port.ierrors);
    read(at(json, "oerrors"), port.oerrors);
    read(at(json, "imissed"), port.imissed);
    read(at(json, "rx_nombuf"), port.rx_nombuf);
    read(at(json, "rx_pause"), port.rx_pause);
    read(at(json, "tx_pause"), port.tx_pause);
    return port;
}

plan::FlowResult flow_of(const Json& json) {
    plan::FlowResult flow;
    read(at(json, "flow"), flow.flow);
    read(at(json, "offered"), flow.offered);
    read(at(json, "received"), flow.received);
    read(at(json, "lost"), flow.lost);
    read(at(json, "surplus"), flow.surplus);
    read(at(json, "duplicated"), flow.duplicated);
    read(at(json, "reordered"), flow.reordered);
    read(at(json, "corrupted"), flow.corrupted);
    return flow;
}

void read_counts(const Json& json, plan::TrialResult& trial) {
    read(at(json, "intended"), trial.intended);
    read(at(json, "offered"), trial.offered);
    read(at(json, "unsent"), trial.unsent);
    read(at(json, "unsent_explained"), trial.unsent_explained);
    read(at(json, "received"), trial.received);
    read(at(json, "lost"), trial.lost);
    read(at(json, "surplus"), trial.surplus);
    read(at(json, "duplicated"), trial.duplicated);
    read(at(json, "reordered"), trial.reordered);
    read(at(json, "corrupted"), trial.corrupted);
    read(at(json, "payload_check"), trial.payload_check);
    read(at(json, "foreign"), trial.foreign);
    read(at(json, "stale"), trial.stale);
    read(at(json, "ledger_adds_up"), trial.ledger_adds_up);
    const Json& lost = at(json, "lost_by");
    read(at(lost, "tx_port"), trial.lost_by.tx_port);
    read(at(lost, "path"), trial.lost_by.path);
    read(at(lost, "rx_damaged"), trial.lost_by.rx_damaged);
    read(at(lost, "rx_missed"), trial.lost_by.rx_missed);
    read(at(lost, "rx_no_buffer"), trial.lost_by.rx_no_buffer);
    const Json& foreign = at(json, "foreign_by");
    if (!foreign.is_object()) return;
    for (const auto& [name, count] : foreign.items()) {
        if (trial.foreign_by.size() == kMostElements) break;
        read(count, trial.foreign_by[cleaned(name)]);
    }
}

void read_times(const Json& json, plan::TrialResult& trial) {
    read(at(json, "duration_s"), trial.duration_s);
    read(at(json, "duration_raw_s"), trial.duration_raw_s);
    read(at(json, "target_fps"), trial.target_fps);
    trial.tx = rates_of(at(json, "tx"));
    trial.rx = rates_of(at(json, "rx"));
    trial.latency_ns = distribution_of(at(json, "latency_ns"));
    trial.lateness_ns = distribution_of(at(json, "lateness_ns"));
    trial.gap_ns = distribution_of(at(json, "gap_ns"));
    read(at(json, "jitter_ns"), trial.jitter_ns);
    trial.stalls = stalls_of(at(json, "stalls"));
}

plan::PortFacts facts_of(const Json& json) {
    plan::PortFacts port;
    read(at(json, "port"), port.port);
    read(at(json, "driver"), port.driver);
    read(at(json, "mac"), port.mac);
    read(at(json, "speed_bps"), port.speed_bps);
    read(at(json, "max_frame"), port.max_frame);
    read(at(json, "max_frame_by"), port.max_frame_by);
    read(at(json, "mtu"), port.mtu);
    read(at(json, "flow_control"), port.flow_control);
    read(at(json, "rx_queues"), port.rx_queues);
    read(at(json, "tx_queues"), port.tx_queues);
    read(at(json, "spread"), port.spread);
    read_list(at(json, "offloads"), port.offloads, text_of);
    read(at(json, "numa_node"), port.numa_node);
    return port;
}

int core_of(const Json& json) {
    int core = 0;
    read(json, core);
    return core;
}

}  // namespace

plan::TrialResult read_trial(const Json& json) noexcept {
    plan::TrialResult trial;
    read(at(json, "frame_size"), trial.frame_size);
    read(at(json, "direction"), trial.direction);
    read(at(json, "trial"), trial.trial);
    read(at(json, "complete"), trial.complete);
    read(at(json, "seed"), trial.seed);
    read(at(json, "repeat"), trial.repeat);
    read_counts(json, trial);
    read_times(json, trial);
    read_list(at(json, "workers"), trial.workers, worker_of);
    read_list(at(json, "port_counters"), trial.port_counters, counters_of);
    read_list(at(json, "flows"), trial.flows, flow_of);
    return trial;
}

plan::Environment read_environment(const Json& json) noexcept {
    plan::Environment environment;
    read(at(json, "version"), environment.version);
    read(at(json, "cpu"), environment.cpu);
    read(at(json, "kernel"), environment.kernel);
    read(at(json, "dpdk"), environment.dpdk);
    read(at(json, "tsc_hz"), environment.tsc_hz);
    read(at(json, "tsc_error_ppm"), environment.tsc_error_ppm);
    read(at(json, "huge_pages"), environment.huge_pages);
    read(at(json, "governor"), environment.governor);
    read(at(json, "siblings"), environment.siblings);
    read(at(json, "governor"), environment.governor);
    read(at(json, "siblings"), environment.siblings);
    read_list(at(json, "cores"), environment.cores, core_of);
    read(at(json, "cores_allowed"), environment.cores_allowed);
    read_list(at(json, "ports"), environment.ports, facts_of);
    return environment;
}

}  // namespace barewire::report
