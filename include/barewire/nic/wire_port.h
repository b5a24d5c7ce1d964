// SPDX-License-Identifier: BSD-3-Clause
// The embedded wire: two ports in this process, joined by rings. The sending worker decides each
// frame's fate (link::WireModel), so the wire needs no worker of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <rte_ring.h>

#include "barewire/link/wire_model.h"
#include "barewire/nic/pool.h"
#include "barewire/nic/port.h"

namespace barewire::nic {

/// One way of the wire: senders x receivers rings, each with one producer and one consumer.
struct WireWay {
    link::WireDirection character;
    uint64_t seed = 0;
    uint8_t direction = 0;  ///< 0: a to b
    uint32_t senders = 0;
    uint32_t receivers = 0;
    uint32_t largest_frame = 64;
};

class WireTx;
class WireRx;

/// One way: owns rings and the two ends' state.
class WirePath {
  public:
    explicit WirePath(const WireWay& way);
    ~WirePath();
    /// Frames that one ring holds.
    static uint32_t ring_frames(uint32_t largest_frame);
    /// Bytes of rings and of buffers for damaged copies.
    static uint64_t bytes_needed(const WireWay& way);

    TxQueue tx_queue(uint32_t sender);
    RxQueue rx_queue(uint32_t receiver);
    void begin_trial(uint32_t trial);
    /// Sum over the senders; exact once they have stopped.
    [[nodiscard]] plan::WireCounts counts() const;

  private:
    struct RingFree {
        void operator()(rte_ring* ring) const { rte_ring_free(ring); }
    };
    std::vector<std::unique_ptr<rte_ring, RingFree>> rings_;  // [sender x receivers + receiver]
    std::vector<std::unique_ptr<WireTx>> tx_;
    std::vector<std::unique_ptr<WireRx>> rx_;
};

/// An end of the wire as a port: sends into one path, receives from the other; either may be
/// absent.
class WirePort final : public Port {
  public:
    /// `out` and `in` outlive the port. `name`: "wire:a" or "wire:b".
    WirePort(std::string name, WirePath* out, WirePath* in);

    [[nodiscard]] plan::PortFacts facts() const override;
    [[nodiscard]] std::array<uint8_t, 6> mac() const override;
    TxQueue tx_queue(uint32_t index) override { return out_->tx_queue(index); }
    RxQueue rx_queue(uint32_t index) override { return in_->rx_queue(index); }
    void begin_trial(uint32_t trial) override;
    [[nodiscard]] plan::PortCounters counters() override;

  private:
    std::string name_;
    WirePath* out_;
    WirePath* in_;
};

}  // namespace barewire::nic
