// SPDX-License-Identifier: BSD-3-Clause
// A receiving queue over a packet socket: frames are copied from the ring into buffers.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "barewire/nic/burst.h"
#include "barewire/nic/pool.h"

#include "packet_ring.h"

namespace barewire::nic {

class PacketRx {
  public:
    /// `length`: of the longest frame, without FCS; `slots` 0: as many as are sensible. Receives
    /// once listen() was called. `pool` outlives it, with buffers of buffer_length(length) bytes.
    PacketRx(const std::string& port, FramePool& pool, uint32_t length, uint32_t slots);

    /// From now on frames that reach `interface` come in, but for those that this host sends.
    void listen(int interface);
    /// Frames whatever their destination address, for all sockets on the interface.
    void make_promiscuous(int interface);
    /// Shares frames by their flows' hash with the sockets of `group`; founds one where there is
    /// none. Returns the group. After listen().
    uint16_t join(std::optional<uint16_t> group);
    /// Throws away what came before all had joined; it may be in several rings.
    void discard() noexcept;

    /// Room for a frame of `length` bytes and a tag.
    static uint32_t buffer_length(uint32_t length);

    RxQueue queue() { return {&PacketRx::receive, this}; }
    /// The worker rests. Frames that lie in the ring are the next reader's.
    void begin_trial() noexcept;
    /// Frames dropped for lack of a free slot since begin_trial(). Control thread.
    uint64_t missed() noexcept;

    // The receiving worker: wo; control: ro.
    std::atomic<uint64_t> received{0}, received_bytes{0};
    std::atomic<uint64_t> cut{0};  ///< longer than a slot or a buffer: thrown away

  private:
    static uint16_t receive(void* self, rte_mbuf** frames, uint16_t most) noexcept;
    [[nodiscard]] uint32_t ready(uint32_t most) const noexcept;
    bool copy(const tpacket2_hdr& slot, rte_mbuf& frame) const noexcept;

    std::string port_;
    FramePool* pool_;
    PacketSocket socket_;
    PacketRing ring_;
    uint32_t room_;
    uint32_t next_ = 0;
    uint64_t missed_ = 0;  // the kernel forgets them with each reading
};

}  // namespace barewire::nic
