// SPDX-License-Identifier: BSD-3-Clause
// The checks of a plan, one function a subject.
#include "barewire/plan/validate.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "barewire/base/knobs.h"
#include "barewire/base/text.h"
#include "barewire/plan/guard.h"

namespace barewire::plan {
namespace {

using Problems = std::vector<std::string>;

/// By the command, not by its ports: a port that could not be read is missing, and was told of.
bool sends(const Plan& plan) {
    return plan.command == "stress" || plan.command == "generate";
}
/// Waits for others to send.
bool answers(const Plan& plan) {
    return plan.command == "sink" || plan.command == "reflect" || plan.command == "far";
}
/// Here, not at the far end.
bool receives(const Plan& plan) {
    if (plan.command == "stress") return !plan.far || plan.both_ways;
    return plan.command != "generate";
}

bool is_wire(const PortSpec& port) {
    return port.kind == PortKind::wire_a || port.kind == PortKind::wire_b;
}

/// Two ways to write one port ("pcap:a,b" and "pcap:./a,b" are not found out).
bool same_port(const PortSpec& a, const PortSpec& b) {
    return a.kind == b.kind && a.device == b.device && a.memif_server == b.memif_server &&
           a.pcap_in == b.pcap_in && a.pcap_out == b.pcap_out;
}

/// Both ends in one process: what is sent at one must be able to arrive at the other.
void check_pair(const PortSpec& tx, const PortSpec& rx, Problems& problems) {
    if (same_port(tx, rx)) {
        problems.push_back(fmt::format(
            "{} is named twice: a frame goes from one port to another, as --tx wire:a --rx wire:b",
            printable(tx.text)));
        return;
    }
    for (const PortSpec& port : {tx, rx}) {
        if (port.kind == PortKind::null) {
            problems.push_back(
                "null discards what it is sent, nothing would arrive: use generate --port null");
        } else if (port.kind == PortKind::pcap) {
            problems.push_back(fmt::format(
                "{}: nothing travels from a port into a capture and out again in one run: use "
                "generate --port pcap:,OUT.pcap, then sink --port pcap:IN.pcap",
                printable(port.text)));
        }
    }
}

bool others_behind(const std::optional<PortSpec>& port) {
    return port && !is_wire(*port) && port->kind != PortKind::null && port->kind != PortKind::pcap;
}

/// The port behind which another host's end is to be.
void check_reaches_far(const PortSpec& port, Problems& problems) {
    if (others_behind(port)) return;
    problems.push_back(
        fmt::format("{}: no other host is behind it: --far needs a port such as 0000:3b:00.0 or "
                    "af_packet:eth1",
                    printable(port.text)));
}

void check_sender(const PortSpec& port, Problems& problems) {
    if (is_wire(port)) {
        problems.push_back(
            fmt::format("{}: nobody in this process would take the frames at the other end: use "
                        "stress, which has both ends",
                        printable(port.text)));
    } else if (port.kind == PortKind::pcap && port.pcap_out.empty()) {
        problems.push_back(
            fmt::format("{} names no capture to write: as pcap:,OUT.pcap", printable(port.text)));
    }
}

void check_receiver(const Plan& plan, const PortSpec& port, Problems& problems) {
    if (is_wire(port)) {
        problems.push_back(
            fmt::format("{}: nobody in this process would send at the other end: use stress, "
                        "which has both ends",
                        printable(port.text)));
    } else if (port.kind == PortKind::pcap && plan.command != "sink") {
        problems.push_back(
            fmt::format("{}: nobody is behind a capture to be answered: {} needs a "
                        "port such as 0000:3b:00.0 or af_packet:eth1",
                        printable(port.text), plan.command));
    } else if (port.kind == PortKind::null) {
        problems.push_back(
            "null delivers nothing: sink needs a port where frames arrive, as "
            "--port pcap:IN.pcap");
    } else if (port.kind == PortKind::pcap && port.pcap_in.empty()) {
        problems.push_back(
            fmt::format("{} names no capture to read: as pcap:IN.pcap", printable(port.text)));
    }
}

void check_ports(const Plan& plan, Problems& problems) {
    const bool both_ends = plan.command == "stress" && !plan.far;
    if (plan.far && plan.tx) check_reaches_far(*plan.tx, problems);
    if (both_ends && plan.tx && plan.rx) check_pair(*plan.tx, *plan.rx, problems);
    if (plan.command == "generate" && !plan.far && plan.tx) check_sender(*plan.tx, problems);
    if (answers(plan) && plan.rx) check_receiver(plan, *plan.rx, problems);
    for (const auto& port : {plan.tx, plan.rx}) {
        if (port && !port->pcap_in.empty() && port->pcap_in == port->pcap_out) {
            problems.push_back(
                fmt::format("{} would overwrite the capture that it reads: name two files",
                            printable(port->text)));
        }
    }
    if (!both_ends && plan.wire != link::WireSpec{}) {
        problems.emplace_back("--wire shapes the embedded wire, and no port of this run is on it");
    }
}

void check_sizes(const Plan& plan, Problems& problems) {
    if (!sends(plan)) return;
    if (plan.sizes.empty()) problems.emplace_back("--size names no frame size: as --size 64");
    for (const uint32_t size : plan.sizes) {
        if (size >= kMinFrameSize && size <= kMaxFrameSize) continue;
        problems.push_back(fmt::format("--size {}: a frame has {} to {} bytes, FCS included", size,
                                       kMinFrameSize, kMaxFrameSize));
    }
    const uint64_t trials = uint64_t{plan.sizes.size()} * plan.repeat;
    if (plan.repeat == 0) problems.emplace_back("--repeat 0 measures nothing: 1 or more");
    if (trials > kMaxTrials) {
        problems.push_back(
            fmt::format("{} sizes, {} times each, are {} trials: at most {}, so use fewer sizes or "
                        "a smaller --repeat",
                        plan.sizes.size(), plan.repeat, trials, kMaxTrials));
    }
}

/// The rate at one size, and what it means for the window. True when something is wrong: other
/// sizes would only say the same again.
bool check_rate_at(const Plan& plan, uint32_t size, Problems& problems) {
    const auto fps = plan.rate.frames_per_second(size, plan.line_bps);
    if (!fps) return false;
    const double window_s = static_cast<double>(plan.duration_ns) / 1e9;
    const double longest_s = static_cast<double>(kMaxDurationNs) / 1e9;
    if (!(*fps <= kMaxFramesPerSecond)) {
        problems.push_back(
            fmt::format("--rate: {:.6g} frames/s of {} bytes; the schedule holds at most one frame "
                        "a ns, 1000Mpps; --rate max is as fast as the port goes",
                        *fps, size));
    } else if (plan.duration_ns > 0 && !(*fps * window_s >= 1)) {
        problems.push_back(
            fmt::format("--rate: {:.3g} frames/s of {} bytes send no frame within {:.6g} s: raise "
                        "it, or --for to {:.6g}s",
                        *fps, size, window_s, std::ceil(1 / *fps)));
    } else if (plan.duration_ns == 0 && static_cast<double>(plan.count) / *fps > longest_s) {
        problems.push_back(fmt::format(
            "--count {} at {:.3g} frames/s takes over a year: raise --rate, or add --for",
            plan.count, *fps));
    } else {
        return false;
    }
    return true;
}

void check_rate(const Plan& plan, Problems& problems) {
    if (!sends(plan)) return;
    // A NIC tells its speed once it is open.
    const bool nic = plan.tx && plan.tx->kind == PortKind::pci;
    if (plan.rate.kind == RateKind::percent && !plan.line_bps && !nic) {
        problems.push_back(fmt::format(
            "--rate in %: {} has no speed to take a share of; name one with --line 10Gbps, or give "
            "the rate as 5Mpps or 10Gbps",
            plan.tx ? printable(plan.tx->text) : "the port"));
        return;
    }
    if (plan.rate.kind == RateKind::percent && plan.rate.value > 100) {
        problems.push_back(fmt::format("--rate {:g}%: at most 100% of the line", plan.rate.value));
    }
    for (const uint32_t size : plan.sizes) {
        if (check_rate_at(plan, size, problems)) return;
    }
}

void check_time(const Plan& plan, Problems& problems) {
    if (plan.duration_ns <= 0 && plan.count == 0 && !answers(plan)) {
        problems.emplace_back("the run has no end: --for 5s or --count 1000000");
    }
    if (plan.duration_ns > kMaxDurationNs) {
        problems.emplace_back("--for: at most 366 days, 8784h");
    }
    if (plan.interval_ns == 0) return;
    if (plan.interval_ns < kMinIntervalNs) {
        problems.push_back(fmt::format("--interval: at least {} ms", kMinIntervalNs / 1'000'000));
        return;
    }
    const auto trials = static_cast<double>(std::max<size_t>(plan.sizes.size(), 1)) * plan.repeat;
    const double lines =
        static_cast<double>(plan.duration_ns) / static_cast<double>(plan.interval_ns) * trials;
    if (lines > static_cast<double>(kMaxIntervals)) {
        problems.push_back(
            fmt::format("--interval: {:.3g} lines in this run, at most {}: make it "
                        "longer",
                        lines, kMaxIntervals));
    }
}

std::string cores_in_words(const std::vector<int>& cores) {
    if (cores.size() == 1) return fmt::format("there is core {} only", cores.front());
    const bool in_a_row = cores.back() - cores.front() + 1 == static_cast<int>(cores.size());
    if (in_a_row) return fmt::format("there are cores {} to {}", cores.front(), cores.back());
    return fmt::format("there are cores {}", fmt::join(cores, ","));
}

void check_cores(const Plan& plan, const MachineFacts& machine, Problems& problems) {
    const auto& [generators, sinks] = plan.cores;
    if (generators.empty() && sinks.empty()) return;
    std::set<int> missing;
    for (const auto* cores : {&generators, &sinks}) {
        for (const int core : *cores) {
            const auto& allowed = machine.cores_allowed;
            if (!std::binary_search(allowed.begin(), allowed.end(), core)) missing.insert(core);
        }
    }
    if (!missing.empty() && !machine.cores_allowed.empty()) {
        problems.push_back(fmt::format("--cores {}: {} (that this process may use)",
                                       fmt::join(missing, ","),
                                       cores_in_words(machine.cores_allowed)));
    }
    if (generators.size() > kMaxStreams || sinks.size() > kMaxStreams) {
        problems.push_back(
            fmt::format("--cores: at most {} generators and {} sinks, a frame has "
                        "one byte for its stream",
                        kMaxStreams, kMaxStreams));
    }
    if (plan.command == "far") {
        if (generators.empty() || sinks.empty()) {
            problems.emplace_back(
                "--cores: far needs both roles, as generate=2;sink=4: the other "
                "host says which it wants");
        }
        return;
    }
    if (sends(plan) && generators.empty()) {
        problems.push_back(fmt::format("--cores names no generator, and {} sends", plan.command));
    }
    if (receives(plan) && sinks.empty()) {
        problems.push_back(fmt::format("--cores names no sink, and {} receives", plan.command));
    }
    if (!sends(plan) && !generators.empty()) {
        problems.push_back(
            fmt::format("--cores names a generator, and {} sends nothing", plan.command));
    }
    if (!receives(plan) && !sinks.empty()) {
        problems.push_back(
            fmt::format("--cores names a sink, and {} receives nothing", plan.command));
    }
}

/// Source ports that flows use: the largest power of two that fits, at most 16,384.
uint32_t ports_of_flows(const Addressing& addressing) {
    uint32_t ports = 16384;
    while (addressing.src_port + ports - 1 > 65535) ports /= 2;
    return ports;
}

std::string dotted(uint32_t ip) {
    return fmt::format("{}.{}.{}.{}", ip >> 24, (ip >> 16) & 255, (ip >> 8) & 255, ip & 255);
}

/// 1.0.0.0 to 223.255.255.255: what may be a source (RFC 1122 section 3.2.1.3).
bool unicast(uint64_t ip) {
    return ip >= 0x0100'0000 && ip < 0xE000'0000;
}

void check_flows(const Plan& plan, Problems& problems) {
    if (!sends(plan)) return;
    const Addressing& a = plan.addressing;
    if (plan.flows == 0 || plan.flows > kMaxFlows) {
        problems.push_back(fmt::format("--flows {}: 1 to {}", plan.flows, kMaxFlows));
        return;
    }
    const uint64_t last_ip = uint64_t{a.src_ip} + (plan.flows - 1) / ports_of_flows(a);
    if (!unicast(a.src_ip)) {
        problems.push_back(
            fmt::format("--src-ip {} is no host's address: as 198.18.0.1", dotted(a.src_ip)));
    } else if (!unicast(last_ip)) {
        problems.push_back(
            fmt::format("--flows {}: source addresses from {} on run out: a lower "
                        "--src-ip, or a --src-port of 49152 or less",
                        plan.flows, dotted(a.src_ip)));
    }
    if (a.dst_ip < 0x0100'0000) {
        problems.push_back(
            fmt::format("--dst-ip {} is no address to send to: as 198.19.0.1", dotted(a.dst_ip)));
    }
    if (a.src_mac && ((*a.src_mac)[0] & 1) != 0) {
        problems.emplace_back(
            "--src-mac: a group address (first byte odd) cannot be a source: as "
            "02:00:00:00:00:01");
    }
    for (const auto& [name, mac] :
         {std::pair{"--src-mac", a.src_mac}, std::pair{"--dst-mac", a.dst_mac}}) {
        if (mac && *mac == Addressing::Mac{}) {
            problems.push_back(
                fmt::format("{}: 00:00:00:00:00:00 is nobody's address: as "
                            "02:00:00:00:00:01",
                            name));
        }
    }
}

/// Figures that an end alone has no part in. Latency needs both ends on one clock.
constexpr std::string_view kOfSenders[] = {"intended", "offered", "unsent", "loss"};
constexpr std::string_view kOfReceivers[] = {"received",   "lost",      "loss",      "surplus",
                                             "duplicated", "reordered", "corrupted", "foreign",
                                             "stale",      "jitter"};
constexpr std::string_view kOfBoth[] = {"min", "mean", "p50", "p90", "p99", "p999", "max"};

template <size_t kSize>
bool among(const std::string_view (&names)[kSize], const std::string& name) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

void check_expectations(const Plan& plan, Problems& problems) {
    for (const Expectation& expectation : plan.expect) {
        const std::string& figure = expectation.figure;
        const bool needs_sender = among(kOfSenders, figure) || among(kOfBoth, figure);
        const bool needs_receiver = among(kOfReceivers, figure) || among(kOfBoth, figure);
        const bool two_hosts = plan.far || others_behind(plan.tx) || others_behind(plan.rx);
        const bool no_sender = needs_sender && !sends(plan);
        const bool no_receiver = needs_receiver && !receives(plan);
        if (among(kOfBoth, figure) && two_hosts && (plan.far || plan.command != "stress")) {
            problems.push_back(fmt::format(
                "--expect {}: a frame's time between two hosts needs one clock, they have two",
                printable(expectation.text)));
        } else if (!two_hosts && (no_sender || no_receiver)) {
            problems.push_back(
                fmt::format("--expect {}: {} alone cannot know {}; stress has both ends",
                            printable(expectation.text), plan.command, figure));
        } else if (figure == "line-rate" && !plan.line_bps) {
            problems.push_back(
                fmt::format("--expect {}: a share of which line? Name its speed with "
                            "--line 10Gbps",
                            printable(expectation.text)));
        }
    }
}

bool damages(const link::WireDirection& way) {
    return way.corrupt > 0 || way.corrupt_any > 0;
}

/// Frames of 64 bytes end with the signature: there is no bit after it to flip.
bool has_no_bit_to_flip(const Plan& plan) {
    const bool corrupts = plan.wire.a_to_b.corrupt > 0 || plan.wire.b_to_a.corrupt > 0;
    return corrupts &&
           std::find(plan.sizes.begin(), plan.sizes.end(), kMinFrameSize) != plan.sizes.end();
}

}  // namespace

std::vector<std::string> validate(const Plan& plan, const MachineFacts& machine) {
    Problems problems;
    check_ports(plan, problems);
    check_sizes(plan, problems);
    check_rate(plan, problems);
    check_time(plan, problems);
    check_cores(plan, machine, problems);
    check_flows(plan, problems);
    check_expectations(plan, problems);
    const GuardFindings guarded = guard(plan, machine.network);
    problems.insert(problems.end(), guarded.refusals.begin(), guarded.refusals.end());
    return problems;
}

std::vector<std::string> cautions(const Plan& plan) {
    Problems notes;
    if (has_no_bit_to_flip(plan)) {
        notes.emplace_back(
            "--wire corrupt= flips a payload bit after the signature, and 64-byte "
            "frames have none: they pass undamaged");
    }
    if ((damages(plan.wire.a_to_b) || damages(plan.wire.b_to_a)) && !plan.payload_check) {
        notes.emplace_back(
            "the wire corrupts frames: without --payload-check the sink finds only "
            "those whose signature or length is hit");
    }
    return notes;
}

}  // namespace barewire::plan
