// SPDX-License-Identifier: BSD-3-Clause
// The pacers on a fake clock: exactness, lateness, skipping, never too fast.
#include "barewire/plan/pacer.h"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "pacer_turns.h"

namespace barewire::plan {
namespace {

// At 14.88 Mpps frame n is due at n x 6250 / 93 ns, a fraction of whole numbers.
constexpr double kFps = 14.88e6;
constexpr Ns exact_departure(uint64_t n) {
    return static_cast<Ns>(n * 6250 / 93);
}

TEST(CbrPacer, IsExactOverABillionFrames) {
    CbrPacer pacer(schedule_of(kFps, Schedule::kNoEnd));
    for (uint64_t n = 0; n <= 1'000'000'000; n += 999'983) {
        // All before frame n are too old by 1 ns or more, it is just young enough.
        static_cast<void>(pacer.due(exact_departure(n) + LatePolicy{}.limit_ns, 0));
        ASSERT_EQ(pacer.intended(), n);
        ASSERT_EQ(pacer.take(), exact_departure(n));
    }
}

TEST(CbrPacer, StepsOneByOneWithoutDrift) {
    CbrPacer pacer(schedule_of(kFps, Schedule::kNoEnd));
    for (uint64_t n = 0; n <= 20'000'000; ++n) ASSERT_EQ(pacer.take(), exact_departure(n));
}

TEST(CbrPacer, MakesRateTimesDurationFrames) {
    for (const double fps : {1.0, 3.0, 1e3, 1e5, 1e6, 5e6, 14.88e6, 29.76e6, 7.0}) {
        for (const Ns seconds : {1, 3, 5, 60, 3600}) {
            CbrPacer pacer(schedule_of(fps, seconds * kSecond));
            pacer.cut(Schedule::kNoEnd - 1);  // changes nothing
            EXPECT_FALSE(pacer.over(0));
            static_cast<void>(pacer.due(2 * seconds * kSecond + LatePolicy{}.limit_ns + 1, 0));
            EXPECT_TRUE(pacer.over(0));
            EXPECT_EQ(pacer.intended(),
                      static_cast<uint64_t>(std::llround(fps * static_cast<double>(seconds))))
                << fps << " for " << seconds;
        }
    }
}

TEST(CbrPacer, KeepsToTheCountAndToTheEnd) {
    std::vector<Sent> sent;
    CbrPacer counted({.period_ns = 10, .start_ns = 1000, .end_ns = 2000, .count = 7});
    for (Ns now = 1000; now < 3000; ++now) drain(counted, now, sent);
    EXPECT_EQ(sent.size(), 7U);
    EXPECT_EQ(counted.intended(), 7U);
    sent.clear();
    CbrPacer timed({.period_ns = 10, .phase_ns = 3, .start_ns = 1000, .end_ns = 1024});
    for (Ns now = 1000; now < 3000; ++now) drain(timed, now, sent);
    ASSERT_EQ(sent.size(), 3U);
    EXPECT_EQ(sent[0].intended, 1003);
    EXPECT_EQ(sent[0].at, 1003);
    EXPECT_EQ(sent[2].intended, 1023);
    CbrPacer empty({.period_ns = 10, .phase_ns = 24, .start_ns = 1000, .end_ns = 1024});
    EXPECT_TRUE(empty.over(0));
    EXPECT_EQ(empty.due(5000, 32), 0U);
}

TEST(CbrPacer, ReleasesNothingEarly) {
    std::mt19937_64 random(1);
    CbrPacer pacer(schedule_of(3e6, kSecond / 100));
    std::vector<Sent> sent;
    for (Ns now = 0; !pacer.over(now); now += static_cast<Ns>(random() % 2000)) {
        turn(pacer, now, kBurst, sent);
    }
    ASSERT_EQ(sent.size(), 30'000U);
    for (size_t i = 0; i < sent.size(); ++i) {
        EXPECT_LE(sent[i].intended, sent[i].at);
        EXPECT_EQ(sent[i].intended, static_cast<Ns>(i * 1000 / 3));
    }
}

/// Workers with phases w x P share a rate: together they make the schedule of one.
TEST(CbrPacer, OfSeveralWorkersInterleavesExactly) {
    for (const uint32_t workers : {2U, 3U, 4U, 7U}) {
        const double period = 1e9 / kFps;
        std::vector<CbrPacer> pacers;
        for (uint32_t w = 0; w < workers; ++w) {
            pacers.emplace_back(Schedule{
                .period_ns = period * workers, .phase_ns = period * w, .end_ns = kSecond / 50});
        }
        CbrPacer alone({.period_ns = period, .end_ns = kSecond / 50});
        uint64_t total = 0;
        size_t next = 0;
        for (; !alone.over(0); ++total) {
            CbrPacer& turn_of = pacers[next];
            next = next + 1 < pacers.size() ? next + 1 : 0;
            ASSERT_FALSE(turn_of.over(0));
            ASSERT_EQ(turn_of.take(), alone.take());
        }
        EXPECT_EQ(total, 297'600U);
        for (const CbrPacer& pacer : pacers) EXPECT_TRUE(pacer.over(0));
    }
}

/// The first 100 ms after a late start: what was missed follows at twice the rate, not at once.
TEST(CbrPacer, StartsLateWithoutABurst) {
    constexpr Ns kLate = 5'000'000;
    CbrPacer pacer(schedule_of(1e6, kSecond / 10));
    std::vector<Sent> sent;
    drain(pacer, kLate, sent);
    EXPECT_LE(sent.size(), 2 * kStallNs / 1000 + 1);
    for (Ns now = kLate + 1000; !pacer.over(now); now += 1000) drain(pacer, now, sent);
    EXPECT_EQ(sent.size(), 100'000U);
    EXPECT_LE(most_in(sent, kSecond / 10), 100'000U);
    // Caught up as long after the stall as the stall took, then on time.
    for (const Sent& one : sent) {
        const Ns most_late = one.intended > 2 * kLate ? 1000 : kLate;
        ASSERT_LE(one.at - one.intended, most_late);
    }
}

TEST(CbrPacer, CatchesUpAtTwiceTheRate) {
    CbrPacer pacer(schedule_of(1e6, kSecond));
    std::vector<Sent> sent;
    for (Ns now = 0; now < 1'000'000; now += 100) drain(pacer, now, sent);
    ASSERT_EQ(sent.size(), 1000U);
    drain(pacer, 3'000'000, sent);  // after a stall of 2 ms
    sent.clear();
    for (Ns now = 3'000'100; now <= 4'000'000; now += 100) drain(pacer, now, sent);
    EXPECT_NEAR(static_cast<double>(sent.size()), 2000, 1);
    for (size_t i = 1; i < sent.size(); ++i) EXPECT_GE(sent[i].at - sent[i - 1].at, 500);
}

/// Turns of 1 us with bursts of 32, at 10 Mpps: what 50 us of a stall would release at once is
/// not caught up burst after burst.
TEST(CbrPacer, SendsOneBurstAfterAStallThenTwiceTheRate) {
    CbrPacer pacer(schedule_of(10e6, kSecond));
    std::vector<Sent> sent;
    for (Ns now = 2'000'000; now < 2'010'000; now += 1000) turn(pacer, now, kBurst, sent);
    EXPECT_GE(sent.size(), 32U + 9 * 20 - 1);
    EXPECT_LE(sent.size(), 32U + 9 * 20 + 1);
}

/// A loop that is always slower than the stall threshold still keeps the rate.
TEST(CbrPacer, HoldsTheRateInASlowLoop) {
    CbrPacer pacer(schedule_of(1e6, kSecond / 10));
    std::vector<Sent> sent;
    for (Ns now = 0; !pacer.over(now); now += 90'000) drain(pacer, now, sent);
    EXPECT_EQ(pacer.skipped(), 0U);
    EXPECT_LE(sent.back().at, kSecond / 10 + 90'000);
}

TEST(CbrPacer, WithSkipSendsTheOverdueAtOnce) {
    CbrPacer pacer(schedule_of(1e6, kSecond, {LatePolicy::Kind::skip, 100'000}));
    EXPECT_EQ(pacer.due(1'000'000, 4096), 101U);  // intended 900 us to 1 ms
    EXPECT_EQ(pacer.take(), 900'000);
    EXPECT_EQ(pacer.skipped(), 900U);
    EXPECT_EQ(pacer.intended(), 901U);
}

TEST(CbrPacer, BoundsTheBurstAndCountsTheSameWhenAskedAgain) {
    CbrPacer pacer(schedule_of(1e6, kSecond, {LatePolicy::Kind::skip, kSecond}));
    EXPECT_EQ(pacer.due(1'000'000, 32), 32U);
    EXPECT_EQ(pacer.due(1'000'000, 32), 32U);
    EXPECT_EQ(pacer.due(1'000'000, 0), 0U);
    EXPECT_EQ(pacer.intended(), 0U);
}

TEST(CbrPacer, CutLeavesOnlyWhatWasIntendedByThen) {
    CbrPacer pacer(schedule_of(1e6, kSecond));
    std::vector<Sent> sent;
    for (Ns now = 0; now <= 10'000; now += 100) drain(pacer, now, sent);
    ASSERT_EQ(sent.size(), 11U);
    pacer.cut(14'000);  // frame 14 is intended just then
    EXPECT_FALSE(pacer.over(14'500));
    for (Ns now = 14'600; now < 30'000; now += 100) drain(pacer, now, sent);
    EXPECT_TRUE(pacer.over(30'000));
    EXPECT_EQ(sent.size(), 15U);
    EXPECT_EQ(pacer.intended(), 15U);
    pacer.cut(10'000);  // the past stays
    EXPECT_EQ(pacer.intended(), 15U);
    EXPECT_TRUE(pacer.over(30'000));
}

TEST(CbrPacer, CutBeforeTheStartLeavesNothing) {
    CbrPacer pacer({.period_ns = 10, .start_ns = 1000});
    pacer.cut(999);
    EXPECT_TRUE(pacer.over(999));
    EXPECT_EQ(pacer.intended(), 0U);
}

TEST(MaxPacer, SendsUntilTheCountOrTheEnd) {
    MaxPacer pacer({.end_ns = 1000, .count = 40});
    EXPECT_EQ(pacer.due(5, 32), 32U);
    for (int i = 0; i < 32; ++i) EXPECT_EQ(pacer.take(), 5);
    EXPECT_EQ(pacer.due(6, 32), 8U);
    EXPECT_FALSE(pacer.over(999));
    EXPECT_TRUE(pacer.over(1000));
    EXPECT_EQ(pacer.due(1000, 32), 0U);
    for (int i = 0; i < 8; ++i) static_cast<void>(pacer.take());
    EXPECT_TRUE(pacer.over(7));
    EXPECT_EQ(pacer.intended(), 40U);
    EXPECT_EQ(pacer.skipped(), 0U);
}

TEST(MaxPacer, CutEndsAtOnceAndNeverLater) {
    MaxPacer pacer({.end_ns = 1000});
    EXPECT_EQ(pacer.due(5, 32), 32U);
    pacer.cut(2000);
    EXPECT_TRUE(pacer.over(1000));
    pacer.cut(10);
    EXPECT_FALSE(pacer.over(9));
    EXPECT_TRUE(pacer.over(10));
}

}  // namespace
}  // namespace barewire::plan
