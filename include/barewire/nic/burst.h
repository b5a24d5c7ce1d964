// SPDX-License-Identifier: BSD-3-Clause
// Bursts of frames in and out of a port: one indirect call for a burst, the same for an embedded
// wire, a file and a NIC. Hot code.
#pragma once

#include <cstdint>

#include <rte_mbuf.h>

namespace barewire::nic {

/// A sending queue. One worker uses it.
class TxQueue {
  public:
    using Send = uint16_t (*)(void* self, rte_mbuf** frames, uint16_t count) noexcept;
    using Flush = void (*)(void* self) noexcept;
    TxQueue() = default;
    TxQueue(Send send_call, Flush flush_call, void* self)
        : send_(send_call), flush_(flush_call), self_(self) {}

    /// Takes the first n of `count` frames and returns n; the rest stay the caller's.
    uint16_t send(rte_mbuf** frames, uint16_t count) noexcept {
        return send_(self_, frames, count);
    }
    /// Frames that the queue itself holds back (reordering) leave now. End of a trial.
    void flush() noexcept { flush_(self_); }

  private:
    Send send_ = nullptr;
    Flush flush_ = nullptr;
    void* self_ = nullptr;
};

/// A receiving queue. One worker uses it and owns what it returns.
class RxQueue {
  public:
    using Receive = uint16_t (*)(void* self, rte_mbuf** frames, uint16_t most) noexcept;
    RxQueue() = default;
    RxQueue(Receive receive_call, void* self) : receive_(receive_call), self_(self) {}

    uint16_t receive(rte_mbuf** frames, uint16_t most) noexcept {
        return receive_(self_, frames, most);
    }

  private:
    Receive receive_ = nullptr;
    void* self_ = nullptr;
};

}  // namespace barewire::nic
