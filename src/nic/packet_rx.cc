// SPDX-License-Identifier: BSD-3-Clause
// A receiving queue over a packet socket. Hot code.
#include "packet_rx.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <sys/socket.h>

#include <net/ethernet.h>

#include <rte_prefetch.h>

#include "barewire/base/knobs.h"

namespace barewire::nic {
namespace {

/// What the kernel puts before a frame's first byte at most (tpacket_rcv: header and link address,
/// then the network header on a boundary of 16).
constexpr uint32_t kBeforeFrame = aligned(kSlotHeader + sizeof(sockaddr_ll) + 16);
constexpr uint32_t kSlots = 4096;
constexpr uint32_t kFewestSlots = 64;
constexpr uint32_t kMostRingBytes = 64U << 20;
constexpr uint32_t kCacheLine = 64;
/// A VLAN tag (IEEE 802.1Q), which the kernel strips from what it hands to packet sockets.
constexpr uint32_t kVlanTag = 4;
constexpr size_t kAddresses = size_t{2} * ETH_ALEN;

uint32_t slots_for(uint32_t wanted, uint32_t length) {
    if (wanted != 0) return wanted;
    return std::clamp(kMostRingBytes / (kBeforeFrame + length), kFewestSlots, kSlots);
}

/// Lays the tag that the kernel took out of the frame between addresses and EtherType again.
void write_tag(uint8_t* at, const tpacket2_hdr& slot) noexcept {
    const uint32_t type =
        (slot.tp_status & TP_STATUS_VLAN_TPID_VALID) != 0 ? slot.tp_vlan_tpid : ETHERTYPE_VLAN;
    at[0] = static_cast<uint8_t>(type >> 8);
    at[1] = static_cast<uint8_t>(type);
    at[2] = static_cast<uint8_t>(slot.tp_vlan_tci >> 8);
    at[3] = static_cast<uint8_t>(slot.tp_vlan_tci);
}

}  // namespace

PacketRx::PacketRx(const std::string& port, FramePool& pool, uint32_t length, uint32_t slots)
    : port_(port),
      pool_(&pool),
      socket_(port),
      ring_(port, socket_, PACKET_RX_RING, slots_for(slots, length), kBeforeFrame + length),
      room_(buffer_length(length)) {
    const int on = 1;
    socket_.set(PACKET_IGNORE_OUTGOING, on, "setsockopt(PACKET_IGNORE_OUTGOING)");
}

void PacketRx::listen(int interface) {
    socket_.bind(interface, ETH_P_ALL);
}

void PacketRx::make_promiscuous(int interface) {
    packet_mreq request{};
    request.mr_ifindex = interface;
    request.mr_type = PACKET_MR_PROMISC;
    socket_.set(PACKET_ADD_MEMBERSHIP, request, "setsockopt(PACKET_ADD_MEMBERSHIP)");
}

uint32_t PacketRx::buffer_length(uint32_t length) {
    return std::min(length + kVlanTag, kMaxFrameSize - kFcsSize);
}

uint16_t PacketRx::join(std::optional<uint16_t> group) {
    constexpr uint32_t kHash = PACKET_FANOUT_HASH << 16;
    constexpr uint32_t kFound = PACKET_FANOUT_FLAG_UNIQUEID << 16;
    const uint32_t wish = group ? kHash | *group : kHash | kFound;
    socket_.set(PACKET_FANOUT, wish, "setsockopt(PACKET_FANOUT)");
    uint32_t joined = 0;
    socklen_t size = sizeof(joined);
    if (getsockopt(socket_.fd(), SOL_PACKET, PACKET_FANOUT, &joined, &size) != 0) {
        refuse_packet(port_, "getsockopt(PACKET_FANOUT)");
    }
    return static_cast<uint16_t>(joined);
}

void PacketRx::discard() noexcept {
    for (uint32_t n = 0; n < ring_.size() && ready(1) != 0; ++n) {
        give(ring_[next_], TP_STATUS_KERNEL);
        next_ = ring_.after(next_);
    }
    begin_trial();
}

void PacketRx::begin_trial() noexcept {
    missed();
    missed_ = 0;
    received = received_bytes = cut = 0;
}

uint64_t PacketRx::missed() noexcept {
    tpacket_stats stats{};
    socklen_t size = sizeof(stats);
    if (getsockopt(socket_.fd(), SOL_PACKET, PACKET_STATISTICS, &stats, &size) == 0) {
        missed_ += stats.tp_drops;
    }
    return missed_;
}

/// Slots that are ours from the next on, up to `most`.
uint32_t PacketRx::ready(uint32_t most) const noexcept {
    uint32_t n = 0;
    for (uint32_t at = next_; n < most; ++n, at = ring_.after(at)) {
        if ((status_of(ring_[at]) & TP_STATUS_USER) == 0) break;
        rte_prefetch0(reinterpret_cast<const uint8_t*>(&ring_[at]) + kCacheLine);
    }
    return n;
}

/// False: longer than slot or buffer, and so not whole.
bool PacketRx::copy(const tpacket2_hdr& slot, rte_mbuf& frame) const noexcept {
    const bool tagged = (slot.tp_status & TP_STATUS_VLAN_VALID) != 0;
    const uint32_t length = slot.tp_len + (tagged ? kVlanTag : 0);
    if (slot.tp_snaplen < slot.tp_len || length > room_) return false;
    const uint8_t* from = reinterpret_cast<const uint8_t*>(&slot) + slot.tp_mac;
    frame.data_off =
        std::min<uint16_t>(RTE_PKTMBUF_HEADROOM, static_cast<uint16_t>(frame.buf_len - length));
    frame.data_len = static_cast<uint16_t>(length);
    frame.pkt_len = length;
    auto* to = rte_pktmbuf_mtod(&frame, uint8_t*);
    if (tagged && slot.tp_len >= kAddresses) {
        std::memcpy(to, from, kAddresses);
        write_tag(to + kAddresses, slot);
        std::memcpy(to + kAddresses + kVlanTag, from + kAddresses, slot.tp_len - kAddresses);
    } else {
        std::memcpy(to, from, slot.tp_len);
    }
    return true;
}

/// Buffers first: a frame for which there is none stays in the ring, so none is lost for lack of
/// buffers; the ring may then overflow, and the kernel counts that.
uint16_t PacketRx::receive(void* self, rte_mbuf** frames, uint16_t most) noexcept {
    auto& rx = *static_cast<PacketRx*>(self);
    uint32_t n = rx.ready(most);
    while (n > 0 && rte_pktmbuf_alloc_bulk(rx.pool_->handle(), frames, n) != 0) n /= 2;
    if (n == 0) return 0;
    uint32_t kept = 0;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < n; ++i) {
        tpacket2_hdr& slot = rx.ring_[rx.next_];
        if (rx.copy(slot, *frames[kept])) bytes += frames[kept++]->data_len;
        give(slot, TP_STATUS_KERNEL);
        rx.next_ = rx.ring_.after(rx.next_);
    }
    if (kept < n) {
        rte_pktmbuf_free_bulk(&frames[kept], n - kept);
        add(rx.cut, n - kept);
    }
    add(rx.received, kept);
    add(rx.received_bytes, bytes);
    return static_cast<uint16_t>(kept);
}

}  // namespace barewire::nic
