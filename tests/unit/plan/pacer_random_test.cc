// SPDX-License-Identifier: BSD-3-Clause
// The constant-rate pacer under random turns and stalls: what holds for all of them.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "barewire/plan/pacer.h"

#include "pacer_turns.h"

namespace barewire::plan {
namespace {

struct Journal {
    std::vector<Sent> sent;
    uint64_t intended = 0;
    uint64_t skipped = 0;
    Ns late_most = 0;
};

/// Lengths of turns: up to `usual`, but one in `one_in` up to `rare`.
struct Turns {
    Ns usual;
    Ns rare;
    uint64_t one_in;
};

Journal run_randomly(const Schedule& schedule, uint64_t seed, const Turns& turns) {
    std::mt19937_64 random(seed);
    CbrPacer pacer(schedule);
    Journal run;
    for (Ns now = schedule.start_ns; !pacer.over(now);) {
        turn(pacer, now, kBurst, run.sent);
        const Ns most = random() % turns.one_in == 0 ? turns.rare : turns.usual;
        now += 1 + static_cast<Ns>(random() % static_cast<uint64_t>(most));
    }
    run.intended = pacer.intended();
    run.skipped = pacer.skipped();
    for (const Sent& sent : run.sent)
        run.late_most = std::max(run.late_most, sent.at - sent.intended);
    return run;
}

class Rates : public testing::TestWithParam<double> {};

TEST_P(Rates, CatchUpSendsAllWithinTheLimitAndNeverFasterThanTwice) {
    const double fps = GetParam();
    for (uint64_t seed = 1; seed <= 2; ++seed) {
        // Stalls under half the limit: two in a row stay below it.
        const Journal run =
            run_randomly(schedule_of(fps, kSecond / 10), seed, {2000, 4'900'000, 5000});
        EXPECT_EQ(run.skipped, 0U);
        EXPECT_EQ(run.sent.size(), run.intended);
        EXPECT_EQ(run.intended, static_cast<uint64_t>(std::llround(fps / 10)));
        EXPECT_LE(run.late_most, LatePolicy{}.limit_ns);
        for (const Ns width : {1'000LL, 50'000LL, 1'000'000LL, 10'000'000LL}) {
            const double bound = 2 * fps * static_cast<double>(width + Ns{kStallNs}) / 1e9 + 1;
            EXPECT_LE(static_cast<double>(most_in(run.sent, width)), bound) << width;
        }
    }
}

TEST_P(Rates, NeitherPolicySkipsAFrameYoungerThanTheLimitNorSendsAnOlder) {
    const double fps = GetParam();
    constexpr Ns kLimit = 300'000;
    for (const auto kind : {LatePolicy::Kind::catch_up, LatePolicy::Kind::skip}) {
        const Schedule schedule = schedule_of(fps, kSecond / 10, {kind, kLimit});
        const Journal run = run_randomly(schedule, 9, {2000, 2'000'000, 5000});
        EXPECT_EQ(run.sent.size() + run.skipped, run.intended);
        EXPECT_EQ(run.intended, static_cast<uint64_t>(std::llround(fps / 10)));
        EXPECT_GT(run.skipped, 0U);
        EXPECT_LE(run.late_most, kLimit);
        Ns last_at = 0;
        Ns expected = 0;
        for (const Sent& sent : run.sent) {
            // A frame missing before this one was older than the limit when this turn came.
            if (sent.intended > expected + 1) {
                EXPECT_GT(sent.at - expected, kLimit);
                EXPECT_GT(sent.at - last_at, 2000);
            }
            expected = sent.intended + static_cast<Ns>(1e9 / fps);
            last_at = sent.at;
        }
    }
}

TEST_P(Rates, NoWindowWithoutAStallHoldsMoreThanTheTarget) {
    const double fps = GetParam();
    const Journal run = run_randomly(schedule_of(fps, kSecond / 2), 3, {500, Ns{kStallNs}, 1000});
    EXPECT_EQ(run.sent.size(), run.intended);
    const double target = fps / 10;
    EXPECT_LE(static_cast<double>(most_in(run.sent, kSecond / 10)), target * 1.001 + 1);
}

INSTANTIATE_TEST_SUITE_P(CbrPacer, Rates, testing::Values(10e3, 100e3, 1e6, 3.3e6));

}  // namespace
}  // namespace barewire::plan
