// SPDX-License-Identifier: BSD-3-Clause
// Merging and reading of histograms: what is done once a trial.
#include "barewire/stats/histogram.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace barewire::stats {

void Histogram::merge(const Histogram& other) noexcept {
    for (size_t i = 0; i < kBuckets; ++i) buckets_[i] += other.buckets_[i];
    sum_ += other.sum_;
    min_ = std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
}

void Histogram::reset() noexcept {
    *this = Histogram{};
}

uint64_t Histogram::count() const noexcept {
    return std::accumulate(buckets_.begin(), buckets_.end(), uint64_t{0});
}

uint64_t Histogram::quantile(double share) const noexcept {
    return quantile_of(share, count());
}

uint64_t Histogram::quantile_of(double share, uint64_t count) const noexcept {
    // Less one unit in the last place, so that 0.07 of 100 values is 7 of them and not 8.
    const double exact = share * static_cast<double>(count) * (1 - 0x1p-52);
    const uint64_t rank = std::max<uint64_t>(1, static_cast<uint64_t>(std::ceil(exact)));
    uint64_t below = 0;
    for (size_t i = 0; i < kBuckets; ++i) {
        below += buckets_[i];
        if (below >= rank) return std::min(upper_bound(i), max_);
    }
    return max_;
}

plan::Distribution Histogram::summary() const {
    plan::Distribution summary;
    summary.count = count();
    summary.error_bound = kErrorBound;
    if (summary.count == 0) return summary;
    const auto at = [&](double share) {
        return static_cast<Ns>(quantile_of(share, summary.count));
    };
    summary.min = static_cast<Ns>(min_);
    summary.p50 = at(0.5);
    summary.p90 = at(0.9);
    summary.p99 = at(0.99);
    summary.p999 = at(0.999);
    summary.max = static_cast<Ns>(max_);
    summary.mean = static_cast<double>(sum_) / static_cast<double>(summary.count);
    return summary;
}

}  // namespace barewire::stats
