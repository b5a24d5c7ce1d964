// SPDX-License-Identifier: BSD-3-Clause
// The control thread's own frames (hello, orders, ARP, learning) on a port that workers use: it
// touches the queues itself while no worker has them, else a worker passes its frames on.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <span>

#include <rte_ring.h>

#include "barewire/base/knobs.h"
#include "barewire/nic/pool.h"
#include "barewire/nic/port.h"

namespace barewire::engine {

/// Used by the control thread, but as noted.
class Channel {
  public:
    /// `rx_queues`: queues that frames may arrive on. `largest_frame`: of what is sent here.
    Channel(nic::Port& port, uint32_t index, uint32_t rx_queues, uint32_t largest_frame);
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;
    ~Channel();

    [[nodiscard]] nic::Port& port() const { return port_; }

    /// Workers are about to receive on the port.
    void workers_receive() noexcept { workers_receive_ = true; }
    /// The worker of queue 0 sends for the control thread until it sets `done`.
    void worker_sends(const std::atomic<bool>& done) noexcept { worker_done_sending_ = &done; }
    /// All are at rest: the queues are the control thread's.
    void workers_rest() noexcept;

    /// False where the port or the way to it has no room: the frame is dropped.
    bool send(std::span<const uint8_t> frame) noexcept;

    /// Gives frames that arrived to `take`, as a span of bytes; returns how many.
    template <class Take>
    uint32_t receive(Take&& take) noexcept {
        const Held held(port_);
        std::array<rte_mbuf*, kBurst> frames;
        uint32_t all = 0;
        for (uint32_t n = next(frames); n != 0; n = all < kMostAtOnce ? next(frames) : 0) {
            for (uint32_t i = 0; i < n; ++i) {
                take(std::span<const uint8_t>(rte_pktmbuf_mtod(frames[i], const uint8_t*),
                                              frames[i]->data_len));
            }
            rte_pktmbuf_free_bulk(frames.data(), n);
            all += n;
        }
        return all;
    }

    /// To the control thread; workers put frames in (several at once may).
    [[nodiscard]] rte_ring* inbox() const noexcept { return inbox_.get(); }
    /// From the control thread; the worker of queue 0 takes frames out.
    [[nodiscard]] rte_ring* outbox() const noexcept { return outbox_.get(); }

    /// Buffers that may wait in the inbox: the receiving pool needs as many more.
    static constexpr uint32_t kInboxFrames = 256;
    /// Bytes of DPDK memory that a channel takes.
    static uint64_t bytes_needed(uint32_t largest_frame, uint32_t keeps_sent);

  private:
    /// Of one call to receive(), so that a flood does not keep the control thread.
    static constexpr uint32_t kMostAtOnce = 512;
    struct Held {
        explicit Held(nic::Port& of) : port(of) { port.hold(); }
        Held(const Held&) = delete;
        Held& operator=(const Held&) = delete;
        ~Held() { port.release(); }
        nic::Port& port;
    };
    struct RingFree {
        void operator()(rte_ring* ring) const { rte_ring_free(ring); }
    };
    uint32_t next(std::array<rte_mbuf*, kBurst>& frames) noexcept;
    void empty_outbox() noexcept;

    nic::Port& port_;
    std::unique_ptr<nic::FramePool> pool_;
    uint32_t room_;
    std::unique_ptr<rte_ring, RingFree> inbox_, outbox_;
    nic::TxQueue tx_;
    std::vector<nic::RxQueue> rx_;
    bool workers_receive_ = false;
    const std::atomic<bool>* worker_done_sending_ = nullptr;
};

/// For the worker of sending queue 0, at housekeeping: what the control thread wants sent.
inline void send_for_control(rte_ring* outbox, nic::TxQueue& tx) noexcept {
    constexpr uint32_t kMost = 16;
    std::array<rte_mbuf*, kMost> frames;
    const uint32_t n =
        rte_ring_dequeue_burst(outbox, reinterpret_cast<void**>(frames.data()), kMost, nullptr);
    if (n == 0) return;
    const uint32_t sent = tx.send(frames.data(), static_cast<uint16_t>(n));
    if (sent < n) rte_pktmbuf_free_bulk(&frames[sent], n - sent);
}

}  // namespace barewire::engine
