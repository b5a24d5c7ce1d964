// SPDX-License-Identifier: BSD-3-Clause
// The two ends of a wire path as its workers use them. Hot code; set-up is in wire_port.cc.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "barewire/link/hold_queue.h"
#include "barewire/link/wire_model.h"
#include "barewire/nic/burst.h"
#include "barewire/nic/pool.h"
#include "barewire/nic/wire_port.h"

namespace barewire::nic {

/// The sending end, one worker's own. Sends a burst whole into one ring where the wire is plain
/// and there is one receiver; else decides frame by frame.
class WireTx {
  public:
    WireTx(const WireWay& way, uint32_t sender, std::vector<rte_ring*> rings);

    static uint16_t send_plain(void* self, rte_mbuf** frames, uint16_t count) noexcept;
    static uint16_t send_each(void* self, rte_mbuf** frames, uint16_t count) noexcept;
    static void flush(void* self) noexcept;
    [[nodiscard]] TxQueue queue();
    void begin_trial(uint32_t trial) noexcept;
    [[nodiscard]] const plan::WireCounts& counts() const noexcept { return model_.counts(); }
    [[nodiscard]] uint64_t plain_frames() const noexcept { return plain_frames_; }

  private:
    struct Identity {
        bool probe = false;
        uint32_t stream = 0;
        uint64_t sequence = 0;
    };
    [[nodiscard]] bool has_room() const noexcept;
    Identity identify(const rte_mbuf* frame) noexcept;
    void carry_out(rte_mbuf* frame, const Identity& identity) noexcept;
    void deliver(rte_mbuf* frame, const Identity& identity, link::Delivery delivery) noexcept;
    void deliver_and_release(rte_mbuf* frame, const Identity& identity) noexcept;
    void hold(rte_mbuf* frame, const Identity& identity) noexcept;
    rte_mbuf* copy_of(rte_mbuf* frame) noexcept;
    rte_mbuf* damaged_copy(rte_mbuf* frame, const link::Decision& decision) noexcept;
    [[nodiscard]] rte_ring* ring_for(const rte_mbuf* frame) const noexcept;
    void push(rte_mbuf* frame) noexcept;

    bool plain_;
    uint64_t plain_frames_ = 0;
    std::vector<rte_ring*> rings_;
    std::array<rte_ring*, 256> ring_by_key_{};  // spreads flows without a division
    link::WireModel model_;
    link::HoldQueue<rte_mbuf*> held_;
    std::optional<FramePool> copies_;  // duplicates and damaged frames; only this worker gets
    std::array<uint64_t, kMaxStreams> next_sequence_{};
};

/// The receiving end, one worker's own: takes from each sender's ring in turn.
class WireRx {
  public:
    explicit WireRx(std::vector<rte_ring*> rings) : rings_(std::move(rings)) {}
    static uint16_t receive(void* self, rte_mbuf** frames, uint16_t most) noexcept;

  private:
    std::vector<rte_ring*> rings_;
    size_t turn_ = 0;
};

}  // namespace barewire::nic
