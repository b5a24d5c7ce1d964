// SPDX-License-Identifier: BSD-3-Clause
// Rings between the control thread and the workers of a port.
#include "channel.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include <rte_errno.h>

#include "barewire/base/error.h"

namespace barewire::engine {
namespace {

constexpr uint32_t kOutboxFrames = 256;
/// In the outbox, in the port, and one being written.
constexpr uint32_t kPoolFrames = 1024;

rte_ring* new_ring(const char* what, uint32_t index, uint32_t frames, unsigned flags) {
    const std::string name = fmt::format("{}-{}", what, index);
    rte_ring* ring = rte_ring_create(name.c_str(), frames, SOCKET_ID_ANY, flags | RING_F_EXACT_SZ);
    if (ring == nullptr) {
        throw DeviceError(
            fmt::format("rte_ring_create: no room for {}: {}", name, rte_strerror(rte_errno)));
    }
    return ring;
}

}  // namespace

Channel::Channel(nic::Port& port, uint32_t index, uint32_t rx_queues, uint32_t largest_frame)
    : port_(port),
      pool_(std::make_unique<nic::FramePool>(
          fmt::format("control-{}", index), kPoolFrames + port.keeps_sent(),
          largest_frame - kFcsSize + nic::kSendingSpare, 1, false)),
      room_(largest_frame - kFcsSize),
      inbox_(new_ring("inbox", index, kInboxFrames, RING_F_SC_DEQ)),
      outbox_(new_ring("outbox", index, kOutboxFrames, RING_F_SP_ENQ | RING_F_SC_DEQ)),
      tx_(port.tx_queue(0)) {
    for (uint32_t queue = 0; queue < std::max(rx_queues, 1U); ++queue) {
        rx_.push_back(port.rx_queue(queue));
    }
}

Channel::~Channel() {
    port_.keep(std::move(pool_));
}

uint64_t Channel::bytes_needed(uint32_t largest_frame, uint32_t keeps_sent) {
    constexpr uint64_t kRings = 2 * (kOutboxFrames * 16 + 4096);
    return kRings + nic::FramePool::bytes_needed(kPoolFrames + keeps_sent,
                                                 largest_frame - kFcsSize + nic::kSendingSpare, 1,
                                                 false);
}

void Channel::workers_rest() noexcept {
    workers_receive_ = false;
    worker_done_sending_ = nullptr;
    const Held held(port_);
    empty_outbox();
}

/// What the worker left when it went to rest.
void Channel::empty_outbox() noexcept {
    while (!rte_ring_empty(outbox_.get())) send_for_control(outbox_.get(), tx_);
}

bool Channel::send(std::span<const uint8_t> frame) noexcept {
    rte_mbuf* buffer = nullptr;
    if (frame.size() > room_ || !pool_->get(&buffer, 1)) return false;
    rte_pktmbuf_reset(buffer);
    std::memcpy(rte_pktmbuf_mtod(buffer, void*), frame.data(), frame.size());
    buffer->data_len = static_cast<uint16_t>(frame.size());
    buffer->pkt_len = static_cast<uint32_t>(frame.size());
    const Held held(port_);
    const bool by_worker =
        worker_done_sending_ != nullptr && !worker_done_sending_->load(std::memory_order_acquire);
    bool taken = false;
    if (by_worker) {
        taken = rte_ring_enqueue(outbox_.get(), buffer) == 0;
    } else {
        empty_outbox();
        taken = tx_.send(&buffer, 1) == 1;
    }
    if (!taken) rte_pktmbuf_free(buffer);
    return taken;
}

uint32_t Channel::next(std::array<rte_mbuf*, kBurst>& frames) noexcept {
    auto** objects = reinterpret_cast<void**>(frames.data());
    uint32_t n = rte_ring_dequeue_burst(inbox_.get(), objects, kBurst, nullptr);
    if (workers_receive_) return n;
    for (size_t queue = 0; n == 0 && queue < rx_.size(); ++queue) {
        n = rx_[queue].receive(frames.data(), kBurst);
    }
    return n;
}

}  // namespace barewire::engine
