// SPDX-License-Identifier: BSD-3-Clause
// Several workers on a device with one queue: received frames are handed on by flow, sending
// workers take turns. Hot code.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <rte_ring.h>
#include <rte_spinlock.h>

#include "barewire/nic/burst.h"

namespace barewire::nic {

/// A number that frames of one flow share: of IPv4 addresses and ports as they stand in the frame,
/// behind up to two tags; fragments and protocols without ports: of the addresses. 0 for all else.
uint32_t flow_hash(const uint8_t* frame, uint32_t length) noexcept;

/// One receiving queue for several workers. Worker 0 polls it, keeps what is of its flows and
/// hands the rest on; a worker whose ring is full loses the frame, and that is counted.
class SoftwareSpread {
  public:
    /// `device` outlives the object; `name` is unique in the process, at most 20 characters.
    /// Throws DeviceError when DPDK has no memory for the rings.
    SoftwareSpread(const std::string& name, RxQueue device, uint32_t workers, uint32_t ring_frames);
    SoftwareSpread(const SoftwareSpread&) = delete;
    SoftwareSpread& operator=(const SoftwareSpread&) = delete;
    ~SoftwareSpread();

    RxQueue queue(uint32_t worker);
    /// Frames dropped at full rings. Worker 0: wo; others: ro.
    [[nodiscard]] uint64_t dropped() const noexcept {
        return dropped_.load(std::memory_order_relaxed);
    }

  private:
    struct RingFree {
        void operator()(rte_ring* ring) const { rte_ring_free(ring); }
    };
    static uint16_t poll(void* self, rte_mbuf** frames, uint16_t most) noexcept;
    static uint16_t take(void* self, rte_mbuf** frames, uint16_t most) noexcept;
    void hand_on(rte_mbuf* frame, uint32_t worker) noexcept;

    RxQueue device_;
    uint32_t workers_;
    std::vector<std::unique_ptr<rte_ring, RingFree>> rings_;  // of workers 1, 2, ...
    std::atomic<uint64_t> dropped_{0};
};

/// One sending queue for several workers: a lock for each burst, not for each frame.
class SharedTx {
  public:
    /// `device` outlives the object.
    explicit SharedTx(TxQueue device) : device_(device) { rte_spinlock_init(&lock_); }
    TxQueue queue() { return {&send, &flush, this}; }

  private:
    static uint16_t send(void* self, rte_mbuf** frames, uint16_t count) noexcept;
    static void flush(void* self) noexcept;

    TxQueue device_;
    rte_spinlock_t lock_{};
};

}  // namespace barewire::nic
