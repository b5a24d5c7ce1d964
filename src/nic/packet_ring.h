// SPDX-License-Identifier: BSD-3-Clause
// A packet socket and the ring of frames that it shares with the kernel (PACKET_MMAP,
// Documentation/networking/packet_mmap.rst of Linux).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <linux/if_packet.h>
#include <span>
#include <string>
#include <vector>

namespace barewire::nic {

/// Slots and what is in them begin at multiples of 16 bytes. (TPACKET_ALIGN mixes signs.)
constexpr uint32_t aligned(uint32_t bytes) {
    return (bytes + TPACKET_ALIGNMENT - 1) / TPACKET_ALIGNMENT * TPACKET_ALIGNMENT;
}
inline constexpr uint32_t kSlotHeader = aligned(sizeof(tpacket2_hdr));

/// Throws DeviceError: "port PORT: CALL refuses: why".
[[noreturn]] void refuse_packet(const std::string& port, const char* call);

/// A raw packet socket that receives nothing before bind(). Closed with the object.
class PacketSocket {
  public:
    explicit PacketSocket(const std::string& port);
    PacketSocket(const PacketSocket&) = delete;
    PacketSocket& operator=(const PacketSocket&) = delete;
    ~PacketSocket();

    [[nodiscard]] int fd() const noexcept { return fd_; }
    /// Option `name` of level SOL_PACKET; `words` as the refusal calls it.
    template <class T>
    void set(int name, const T& value, const char* words) {
        set_bytes(name, &value, sizeof(value), words);
    }
    /// `protocol`: EtherType to receive in host order, 0 for none.
    void bind(int interface, uint16_t protocol);

  private:
    void set_bytes(int name, const void* value, size_t size, const char* words);
    std::string port_;
    int fd_ = -1;
};

/// The ring's slots in order, each with a header of version 2 and room for one frame. A slot
/// belongs to the kernel or to us; its status word, written last, says to whom.
class PacketRing {
  public:
    /// `kind`: PACKET_RX_RING or PACKET_TX_RING; `slots`: at least so many.
    PacketRing(const std::string& port, PacketSocket& socket, int kind, uint32_t slots,
               uint32_t slot_bytes);
    PacketRing(const PacketRing&) = delete;
    PacketRing& operator=(const PacketRing&) = delete;
    ~PacketRing();

    [[nodiscard]] uint32_t size() const noexcept { return static_cast<uint32_t>(slots_.size()); }
    [[nodiscard]] tpacket2_hdr& operator[](uint32_t index) const noexcept { return *slots_[index]; }
    [[nodiscard]] uint32_t after(uint32_t index) const noexcept {
        return ++index == slots_.size() ? 0 : index;
    }

  private:
    std::span<std::byte> memory_;
    std::vector<tpacket2_hdr*> slots_;
};

/// The kernel writes and reads the status word with a barrier; so do we.
inline uint32_t status_of(tpacket2_hdr& slot) noexcept {
    return std::atomic_ref(slot.tp_status).load(std::memory_order_acquire);
}
inline void give(tpacket2_hdr& slot, uint32_t status) noexcept {
    std::atomic_ref(slot.tp_status).store(status, std::memory_order_release);
}

/// Of a counter with one writer, read by the control thread.
inline void add(std::atomic<uint64_t>& counter, uint64_t n) noexcept {
    counter.store(counter.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
}

}  // namespace barewire::nic
