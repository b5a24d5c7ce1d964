// SPDX-License-Identifier: BSD-3-Clause
// Damaged frames: each is found, and none moves a stream or hides a loss.
#include <gtest/gtest.h>

#include "barewire/stats/receiver.h"

#include "frames.h"
#include "sink_model.h"

namespace barewire::stats {
namespace {

constexpr size_t kMagicBegin = 42 * 8, kRunEnd = 50 * 8;  // bits
constexpr size_t kLastPayloadBit = 59 * 8 + 7;

ReceiverConfig config_of(bool payload_check, uint32_t streams = 1) {
    ReceiverConfig config;
    config.run = kRun;
    config.layout = {streams, streams};
    config.payload_check = payload_check;
    config.addresses = kAddresses;
    return config;
}

uint64_t first_copies(const Receiver& receiver) {
    return receiver.tracker(0).seen_count();
}

TEST(ReceiverDamage, ThePayloadCheckFindsEverySingleBit) {
    for (const uint32_t size : {64U, 67U, 68U, 69U, 130U}) {
        const bool crc = size >= wire::kMinCrcFrameSize;
        FrameFactory factory(size, crc);
        Receiver receiver(config_of(true));
        for (size_t bit = 0; bit < (size - 4) * 8; ++bit) {
            receiver.begin_trial(1);
            for (uint64_t i = 0; i < 3; ++i) account(receiver, factory.make({kRun, 1, 0}, i), 1);
            account(receiver, flip(factory.make({kRun, 1, 0}, 3), bit), 1);
            for (uint64_t i = 4; i < 6; ++i) account(receiver, factory.make({kRun, 1, 0}, i), 1);
            receiver.finish();
            const bool of_run = bit < kMagicBegin || bit >= kRunEnd;
            const ReceiverCounts counts = receiver.counts();
            ASSERT_EQ(counts.corrupted, of_run ? 1U : 0U) << size << ' ' << bit;
            ASSERT_EQ(counts.foreign.total(), of_run ? 0U : 1U) << size << ' ' << bit;
            ASSERT_EQ(counts.received, of_run ? 6U : 5U);
            ASSERT_EQ(counts.received, first_copies(receiver) + counts.surplus);
            ASSERT_EQ(counts.reordered + counts.duplicated + counts.stale, 0U);
            ASSERT_EQ(receiver.latency().count(), 5U);
        }
    }
}

TEST(ReceiverDamage, WithoutItNoFlippedBitOfASequenceMovesTheStream) {
    FrameFactory factory(64, false);
    Receiver receiver(config_of(false));
    for (size_t bit = 50 * 8; bit <= kLastPayloadBit; ++bit) {
        receiver.begin_trial(1);
        for (uint64_t i = 0; i < 100; ++i) {
            const Frame frame = factory.make({kRun, 1, 0}, i);
            account(receiver, i == 50 ? flip(frame, bit) : frame, 1);
        }
        receiver.finish();
        ASSERT_EQ(receiver.believed_end(0), 100U) << bit;
        ASSERT_EQ(receiver.counts().reordered + receiver.counts().duplicated, 0U) << bit;
        ASSERT_EQ(receiver.received(), first_copies(receiver) + receiver.counts().surplus);
        const bool in_departure = bit >= 54 * 8 && bit < 58 * 8;  // in order, unlooked at
        ASSERT_EQ(receiver.counts().corrupted, in_departure ? 0U : 1U) << bit;
    }
}

TEST(ReceiverDamage, AClaimIsDecidedBeforeTheWindowLosesSightOfIt) {
    FrameFactory factory(68, true);
    ReceiverConfig config = config_of(true);
    config.sequence_window = 64;
    Receiver receiver(config);
    // A frame is lost, the next one damaged: its place stays open. Then long runs in order, with
    // and without a gap after them.
    for (const uint64_t run : {10U, 63U, 64U, 65U, 200U}) {
        for (const uint64_t gap : {0U, 1U, 63U, 100U}) {
            receiver.begin_trial(1);
            account(receiver, factory.make({kRun, 1, 0}, 0), 1);
            account(receiver, flip(factory.make({kRun, 1, 0}, 2), 61 * 8), 1);
            for (uint64_t i = 3; i < 3 + run; ++i) {
                account(receiver, factory.make({kRun, 1, 0}, i), 1);
            }
            account(receiver, factory.make({kRun, 1, 0}, 3 + run + gap), 1);
            receiver.finish();
            ASSERT_EQ(receiver.counts().surplus, 0U) << run << ' ' << gap;
            ASSERT_EQ(receiver.counts().duplicated, 0U) << run << ' ' << gap;
            ASSERT_EQ(first_copies(receiver), run + 3) << run << ' ' << gap;
        }
    }
}

TEST(ReceiverDamage, AChecksumOfNoneIsDamage) {
    FrameFactory factory(64, false);
    Receiver receiver(config_of(true));
    receiver.begin_trial(1);
    Frame frame = factory.make({kRun, 1, 0}, 0);
    frame[40] = frame[41] = 0;
    account(receiver, frame, 1);
    EXPECT_EQ(receiver.counts().corrupted, 1U);
}

TEST(ReceiverDamage, ForeignMacAddressesAreDamageOnlyWhereTheyAreKnown) {
    FrameFactory factory(64, false);
    for (const bool known : {false, true}) {
        ReceiverConfig config = config_of(true);
        if (!known) config.addresses.reset();
        Receiver receiver(config);
        receiver.begin_trial(1);
        account(receiver, flip(factory.make({kRun, 1, 0}, 0), 3), 1);
        EXPECT_EQ(receiver.counts().corrupted, known ? 1U : 0U);
    }
}

TEST(ReceiverDamage, ATruncatedFrameKeepsItsPlace) {
    FrameFactory factory(128, false);
    Receiver receiver(config_of(false));
    receiver.begin_trial(1);
    for (uint64_t i = 0; i < 10; ++i) {
        Frame frame = factory.make({kRun, 1, 0}, i);
        if (i % 3 == 0) frame.resize(60 + i);
        account(receiver, frame, 1);
    }
    receiver.finish();
    EXPECT_EQ(receiver.received(), 10U);
    EXPECT_EQ(receiver.counts().corrupted, 4U);
    EXPECT_EQ(first_copies(receiver), 10U);
    EXPECT_EQ(receiver.counts().surplus + receiver.counts().reordered, 0U);
}

TEST(ReceiverDamage, ASignatureCutOffNamesNoRun) {
    FrameFactory factory(64, false);
    Receiver receiver(config_of(false));
    receiver.begin_trial(1);
    Frame frame = factory.make({kRun, 1, 0}, 0);
    frame.resize(59);
    account(receiver, frame, 1);
    EXPECT_EQ(receiver.received(), 0U);
    EXPECT_EQ(receiver.counts().foreign.total(), 1U);
}

TEST(ReceiverDamage, AnotherTrialIsStaleOnlyIfItsChecksumHolds) {
    FrameFactory factory(64, false);
    Receiver receiver(config_of(false));
    receiver.begin_trial(1);
    account(receiver, factory.make({kRun, 0, 0}, 0), 1);
    EXPECT_EQ(receiver.counts().stale, 1U);
    for (size_t bit = 58 * 8; bit < 59 * 8; ++bit) {
        account(receiver, flip(factory.make({kRun, 1, 0}, 0), bit), 1);
    }
    const ReceiverCounts counts = receiver.counts();
    EXPECT_EQ(counts.stale, 1U);
    EXPECT_EQ(counts.received, 8U);
    EXPECT_EQ(counts.corrupted, 8U);
    EXPECT_EQ(counts.surplus, 8U);
}

/// A frame whose payload was cut: its claim holds, its checksum does not.
Frame cut(FrameFactory& factory, uint64_t sequence, uint8_t stream = 0) {
    Frame frame = factory.make({kRun, 1, stream}, sequence);
    frame.resize(70);
    return frame;
}

struct Step {
    uint64_t sequence;
    bool damaged;
};

struct Row {
    const char* what;
    std::vector<Step> steps;
    uint64_t first, duplicated, surplus, reordered, end;
};

TEST(ReceiverDamage, ClaimsAreBelievedInOrderOrNextToEachOtherElseDecidedLate) {
    FrameFactory factory(128, false);
    const std::vector<Row> rows{
        {"in order", {{0, false}, {1, true}, {2, false}}, 3, 0, 0, 0, 3},
        {"after a loss", {{0, false}, {2, true}, {3, false}}, 3, 0, 0, 0, 4},
        {"the last, after a loss", {{0, false}, {2, true}}, 2, 0, 0, 0, 1},
        {"a burst of damage after a loss",
         {{0, false}, {5, true}, {6, true}, {7, true}, {8, false}},
         5,
         0,
         0,
         0,
         9},
        {"two far from each other", {{0, false}, {5, true}, {7, true}, {1, false}}, 4, 0, 0, 0, 2},
        {"late", {{0, false}, {2, false}, {1, true}}, 3, 0, 0, 0, 3},
        {"a claim to what was seen", {{0, false}, {1, false}, {0, true}}, 2, 0, 1, 0, 2},
        {"a claim to what comes later",
         {{0, false}, {2, true}, {1, false}, {2, false}},
         3,
         0,
         1,
         0,
         3},
        {"two claims to one place", {{0, false}, {2, true}, {2, true}, {3, false}}, 3, 0, 1, 0, 4},
        {"beyond the window", {{0, false}, {1000, true}, {1, false}}, 2, 0, 1, 0, 2},
        {"an undamaged late frame after one believed",
         {{0, false}, {5, true}, {6, true}, {5, false}, {1, false}},
         4,
         0,
         1,
         2,
         7},
    };
    ReceiverConfig config = config_of(false);
    config.sequence_window = 64;
    Receiver receiver(config);
    for (const Row& row : rows) {
        SCOPED_TRACE(row.what);
        receiver.begin_trial(1);
        uint64_t corrupted = 0;
        for (const auto& [sequence, damaged] : row.steps) {
            account(receiver,
                    damaged ? cut(factory, sequence) : factory.make({kRun, 1, 0}, sequence), 1);
            corrupted += damaged ? 1 : 0;
        }
        receiver.finish();
        const ReceiverCounts counts = receiver.counts();
        EXPECT_EQ(first_copies(receiver), row.first);
        EXPECT_EQ(counts.received, row.steps.size());
        EXPECT_EQ(counts.corrupted, corrupted);
        EXPECT_EQ(counts.duplicated, row.duplicated);
        EXPECT_EQ(counts.surplus, row.surplus);
        EXPECT_EQ(counts.reordered, row.reordered);
        EXPECT_EQ(receiver.believed_end(0), row.end);
    }
}

TEST(ReceiverDamage, AClaimOfTheLastTrialVouchesForNone) {
    FrameFactory factory(128, false);
    Receiver receiver(config_of(false));
    receiver.begin_trial(1);
    account(receiver, cut(factory, 4), 1);
    receiver.begin_trial(1);
    account(receiver, cut(factory, 5), 1);
    EXPECT_EQ(receiver.tracker(0).next(), 0U);
}

TEST(ReceiverDamage, WhenTooManyWaitTheOldestAreDecided) {
    FrameFactory factory(128, false);
    Receiver receiver(config_of(false, 2));
    receiver.begin_trial(1);
    // Stream 0: each second frame is damaged and late. Stream 1: damaged claims to the future.
    constexpr uint64_t kPairs = 3 * kMaxPendingDamaged;
    for (uint64_t i = 0; i < kPairs; ++i) {
        account(receiver, factory.make({kRun, 1, 0}, 2 * i + 1), 1);
        account(receiver, cut(factory, 2 * i), 1);
        if (i % 3 == 0) account(receiver, cut(factory, 10 + 2 * i, 1), 1);
    }
    EXPECT_EQ(receiver.tracker(1).next(), 0U);
    const uint64_t early = receiver.counts().surplus;
    // All but the latest kMaxPendingDamaged were decided; one in four was stream 1's.
    EXPECT_EQ(early, (kPairs + kPairs / 3 - kMaxPendingDamaged) / 4);
    receiver.finish();
    const ReceiverCounts counts = receiver.counts();
    EXPECT_EQ(receiver.tracker(0).seen_count(), 2 * kPairs);
    EXPECT_EQ(counts.corrupted, kPairs + kPairs / 3);
    EXPECT_EQ(counts.surplus, early);
    EXPECT_EQ(receiver.tracker(1).seen_count(), kPairs / 3 - early);
    EXPECT_EQ(counts.reordered, 0U);
}

TEST(ReceiverDamage, AClaimToAnotherSinksFrameIsSurplus) {
    FrameFactory factory(128, false);
    Receiver one(config_of(false));
    Receiver two(config_of(false));
    one.begin_trial(1);
    two.begin_trial(1);
    for (uint64_t i = 0; i < 10; ++i) {
        account(i % 2 == 0 ? one : two, factory.make({kRun, 1, 0}, i), 1);
    }
    account(one, cut(factory, 3), 1);   // two has it
    account(one, cut(factory, 11), 1);  // nobody has
    account(two, cut(factory, 11), 1);  // a second claim to it
    const std::array<const Receiver*, 2> both{&one, &two};
    one.finish(both);
    two.finish(both);
    EXPECT_EQ(first_copies(one), 6U);
    EXPECT_EQ(one.counts().surplus, 1U);
    EXPECT_EQ(first_copies(two), 5U);
    EXPECT_EQ(two.counts().surplus, 1U);
}

}  // namespace
}  // namespace barewire::stats
