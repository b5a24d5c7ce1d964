// SPDX-License-Identifier: BSD-3-Clause
// The draw: its frequencies, that it repeats, and that it does not depend on the senders' number.
#include "barewire/link/wire_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace barewire::link {
namespace {

constexpr uint32_t kLength = 124;
constexpr uint32_t kL3 = kLength - 14;

constexpr WireDirection kAll{.loss = 0.01,
                             .burst_loss = 0.001,
                             .burst_frames = 4,
                             .duplicate = 0.02,
                             .reorder = 0.03,
                             .corrupt = 0.04,
                             .corrupt_any = 0.05,
                             .truncate = 0.06};

TEST(WireModel, DrawsEachImpairmentAtItsProbability) {
    constexpr uint64_t kFrames = 1'000'000;
    WireModel model(kAll, 7, 0, 1);
    model.begin_trial(1);
    uint64_t held = 0;
    for (uint64_t i = 0; i < kFrames; ++i)
        held += model.decide(0, i, kLength, kL3).fate == Fate::hold;
    const auto near = [&](uint64_t count, double p) {
        // Frames inside a burst are not drawn: 0.3% fewer draws; five sigma beside it.
        const double mean = p * static_cast<double>(kFrames - model.counts().burst_lost * 3 / 4);
        EXPECT_NEAR(static_cast<double>(count), mean, 5 * std::sqrt(mean)) << p;
    };
    near(model.counts().lost, 0.01);
    near(model.counts().burst_lost / 4, 0.001);
    near(model.counts().duplicated, 0.02);
    near(held, 0.03);
    near(model.counts().corrupted, 0.04);
    near(model.counts().corrupted_any, 0.05);
    near(model.counts().truncated, 0.06);
    EXPECT_EQ(model.counts().entered, kFrames);
}

TEST(WireModel, CertaintyLosesEverything) {
    WireModel model({.loss = 1}, 7, 0, 1);
    for (uint64_t i = 0; i < 10'000; ++i) {
        ASSERT_EQ(model.decide(0, i, kLength, kL3).fate, Fate::lose);
    }
}

struct Drawn {
    uint64_t sequence_sum = 0;
    plan::WireCounts counts;
};

/// 120,000 frames by `streams` senders; which places of the schedule were struck.
Drawn draw(uint32_t streams, uint64_t seed, uint32_t trial, uint8_t direction) {
    WireDirection spec = kAll;
    spec.burst_loss = 0;  // bursts are of a stream: their frames do depend on the streams
    WireModel model(spec, seed, direction, streams);
    model.begin_trial(trial);
    Drawn drawn;
    for (uint64_t place = 0; place < 120'000; ++place) {
        const auto stream = static_cast<uint32_t>(place % streams);
        const Decision decision = model.decide(stream, place / streams, kLength, kL3);
        if (decision.fate != Fate::pass) drawn.sequence_sum += place * (decision.detail + 1);
    }
    drawn.counts = model.counts();
    return drawn;
}

TEST(WireModel, TheNumberOfSendersChangesNothing) {
    const Drawn one = draw(1, 7, 1, 0);
    for (const uint32_t streams : {2U, 4U, 16U}) {
        const Drawn several = draw(streams, 7, 1, 0);
        EXPECT_EQ(several.sequence_sum, one.sequence_sum) << streams;
        EXPECT_EQ(several.counts.truncated, one.counts.truncated) << streams;
    }
}

TEST(WireModel, SeedTrialAndDirectionEachChangeTheDraw) {
    std::set<uint64_t> sums{draw(1, 7, 1, 0).sequence_sum, draw(1, 8, 1, 0).sequence_sum,
                            draw(1, 7, 2, 0).sequence_sum, draw(1, 7, 1, 1).sequence_sum};
    EXPECT_EQ(sums.size(), 4U);
    EXPECT_EQ(draw(1, 7, 1, 0).sequence_sum, draw(1, 7, 1, 0).sequence_sum);
}

TEST(WireModel, DetailsStayInsideTheirBounds) {
    WireModel corrupt({.corrupt = 1}, 1, 0, 1);
    WireModel any({.corrupt_any = 1}, 1, 0, 1);
    WireModel truncate({.truncate = 1}, 1, 0, 1);
    uint32_t least_corrupt = ~0U, most_corrupt = 0, least_cut = ~0U, most_cut = 0;
    for (uint64_t i = 0; i < 100'000; ++i) {
        const uint32_t bit = corrupt.decide(0, i, kLength, kL3).detail;
        least_corrupt = std::min(least_corrupt, bit);
        most_corrupt = std::max(most_corrupt, bit);
        ASSERT_LT(any.decide(0, i, kLength, kL3).detail, kLength * 8);
        const uint32_t cut = truncate.decide(0, i, kLength, kL3).detail;
        least_cut = std::min(least_cut, cut);
        most_cut = std::max(most_cut, cut);
    }
    EXPECT_EQ(least_corrupt, 60U * 8);  // the first bit after the signature
    EXPECT_EQ(most_corrupt, kLength * 8 - 1);
    EXPECT_EQ(least_cut, 60U);
    EXPECT_EQ(most_cut, kLength - 1);
}

TEST(WireModel, CorruptPassesTheSmallestFrameBy) {
    WireModel corrupt({.corrupt = 1}, 1, 0, 1);
    EXPECT_EQ(corrupt.decide(0, 0, 60, 46).fate, Fate::pass);
    EXPECT_EQ(corrupt.counts().corrupted, 0U);
    EXPECT_EQ(corrupt.decide(0, 1, 61, 47).fate, Fate::corrupt);
}

TEST(WireModel, LimitsDropWhatIsLargerByOne) {
    WireModel model({.mtu = 1500, .max_frame = 2000}, 1, 0, 1);
    EXPECT_EQ(model.decide(0, 0, 1514, 1500).fate, Fate::pass);
    EXPECT_EQ(model.decide(0, 1, 1515, 1501).fate, Fate::lose);
    EXPECT_EQ(model.decide(0, 2, 1997, 1500).fate, Fate::lose);  // with FCS 2001
    EXPECT_EQ(model.decide_other(1996, 1500).fate, Fate::pass);
    EXPECT_EQ(model.decide_other(1996, 1501).fate, Fate::lose);
    EXPECT_EQ(model.counts().over_mtu, 2U);
    EXPECT_EQ(model.counts().over_max_frame, 1U);
    EXPECT_EQ(model.counts().entered, 5U);
}

TEST(WireModel, ABurstTakesTheFramesOfItsOwnStream) {
    WireModel model({.burst_loss = 1e-3, .burst_frames = 10}, 3, 0, 2);
    model.begin_trial(1);
    uint64_t run = 0;
    for (uint64_t i = 0; i < 100'000; ++i) {
        if (model.decide(0, i, kLength, kL3).fate == Fate::lose) {
            ++run;
            continue;
        }
        ASSERT_EQ(run % 10, 0U) << i;
        run = 0;
    }
    EXPECT_GT(model.counts().burst_lost, 0U);
}

TEST(WireModel, CountsAHeldFrameAsReorderedOnlyWhenOvertaken) {
    WireModel model({.reorder = 0.1}, 1, 0, 2);
    model.deliver(0, 0, Delivery::whole);
    model.deliver(0, 2, Delivery::damaged);  // nobody believes it
    model.deliver(0, 1, Delivery::held);
    EXPECT_EQ(model.counts().reordered, 0U);
    model.deliver(1, 9, Delivery::whole);  // another stream
    model.deliver(0, 4, Delivery::whole);
    model.deliver(0, 3, Delivery::held);
    EXPECT_EQ(model.counts().reordered, 1U);
    EXPECT_EQ(model.counts().delivered, 6U);
}

/// Seven shares that add up to 1, rounding apart.
std::vector<double> random_whole(std::mt19937_64& random) {
    std::vector<double> shares;
    double sum = 0;
    for (int i = 0; i < 7; ++i) {
        const double share = std::uniform_real_distribution<>(0, 1)(random);
        shares.push_back(random() % 2 == 0 ? share : share / 1000);
        sum += shares.back();
    }
    for (double& share : shares) share /= sum;
    return shares;
}

TEST(WireModel, ProbabilitiesThatAddUpToOneSpareNoFrame) {
    std::mt19937_64 random(5);
    for (int round = 0; round < 2000; ++round) {
        const auto p = random_whole(random);
        WireModel model({.loss = p[0],
                         .burst_loss = p[1],
                         .burst_frames = 1,
                         .duplicate = p[2],
                         .reorder = p[3],
                         .corrupt = p[4],
                         .corrupt_any = p[5],
                         .truncate = p[6]},
                        random(), 0, 1);
        for (uint64_t i = 0; i < 50; ++i) {
            ASSERT_NE(model.decide(0, i, kLength, kL3).fate, Fate::pass) << round;
        }
    }
}

TEST(WireModel, NeighboursAreStruckIndependently) {
    WireModel model({.loss = 0.1}, 11, 0, 1);
    constexpr double kFrames = 1'000'000;
    double pairs = 0;
    bool before = false;
    for (uint64_t i = 0; i < 1'000'000; ++i) {
        const bool lost = model.decide(0, i, kLength, kL3).fate == Fate::lose;
        pairs += lost && before ? 1 : 0;
        before = lost;
    }
    EXPECT_NEAR(pairs, kFrames * 0.01, 5 * std::sqrt(kFrames * 0.01 * 1.2));
}

TEST(WireModel, BurstsBeginAsOftenAsAsked) {
    constexpr double kP = 0.01;
    constexpr double kN = 7;
    constexpr double kFrames = 1'000'000;
    WireModel model({.burst_loss = kP, .burst_frames = 7}, 4, 0, 1);
    for (uint64_t i = 0; i < 1'000'000; ++i) model.decide(0, i, kLength, kL3);
    // A renewal process: from one burst's start to the next, the burst and a geometric gap.
    const double mean = 1 / kP - 1 + kN;
    const double variance = (1 - kP) / (kP * kP);
    const double sigma = std::sqrt(kFrames * variance / (mean * mean * mean));
    EXPECT_NEAR(static_cast<double>(model.counts().burst_lost) / kN, kFrames / mean, 5 * sigma);
}

TEST(WireModel, BurstsOfOtherStreamsDoNotTouchAStream) {
    const WireDirection way{.burst_loss = 0.01, .burst_frames = 100};
    WireModel shared(way, 2, 0, 2);
    WireModel alone(way, 2, 0, 2);
    for (uint64_t i = 0; i < 5000; ++i) {
        shared.decide(1, i, kLength, kL3);
        ASSERT_EQ(shared.decide(0, i, kLength, kL3).fate, alone.decide(0, i, kLength, kL3).fate);
    }
}

TEST(WireModel, CorruptAnyReachesEveryBitAlike) {
    WireModel model({.corrupt_any = 1}, 1, 0, 1);
    std::vector<int> hits(60 * 8);
    for (uint64_t i = 0; i < 480'000; ++i) ++hits.at(model.decide(0, i, 60, 46).detail);
    for (const int n : hits) EXPECT_NEAR(n, 1000, 5.5 * std::sqrt(1000.0));
}

TEST(WireModel, TheSmallestFrameIsCutToAStump) {
    WireModel model({.truncate = 1}, 1, 0, 1);
    std::set<uint32_t> lengths;
    for (uint64_t i = 0; i < 5000; ++i) lengths.insert(model.decide(0, i, 60, 46).detail);
    EXPECT_EQ(*lengths.begin(), 14U);
    EXPECT_EQ(*lengths.rbegin(), 59U);
    EXPECT_EQ(lengths.size(), 46U);
}

TEST(WireModel, LimitsComeBeforeABurstAndTheDraw) {
    WireModel model({.burst_loss = 1, .burst_frames = 3, .mtu = 1500}, 1, 0, 1);
    EXPECT_EQ(model.decide(0, 0, 1514, 1500).fate, Fate::lose);
    EXPECT_EQ(model.decide(0, 1, 1515, 1501).fate, Fate::lose);
    EXPECT_EQ(model.counts().burst_lost, 1U);
    EXPECT_EQ(model.counts().over_mtu, 1U);
}

TEST(WireModel, StepsOverTheWrapOf32Bits) {
    WireModel model(kAll, 7, 0, 4);
    WireModel low(kAll, 7, 0, 4);
    constexpr uint64_t kWrap = 1ULL << 32;
    int same = 0;
    for (uint64_t i = 0; i < 10'000; ++i) {
        const Decision high = model.decide(3, kWrap - 5000 + i, kLength, kL3);
        model.deliver(3, kWrap - 5000 + i, Delivery::whole);
        if (i < 5000) continue;
        const Decision decision = low.decide(3, i - 5000, kLength, kL3);
        same += decision.fate != Fate::pass && decision.fate == high.fate &&
                decision.detail == high.detail;
    }
    EXPECT_EQ(model.counts().entered, 10'000U);
    EXPECT_EQ(model.counts().delivered, 10'000U);
    EXPECT_EQ(model.counts().reordered, 0U);
    EXPECT_LT(same, 100);  // sequence 2^32 + i does not repeat sequence i
    model.deliver(3, kWrap - 1, Delivery::held);
    EXPECT_EQ(model.counts().reordered, 1U);
}

TEST(WireModel, MixingSpreadsEveryBit) {
    for (int bit = 0; bit < 64; ++bit) {
        int flipped = 0;
        for (uint64_t x = 1; x <= 256; ++x) {
            flipped += std::popcount(mix64(x) ^ mix64(x ^ (1ULL << bit)));
        }
        EXPECT_NEAR(flipped, 256 * 32, 5 * std::sqrt(256 * 16.0)) << bit;
    }
}

}  // namespace
}  // namespace barewire::link
