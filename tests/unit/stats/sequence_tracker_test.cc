// SPDX-License-Identifier: BSD-3-Clause
// The tracker against a set of all sequences seen, at the window's edge and over every wrap.
#include "barewire/stats/sequence_tracker.h"

#include <optional>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace barewire::stats {
namespace {

constexpr uint64_t kNear32 = (uint64_t{1} << 32) - 70;
constexpr uint64_t kNear64 = ~uint64_t{0} - 70;
constexpr std::array<uint64_t, 4> kStarts{0, 1'000'003, kNear32, kNear64};

/// As a sink does: the full sequence is found from the low 32 bits.
Arrival arrive(SequenceTracker& tracker, uint64_t sequence) {
    const auto low = static_cast<uint32_t>(sequence);
    if (tracker.expects(low)) {
        tracker.accept_expected();
        return Arrival::first;
    }
    return tracker.accept(tracker.extend(low));
}

/// Sequences relative to the stream's first, so that no wrap disturbs the order of the set.
struct Model {
    explicit Model(uint64_t window) : window_(window) {}

    Arrival arrive(int64_t sequence) {
        if (sequence >= next_) {
            next_ = sequence + 1;
            seen_.insert(sequence);
            return Arrival::first;
        }
        if (sequence < 0 || next_ - sequence > static_cast<int64_t>(window_)) {
            return Arrival::surplus;
        }
        return seen_.insert(sequence).second ? Arrival::reordered : Arrival::duplicate;
    }
    [[nodiscard]] uint64_t count_from(int64_t sequence) const {
        return static_cast<uint64_t>(std::distance(seen_.lower_bound(sequence), seen_.end()));
    }

