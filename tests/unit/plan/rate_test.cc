// SPDX-License-Identifier: BSD-3-Clause
// Frames per second of each kind of rate, against the line rates of IEEE 802.3 tables.
#include <gtest/gtest.h>

#include "barewire/plan/plan.h"

namespace barewire::plan {
namespace {

constexpr double kTenGbps = 10e9;

TEST(RateSpec, AtL1IsTheCustomaryLineRate) {
    const RateSpec rate{.kind = RateKind::l1, .value = kTenGbps};
    EXPECT_NEAR(*rate.frames_per_second(64, {}), 14'880'952.38, 0.01);
    EXPECT_NEAR(*rate.frames_per_second(1518, {}), 812'743.82, 0.01);
    EXPECT_NEAR(*rate.frames_per_second(9018, {}), 138'304.93, 0.01);
}

TEST(RateSpec, AtL2CountsTheFrameAlone) {
    const RateSpec rate{.kind = RateKind::l2, .value = 9e9};
    EXPECT_DOUBLE_EQ(*rate.frames_per_second(1500, {}), 750'000);
}

TEST(RateSpec, InFramesIsItself) {
    const RateSpec rate{.kind = RateKind::frames, .value = 5e6};
    EXPECT_DOUBLE_EQ(*rate.frames_per_second(64, {}), 5e6);
    EXPECT_DOUBLE_EQ(*rate.frames_per_second(9018, kTenGbps), 5e6);
}

TEST(RateSpec, InPercentNeedsASpeed) {
    const RateSpec rate{.kind = RateKind::percent, .value = 50};
    EXPECT_NEAR(*rate.frames_per_second(64, kTenGbps), 7'440'476.19, 0.01);
    EXPECT_FALSE(rate.frames_per_second(64, {}));
}

TEST(RateSpec, AtMaxHasNoNumber) {
    EXPECT_FALSE(RateSpec{}.frames_per_second(64, kTenGbps));
}

}  // namespace
}  // namespace barewire::plan
