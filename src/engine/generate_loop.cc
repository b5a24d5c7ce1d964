// SPDX-License-Identifier: BSD-3-Clause
// The sending loop: how many frames are due, take them, stamp, send, account. Hot code.
#include <algorithm>
#include <array>

#include "channel.h"
#include "worker.h"

namespace barewire::engine {
namespace {

/// Frames stamped and not yet taken by the port.
struct Burst {
    std::array<rte_mbuf*, kBurst> frames;
    std::array<Ns, kBurst> intended;
    uint32_t head = 0;
    uint32_t tail = 0;
    [[nodiscard]] uint32_t size() const noexcept { return tail - head; }
};

template <class Pacer, bool kCrc, bool kFlows>
inline void fill(GenerateWorker& w, Pacer& pacer, Burst& burst, Ns now) noexcept {
    const uint32_t due = pacer.due(now, kBurst);
    if (due == 0) return;
    if (!w.pool->get(burst.frames.data(), due)) {
        ++w.pool_empty;  // still due: sent late, or unsent when too old
        return;
    }
    for (uint32_t i = 0; i < due; ++i) {
        const Ns intended = pacer.take();
        burst.intended[i] = intended;
        w.frame->template stamp<kCrc, kFlows>(
            rte_pktmbuf_mtod(burst.frames[i], uint8_t*), w.flows[w.flow_slot],
            static_cast<uint32_t>(w.sequence++), static_cast<uint32_t>(intended));
        if constexpr (kFlows) {
            if (++w.flow_slot == w.flows.size()) w.flow_slot = 0;
        }
    }
    burst.head = 0;
    burst.tail = due;
}

/// `sent` frames at the head of the burst departed at `now`.
template <class Pacer>
inline void account(GenerateWorker& w, const Burst& burst, uint32_t sent, Ns now) noexcept {
    if constexpr (Pacer::kPaced) {
        for (uint32_t i = burst.head; i < burst.head + sent; ++i) {
            w.lateness.record(static_cast<uint64_t>(now - burst.intended[i]));
        }
    } else {
        w.lateness.record_n(static_cast<uint64_t>(now - burst.intended[burst.head]), sent);
    }
    if (w.offered != 0) w.gap.record(static_cast<uint64_t>(now - w.last_departure_ns));
    if (sent > 1) w.gap.record_n(0, sent - 1);  // one call, one departure
    w.last_departure_ns = now;
    w.offered += sent;
    ++w.health.productive;
}

/// When a port that takes nothing any more is given up.
Ns patience_until(const GenerateWorker& w, bool stopped, Ns now) noexcept {
    if (stopped) return now + kStopLimitNs;
    return std::min(w.schedule.end_ns, plan::Schedule::kNoEnd - kDrainLimitNs) + kDrainLimitNs;
}

/// A paced window lasts until its end, though the last frame departs a period before it.
template <class Pacer>
bool window_closed(const GenerateWorker& w, Ns now) noexcept {
    return !Pacer::kPaced || now >= w.schedule.end_ns;
}

Ns wait_for_start(GenerateWorker& w) noexcept {
    Ns now = w.clock->now();
    while (now < w.schedule.start_ns) {
        if (w.outbox != nullptr) send_for_control(w.outbox, w.tx);  // "ready", above all
        if (w.shares_core) sched_yield();
        now = w.clock->now();
    }
    w.began_raw_ns = monotonic_raw_ns();
    w.began_ns = w.clock->now();
    w.health.last_turn_ns = w.began_ns;
    return w.began_ns;
}

template <class Pacer>
void finish(GenerateWorker& w, const Pacer& pacer, Burst& burst) noexcept {
    w.ended_raw_ns = monotonic_raw_ns();
    w.ended_ns = w.clock->now();
    if (burst.size() != 0) rte_pktmbuf_free_bulk(&burst.frames[burst.head], burst.size());
    w.intended = pacer.intended();
    w.unsent = pacer.skipped() + burst.size();
    w.tx.flush();
    w.snapshot.publish({w.ended_ns, w.offered, w.offered * w.frame->length()});
    w.done.store(true, std::memory_order_release);
    w.sending->fetch_sub(1, std::memory_order_release);
}

template <class Pacer, bool kCrc, bool kFlows>
void generate_loop(GenerateWorker& w) noexcept {
    Pacer pacer(w.schedule);
    Burst burst;
    bool stopped = false;
    Ns patience = patience_until(w, false, 0);
    for (Ns now = wait_for_start(w);;) {
        if (w.health.turn(now)) {
            w.snapshot.publish({now, w.offered, w.offered * w.frame->length()});
            if (w.outbox != nullptr) send_for_control(w.outbox, w.tx);
            if (!stopped && w.way->stop.load(std::memory_order_relaxed)) {
                stopped = true;
                pacer.cut(now);
                patience = patience_until(w, true, now);
            }
            if (now > patience) break;
        }
        if (burst.size() == 0) {
            if (pacer.over(now) && (stopped || window_closed<Pacer>(w, now))) break;
            fill<Pacer, kCrc, kFlows>(w, pacer, burst, now);
        }
        uint32_t sent = 0;
        if (burst.size() != 0) {
            sent = w.tx.send(&burst.frames[burst.head], static_cast<uint16_t>(burst.size()));
            w.short_sends += sent != burst.size();
        }
        now = w.clock->now();
        if (sent != 0) {
            account<Pacer>(w, burst, sent, now);
            burst.head += sent;
        } else if (w.shares_core) {
            sched_yield();
        } else if (burst.size() != 0) {
            back_off();
        }
    }
    finish(w, pacer, burst);
}

template <class Pacer>
GenerateLoop select(bool crc, bool flows) {
    if (crc) return flows ? &generate_loop<Pacer, true, true> : &generate_loop<Pacer, true, false>;
    return flows ? &generate_loop<Pacer, false, true> : &generate_loop<Pacer, false, false>;
}

}  // namespace

void GenerateWorker::begin_trial() noexcept {
    health = {};
    done = false;
    sequence = offered = intended = unsent = short_sends = pool_empty = 0;
    flow_slot = 0;
    began_ns = ended_ns = began_raw_ns = ended_raw_ns = last_departure_ns = 0;
    lateness.reset();
    gap.reset();
    snapshot.publish({});
}

GenerateLoop generate_loop_for(bool paced, bool crc, bool flows) {
    return paced ? select<plan::CbrPacer>(crc, flows) : select<plan::MaxPacer>(crc, flows);
}

}  // namespace barewire::engine
