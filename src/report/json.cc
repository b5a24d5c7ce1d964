// SPDX-License-Identifier: BSD-3-Clause
// RunResult into JSON, key by key.
#include "barewire/report/json.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace barewire::report {
namespace {

using plan::Count;

Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

template <class T>
Json maybe(const std::optional<T>& value) {
    if (!value) return nullptr;
    if constexpr (std::is_same_v<T, double>) return number(*value);
    return *value;
}

/// Empty text and zero mean "not known" for facts that cannot be so.
Json known(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

Json known(double value) {
    return value > 0 ? number(value) : Json(nullptr);
}

Json known(uint32_t value) {
    return value > 0 ? Json(value) : Json(nullptr);
}

template <class T>
Json array_of(const std::vector<T>& list, Json (*convert)(const T&)) {
    Json array = Json::array();
    for (const T& element : list) array.push_back(convert(element));
    return array;
}

Json to_json(const plan::Rates& rates) {
    return {{"fps", maybe(rates.fps)},
            {"l1_bps", maybe(rates.l1_bps)},
            {"l2_bps", maybe(rates.l2_bps)}};
}

Json to_json(const plan::Distribution& of) {
    return {
        {"count", of.count},      {"min", maybe(of.min)}, {"mean", maybe(of.mean)},
        {"p50", maybe(of.p50)},   {"p90", maybe(of.p90)}, {"p99", maybe(of.p99)},
        {"p999", maybe(of.p999)}, {"max", maybe(of.max)}, {"error_bound", number(of.error_bound)}};
}

/// Null where the trial could not measure it; with nothing recorded, the count is 0.
Json distribution(const plan::Distribution& of, bool measured) {
    return measured || of.count > 0 ? to_json(of) : Json(nullptr);
}

Json to_json(const plan::LostBy& lost) {
    return {{"tx_port", maybe(lost.tx_port)},
            {"path", maybe(lost.path)},
            {"rx_damaged", maybe(lost.rx_damaged)},
            {"rx_missed", maybe(lost.rx_missed)},
            {"rx_no_buffer", maybe(lost.rx_no_buffer)}};
}

Json to_json(const plan::Stalls& stalls) {
    return {
        {"count", stalls.count}, {"longest_ns", stalls.longest_ns}, {"total_ns", stalls.total_ns}};
}

Json to_json(const plan::WorkerResult& worker) {
    Json busy = nullptr;
    if (worker.turns > 0) {
        busy = number(static_cast<double>(worker.productive_turns) /
                      static_cast<double>(worker.turns));
    }
    return {{"core", worker.core},
            {"role", worker.role},
            {"direction", worker.direction},
            {"busy_share", busy},
            {"cycles_per_frame", nullptr},
            {"turns", worker.turns},
            {"productive_turns", worker.productive_turns},
            {"short_sends", worker.short_sends},
            {"pool_empty", worker.pool_empty},
            {"received", maybe(worker.received)},
            {"far", worker.far},
            {"stalls", to_json(worker.stalls)}};
}

Json to_json(const plan::WireCounts& wire) {
    return {{"entered", wire.entered},
            {"delivered", wire.delivered},
            {"lost", wire.lost},
            {"burst_lost", wire.burst_lost},
            {"duplicated", wire.duplicated},
            {"reordered", wire.reordered},
            {"corrupted", wire.corrupted},
            {"corrupted_any", wire.corrupted_any},
            {"truncated", wire.truncated},
            {"over_mtu", wire.over_mtu},
            {"over_max_frame", wire.over_max_frame}};
}

Json to_json(const plan::PortCounters& port) {
    return {{"port", port.port},
            {"far", port.far},
            {"ipackets", maybe(port.ipackets)},
            {"opackets", maybe(port.opackets)},
            {"ibytes", maybe(port.ibytes)},
            {"obytes", maybe(port.obytes)},
            {"ierrors", maybe(port.ierrors)},
            {"oerrors", maybe(port.oerrors)},
            {"imissed", maybe(port.imissed)},
            {"rx_nombuf", maybe(port.rx_nombuf)},
            {"rx_pause", maybe(port.rx_pause)},
            {"tx_pause", maybe(port.tx_pause)}};
}

Json to_json(const plan::FlowResult& flow) {
    return {{"flow", flow.flow},           {"offered", flow.offered},
            {"received", flow.received},   {"lost", maybe(flow.lost)},
            {"surplus", flow.surplus},     {"duplicated", flow.duplicated},
            {"reordered", flow.reordered}, {"corrupted", flow.corrupted}};
}

Json foreign_by(const plan::TrialResult& trial) {
    if (!trial.foreign) return nullptr;
    Json by = Json::object();
    for (const auto& [name, count] : trial.foreign_by) by[name] = count;
    return by;
}

/// What was counted.
Json counts_of(const plan::TrialResult& trial) {
    return {{"intended", maybe(trial.intended)},
            {"offered", maybe(trial.offered)},
            {"unsent", maybe(trial.unsent)},
            {"unsent_explained", maybe(trial.unsent_explained)},
            {"received", maybe(trial.received)},
            {"lost", maybe(trial.lost)},
            {"lost_by", to_json(trial.lost_by)},
            {"surplus", maybe(trial.surplus)},
            {"duplicated", maybe(trial.duplicated)},
            {"reordered", maybe(trial.reordered)},
            {"corrupted", maybe(trial.corrupted)},
            {"payload_check", known(trial.payload_check)},
            {"foreign", maybe(trial.foreign)},
            {"foreign_by", foreign_by(trial)},
            {"stale", maybe(trial.stale)},
            {"ledger_adds_up", trial.ledger_adds_up}};
}

/// Whether a worker of that role took part here, or also at the far end.
bool has_worker(const plan::TrialResult& trial, std::string_view role, bool or_far) {
    return std::any_of(trial.workers.begin(), trial.workers.end(), [&](const auto& worker) {
        return worker.role == role && (or_far || !worker.far);
    });
}

/// What was timed.
Json times_of(const plan::TrialResult& trial) {
    const bool sends = trial.offered.has_value() && has_worker(trial, "generate", true);
    const bool one_clock = has_worker(trial, "generate", false) &&
                           has_worker(trial, "sink", false) && trial.offered && trial.received;
    return {{"tx", to_json(trial.tx)},
            {"rx", to_json(trial.rx)},
            {"line_rate_ratio", maybe(trial.line_rate_ratio)},
            {"latency_ns", distribution(trial.latency_ns, one_clock)},
            {"lateness_ns", distribution(trial.lateness_ns, sends)},
            {"gap_ns", distribution(trial.gap_ns, sends)},
            {"jitter_ns", maybe(trial.jitter_ns)},
            {"stalls", to_json(trial.stalls)}};
}

/// Pause frames of all its ports; null where none of them counts any.
Json pause_of(const plan::TrialResult& trial) {
    plan::MaybeCount received;
    plan::MaybeCount sent;
    for (const plan::PortCounters& port : trial.port_counters) {
        if (port.rx_pause) received = received.value_or(0) + *port.rx_pause;
        if (port.tx_pause) sent = sent.value_or(0) + *port.tx_pause;
    }
    if (!received && !sent) return nullptr;
    return {{"received", maybe(received)}, {"sent", maybe(sent)}};
}

}  // namespace

Json to_json(const plan::TrialResult& trial) {
    Json json = {{"frame_size", known(trial.frame_size)},
                 {"direction", trial.direction},
                 {"trial", trial.trial},
                 {"complete", trial.complete},
                 {"duration_s", number(trial.duration_s)},
                 {"duration_raw_s", number(trial.duration_raw_s)},
                 {"target_fps", maybe(trial.target_fps)},
                 {"seed", trial.seed},
                 {"repeat", trial.repeat}};
    json.update(counts_of(trial));
    json.update(times_of(trial));
    json["workers"] = array_of(trial.workers, to_json);
    json["pause"] = pause_of(trial);
    json["wire"] = trial.wire ? to_json(*trial.wire) : Json(nullptr);
    json["port_counters"] = array_of(trial.port_counters, to_json);
    json["flows"] = array_of(trial.flows, to_json);
    return json;
}

namespace {

Json to_json(const plan::Interval& interval) {
    return {{"trial", interval.trial},
            {"frame_size", known(interval.frame_size)},
            {"direction", interval.direction},
            {"begin_s", number(interval.begin_s)},
            {"end_s", number(interval.end_s)},
            {"offered", maybe(interval.offered)},
            {"received", maybe(interval.received)},
            {"tx_fps", maybe(interval.tx_fps)},
            {"rx_fps", maybe(interval.rx_fps)},
            {"tx_l1_bps", maybe(interval.tx_l1_bps)},
            {"rx_l1_bps", maybe(interval.rx_l1_bps)}};
}

Json to_json(const plan::PortFacts& port) {
    return {{"port", port.port},
            {"driver", known(port.driver)},
            {"mac", known(port.mac)},
            {"speed_bps", maybe(port.speed_bps)},
            {"max_frame", known(port.max_frame)},
            {"max_frame_by", known(port.max_frame_by)},
            {"mtu", maybe(port.mtu)},
            {"flow_control", maybe(port.flow_control)},
            {"rx_queues", maybe(port.rx_queues)},
            {"tx_queues", maybe(port.tx_queues)},
            {"spread", maybe(port.spread)},
            {"offloads", port.offloads},
            {"numa_node", maybe(port.numa_node)}};
}

}  // namespace

Json to_json(const plan::Environment& environment) {
    return {{"version", known(environment.version)},
            {"cpu", known(environment.cpu)},
            {"kernel", known(environment.kernel)},
            {"dpdk", known(environment.dpdk)},
            {"tsc_hz", known(environment.tsc_hz)},
            {"tsc_error_ppm",
             environment.tsc_hz > 0 ? number(environment.tsc_error_ppm) : Json(nullptr)},
            {"huge_pages", known(environment.huge_pages)},
            {"governor", maybe(environment.governor)},
            {"siblings", maybe(environment.siblings)},
            {"cores", environment.cores},
            {"cores_allowed", known(environment.cores_allowed)},
            {"ports", array_of(environment.ports, to_json)}};
}

namespace {

const char* name_of(plan::Status status) {
    switch (status) {
        case plan::Status::ok:
            return "ok";
        case plan::Status::failed:
            return "failed";
        case plan::Status::interrupted:
            break;
    }
    return "interrupted";
}

Json object_of(const std::vector<std::pair<std::string, std::string>>& pairs) {
    Json object = Json::object();
    for (const auto& [key, value] : pairs) object[key] = value;
    return object;
}

}  // namespace

Json to_json(const plan::RunResult& result) {
    return {{"schema", kResultSchema},
            {"command", result.command},
            {"command_line", result.command_line},
            {"run_id", result.run_id},
            {"label", result.label},
            {"version", result.version},
            {"status", name_of(result.status)},
            {"errors", result.errors},
            {"warnings", result.warnings},
            {"started", known(result.started)},
            {"effective", object_of(result.effective)},
            {"environment", to_json(result.environment)},
            {"far_environment",
             result.far_environment ? to_json(*result.far_environment) : Json(nullptr)},
            {"lifted", result.lifted},
            {"trials", array_of(result.trials, to_json)},
            {"intervals", array_of(result.intervals, to_json)},
            {"verdict",
             {{"limit", result.verdict.limit},
              {"evidence", result.verdict.evidence},
              {"next", result.verdict.next}}}};
}

std::string serialize(const Json& json) {
    constexpr int kIndent = 2;
    return json.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace barewire::report
