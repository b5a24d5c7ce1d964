// SPDX-License-Identifier: BSD-3-Clause
// Which flow the frame (stream, sequence) belongs to: the same rule at both ends.
#pragma once

#include <algorithm>
#include <cstdint>

namespace barewire::plan {

/// `streams` senders share `flows` flows. With at least as many flows as streams each flow has one
/// sender: stream s takes s, s + streams, s + 2 x streams, ... in turn, so order within a flow is
/// order within its stream. With fewer, stream s sends flow s % flows only.
class FlowLayout {
  public:
    constexpr FlowLayout(uint32_t streams, uint32_t flows) noexcept
        : streams_(streams), flows_(flows) {}
    [[nodiscard]] constexpr uint32_t streams() const noexcept { return streams_; }
    [[nodiscard]] constexpr uint32_t flows() const noexcept { return flows_; }

    /// Flows that `stream` cycles through.
    [[nodiscard]] constexpr uint32_t flows_of(uint32_t stream) const noexcept {
        return flows_ <= streams_ ? 1 : (flows_ - stream + streams_ - 1) / streams_;
    }
    /// The flow at position `slot` (0 to flows_of - 1) of the stream's cycle.
    [[nodiscard]] constexpr uint32_t flow_at(uint32_t stream, uint32_t slot) const noexcept {
        return flows_ <= streams_ ? stream % flows_ : stream + slot * streams_;
    }
    /// Divides: not for every frame.
    [[nodiscard]] constexpr uint32_t slot_of(uint32_t stream, uint64_t sequence) const noexcept {
        return static_cast<uint32_t>(sequence % flows_of(stream));
    }
    /// Frames of the flow at `slot` among the first `sequences` of the stream.
    [[nodiscard]] constexpr uint64_t frames_of(uint32_t stream, uint32_t slot,
                                               uint64_t sequences) const noexcept {
        const uint64_t cycle = flows_of(stream);
        return sequences / cycle + (slot < sequences % cycle ? 1 : 0);
    }

  private:
    uint32_t streams_;
    uint32_t flows_;
};

}  // namespace barewire::plan
