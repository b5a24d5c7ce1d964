// SPDX-License-Identifier: BSD-3-Clause
// The columns of the CSV, each a place in the JSON.
#include "barewire/report/csv.h"

#include <string_view>

namespace barewire::report {
namespace {

struct Column {
    const char* name;
    const char* pointer;  // RFC 6901
};

/// Of the run: the same in each of its lines.
constexpr Column kRunColumns[] = {
    {"run_id", "/run_id"},   {"label", "/label"},     {"command", "/command"},
    {"version", "/version"}, {"started", "/started"}, {"status", "/status"},
};

constexpr Column kTrialColumns[] = {
    {"trial", "/trial"},
    {"repeat", "/repeat"},
    {"frame_size", "/frame_size"},
    {"direction", "/direction"},
    {"complete", "/complete"},
    {"duration_s", "/duration_s"},
    {"duration_raw_s", "/duration_raw_s"},
    {"target_fps", "/target_fps"},
    {"seed", "/seed"},
    {"intended", "/intended"},
    {"offered", "/offered"},
    {"unsent", "/unsent"},
    {"unsent_explained", "/unsent_explained"},
    {"received", "/received"},
    {"lost", "/lost"},
    {"lost_by_tx_port", "/lost_by/tx_port"},
    {"lost_by_path", "/lost_by/path"},
    {"lost_by_rx_damaged", "/lost_by/rx_damaged"},
    {"lost_by_rx_missed", "/lost_by/rx_missed"},
    {"lost_by_rx_no_buffer", "/lost_by/rx_no_buffer"},
    {"surplus", "/surplus"},
    {"duplicated", "/duplicated"},
    {"reordered", "/reordered"},
    {"corrupted", "/corrupted"},
    {"payload_check", "/payload_check"},
    {"foreign", "/foreign"},
    {"stale", "/stale"},
    {"ledger_adds_up", "/ledger_adds_up"},
    {"tx_fps", "/tx/fps"},
    {"tx_l1_bps", "/tx/l1_bps"},
    {"tx_l2_bps", "/tx/l2_bps"},
    {"rx_fps", "/rx/fps"},
    {"rx_l1_bps", "/rx/l1_bps"},
    {"rx_l2_bps", "/rx/l2_bps"},
    {"line_rate_ratio", "/line_rate_ratio"},
    {"latency_count", "/latency_ns/count"},
    {"latency_min_ns", "/latency_ns/min"},
    {"latency_mean_ns", "/latency_ns/mean"},
    {"latency_p50_ns", "/latency_ns/p50"},
    {"latency_p90_ns", "/latency_ns/p90"},
    {"latency_p99_ns", "/latency_ns/p99"},
    {"latency_p999_ns", "/latency_ns/p999"},
    {"latency_max_ns", "/latency_ns/max"},
    {"lateness_p50_ns", "/lateness_ns/p50"},
    {"lateness_p99_ns", "/lateness_ns/p99"},
    {"lateness_max_ns", "/lateness_ns/max"},
    {"gap_p50_ns", "/gap_ns/p50"},
    {"gap_p99_ns", "/gap_ns/p99"},
    {"gap_max_ns", "/gap_ns/max"},
    {"jitter_ns", "/jitter_ns"},
    {"stalls", "/stalls/count"},
    {"stalls_longest_ns", "/stalls/longest_ns"},
    {"stalls_total_ns", "/stalls/total_ns"},
};

/// In double quotes where it holds a comma, a quote or a line break (RFC 4180 section 2).
std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}

std::string field(const Json& object, const Column& column) {
    const Json::json_pointer place(column.pointer);
    if (!object.contains(place)) return {};
    const Json& value = object.at(place);
    if (value.is_null()) return {};
    if (value.is_string()) return quoted(value.get<std::string>());
    return value.dump();
}

}  // namespace

std::string to_csv(const Json& result) {
    std::string run;
    std::string text;
    for (const Column& column : kRunColumns) {
        text += std::string(column.name) + ',';
        run += field(result, column) + ',';
    }
    for (const Column& column : kTrialColumns) text += std::string(column.name) + ',';
    text.back() = '\n';
    if (!result.contains("trials")) return text;
    for (const Json& trial : result.at("trials")) {
        text += run;
        for (const Column& column : kTrialColumns) text += field(trial, column) + ',';
        text.back() = '\n';
    }
    return text;
}

}  // namespace barewire::report
