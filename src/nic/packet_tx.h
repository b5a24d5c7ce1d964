// SPDX-License-Identifier: BSD-3-Clause
// A sending queue over a packet socket: what is in the ring is offered, and ends as sent or as an
// error, once and never as both.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "barewire/nic/burst.h"

#include "packet_ring.h"

namespace barewire::nic {

/// How the kernel (af_packet.c, tpacket_snd) treats the ring, and what is made of it. It has a
/// place of its own, and from there sends each slot marked TP_STATUS_SEND_REQUEST, in order,
/// within our sendto() only.
/// - Taken by the device: the slot becomes SENDING, and AVAILABLE once its bytes are no longer
///   needed, now or later. Counted as sent when it leaves SEND_REQUEST; a late AVAILABLE only
///   keeps the slot occupied.
/// - ENOBUFS: device or qdisc dropped the copy (no carrier, a full queue, a veth's other end with a
///   smaller MTU). The slot is SEND_REQUEST again and the kernel's place stays: the frame is not
///   lost, the next sendto() tries it first. The same for EAGAIN (the socket's memory is in
///   flight). So a congested device slows the sender and loses nothing.
/// - ENETDOWN: the interface is down; nothing was looked at.
/// - TP_STATUS_WRONG_FORMAT: above the MTU (lowered after opening). Without PACKET_LOSS the
///   kernel's place stays there for ever; with it the frame vanishes uncounted. So PACKET_LOSS
///   is off, and what waits is withdrawn.
/// Since the kernel's place moves only over slots that it sent, withdrawing is exact: whatever
/// still waits is ours again, and the next frame is put where the kernel looks.
class PacketTx {
  public:
    /// `length`: of the longest frame, without FCS.
    PacketTx(const std::string& port, int interface, uint32_t length);

    TxQueue queue() { return {&PacketTx::send, &PacketTx::flush, this}; }
    /// What an earlier trial left waiting is withdrawn, then counting begins at 0. The worker
    /// rests.
    void begin_trial() noexcept;

    // The sending worker: wo; control: ro.
    std::atomic<uint64_t> sent{0}, sent_bytes{0}, errors{0};
    std::atomic<int> failure{0};  ///< errno of a sendto() that no waiting heals, 0: none

  private:
    static uint16_t send(void* self, rte_mbuf** frames, uint16_t count) noexcept;
    static void flush(void* self) noexcept;
    bool put(const rte_mbuf& frame) noexcept;
    void kick() noexcept;
    void collect() noexcept;
    void withdraw() noexcept;
    [[nodiscard]] bool in_flight() const noexcept;

    PacketSocket socket_;
    PacketRing ring_;
    uint32_t room_;
    uint32_t head_ = 0;     // the next frame goes here
    uint32_t kernel_ = 0;   // the kernel's place
    uint32_t waiting_ = 0;  // slots from kernel_ to head_
};

}  // namespace barewire::nic
