// SPDX-License-Identifier: BSD-3-Clause
// Results that no run would give: any number, any text, anything missing.
#pragma once

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "barewire/plan/result.h"
#include "barewire/plan/verdict.h"

namespace barewire::samples {

class RandomResult {
  public:
    explicit RandomResult(uint64_t seed) : bits_(seed) {}

    plan::RunResult next() {
        plan::RunResult run;
        const char* commands[] = {"stress", "generate", "sink"};
        run.command = commands[below(3)];
        run.command_line = texts();
        run.run_id = chance(2) ? "7f3a91c2" : "";
        run.label = chance(2) ? text() : "";
        run.version = text();
        run.status = static_cast<plan::Status>(below(3));
        run.errors = texts();
        run.warnings = texts();
        run.started = chance(2) ? "2031-02-03T04:05:06Z" : "";
        for (const char* name : {"tx", "rx", "wire", "for", "count", "size"}) {
            if (chance(2)) run.effective.emplace_back(name, chance(2) ? text() : "none");
        }
        environment(run.environment);
        if (chance(3)) environment(run.far_environment.emplace());
        if (chance(5)) run.lifted = texts();
        sends_ = !chance(3);
        receives_ = !sends_ || !chance(3);
        for (uint64_t n = below(chance(9) ? 60 : 6); n > 0; --n) run.trials.push_back(trial());
        for (uint64_t n = below(3); n > 0; --n) run.intervals.push_back(interval());
        run.verdict = plan::judge_run(run);
        if (chance(3)) run.verdict.next = texts();
        return run;
    }

    plan::Interval interval() {
        return {static_cast<uint32_t>(bits_()),
                size(),
                direction(),
                figure(),
                figure(),
                maybe(true),
                maybe(true),
                maybe_figure(),
                maybe_figure(),
                maybe_figure(),
                maybe_figure()};
    }
    uint64_t below(uint64_t most) { return bits_() % most; }
    double figure() {
        switch (below(8)) {
            case 0:
                return std::numeric_limits<double>::quiet_NaN();
            case 1:
                return std::numeric_limits<double>::infinity();
            case 2:
                return std::abs(std::bit_cast<double>(bits_()));
            case 3:
                return 0;
            default:
                return static_cast<double>(number());
        }
    }

