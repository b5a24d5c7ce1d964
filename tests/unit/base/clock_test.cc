// SPDX-License-Identifier: BSD-3-Clause
// The conversion from ticks to ns, on made-up counters; no real time is measured.
#include "barewire/base/clock.h"

#include <gtest/gtest.h>

namespace barewire {
namespace {

TEST(TscClock, CountsFromTheEpoch) {
    const TscClock clock(2.6e9, 1000, 1);
    EXPECT_EQ(clock.ns(1000), 0);
    EXPECT_NEAR(static_cast<double>(clock.ns(1000 + 2'600'000'000ULL)), 1e9, 1);
}

TEST(TscClock, DriftsLessThanTwoMicrosecondsInTenYears) {
    const double hz = 2'595'124'000;
    const TscClock clock(hz, 0, 1);
    constexpr uint64_t kYears = 10ULL * 365 * 86400;
    const auto ticks = static_cast<uint64_t>(hz) * kYears;
    const auto truth = static_cast<Ns>(kYears * 1'000'000'000ULL);
    // At most 2^-49 ns a tick from the rounded multiplier, over 8.2e17 ticks.
    EXPECT_NEAR(static_cast<double>(clock.ns(ticks) - truth), 0, 1500);
}

TEST(TscClock, SurvivesTheCountersWrap) {
    const TscClock clock(1e9, ~0ULL - 9, 1);
    EXPECT_EQ(clock.ns(~0ULL), 9);
    EXPECT_EQ(clock.ns(20), 30);
}

}  // namespace
}  // namespace barewire
