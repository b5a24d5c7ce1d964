// SPDX-License-Identifier: BSD-3-Clause
// What one worker owns. In each struct: set by the control thread before a trial and only read in
// the loop; then what the loop writes and the control thread reads after the trial.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>

#include <sched.h>

#include <rte_pause.h>

#include "barewire/base/clock.h"
#include "barewire/base/knobs.h"
#include "barewire/nic/burst.h"
#include "barewire/nic/pool.h"
#include "barewire/plan/pacer.h"
#include "barewire/plan/result.h"
#include "barewire/stats/histogram.h"
#include "barewire/stats/receiver.h"
#include "barewire/stats/snapshot.h"
#include "barewire/wire/frame_class.h"
#include "barewire/wire/frame_template.h"

#include "drain.h"

namespace barewire::engine {

/// Between two looks at a ring that was empty, or full: each look takes a cache line from the core
/// that is about to change it. Some 0.2 us.
inline void back_off() noexcept {
    constexpr int kPauses = 8;
    for (int k = 0; k < kPauses; ++k) rte_pause();
}

/// A loop's own pulse. Loop: rw; control: ro after the trial.
struct LoopHealth {
    uint64_t turns = 0;
    uint64_t productive = 0;
    plan::Stalls stalls;
    Ns last_turn_ns = 0;

    /// True when housekeeping is due.
    bool turn(Ns now) noexcept {
        const Ns gap = now - last_turn_ns;
        last_turn_ns = now;
        if (gap > static_cast<Ns>(kStallNs)) [[unlikely]]
            stalled(gap);
        return (++turns & (kHousekeepingTurns - 1)) == 0;
    }
    void stalled(Ns gap) noexcept {
        ++stalls.count;
        stalls.total_ns += gap;
        if (gap > stalls.longest_ns) stalls.longest_ns = gap;
    }
};

struct alignas(64) GenerateWorker {
    // Control: wo before the trial; loop: ro.
    const WayControl* way = nullptr;
    std::atomic<uint32_t>* sending = nullptr;  // loop: counts down once
    const TscClock* clock = nullptr;
    nic::TxQueue tx;
    nic::FramePool* pool = nullptr;
    const wire::FrameTemplate* frame = nullptr;
    std::span<const wire::FlowStamp> flows;
    plan::Schedule schedule;
    rte_ring* outbox = nullptr;  // frames of the control thread to send; may be null
    bool shares_core = false;
    int core = 0;

    // Loop: rw; control: ro after the trial.
    alignas(64) LoopHealth health;
    std::atomic<bool> done{false};  // loop: set once; control: ro, may then use the queue
    uint64_t sequence = 0;
    uint64_t offered = 0;
    uint64_t intended = 0;
    uint64_t unsent = 0;
    uint64_t short_sends = 0;
    uint64_t pool_empty = 0;
    uint32_t flow_slot = 0;
    Ns began_ns = 0, ended_ns = 0;          // send window by the TSC
    Ns began_raw_ns = 0, ended_raw_ns = 0;  // by CLOCK_MONOTONIC_RAW
    Ns last_departure_ns = 0;
    stats::Histogram lateness;
    stats::Histogram gap;
    stats::Snapshot snapshot;  // loop: wo; control: ro at any time

    void begin_trial() noexcept;
};

struct alignas(64) SinkWorker {
    // Control: wo before the trial; loop: ro.
    const TscClock* clock = nullptr;
    nic::RxQueue rx;
    rte_ring* inbox = nullptr;    // for frames that the control thread is to see; may be null
    bool hands_over_all = false;  // every frame that is not the run's, not control frames only
    bool shares_core = false;
    int core = 0;

    // Loop: rw; control: ro after the trial.
    alignas(64) LoopHealth health;
    DrainWatch drain;
    stats::Receiver* receiver = nullptr;
    stats::Snapshot snapshot;  // loop: wo; control: ro at any time

    /// `exhausted`: the port's, or null.
    void begin_trial(const WayControl* way, const std::atomic<bool>* exhausted) noexcept;
};

struct alignas(64) ReflectWorker {
    // Control: wo before the trial; loop: ro.
    const WayControl* way = nullptr;
    const TscClock* clock = nullptr;
    nic::RxQueue rx;
    nic::TxQueue tx;
    std::array<uint8_t, 6> mac{};  // frames to it are turned round
    rte_ring* inbox = nullptr;     // for all others; may be null
    rte_ring* outbox = nullptr;    // frames of the control thread to send; may be null
    bool shares_core = false;
    int core = 0;

    // Loop: rw; control: ro after the trial.
    alignas(64) LoopHealth health;
    std::atomic<bool> done{false};  // loop: set once; control: ro, may then use the queue
    uint64_t received = 0;          // messages to turn round
    uint64_t offered = 0;           // of them, taken by the port
    wire::ForeignTally foreign;
    stats::Snapshot snapshot;  // loop: wo; control: ro at any time

    void begin_trial(const WayControl* control) noexcept;
};

/// After an interrupt a port gets this long to take the frames of the last burst.
inline constexpr Ns kStopLimitNs = 200'000'000;

using GenerateLoop = void (*)(GenerateWorker&) noexcept;
using SinkLoop = void (*)(SinkWorker&) noexcept;

/// The loop compiled for these policies.
GenerateLoop generate_loop_for(bool paced, bool crc, bool flows);
SinkLoop sink_loop_for(bool payload_check, bool flows);
void reflect_loop(ReflectWorker& worker) noexcept;

}  // namespace barewire::engine
