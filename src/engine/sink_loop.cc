// SPDX-License-Identifier: BSD-3-Clause
// The receiving loop: receive, account for each frame, free in bulk. Hot code.
#include <array>

#include <rte_prefetch.h>

#include "barewire/wire/frame_view.h"

#include "channel.h"
#include "worker.h"

namespace barewire::engine {
namespace {

/// Frames whose first cache line is asked for ahead of their turn.
constexpr uint32_t kPrefetch = 8;

/// The control thread gets the frame, which is null afterwards, if it is one for it and there is
/// room. Control frames find room where others no longer do.
void hand_over(SinkWorker& w, rte_mbuf*& frame) noexcept {
    const std::span<const uint8_t> bytes(rte_pktmbuf_mtod(frame, const uint8_t*), frame->data_len);
    const bool control = wire::FrameView(bytes).frame_class() == wire::FrameClass::control;
    if (!control && (!w.hands_over_all || rte_ring_count(w.inbox) > Channel::kInboxFrames / 2)) {
        return;
    }
    if (rte_ring_enqueue(w.inbox, frame) == 0) frame = nullptr;
}

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
            back_off();
            continue;
        }
        for (uint32_t i = 0; i < n && i < kPrefetch; ++i) {
            rte_prefetch0(rte_pktmbuf_mtod(frames[i], const void*));
        }
        for (uint32_t i = 0; i < n; ++i) {
            if (i + kPrefetch < n) {
                rte_prefetch0(rte_pktmbuf_mtod(frames[i + kPrefetch], const void*));
            }
            const bool ours = receiver.account<kPayloadCheck, kFlows>(
                rte_pktmbuf_mtod(frames[i], const uint8_t*), frames[i]->data_len, now);
            if (!ours && w.inbox != nullptr) [[unlikely]]
                hand_over(w, frames[i]);
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
