// SPDX-License-Identifier: BSD-3-Clause
// Frames out of sequence: gaps, late frames, duplicates.
#include "barewire/stats/sequence_tracker.h"

#include <algorithm>

#include "barewire/base/check.h"

namespace barewire::stats {
namespace {

/// Bits [low, low + count) of a word; count is 1 to 64.
constexpr uint64_t bit_range(unsigned low, unsigned count) noexcept {
    return (~uint64_t{0} >> (64 - count)) << low;
}

/// Sequences from `begin` that share its word and lie before `end`: 1 to 64.
unsigned in_word(uint64_t begin, uint64_t end) noexcept {
    return static_cast<unsigned>(std::min<uint64_t>(64 - begin % 64, end - begin));
}

}  // namespace

SequenceTracker::SequenceTracker(uint32_t window) : mask_(window - 1) {
    BW_CHECK(std::has_single_bit(window) && window >= 64 && window <= kMostBehind);
    bits_ = std::make_unique<uint64_t[]>(window / 64);
}

void SequenceTracker::write_bits(uint64_t begin, uint64_t end, bool value) noexcept {
    if (end - begin > mask_) begin = end - mask_ - 1;
    while (begin != end) {
        const unsigned count = in_word(begin, end);
        const uint64_t range = bit_range(begin % 64, count);
        if (value) {
            word(begin) |= range;
        } else {
            word(begin) &= ~range;
        }
        begin += count;
    }
}

Arrival SequenceTracker::accept(uint64_t sequence) noexcept {
    write_bits(run_, next_, true);
    run_ = next_;
    const uint64_t gap = sequence - next_;
    if (static_cast<int64_t>(gap) < 0) return accept_behind(sequence);
    write_bits(next_, sequence, false);
    missing_ += gap;
    run_ = sequence;
    next_ = sequence + 1;
    return Arrival::first;
}

Arrival SequenceTracker::accept_behind(uint64_t sequence) noexcept {
    const uint64_t behind = next_ - sequence;
    if (behind > uint64_t{mask_} + 1 || behind > next_ - first_) return Arrival::surplus;
    return mark(sequence);
}

Arrival SequenceTracker::mark(uint64_t sequence) noexcept {
    const uint64_t bit = uint64_t{1} << (sequence % 64);
    if ((word(sequence) & bit) != 0) return Arrival::duplicate;
    word(sequence) |= bit;
    --missing_;
    return Arrival::reordered;
}

Arrival SequenceTracker::accept_claim(uint64_t sequence) noexcept {
    const uint64_t behind = run_ - sequence;
    if (static_cast<int64_t>(behind) <= 0) return Arrival::duplicate;  // in the run
    if (behind > uint64_t{mask_} + 1 || behind > run_ - first_) return Arrival::surplus;
    return mark(sequence);
}

bool SequenceTracker::seen(uint64_t sequence) const noexcept {
    const uint64_t behind = next_ - sequence;
    if (behind == 0 || behind > next_ - first_) return false;
    if (behind <= next_ - run_) return true;
    return behind <= uint64_t{mask_} + 1 && (word(sequence) >> (sequence % 64) & 1) != 0;
}

uint64_t SequenceTracker::count_from(uint64_t sequence) const noexcept {
    if (static_cast<int64_t>(next_ - sequence) <= 0) return 0;
    const uint64_t behind = std::min(next_ - sequence, next_ - first_);
    uint64_t count = std::min(behind, next_ - run_);
    uint64_t begin = next_ - std::min(behind, uint64_t{mask_} + 1);
    // Past run_ the bitmap still holds what stood there a window ago.
    while (static_cast<int64_t>(run_ - begin) > 0) {
        const unsigned length = in_word(begin, run_);
        count += static_cast<unsigned>(std::popcount(word(begin) & bit_range(begin % 64, length)));
        begin += length;
    }
    return count;
}

}  // namespace barewire::stats
