// SPDX-License-Identifier: BSD-3-Clause
// Frames that a device leaves in several buffers, copied into one: sinks read a frame in one piece.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include <rte_mbuf.h>

#include "barewire/nic/burst.h"
#include "barewire/nic/pool.h"

namespace barewire::nic {

/// A receiving queue whose frames are each in one buffer. One worker uses it.
class Linearise {
  public:
    /// Buffers for whole frames of one worker: what it holds, twice over.
    static constexpr uint32_t kWholeFrames = 128;

    /// `device` outlives the object; `in_flight`: frames that wait elsewhere for other workers.
    Linearise(const std::string& name, RxQueue device, uint32_t in_flight, uint32_t workers);

    RxQueue queue() { return {&receive, this}; }
    /// Frames dropped for want of a buffer, or longer than any. Its worker: wo; others: ro.
    [[nodiscard]] uint64_t dropped() const noexcept {
        return dropped_.load(std::memory_order_relaxed);
    }
    /// Bytes of DPDK memory that one takes.
    static uint64_t bytes_needed(uint32_t in_flight, uint32_t workers);

  private:
    static uint16_t receive(void* self, rte_mbuf** frames, uint16_t most) noexcept;
    rte_mbuf* whole(rte_mbuf* frame) noexcept;

    RxQueue device_;
    FramePool pool_;
    std::atomic<uint64_t> dropped_{0};
};

}  // namespace barewire::nic
