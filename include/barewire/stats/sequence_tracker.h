// SPDX-License-Identifier: BSD-3-Clause
// Which sequences of one stream have been seen: tells a first copy from a duplicate, a late one
// from one in order. Exact within a window, over wraps of the 32 bits that a frame carries.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>

#include "barewire/base/knobs.h"

namespace barewire::stats {

/// What a frame is to its stream.
enum class Arrival : uint8_t {
    first,      ///< the first copy, in order (frames before it may be missing)
    reordered,  ///< the first copy, below a sequence already seen (RFC 4737 section 3)
    duplicate,  ///< a further copy
    surplus,  ///< below the window, or below the stream's first sequence: matches no awaited frame
};

/// One stream as one sink sees it. Sequences are 64-bit and may wrap. One writer, no locks.
///
/// A run of frames in order costs one comparison and one increment each: the run [run_, next_)
/// is seen by definition, and is written into the bitmap when something else happens.
class SequenceTracker {
  public:
    /// A frame whose low 32 bits lie up to this far below the expected ones is an old one, not one
    /// from beyond a loss of nearly 2^32 frames.
    static constexpr uint32_t kMostBehind = 1U << 28;

    /// `window`: sequences below the highest one that are remembered; a power of two, 64 to
    /// kMostBehind. Takes window / 8 bytes.
    explicit SequenceTracker(uint32_t window = kSequenceWindow);

    /// Forgets all; the next sequence expected is `first`.
    void reset(uint64_t first = 0) noexcept { missing_ = 0, first_ = run_ = next_ = first; }

    /// The frame with these low 32 bits is the one after the highest seen.
    [[nodiscard]] bool expects(uint32_t low) const noexcept {
        return low == static_cast<uint32_t>(next_);
    }
    /// Sees the expected frame. No other call is needed for it.
    void accept_expected() noexcept { ++next_; }

    /// The full sequence that the low 32 bits stand for: from kMostBehind below to
    /// 2^32 - kMostBehind - 1 above the expected one.
    [[nodiscard]] uint64_t extend(uint32_t low) const noexcept {
        const uint32_t shifted = low - static_cast<uint32_t>(next_) + kMostBehind;
        return next_ + shifted - kMostBehind;
    }

    /// Sees the frame with the (extended) `sequence`.
    Arrival accept(uint64_t sequence) noexcept;

    /// Sees a frame below next() whose place was left open until now. As accept(), but the window
    /// counts from the latest run in order, which the bitmap does not hold yet: what was within the
    /// window at the last accept() still is.
    Arrival accept_claim(uint64_t sequence) noexcept;

    /// Highest sequence seen, plus 1; the stream's first when nothing was seen.
    [[nodiscard]] uint64_t next() const noexcept { return next_; }
    [[nodiscard]] uint64_t first_sequence() const noexcept { return first_; }
    /// Sequences seen: first copies, reordered ones among them.
    [[nodiscard]] uint64_t seen_count() const noexcept { return next_ - first_ - missing_; }
    /// `sequence` has been seen and lies within the window or in the latest run in order.
    [[nodiscard]] bool seen(uint64_t sequence) const noexcept;
    /// Seen sequences from `sequence` on. Those that have left the window are not counted.
    [[nodiscard]] uint64_t count_from(uint64_t sequence) const noexcept;

  private:
    [[nodiscard]] uint64_t& word(uint64_t sequence) const noexcept {
        return bits_[(sequence & mask_) / 64];
    }
    void write_bits(uint64_t begin, uint64_t end, bool value) noexcept;
    Arrival accept_behind(uint64_t sequence) noexcept;
    Arrival mark(uint64_t sequence) noexcept;

    uint64_t next_ = 0;
    uint64_t run_ = 0;                  // [run_, next_) all seen, and not yet in the bitmap
    uint64_t first_ = 0;                // of the stream
    uint64_t missing_ = 0;              // sequences in [first_, next_) not seen
    uint32_t mask_;                     // window - 1
    std::unique_ptr<uint64_t[]> bits_;  // of [next_ - window, run_), by sequence modulo the window
};

}  // namespace barewire::stats
