// SPDX-License-Identifier: BSD-3-Clause
// The reflecting loop: receive, turn UDP messages to us round in place, send them back. Hot code.
#include <array>
#include <span>

#include "barewire/wire/checksum.h"
#include "barewire/wire/frame_view.h"
#include "barewire/wire/swap.h"

#include "channel.h"
#include "worker.h"

namespace barewire::engine {
namespace {

/// Turns in which a port may take nothing before the rest of a burst is given up.
constexpr uint32_t kSendTurns = 1024;

std::span<const uint8_t> bytes_of(const rte_mbuf* frame) noexcept {
    return {rte_pktmbuf_mtod(frame, const uint8_t*), frame->data_len};
}

/// Not to be turned round: the control thread's (ARP, ping, orders), or nobody's.
void put_aside(ReflectWorker& w, rte_mbuf* frame) noexcept {
    const wire::FrameView view(bytes_of(frame));
    const wire::FrameClass frame_class = view.frame_class();
    if (!wire::is_own_talk(frame_class)) w.foreign.add(frame_class, view.ethertype());
    if (w.inbox == nullptr || rte_ring_enqueue(w.inbox, frame) != 0) rte_pktmbuf_free(frame);
}

void send_back(ReflectWorker& w, rte_mbuf** frames, uint32_t count) noexcept {
    uint32_t sent = 0;
    for (uint32_t turn = 0; sent < count && turn < kSendTurns; ++turn) {
        sent += w.tx.send(&frames[sent], static_cast<uint16_t>(count - sent));
    }
    w.received += count;
    w.offered += sent;
    if (sent < count) rte_pktmbuf_free_bulk(&frames[sent], count - sent);
}

}  // namespace

void reflect_loop(ReflectWorker& w) noexcept {
    std::array<rte_mbuf*, kBurst> frames;
    w.health.last_turn_ns = w.clock->now();
    for (bool stopped = false; !stopped;) {
        const uint32_t n = w.rx.receive(frames.data(), kBurst);
        const Ns now = w.clock->now();
        if (w.health.turn(now)) {
            w.snapshot.publish({now, w.received, 0});
            if (w.outbox != nullptr) send_for_control(w.outbox, w.tx);
            stopped = w.way->stop.load(std::memory_order_relaxed) || now >= w.way->end_ns;
        }
        if (n == 0) {
            if (w.shares_core) sched_yield();
            back_off();
            continue;
        }
        uint32_t turned = 0;
        for (uint32_t i = 0; i < n; ++i) {
            rte_mbuf* frame = frames[i];
            auto* bytes = rte_pktmbuf_mtod(frame, uint8_t*);
            if (wire::swap_ends(bytes, frame->data_len, w.mac)) {
                wire::finish_udp_checksum({bytes + sizeof(wire::EthernetHeader),
                                           frame->data_len - sizeof(wire::EthernetHeader)});
                frames[turned++] = frame;
            } else {
                put_aside(w, frame);
            }
        }
        send_back(w, frames.data(), turned);
        ++w.health.productive;
    }
    w.snapshot.publish({w.clock->now(), w.received, 0});
    w.done.store(true, std::memory_order_release);
}

void ReflectWorker::begin_trial(const WayControl* control) noexcept {
    way = control;
    health = {};
    done = false;
    received = offered = 0;
    foreign = {};
    snapshot.publish({});
}

}  // namespace barewire::engine
