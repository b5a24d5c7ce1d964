// SPDX-License-Identifier: BSD-3-Clause
// Log-linear histogram of ns with a stated error, exact least, most, count and sum. One writer.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>

#include "barewire/base/clock.h"
#include "barewire/plan/result.h"

namespace barewire::stats {

/// Values below 256 have a bucket each; above, every power of two is cut into 128 buckets, so a
/// bucket is at most 1/128 of its value wide. Values from 2^40 ns (18 minutes) share the last.
class Histogram {
  public:
    static constexpr unsigned kSubBits = 7;
    static constexpr double kErrorBound = 1.0 / (1U << kSubBits);

    void record(uint64_t value) noexcept { record_n(value, 1); }
    /// The same value `n` times; n is at least 1.
    void record_n(uint64_t value, uint64_t n) noexcept {
        buckets_[bucket_of(value)] += n;
        sum_ += Uint128{value} * n;
        if (value < min_) min_ = value;
        if (value > max_) max_ = value;
    }
    void merge(const Histogram& other) noexcept;
    void reset() noexcept;
    /// Values recorded. Adds up the buckets (about 1 us): not for every frame.
    [[nodiscard]] uint64_t count() const noexcept;
    /// Largest value of the first bucket up to which at least `share` (0 to 1) of all values lie,
    /// never over max: at most kErrorBound above the true quantile for values below 2^kTopBit.
    /// 0 when empty.
    [[nodiscard]] uint64_t quantile(double share) const noexcept;
    [[nodiscard]] plan::Distribution summary() const;

    static constexpr unsigned kTopBit = 40;
    static constexpr size_t kBuckets = (kTopBit - kSubBits + 1) << kSubBits;
    static constexpr size_t bucket_of(uint64_t value) noexcept {
        constexpr uint64_t kMost = (uint64_t{1} << kTopBit) - 1;
        if (value > kMost) value = kMost;
        const auto width = static_cast<unsigned>(std::bit_width(value | ((2U << kSubBits) - 1)));
        const unsigned shift = width - kSubBits - 1;
        return (size_t{shift} << kSubBits) + static_cast<size_t>(value >> shift);
    }
    /// Largest value that falls into `bucket` (below kBuckets).
    static constexpr uint64_t upper_bound(size_t bucket) noexcept {
        if (bucket < (2U << kSubBits)) return bucket;
        if (bucket == kBuckets - 1) return std::numeric_limits<uint64_t>::max();
        const size_t shift = (bucket >> kSubBits) - 1;
        return ((uint64_t{bucket} - (shift << kSubBits) + 1) << shift) - 1;
    }

  private:
    [[nodiscard]] uint64_t quantile_of(double share, uint64_t count) const noexcept;

    uint64_t min_ = std::numeric_limits<uint64_t>::max();
    uint64_t max_ = 0;
    Uint128 sum_ = 0;
    std::array<uint64_t, kBuckets> buckets_{};
};

}  // namespace barewire::stats
