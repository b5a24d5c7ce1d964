// SPDX-License-Identifier: BSD-3-Clause
// Frames that the wire holds back so that later ones overtake them (reorder=p,n).
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "barewire/base/check.h"
#include "barewire/base/knobs.h"

namespace barewire::link {

/// Held frames of one sending queue, in the order in which they came. `Frame` is a buffer pointer,
/// cheap to copy. A release is a callable (uint32_t stream, uint64_t sequence, Frame) that does not
/// throw and does not call back into the queue. Memory is allocated by the constructor only. Used
/// by the sending worker alone.
template <class Frame>
class HoldQueue {
  public:
    /// `capacity`: frames held at most, 1 or more; `overtakers`: 1 or more frames of a stream
    /// that overtake a held one.
    HoldQueue(uint32_t capacity, uint32_t overtakers) : nodes_(capacity), overtakers_(overtakers) {
        BW_CHECK(capacity >= 1 && overtakers >= 1);
        for (uint32_t i = 0; i < capacity; ++i) nodes_[i].next = i + 1 < capacity ? i + 1 : kNone;
        free_ = 0;
        streams_.fill({});
    }

    /// Holds a frame; sequences of a stream rise. When full, the oldest of all is released first,
    /// perhaps before any frame overtook it.
    template <class Release>
    void hold(uint32_t stream, uint64_t sequence, Frame frame, Release&& release) noexcept {
        if (free_ == kNone) release_first(nodes_[oldest_].stream, release);
        const uint32_t at = std::exchange(free_, nodes_[free_].next);
        Stream& held = streams_[stream];
        nodes_[at] = {frame, sequence, held.passed + overtakers_, stream, newest_, kNone, kNone};
        (newest_ == kNone ? oldest_ : nodes_[newest_].next) = at;
        (held.last == kNone ? held.first : nodes_[held.last].next_of_stream) = at;
        newest_ = held.last = at;
        ++size_;
    }

    /// To be called after each frame of `stream` that left without being held (once for a frame
    /// and its duplicate): releases those that now have been overtaken often enough.
    template <class Release>
    void overtaken(uint32_t stream, Release&& release) noexcept {
        if (size_ == 0) return;
        Stream& held = streams_[stream];
        ++held.passed;
        while (held.first != kNone && nodes_[held.first].due <= held.passed) {
            release_first(stream, release);
        }
    }

    /// Releases all: the end of a trial. Each stream's frames leave in the order of sequence.
    template <class Release>
    void flush(Release&& release) noexcept {
        while (size_ != 0) release_first(nodes_[oldest_].stream, release);
    }

    [[nodiscard]] uint32_t size() const noexcept { return size_; }

  private:
    static constexpr uint32_t kNone = ~0U;
    struct Node {
        Frame frame{};
        uint64_t sequence = 0;
        uint64_t due = 0;  // released when this many frames of the stream have passed
        uint32_t stream = 0;
        uint32_t previous = kNone, next = kNone;  // of all, by age; next: of the free ones too
        uint32_t next_of_stream = kNone;
    };
    struct Stream {
        uint64_t passed = 0;  // frames that left while anything was held
        uint32_t first = kNone, last = kNone;
    };

    /// A stream's first is also the oldest of all where it is the oldest at all.
    template <class Release>
    void release_first(uint32_t stream, Release& release) noexcept {
        Stream& held = streams_[stream];
        const uint32_t at = held.first;
        const Node node = nodes_[at];
        held.first = node.next_of_stream;
        if (held.first == kNone) held.last = kNone;
        (node.previous == kNone ? oldest_ : nodes_[node.previous].next) = node.next;
        (node.next == kNone ? newest_ : nodes_[node.next].previous) = node.previous;
        nodes_[at].next = std::exchange(free_, at);
        --size_;
        release(stream, node.sequence, node.frame);
    }

    std::vector<Node> nodes_;
    uint32_t size_ = 0;
    uint32_t oldest_ = kNone, newest_ = kNone, free_ = kNone;
    uint32_t overtakers_;
    std::array<Stream, kMaxStreams> streams_;
};

}  // namespace barewire::link