    uint64_t window_;
    int64_t next_ = 0;
    std::set<int64_t> seen_;
};

TEST(SequenceTracker, TellsFirstReorderedDuplicateAndSurplus) {
    using enum Arrival;
    struct Step {
        uint64_t sequence;
        Arrival arrival;
        uint64_t seen_count;
    };
    for (const uint64_t start : kStarts) {
        SequenceTracker tracker(64);
        tracker.reset(start);
        for (const auto& [sequence, arrival, seen_count] :
             std::vector<Step>{{0, first, 1},        {1, first, 2},
                               {1, duplicate, 2},    {5, first, 3},
                               {3, reordered, 4},    {3, duplicate, 4},
                               {6, first, 5},        {2, reordered, 6},
                               {0, duplicate, 6},    {~uint64_t{0}, surplus, 6},
                               {69, first, 7},       {6, duplicate, 7},
                               {5, surplus, 7},      {4, surplus, 7},
                               {7, reordered, 8},    {1000, first, 9},
                               {69, surplus, 9},     {999, reordered, 10},
                               {937, reordered, 11}, {936, surplus, 11}}) {
            EXPECT_EQ(arrive(tracker, start + sequence), arrival) << start << '+' << sequence;
            EXPECT_EQ(tracker.seen_count(), seen_count) << start << '+' << sequence;
        }
        EXPECT_EQ(tracker.next(), start + 1001);
    }
}

TEST(SequenceTracker, ItsWindowIsExactlyAsWideAsItSays) {
    for (const uint64_t start : kStarts) {
        for (uint64_t ahead = 1; ahead < 200; ++ahead) {
            SequenceTracker tracker(64);
            tracker.reset(start);
            for (uint64_t i = 0; i < ahead; ++i) tracker.accept_expected();
            for (uint64_t i = 0; i < ahead; ++i) {
                const Arrival expected = ahead - i <= 64 ? Arrival::duplicate : Arrival::surplus;
                ASSERT_EQ(arrive(tracker, start + i), expected)
                    << start << ' ' << ahead << ' ' << i;
            }
        }
    }
}

TEST(SequenceTracker, RemembersTheDefaultWindowOfAMillion) {
    SequenceTracker tracker;
    for (uint32_t i = 0; i < 3 * kSequenceWindow; ++i) tracker.accept_expected();
    EXPECT_EQ(arrive(tracker, 2 * uint64_t{kSequenceWindow}), Arrival::duplicate);
    EXPECT_EQ(arrive(tracker, 2 * uint64_t{kSequenceWindow} - 1), Arrival::surplus);
    EXPECT_EQ(arrive(tracker, 4 * uint64_t{kSequenceWindow} - 1), Arrival::first);
    EXPECT_EQ(arrive(tracker, 3 * uint64_t{kSequenceWindow}), Arrival::reordered);
    EXPECT_EQ(arrive(tracker, 3 * uint64_t{kSequenceWindow} - 1), Arrival::surplus);
}

TEST(SequenceTracker, ExtendsOldAndFarSequences) {
    SequenceTracker tracker(64);
    constexpr uint64_t kBehind = SequenceTracker::kMostBehind;
    for (const uint64_t start : {uint64_t{1} << 40, kNear32, kNear64}) {
        tracker.reset(start);
        for (const uint64_t sequence :
             {start, start + 1, start - 1, start - kBehind, start + 0xFFFF'FFFF - kBehind}) {
            EXPECT_EQ(tracker.extend(static_cast<uint32_t>(sequence)), sequence);
        }
        EXPECT_NE(tracker.extend(static_cast<uint32_t>(start - kBehind - 1)), start - kBehind - 1);
    }
}

TEST(SequenceTracker, ALossOfThreeBillionIsNoStepBack) {
    SequenceTracker tracker(64);
    tracker.accept_expected();
    EXPECT_EQ(arrive(tracker, 3'000'000'000), Arrival::first);
    EXPECT_EQ(tracker.seen_count(), 2U);
    EXPECT_EQ(tracker.next(), 3'000'000'001);
}

TEST(SequenceTracker, CountsALongRunBeyondTheWindow) {
    SequenceTracker tracker(64);
    tracker.reset(kNear64);
    for (int i = 0; i < 1000; ++i) tracker.accept_expected();
    EXPECT_EQ(tracker.count_from(kNear64), 1000U);
    EXPECT_EQ(tracker.count_from(kNear64 + 10), 990U);
    EXPECT_EQ(tracker.count_from(kNear64 + 1000), 0U);
    EXPECT_EQ(tracker.count_from(kNear64 + 2000), 0U);
    EXPECT_TRUE(tracker.seen(kNear64));
    EXPECT_FALSE(tracker.seen(kNear64 - 1));
    EXPECT_FALSE(tracker.seen(kNear64 + 1000));
}

/// Steps of a hostile path: mostly in order, with losses, late frames, copies and leaps.
int64_t next_step(std::mt19937_64& random, int64_t next, uint32_t window) {
    const auto spread = static_cast<int64_t>(random() % (3 * window));
    switch (random() % 16) {
        case 0:
            return next + spread % 7;
        case 1:
            return next - spread;
        case 2:
            return next - 1 - spread % 9;
        case 3:
            return random() % 20 == 0 ? next + spread : next;
        default:
            return next;
    }
}

TEST(SequenceTracker, AgreesWithASetOfAllSequences) {
    std::mt19937_64 random(22);
    for (int round = 0; round < 200; ++round) {
        const uint64_t start = kStarts[random() % kStarts.size()] + random() % 3;
        const uint32_t window = 64U << (random() % 3);
        SequenceTracker tracker(window);
        tracker.reset(random());  // what was before a reset does not matter
        for (int i = 0; i < 100; ++i) arrive(tracker, random() % 1000);
        tracker.reset(start);
        Model model(window);
        for (int i = 0; i < 600; ++i) {
            const int64_t step = next_step(random, model.next_, window);
            ASSERT_EQ(arrive(tracker, start + static_cast<uint64_t>(step)), model.arrive(step));
        }
        ASSERT_EQ(tracker.seen_count(), model.seen_.size());
        const auto floor = std::max<int64_t>(0, model.next_ - window);
        for (int64_t i = floor; i < model.next_ + 5; ++i) {
            const uint64_t sequence = start + static_cast<uint64_t>(i);
            ASSERT_EQ(tracker.seen(sequence), model.seen_.count(i) == 1);
            ASSERT_EQ(tracker.count_from(sequence), model.count_from(i));
        }
    }
}

}  // namespace
}  // namespace barewire::stats