  private:
    bool chance(uint64_t one_in) { return below(one_in) == 0; }
    /// Of every magnitude alike.
    uint64_t number() { return chance(4) ? 0 : bits_() >> below(64); }
    plan::MaybeCount maybe(bool known) {
        return known && !chance(12) ? plan::MaybeCount(number()) : std::nullopt;
    }
    std::optional<double> maybe_figure() {
        return chance(3) ? std::nullopt : std::optional<double>(figure());
    }
    uint32_t size() { return chance(9) ? 0 : static_cast<uint32_t>(64 + below(65535 - 63)); }
    Ns ns() { return static_cast<Ns>(number() >> 1); }
    std::string text() {
        std::string text;
        const uint64_t length = below(chance(5) ? 300 : 20);
        const bool plain = !chance(3);
        while (text.size() < length) {
            const char any = static_cast<char>(below(256));
            text += plain ? static_cast<char>('a' + below(26)) : any;
            if (chance(9)) text += ' ';
            if (chance(40)) text += "\xC3\xBC";
        }
        return text;
    }
    std::vector<std::string> texts() {
        std::vector<std::string> list;
        for (uint64_t n = below(4); n > 0; --n) list.push_back(text());
        return list;
    }
    std::string direction() { return chance(2) ? "a-to-b" : "b-to-a"; }
    plan::Distribution distribution() {
        plan::Distribution of;
        of.count = number();
        if (chance(2)) return of;
        of.min = of.p50 = of.p90 = of.p999 = ns();
        of.p99 = ns();
        of.max = ns();
        of.mean = figure();
        of.error_bound = figure();
        return of;
    }
    void environment(plan::Environment& environment) {
        environment.cpu = text();
        environment.kernel = text();
        environment.huge_pages = chance(2) ? "none" : text();
        if (chance(2)) environment.governor = "g" + text();
        environment.tsc_hz = figure();
        environment.tsc_error_ppm = figure();
        for (uint64_t n = below(40); n > 0; --n) {
            environment.cores.push_back(static_cast<int>(below(300)));
        }
        const char* ports[] = {"wire:a", "null", "pcap:in.pcap,", "0000:3b:00.0", "af_packet:eth1"};
        for (uint64_t n = below(4); n > 0; --n) {
            environment.ports.push_back({chance(2) ? ports[below(5)] : text(), text(), text(),
                                         maybe_figure(), static_cast<uint32_t>(number()), text()});
            plan::PortFacts& port = environment.ports.back();
            if (chance(2)) continue;
            port.mtu = static_cast<uint32_t>(number());
            port.flow_control = chance(2) ? "full" : "off";
            port.rx_queues = port.tx_queues = static_cast<uint32_t>(below(64));
            port.spread = chance(2) ? "rss" : "kernel hash";
            port.offloads = texts();
            port.numa_node = static_cast<int>(below(8));
        }
    }
    plan::TrialResult trial() {
        plan::TrialResult trial;
        trial.frame_size = size();
        trial.direction = direction();
        trial.trial = static_cast<uint32_t>(number());
        trial.repeat = static_cast<uint32_t>(number());
        trial.seed = bits_();
        trial.duration_s = figure();
        trial.duration_raw_s = figure();
        trial.target_fps = maybe_figure();
        trial.complete = !chance(5);
        for (auto* count : {&trial.intended, &trial.offered, &trial.unsent}) *count = maybe(sends_);
        for (auto* count : {&trial.received, &trial.lost, &trial.surplus, &trial.duplicated,
                            &trial.reordered, &trial.corrupted, &trial.foreign, &trial.stale}) {
            *count = maybe(receives_);
        }
        trial.lost_by = {maybe(true), maybe(true), maybe(true), maybe(true), maybe(true)};
        for (uint64_t n = below(5); n > 0; --n) trial.foreign_by[text()] = number();
        const char* checks[] = {"none", "crc32c", "udp-checksum"};
        trial.payload_check = checks[below(3)];
        trial.tx = {maybe_figure(), maybe_figure(), maybe_figure()};
        trial.rx = {maybe_figure(), maybe_figure(), maybe_figure()};
        trial.line_rate_ratio = maybe_figure();
        trial.latency_ns = distribution();
        trial.lateness_ns = distribution();
        trial.gap_ns = distribution();
        trial.jitter_ns = maybe_figure();
        trial.stalls = {number(), ns(), ns()};
        trial.unsent_explained = maybe(true);
        trial.ledger_adds_up = !chance(5);
        for (const char* role : {"generate", "sink"}) {
            trial.workers.push_back({static_cast<int>(below(300)),
                                     role,
                                     direction(),
                                     number(),
                                     number(),
                                     number(),
                                     number(),
                                     {number(), ns(), ns()},
                                     maybe(receives_),
                                     chance(2)});
        }
        if (chance(2)) {
            trial.wire =
                plan::WireCounts{number(), number(), number(), number(), number(), number(),
                                 number(), number(), number(), number(), number()};
        }
        trial.port_counters = {{text(), maybe(true), maybe(true), maybe(true), maybe(true),
                                maybe(true), maybe(true), maybe(true), maybe(true), maybe(true),
                                maybe(true), chance(2)}};
        trial.flows = {{static_cast<uint32_t>(number()), number(), number(), number(), number(),
                        number(), number(), maybe(true)}};
        return trial;
    }

    std::mt19937_64 bits_;
    bool sends_ = true;
    bool receives_ = true;
};

}  // namespace barewire::samples
