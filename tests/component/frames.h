// SPDX-License-Identifier: BSD-3-Clause
// The two ends of a component test: frames sent as a generator sends them, and accounted for.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "barewire/base/knobs.h"
#include "barewire/nic/burst.h"
#include "barewire/nic/pool.h"
#include "barewire/stats/receiver.h"
#include "barewire/wire/frame_template.h"

namespace barewire::nic {

inline constexpr uint32_t kRun = 0x5EED;

/// One sender of one stream, frames prebuilt; its flows take turns.
class Sender {
  public:
    explicit Sender(uint32_t frame_size, bool crc = true, uint32_t flows = 1, uint8_t stream = 0)
        : frame_(frame_size,
                 {.src_ip = 0xC6120001, .dst_ip = 0xC6130001, .src_port = 49152, .dst_port = 49184},
                 {kRun, 1, stream}, crc),
          pool_("sender-" + std::to_string(stream), 2048, frame_size - kFcsSize, 1),
          flows_(flows) {
        EXPECT_TRUE(pool_.prebuild(frame_.bytes()));
    }
    /// Sends `count` frames in bursts, giving `turn` a go whenever the port is full.
    template <class Turn>
    void send(TxQueue queue, uint32_t count, const Turn& turn) {
        while (count > 0) {
            const uint32_t n = std::min(count, kBurst);
            std::array<rte_mbuf*, kBurst> burst{};
            if (!pool_.get(burst.data(), n)) {
                turn();
                continue;
            }
            for (uint32_t i = 0; i < n; ++i) {
                auto* bytes = rte_pktmbuf_mtod(burst[i], uint8_t*);
                const wire::FlowStamp flow = frame_.flow_stamp(sequence_ % flows_);
                if (frame_.with_crc()) {
                    frame_.stamp<true, true>(bytes, flow, sequence_++, 0);
                } else {
                    frame_.stamp<false, true>(bytes, flow, sequence_++, 0);
                }
            }
            for (uint32_t sent = 0; sent < n;) {
                sent += queue.send(&burst[sent], static_cast<uint16_t>(n - sent));
                if (sent < n) turn();
            }
            count -= n;
        }
        queue.flush();
        turn();
    }
    [[nodiscard]] uint32_t buffers_out() const { return pool_.in_use(); }

  private:
    wire::FrameTemplate frame_;
    FramePool pool_;
    uint32_t flows_;
    uint32_t sequence_ = 0;
};

/// Takes what a queue has and accounts for it with the payload check.
class Sink {
  public:
    explicit Sink(RxQueue queue)
        : queue_(queue),
          receiver_({.run = kRun, .payload_check = true, .addresses = wire::ProbeAddresses{}}) {
        receiver_.begin_trial(1);
    }
    void drain() {
        std::array<rte_mbuf*, kBurst> burst{};
        while (const uint16_t n = queue_.receive(burst.data(), kBurst)) {
            for (uint16_t i = 0; i < n; ++i) {
                receiver_.account<true, false>(rte_pktmbuf_mtod(burst[i], const uint8_t*),
                                               burst[i]->data_len, 0);
            }
            rte_pktmbuf_free_bulk(burst.data(), n);
        }
    }
    stats::Receiver& finish() {
        drain();
        receiver_.finish();
        return receiver_;
    }

  private:
    RxQueue queue_;
    stats::Receiver receiver_;
};

}  // namespace barewire::nic
