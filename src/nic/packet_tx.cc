// SPDX-License-Identifier: BSD-3-Clause
// A sending queue over a packet socket. Hot code.
#include "packet_tx.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>

#include <sched.h>

#include "barewire/base/clock.h"

namespace barewire::nic {
namespace {

/// Where the kernel looks for a frame's bytes (Documentation/networking/packet_mmap.rst).
constexpr uint32_t kDataAt = kSlotHeader;
constexpr uint32_t kSlots = 512;
constexpr uint32_t kMostRingBytes = 16U << 20;
/// Memory of frames on their way that the socket may hold: all that a ring can.
constexpr int kSendBuffer = 2 * kMostRingBytes;
/// How long a trial's last frames may try to leave.
constexpr Ns kFlushLimitNs = 100'000'000;
/// Neither stamped AVAILABLE nor AVAILABLE: not to be written.
constexpr uint32_t kOccupied = TP_STATUS_SEND_REQUEST | TP_STATUS_SENDING | TP_STATUS_WRONG_FORMAT;

bool heals(int error) noexcept {
    return error == 0 || error == ENOBUFS || error == EAGAIN || error == ENETDOWN ||
           error == EINTR || error == ENOMEM;
}

uint32_t slots_for(uint32_t length) {
    return std::clamp(kMostRingBytes / (kDataAt + length), 1U, kSlots);
}

}  // namespace

PacketTx::PacketTx(const std::string& port, int interface, uint32_t length)
    : socket_(port),
      ring_(port, socket_, PACKET_TX_RING, slots_for(length), kDataAt + length),
      room_(length) {
    const int on = 1;
    socket_.set(PACKET_QDISC_BYPASS, on, "setsockopt(PACKET_QDISC_BYPASS)");
    // Beyond the system's limit where we may (CAP_NET_ADMIN), else as near as it lets us.
    if (setsockopt(socket_.fd(), SOL_SOCKET, SO_SNDBUFFORCE, &kSendBuffer, sizeof(int)) != 0) {
        setsockopt(socket_.fd(), SOL_SOCKET, SO_SNDBUF, &kSendBuffer, sizeof(int));
    }
    socket_.bind(interface, 0);
}

void PacketTx::begin_trial() noexcept {
    withdraw();
    sent = sent_bytes = errors = 0;
}

/// False: the ring is full.
bool PacketTx::put(const rte_mbuf& frame) noexcept {
    tpacket2_hdr& slot = ring_[head_];
    if ((status_of(slot) & kOccupied) != 0) return false;
    const uint32_t length = frame.data_len;
    if (length > room_) {  // larger than the port was opened for: nothing but an error to count
        add(errors, 1);
        return true;
    }
    slot.tp_len = length;
    std::memcpy(reinterpret_cast<uint8_t*>(&slot) + kDataAt, rte_pktmbuf_mtod(&frame, const void*),
                length);
    give(slot, TP_STATUS_SEND_REQUEST);
    head_ = ring_.after(head_);
    ++waiting_;
    return true;
}

uint16_t PacketTx::send(void* self, rte_mbuf** frames, uint16_t count) noexcept {
    auto& tx = *static_cast<PacketTx*>(self);
    uint16_t taken = 0;
    while (taken < count && tx.put(*frames[taken])) ++taken;
    rte_pktmbuf_free_bulk(frames, taken);
    if (tx.waiting_ > 0) tx.kick();
    return taken;
}

/// Lets the kernel send what it can.
void PacketTx::kick() noexcept {
    const int error = sendto(socket_.fd(), nullptr, 0, MSG_DONTWAIT, nullptr, 0) < 0 ? errno : 0;
    collect();
    if (waiting_ > 0 && (status_of(ring_[kernel_]) & TP_STATUS_WRONG_FORMAT) != 0) {
        withdraw();
    } else if (!heals(error)) {
        failure.store(error, std::memory_order_relaxed);
    }
}

/// Counts what left SEND_REQUEST.
void PacketTx::collect() noexcept {
    constexpr uint32_t kNotSent = TP_STATUS_SEND_REQUEST | TP_STATUS_WRONG_FORMAT;
    uint64_t frames = 0;
    uint64_t bytes = 0;
    while (waiting_ > 0) {
        tpacket2_hdr& slot = ring_[kernel_];
        if ((status_of(slot) & kNotSent) != 0) break;
        ++frames;
        bytes += slot.tp_len;
        kernel_ = ring_.after(kernel_);
        --waiting_;
    }
    add(sent, frames);
    add(sent_bytes, bytes);
}

/// What waits will not be sent: it is an error, and its slots are free.
void PacketTx::withdraw() noexcept {
    add(errors, waiting_);
    for (uint32_t at = kernel_; waiting_ > 0; --waiting_, at = ring_.after(at)) {
        give(ring_[at], TP_STATUS_AVAILABLE);
    }
    head_ = kernel_;
}

bool PacketTx::in_flight() const noexcept {
    for (uint32_t i = 0; i < ring_.size(); ++i) {
        if ((status_of(ring_[i]) & TP_STATUS_SENDING) != 0) return true;
    }
    return false;
}

void PacketTx::flush(void* self) noexcept {
    auto& tx = *static_cast<PacketTx*>(self);
    const Ns until = monotonic_raw_ns() + kFlushLimitNs;
    while (tx.waiting_ > 0 || tx.in_flight()) {
        if (tx.waiting_ > 0) tx.kick();
        if (monotonic_raw_ns() > until) break;
        sched_yield();
    }
    tx.withdraw();
}

}  // namespace barewire::nic
