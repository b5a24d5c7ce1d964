// SPDX-License-Identifier: BSD-3-Clause
// The histogram against sorted lists of the same values.
#include "barewire/stats/histogram.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace barewire::stats {
namespace {

uint64_t true_quantile(const std::vector<uint64_t>& sorted, size_t per_mille) {
    const size_t rank = std::max<size_t>(1, (sorted.size() * per_mille + 999) / 1000);
    return sorted[rank - 1];
}

void expect_like_sorted(const Histogram& histogram, std::vector<uint64_t> values) {
    std::sort(values.begin(), values.end());
    ASSERT_EQ(histogram.count(), values.size());
    const plan::Distribution summary = histogram.summary();
    EXPECT_EQ(static_cast<uint64_t>(*summary.min), values.front());
    EXPECT_EQ(static_cast<uint64_t>(*summary.max), values.back());
    long double sum = 0;
    for (const uint64_t value : values) sum += static_cast<long double>(value);
    const auto mean = static_cast<double>(sum / static_cast<long double>(values.size()));
    EXPECT_NEAR(*summary.mean, mean, mean * 1e-12);
    for (const size_t per_mille : {0U, 1U, 10U, 500U, 900U, 990U, 999U, 1000U}) {
        const uint64_t truth = true_quantile(values, per_mille);
        const uint64_t told = histogram.quantile(static_cast<double>(per_mille) / 1000);
        EXPECT_GE(told, truth) << per_mille;
        EXPECT_LE(static_cast<double>(told), static_cast<double>(truth) * (1 + summary.error_bound))
            << per_mille;
    }
}

TEST(Histogram, BucketsAreContiguousAndNoWiderThanTheBound) {
    EXPECT_EQ(Histogram::bucket_of(0), 0U);
    for (size_t bucket = 0; bucket + 1 < Histogram::kBuckets; ++bucket) {
        const uint64_t most = Histogram::upper_bound(bucket);
        ASSERT_EQ(Histogram::bucket_of(most), bucket);
        ASSERT_EQ(Histogram::bucket_of(most + 1), bucket + 1);
        const uint64_t next = Histogram::upper_bound(bucket + 1);
        if (bucket + 2 == Histogram::kBuckets) break;
        ASSERT_LE(static_cast<double>(next - most - 1),
                  static_cast<double>(most + 1) * Histogram::kErrorBound);
    }
}

TEST(Histogram, ValuesBeyondTheTopShareTheLastBucketAndKeepTheirMaximum) {
    constexpr uint64_t kTop = uint64_t{1} << Histogram::kTopBit;
    EXPECT_EQ(Histogram::bucket_of(kTop - 1), Histogram::kBuckets - 1);
    EXPECT_EQ(Histogram::bucket_of(~uint64_t{0}), Histogram::kBuckets - 1);
    Histogram histogram;
    histogram.record(5 * kTop);
    EXPECT_EQ(histogram.quantile(0.5), 5 * kTop);
}

TEST(Histogram, EmptyHasOnlyItsCount) {
    const plan::Distribution summary = Histogram().summary();
    EXPECT_EQ(summary.count, 0U);
    EXPECT_FALSE(summary.min || summary.p50 || summary.p999 || summary.max || summary.mean);
    EXPECT_EQ(Histogram().quantile(0.5), 0U);
}

TEST(Histogram, QuantilesOfFewValuesAreThoseValues) {
    Histogram histogram;
    for (uint64_t value = 1; value <= 100; ++value) histogram.record(value);
    EXPECT_EQ(histogram.quantile(0), 1U);
    for (uint64_t percent = 1; percent <= 100; ++percent) {
        EXPECT_EQ(histogram.quantile(static_cast<double>(percent) / 100), percent);
    }
}

TEST(Histogram, MeanSurvivesSumsOver64Bits) {
    Histogram histogram;
    histogram.record_n(uint64_t{1} << 40, uint64_t{1} << 30);
    EXPECT_EQ(*histogram.summary().mean, std::ldexp(1.0, 40));
}

TEST(Histogram, StaysWithinTheErrorBoundOfSortedValues) {
    std::mt19937_64 random(20);
    std::lognormal_distribution<double> lognormal(9, 2.5);
    for (const size_t count : {1U, 2U, 3U, 100U, 20'000U}) {
        Histogram histogram;
        std::vector<uint64_t> values;
        for (size_t i = 0; i < count; ++i) {
            const auto value = static_cast<uint64_t>(lognormal(random));
            values.push_back(std::min(value, (uint64_t{1} << Histogram::kTopBit) - 1));
            histogram.record(values.back());
        }
        expect_like_sorted(histogram, values);
    }
}

TEST(Histogram, MergedIsAsIfRecordedTogether) {
    std::mt19937_64 random(21);
    std::vector<uint64_t> values;
    Histogram whole;
    std::array<Histogram, 3> parts;
    for (size_t i = 0; i < 3000; ++i) {
        values.push_back(random() >> (24 + random() % 40));
        parts[i % 2].record(values.back());  // the third stays empty
    }
    for (const Histogram& part : parts) whole.merge(part);
    expect_like_sorted(whole, values);
    whole.reset();
    EXPECT_EQ(whole.count(), 0U);
    whole.record(7);
    EXPECT_EQ(*whole.summary().min, 7);
    EXPECT_EQ(*whole.summary().max, 7);
}

}  // namespace
}  // namespace barewire::stats
