// SPDX-License-Identifier: BSD-3-Clause
// The receiving loop: receive, account for each frame, free in bulk. Hot code.
#include <array>

#include <rte_prefetch.h>

#include "worker.h"

namespace barewire::engine {
namespace {

/// Frames whose first cache line is asked for ahead of their turn.
constexpr uint32_t kPrefetch = 8;

template <bool kPayloadCheck, bool kFlows>
void sink_loop(SinkWorker& w) noexcept {
    std::array<rte_mbuf*, kBurst> frames;
    stats::Receiver& receiver = *w.receiver;
    w.health.last_turn_ns = w.clock->now();
    for (;;) {
        w.drain.begin_turn();
        const uint32_t n = w.rx.receive(frames.data(), kBurst);
        const Ns now = w.clock->now();
        bool leave = false;
        if (w.health.turn(now)) {
            w.snapshot.publish({now, receiver.received(), 0});
            leave = w.drain.limit_passed(now);
        }
        if (n == 0) {
            if (w.drain.drained(now)) break;
            if (w.shares_core) sched_yield();
            continue;
        }
        for (uint32_t i = 0; i < n && i < kPrefetch; ++i) {
            rte_prefetch0(rte_pktmbuf_mtod(frames[i], const void*));
        }
        for (uint32_t i = 0; i < n; ++i) {
            if (i + kPrefetch < n) {
                rte_prefetch0(rte_pktmbuf_mtod(frames[i + kPrefetch], const void*));
            }
            receiver.account<kPayloadCheck, kFlows>(rte_pktmbuf_mtod(frames[i], const uint8_t*),
                                                    frames[i]->data_len, now);
        }
        rte_pktmbuf_free_bulk(frames.data(), n);
        w.drain.received(now);
        ++w.health.productive;
        if (leave) break;
    }
    w.snapshot.publish({w.clock->now(), receiver.received(), 0});
}

}  // namespace

void SinkWorker::begin_trial(const WayControl* way, const std::atomic<bool>* exhausted) noexcept {
    health = {};
    drain.begin_trial(way, exhausted);
    snapshot.publish({});
}

SinkLoop sink_loop_for(bool payload_check, bool flows) {
    if (payload_check) return flows ? &sink_loop<true, true> : &sink_loop<true, false>;
    return flows ? &sink_loop<false, true> : &sink_loop<false, false>;
}

}  // namespace barewire::engine
