// SPDX-License-Identifier: BSD-3-Clause
// Pools sized from the largest frame.
#include "barewire/nic/pool.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include <rte_errno.h>

#include "barewire/base/check.h"
#include "barewire/base/error.h"
#include "barewire/base/knobs.h"

namespace barewire::nic {
namespace {

static_assert(kPoolCache <= RTE_MEMPOOL_CACHE_MAX_SIZE);

/// mbuf::buf_len has 16 bits, so the largest frames leave less headroom than DPDK's usual 128.
constexpr uint32_t kMostRoom = std::numeric_limits<uint16_t>::max();
static_assert(kMaxFrameSize - kFcsSize <= kMostRoom);

uint32_t room_for(uint32_t length) {
    return std::min<uint32_t>(RTE_PKTMBUF_HEADROOM + length, kMostRoom);
}

/// A cache holds up to one and a half times its nominal size before it is flushed.
uint32_t size_of(uint32_t frames, uint32_t lcores, bool cached) {
    return frames + (cached ? lcores * (kPoolCache + kPoolCache / 2) : 0);
}

void write_frame(rte_mbuf* buffer, std::span<const uint8_t> frame) {
    rte_pktmbuf_reset(buffer);
    const auto length = static_cast<uint16_t>(frame.size());
    const auto headroom = static_cast<uint16_t>(buffer->buf_len - length);
    buffer->data_off = std::min<uint16_t>(RTE_PKTMBUF_HEADROOM, headroom);
    buffer->data_len = length;
    buffer->pkt_len = length;
    std::memcpy(rte_pktmbuf_mtod(buffer, void*), frame.data(), frame.size());
}

}  // namespace

FramePool::FramePool(const std::string& name, uint32_t frames, uint32_t length, uint32_t lcores,
                     bool cached)
    : size_(size_of(frames, lcores, cached)) {
    BW_CHECK(length <= kMaxFrameSize - kFcsSize + kSendingSpare);
    pool_ = rte_pktmbuf_pool_create(name.c_str(), size_, cached ? kPoolCache : 0, 0,
                                    static_cast<uint16_t>(room_for(length)), SOCKET_ID_ANY);
    if (pool_ == nullptr) {
        throw DeviceError(fmt::format(
            "rte_pktmbuf_pool_create: no room for pool {} of {} buffers of {} bytes ({} MiB): {}",
            name, size_, length, bytes_needed(frames, length, lcores, cached) >> 20,
            rte_strerror(rte_errno)));
    }
}

FramePool::~FramePool() {
    rte_mempool_free(pool_);
}

uint64_t FramePool::bytes_needed(uint32_t frames, uint32_t length, uint32_t lcores, bool cached) {
    // Object header, padding between memory channels and the pool's ring: under 192 bytes each.
    constexpr uint64_t kPerBuffer = sizeof(rte_mbuf) + 192;
    constexpr uint64_t kPerPool = 2U << 20;  // ring rounded to a power of two, zones, caches
    return size_of(frames, lcores, cached) * (kPerBuffer + room_for(length)) + kPerPool;
}

bool FramePool::prebuild(std::span<const uint8_t> frame) {
    if (in_use() != 0) return false;
    const auto write = [](rte_mempool*, void* argument, void* object, unsigned) {
        write_frame(static_cast<rte_mbuf*>(object),
                    *static_cast<const std::span<const uint8_t>*>(argument));
    };
    rte_mempool_obj_iter(pool_, write, &frame);
    return true;
}

}  // namespace barewire::nic
