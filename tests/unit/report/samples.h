// SPDX-License-Identifier: BSD-3-Clause
// Made-up results, of every shape that a page, a JSON object or a CSV has to show. None was
// measured.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "barewire/plan/result.h"
#include "barewire/plan/verdict.h"

namespace barewire::samples {

using plan::RunResult;
using plan::TrialResult;

inline plan::Distribution spread(uint64_t count, Ns min, Ns typical, Ns max) {
    return {.count = count,
            .min = min,
            .p50 = typical,
            .p90 = typical * 2,
            .p99 = typical * 3,
            .p999 = typical * 4,
            .max = max,
            .mean = static_cast<double>(typical) * 1.25,
            .error_bound = 1.0 / 128};
}

inline plan::Rates rates(double fps, uint32_t frame_size) {
    return {fps, fps * (frame_size + 20) * 8, fps * frame_size * 8};
}

inline plan::WorkerResult worker(int core, const char* role, uint64_t turns, uint64_t productive,
                                 uint64_t short_sends) {
    plan::WorkerResult worker;
    worker.core = core;
    worker.role = role;
    worker.direction = "a-to-b";
    worker.turns = turns;
    worker.productive_turns = productive;
    worker.short_sends = short_sends;
    return worker;
}

/// A trial that sends and receives: `lost` on the path, all else well.
inline TrialResult both_ends(uint32_t number, uint32_t frame_size, uint64_t offered,
                             uint64_t lost = 0) {
    constexpr double kDuration = 5;
    TrialResult trial;
    trial.frame_size = frame_size;
    trial.direction = "a-to-b";
    trial.trial = number;
    trial.seed = 1;
    trial.duration_s = kDuration;
    trial.duration_raw_s = kDuration + 1e-6;
    trial.intended = offered;
    trial.offered = offered;
    trial.unsent = 0;
    trial.received = offered - lost;
    trial.lost = lost;
    trial.surplus = trial.duplicated = trial.reordered = trial.corrupted = 0;
    trial.foreign = trial.stale = 0;
    trial.lost_by = {
        .tx_port = 0, .path = lost, .rx_damaged = 0, .rx_missed = 0, .rx_no_buffer = 0};
    trial.payload_check = "none";
    trial.tx = rates(static_cast<double>(offered) / kDuration, frame_size);
    trial.rx = rates(static_cast<double>(offered - lost) / kDuration, frame_size);
    trial.latency_ns = spread(offered - lost, 180, 2400, 91'000);
    trial.lateness_ns = spread(offered, 0, 40, 5'100);
    trial.gap_ns = spread(offered - 1, 0, 31, 6'200);
    trial.jitter_ns = 12.5;
    trial.workers = {worker(0, "generate", 2'000'000, 1'980'000, 410),
                     worker(1, "sink", 2'100'000, 2'050'000, 0)};
    trial.flows = {{.flow = 0, .offered = offered, .received = offered - lost, .lost = lost}};
    return trial;
}

inline plan::PortFacts wire_port(const char* name) {
    return {.port = name,
            .driver = "embedded wire",
            .mac = "02:00:00:00:00:01",
            .speed_bps = {},
            .max_frame = 65535,
            .max_frame_by = "IPv4 length field"};
}

inline RunResult wire_run(std::vector<TrialResult> trials) {
    RunResult run;
    run.command = "stress";
    run.command_line = {"barewire", "stress"};
    run.run_id = "7f3a91c2";
    run.version = "0.1.0";
    run.started = "2031-02-03T04:05:06+01:00";
    run.effective = {{"tx", "wire:a"}, {"rx", "wire:b"}, {"wire", ""},     {"size", "64,1518,9018"},
                     {"rate", "max"},  {"for", "5s"},    {"count", "none"}};
    run.environment = {.cpu = "Example 9000",
                       .kernel = "6.1.0-18-amd64",
                       .dpdk = "22.11.4",
                       .huge_pages = "none",
                       .governor = {},
                       .siblings = false,
                       .tsc_hz = 2'595'124'000,
                       .tsc_error_ppm = 1.5,
                       .cores = {0, 1},
                       .cores_allowed = 2,
                       .ports = {wire_port("wire:a"), wire_port("wire:b")}};
    for (TrialResult& trial : trials) {
        const uint64_t entered = trial.offered.value_or(0);
        trial.wire = plan::WireCounts{.entered = entered, .delivered = entered};
    }
    run.trials = std::move(trials);
    return run;
}

/// What `barewire stress` shows on a machine where all is well.
inline RunResult lossless() {
    return wire_run({both_ends(1, 64, 74'404'760), both_ends(2, 1518, 31'200'345),
                     both_ends(3, 9018, 7'310'998)});
}

/// Loss in a switch between two ports of a NIC with a speed.
inline RunResult nic_loss() {
    RunResult run = lossless();
    run.trials = {both_ends(1, 64, 148'809'520, 1'204'331), both_ends(2, 1518, 8'127'438),
                  both_ends(3, 9018, 1'383'049)};
    for (TrialResult& trial : run.trials) trial.line_rate_ratio = *trial.rx.l1_bps / 2 / 1e10;
    for (TrialResult& trial : run.trials) {
        trial.workers = {worker(2, "generate", 2'000'000, 1'220'000, 780'000),
                         worker(4, "sink", 2'100'000, 1'554'000, 0)};
    }
    run.trials[0].line_rate_ratio = 0.9919;
    run.trials[0].rx = {14'760'519, 9.919e9, 7.557e9};
    run.trials[0].foreign = 14;
    run.trials[0].foreign_by = {{"LLDP", 2}, {"STP", 12}};
    run.trials[1].line_rate_ratio = 1;
    run.trials[1].rx = {812'743.8, 10e9, 9.87e9};
    run.trials[2].line_rate_ratio = 1;
    run.trials[2].rx = {138'304.9, 10e9, 9.978e9};
    run.environment.huge_pages = "2 MiB";
    run.environment.governor = "performance";
    run.environment.cores = {2, 4};
    run.environment.ports = {{.port = "0000:3b:00.0",
                              .driver = "net_ixgbe",
                              .mac = "a0:36:9f:00:00:01",
                              .speed_bps = 10e9,
                              .max_frame = 15872,
                              .max_frame_by = "the NIC"},
                             {.port = "0000:3b:00.1",
                              .driver = "net_ixgbe",
                              .mac = "a0:36:9f:00:00:02",
                              .speed_bps = 10e9,
                              .max_frame = 15872,
                              .max_frame_by = "the NIC"}};
    run.effective[0].second = "0000:3b:00.0";
    run.effective[1].second = "0000:3b:00.1";
    run.trials[0].lost_by.rx_no_buffer.reset();
    run.trials[0].port_counters = {{.port = "0000:3b:00.1",
                                    .ipackets = 147'605'189,
                                    .opackets = {},
                                    .ibytes = {},
                                    .obytes = {},
                                    .ierrors = 0,
                                    .oerrors = 0,
                                    .imissed = 0,
                                    .rx_nombuf = {}}};
    return run;
}

/// Ctrl-C in the second trial.
inline RunResult interrupted() {
    RunResult run = lossless();
    run.status = plan::Status::interrupted;
    run.trials.pop_back();
    run.trials[1].complete = false;
    run.trials[1].duration_s = 1.2345678;
    run.intervals = {{.trial = 1,
                      .frame_size = 64,
                      .direction = "a-to-b",
                      .begin_s = 0,
                      .end_s = 1.0001,
                      .offered = 14'000'000,
                      .received = 13'999'968,
                      .tx_fps = 1.4e7,
                      .rx_fps = 1.39e7,
                      .tx_l1_bps = 9.4e9,
                      .rx_l1_bps = {}}};
    return run;
}

/// An expectation that a lossy wire broke; its damage in every class.
inline RunResult broken_expectation() {
    RunResult run = wire_run({both_ends(1, 128, 3'000'000, 3'012)});
    run.status = plan::Status::failed;
    run.errors = {"expected loss<=0.05% at 128 bytes, a-to-b, and it is 0.1004%"};
    run.effective[2].second = "loss=1e-3,duplicate=1e-4,reorder=1e-4,corrupt=1e-5";
    run.effective[5].second = "none";
    run.effective[6].second = "3000000";
    TrialResult& trial = run.trials[0];
    trial.received = *trial.received + 301;
    trial.duplicated = 301;
    trial.reordered = 289;
    trial.corrupted = 31;
    trial.payload_check = "crc32c";
    trial.wire = plan::WireCounts{.entered = 3'000'000,
                                  .delivered = 2'997'289,
                                  .lost = 3'000,
                                  .duplicated = 301,
                                  .reordered = 289,
                                  .corrupted = 31,
                                  .over_mtu = 12};
    return run;
}

/// Only sent, paced, nobody receives.
inline RunResult generated() {
    RunResult run = wire_run({both_ends(1, 64, 25'000'000), both_ends(2, 1518, 25'000'000)});
    run.command = "generate";
    run.effective = {{"port", "null"}, {"size", "64,1518"}, {"rate", "5Mpps"}, {"for", "5s"}};
    run.environment.ports = {{.port = "null",
                              .driver = "net_null",
                              .mac = "00:00:00:00:00:00",
                              .speed_bps = {},
                              .max_frame = 65535,
                              .max_frame_by = "IPv4 length field"}};
    run.environment.cores = {1};
    for (TrialResult& trial : run.trials) {
        trial.target_fps = 5e6;
        trial.unsent_explained = 0;
        trial.received = trial.lost = trial.surplus = trial.duplicated = trial.reordered =
            trial.corrupted = trial.foreign = trial.stale = std::nullopt;
        trial.lost_by = {};
        trial.rx = {};
        trial.latency_ns = {};
        trial.jitter_ns.reset();
        trial.wire.reset();
        trial.workers.pop_back();
        trial.flows.clear();
    }
    return run;
}

/// Read from a capture with frames of others in it.
inline RunResult sunk() {
    RunResult run = wire_run({both_ends(1, 64, 1'000'000)});
    run.command = "sink";
    run.effective = {{"port", "pcap:mixed.pcap,"}, {"for", "5s"}, {"count", "none"}};
    run.environment.ports = {{.port = "pcap:mixed.pcap,",
                              .driver = "libpcap",
                              .mac = "",
                              .speed_bps = {},
                              .max_frame = 65535,
                              .max_frame_by = "capture format"}};
    TrialResult& trial = run.trials[0];
    trial.frame_size = 0;
    trial.intended = trial.offered = trial.unsent = trial.unsent_explained = std::nullopt;
    trial.lost_by = {};
    trial.tx = {};
    trial.latency_ns = trial.lateness_ns = trial.gap_ns = {};
    trial.foreign = 1'037;
    trial.foreign_by = {{"ARP", 12}, {"IPv6", 1'000}, {"STP", 20}, {"other-run", 5}};
    trial.wire.reset();
    trial.workers.erase(trial.workers.begin());
    return run;
}

/// Stalls on a shared machine: frames left unsent, and warnings.
inline RunResult stalled() {
    RunResult run = wire_run({both_ends(1, 64, 74'387'655)});
    run.label = "laptop, on battery";
    run.warnings = {
        "2 workers share core 0: a worker that waits for the other loses frames; give "
        "each one its own with --cores",
        "the frequency governor is powersave"};
    run.environment.siblings = true;
    run.environment.governor = "powersave";
    run.effective[4].second = "14.88Mpps";
    TrialResult& trial = run.trials[0];
    trial.target_fps = 14.88e6;
    trial.intended = *trial.offered + 12'345;
    trial.unsent = 12'345;
    trial.unsent_explained = 13'392;
    trial.stalls = {.count = 3, .longest_ns = 411'000, .total_ns = 900'000};
    return run;
}

/// Both directions, each twice.
inline RunResult both_ways() {
    std::vector<TrialResult> trials;
    for (uint32_t repeat = 1; repeat <= 2; ++repeat) {
        for (const char* direction : {"a-to-b", "b-to-a"}) {
            trials.push_back(both_ends(repeat, 1518, 12'000'000 + repeat));
            trials.back().repeat = repeat;
            trials.back().direction = direction;
        }
    }
    trials[2].reordered = 4;
    RunResult run = wire_run(std::move(trials));
    run.effective.emplace_back("both-ways", "true");
    return run;
}

/// Refused before anything was opened.
inline RunResult refused() {
    RunResult run;
    run.command = "stress";
    run.command_line = {"barewire", "stress", "--size", "63", "--rate", "100"};
    run.version = "0.1.0";
    run.status = plan::Status::failed;
    run.errors = {"--size 63: a frame has 64 to 65535 bytes, FCS included",
                  "--rate 100: of what? Say 100pps, 100Mbps or 100%"};
    run.started = "2031-02-03T04:05:06+01:00";
    return run;
}

/// A bug, or a port that lies.
inline RunResult unsettled() {
    RunResult run = lossless();
    run.status = plan::Status::failed;
    run.errors = {"the ledger of a trial does not add up"};
    run.trials[1].ledger_adds_up = false;
    run.trials[1].received = *run.trials[1].received - 1;
    return run;
}

/// All of the above, by name, with the verdict that follows.
inline std::vector<std::pair<std::string, RunResult>> all() {
    std::vector<std::pair<std::string, RunResult>> list = {
        {"lossless", lossless()},       {"nic_loss", nic_loss()},
        {"interrupted", interrupted()}, {"broken_expectation", broken_expectation()},
        {"generated", generated()},     {"sunk", sunk()},
        {"stalled", stalled()},         {"both_ways", both_ways()},
        {"refused", refused()},         {"unsettled", unsettled()}};
    for (auto& [name, run] : list) run.verdict = plan::judge_run(run);
    return list;
}

}  // namespace barewire::samples
