// SPDX-License-Identifier: BSD-3-Clause
// Spreading frames over workers, and gathering them.
#include "spread.h"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include <rte_errno.h>
#include <rte_hash_crc.h>
#include <rte_mbuf.h>

#include "barewire/base/error.h"
#include "barewire/base/knobs.h"

namespace barewire::nic {
namespace {

/// Offset of the IPv4 header, 0 where there is none.
uint32_t ipv4_offset(const uint8_t* frame, uint32_t length) noexcept {
    constexpr uint32_t kMostTags = 2;
    constexpr uint32_t kTag = 4;
    uint32_t type_at = 12;
    for (uint32_t tags = 0; type_at + 2 <= length; ++tags, type_at += kTag) {
        const uint32_t type = uint32_t{frame[type_at]} << 8 | frame[type_at + 1];
        if (type == 0x0800) return type_at + 2;
        const bool tag = type == 0x8100 || type == 0x88A8;
        if (!tag || tags == kMostTags) break;
    }
    return 0;
}

}  // namespace

uint32_t flow_hash(const uint8_t* frame, uint32_t length) noexcept {
    const uint32_t at = ipv4_offset(frame, length);
    if (at == 0 || at + 20 > length) return 0;
    const uint8_t* ip = frame + at;
    std::array<uint32_t, 3> key{};  // addresses, ports
    std::memcpy(key.data(), ip + 12, 8);
    const uint32_t header = (ip[0] & 15U) * 4;
    const bool fragment = ((ip[6] & 0x3FU) | ip[7]) != 0;
    const bool has_ports = ip[9] == 6 || ip[9] == 17;
    if (has_ports && !fragment && header >= 20 && at + header + 4 <= length) {
        std::memcpy(&key[2], ip + header, 4);
    }
    return rte_hash_crc(key.data(), sizeof key, 0);
}

SoftwareSpread::SoftwareSpread(const std::string& name, RxQueue device, uint32_t workers,
                               uint32_t ring_frames)
    : device_(device), workers_(workers) {
    for (uint32_t worker = 1; worker < workers; ++worker) {
        const std::string ring = fmt::format("{}-{}", name, worker);
        rings_.emplace_back(rte_ring_create(ring.c_str(), ring_frames, SOCKET_ID_ANY,
                                            RING_F_SP_ENQ | RING_F_SC_DEQ | RING_F_EXACT_SZ));
        if (rings_.back() == nullptr) {
            throw DeviceError(fmt::format("rte_ring_create: no room for ring {} of {} frames: {}",
                                          ring, ring_frames, rte_strerror(rte_errno)));
        }
    }
}

SoftwareSpread::~SoftwareSpread() {
    for (const auto& ring : rings_) {
        void* frame = nullptr;
        while (rte_ring_sc_dequeue(ring.get(), &frame) == 0) {
            rte_pktmbuf_free(static_cast<rte_mbuf*>(frame));
        }
    }
}

RxQueue SoftwareSpread::queue(uint32_t worker) {
    if (worker == 0) return {&poll, this};
    return {&take, rings_.at(worker - 1).get()};
}

void SoftwareSpread::hand_on(rte_mbuf* frame, uint32_t worker) noexcept {
    if (rte_ring_sp_enqueue(rings_[worker - 1].get(), frame) == 0) return;
    rte_pktmbuf_free(frame);
    dropped_.store(dropped() + 1, std::memory_order_relaxed);
}

uint16_t SoftwareSpread::poll(void* self, rte_mbuf** frames, uint16_t most) noexcept {
    auto& spread = *static_cast<SoftwareSpread*>(self);
    const uint16_t count = spread.device_.receive(frames, most);
    uint16_t own = 0;
    for (uint16_t i = 0; i < count; ++i) {
        rte_mbuf* frame = frames[i];
        const uint64_t hash = flow_hash(rte_pktmbuf_mtod(frame, const uint8_t*), frame->data_len);
        const auto worker = static_cast<uint32_t>(hash * spread.workers_ >> 32);
        if (worker == 0) {
            frames[own++] = frame;
        } else {
            spread.hand_on(frame, worker);
        }
    }
    return own;
}

uint16_t SoftwareSpread::take(void* self, rte_mbuf** frames, uint16_t most) noexcept {
    auto* ring = static_cast<rte_ring*>(self);
    return static_cast<uint16_t>(
        rte_ring_sc_dequeue_burst(ring, reinterpret_cast<void**>(frames), most, nullptr));
}

uint16_t SharedTx::send(void* self, rte_mbuf** frames, uint16_t count) noexcept {
    auto& shared = *static_cast<SharedTx*>(self);
    rte_spinlock_lock(&shared.lock_);
    const uint16_t sent = shared.device_.send(frames, count);
    rte_spinlock_unlock(&shared.lock_);
    return sent;
}

void SharedTx::flush(void* self) noexcept {
    auto& shared = *static_cast<SharedTx*>(self);
    rte_spinlock_lock(&shared.lock_);
    shared.device_.flush();
    rte_spinlock_unlock(&shared.lock_);
}

}  // namespace barewire::nic
