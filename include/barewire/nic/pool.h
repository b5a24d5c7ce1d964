// SPDX-License-Identifier: BSD-3-Clause
// Buffers. A generator's pool holds its frames prebuilt: a buffer comes back as it was sent, and
// only the stamp is written again.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <rte_mbuf.h>
#include <rte_mempool.h>

namespace barewire::nic {

/// Buffers that one lcore keeps to itself; DPDK flushes and refills in bulks of about this size.
inline constexpr uint32_t kPoolCache = 256;

/// What a pool of frames to send asks for beyond their length: DPDK's memif driver copies frames
/// whole, without a look at the other side's slot, out of buffers no larger than its own bsize, and
/// a server does not know the slots. So its frames come from larger buffers (memif_socket.cc).
inline constexpr uint32_t kSendingSpare = 64;

/// A pool of single-segment buffers, each with room for `length` bytes (at most 65,531 and the
/// spare). Not copyable; freed with the object. Throws DeviceError when DPDK has no memory for it.
class FramePool {
  public:
    /// `name` is unique in the process, at most 25 characters. `frames`: those in flight beyond
    /// what caches keep; `lcores`: threads that get or put; `cached`: no caches when false.
    FramePool(const std::string& name, uint32_t frames, uint32_t length, uint32_t lcores,
              bool cached = true);
    FramePool(const FramePool&) = delete;
    FramePool& operator=(const FramePool&) = delete;
    FramePool(FramePool&& other) noexcept : pool_(other.pool_), size_(other.size_) {
        other.pool_ = nullptr;
    }
    ~FramePool();

    /// Bytes that such a pool takes, for the memory check before the EAL starts.
    static uint64_t bytes_needed(uint32_t frames, uint32_t length, uint32_t lcores, bool cached);

    /// Writes `frame` into every buffer. All buffers must be in the pool: false when some are not
    /// (a leak), and then nothing is written.
    bool prebuild(std::span<const uint8_t> frame);

    /// All or none. The buffers keep length and bytes of their last use.
    bool get(rte_mbuf** frames, uint32_t count) noexcept {
        return rte_mempool_get_bulk(pool_, reinterpret_cast<void**>(frames), count) == 0;
    }
    [[nodiscard]] rte_mempool* handle() const noexcept { return pool_; }
    /// Buffers that are out: on their way, or lost.
    [[nodiscard]] uint32_t in_use() const noexcept { return rte_mempool_in_use_count(pool_); }

  private:
    rte_mempool* pool_ = nullptr;
    uint32_t size_ = 0;
};

}  // namespace barewire::nic
