// SPDX-License-Identifier: BSD-3-Clause
// What happened: everything that a report prints, as plain data. Definitions of the figures:
// docs/measurement.md. An empty optional is what could not be known; it is null in the JSON.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "barewire/base/clock.h"

namespace barewire::plan {

using Count = uint64_t;
using MaybeCount = std::optional<uint64_t>;

/// Rates over the send window (tx) or between first and last receipt (rx).
struct Rates {
    std::optional<double> fps, l1_bps, l2_bps;
};

/// Summary of a histogram, in ns. All but count empty when nothing was recorded.
struct Distribution {
    Count count = 0;
    std::optional<Ns> min, p50, p90, p99, p999, max;  ///< min and max exact
    std::optional<double> mean;                       ///< exact
    double error_bound = 0;  ///< a percentile is at most this share above the true one
};

struct LostBy {
    MaybeCount tx_port{}, path{}, rx_damaged{}, rx_missed{}, rx_no_buffer{};
};

struct Stalls {
    Count count = 0;
    Ns longest_ns = 0;
    Ns total_ns = 0;
};

struct WorkerResult {
    int core = 0;
    std::string role;  ///< "generate" or "sink"
    std::string direction;
    Count turns = 0;
    Count productive_turns = 0;  ///< turns that moved at least one frame
    Count short_sends = 0;       ///< bursts that the port did not take whole at once
    Count pool_empty = 0;        ///< turns without a buffer to send
    Stalls stalls;
    MaybeCount received{};  ///< frames of this run that fell to this worker; sinks only
    bool far = false;       ///< it worked on the far host
};

struct FlowResult {
    uint32_t flow = 0;
    Count offered = 0, received = 0, surplus = 0, duplicated = 0, reordered = 0, corrupted = 0;
    MaybeCount lost;
};

/// The embedded wire's own counts, one direction.
struct WireCounts {
    Count entered = 0, delivered = 0;
    Count lost = 0, burst_lost = 0, duplicated = 0, reordered = 0;
    Count corrupted = 0, corrupted_any = 0, truncated = 0, over_mtu = 0, over_max_frame = 0;
};

/// A port's counters over one trial, as far as it has them.
struct PortCounters {
    std::string port;
    MaybeCount ipackets{}, opackets{}, ibytes{}, obytes{};
    MaybeCount ierrors{}, oerrors{}, imissed{}, rx_nombuf{};
    MaybeCount rx_pause{}, tx_pause{};  ///< pause frames (IEEE 802.3 annex 31B)
    bool far = false;                   ///< a port of the far host
};

struct TrialResult {
    uint32_t frame_size = 0;
    std::string direction;  ///< "a-to-b", "b-to-a"
    uint32_t trial = 0;     ///< 1, 2, ...; 0 was the warm-up
    uint32_t repeat = 1;
    uint64_t seed = 0;
    double duration_s = 0;             ///< send window by the calibrated TSC
    double duration_raw_s = 0;         ///< the same by CLOCK_MONOTONIC_RAW, which no pacer reads
    std::optional<double> target_fps;  ///< what --rate asks for; empty at max
    bool complete = true;              ///< false: cut short (interrupt, failure)

    MaybeCount intended, offered, unsent;  ///< empty where this process does not send
    MaybeCount received;                   ///< empty where this process does not receive
    MaybeCount lost, surplus, duplicated, reordered, corrupted, foreign, stale;
    LostBy lost_by;
    std::map<std::string, Count> foreign_by;  ///< by EtherType name
    std::string payload_check;                ///< "none", "crc32c" or "udp-checksum"
    Rates tx, rx;
    std::optional<double> line_rate_ratio;  ///< rx (else tx) L1 over the reference speed
    Distribution latency_ns, lateness_ns, gap_ns;
    std::optional<double> jitter_ns;
    Stalls stalls;                ///< of all workers
    MaybeCount unsent_explained;  ///< the most that stalls x target rate explain of `unsent`
    bool ledger_adds_up = true;
    std::vector<WorkerResult> workers;
    std::optional<WireCounts> wire;
    std::vector<PortCounters> port_counters;
    std::vector<FlowResult> flows;  ///< the first kMaxFlowsReported
};

/// Flows listed one by one in a result; all are counted.
inline constexpr uint32_t kMaxFlowsReported = 1024;

/// One live line: counts since the trial began, rates over the interval.
struct Interval {
    uint32_t trial = 0;
    uint32_t frame_size = 0;
    std::string direction;
    double begin_s = 0, end_s = 0;  ///< since the trial's start
    MaybeCount offered, received;   ///< in this interval
    std::optional<double> tx_fps, rx_fps, tx_l1_bps, rx_l1_bps;
};

/// The two workers of `port` in the environment: what it is and what it can carry.
struct PortFacts {
    std::string port;    ///< as the user named it
    std::string driver;  ///< "embedded wire", "net_null", "libpcap"
    std::string mac;
    std::optional<double> speed_bps;  ///< null where nothing is enforced
    uint32_t max_frame = 0;
    std::string max_frame_by;                   ///< what sets it
    std::optional<uint32_t> mtu{};              ///< bytes after the Ethernet header, as read back
    std::optional<std::string> flow_control{};  ///< as read back: "off", "rx", "tx", "full"
    std::optional<uint32_t> rx_queues{}, tx_queues{};
    std::optional<std::string> spread{};  ///< "rss", "kernel hash", "software": several sinks
    std::vector<std::string> offloads{};  ///< that were switched on, by DPDK's names
    std::optional<int> numa_node{};
};

struct Environment {
    std::string cpu, kernel, dpdk, huge_pages;  ///< huge_pages: "2 MiB", "none"
    std::optional<std::string> governor;
    std::optional<bool> siblings;  ///< two of our workers share a physical core
    double tsc_hz = 0;
    double tsc_error_ppm = 0;
    std::vector<int> cores;  ///< of the workers, in the order of roles
    uint32_t cores_allowed = 0;
    std::vector<PortFacts> ports;
    std::string version{};  ///< of barewire, where it may differ: the far host's
};

enum class Status : uint8_t { ok, failed, interrupted };

struct VerdictResult {
    std::string limit = "unknown";
    std::vector<std::string> evidence, next;
};

struct RunResult {
    std::string command;
    std::vector<std::string> command_line;
    std::string run_id;  ///< 8 hex digits
    std::string label;
    std::string version;
    Status status = Status::ok;
    std::vector<std::string> errors;
    std::vector<std::string> warnings;
    std::string started;                                         ///< RFC 3339, with offset
    std::vector<std::pair<std::string, std::string>> effective;  ///< every option after defaults
    Environment environment;
    std::optional<Environment> far_environment;  ///< --far: the other host's
    std::vector<std::string> lifted;             ///< guards that --i-own-this-network lifted
    std::vector<TrialResult> trials;
    std::vector<Interval> intervals;
    VerdictResult verdict;
};

}  // namespace barewire::plan
