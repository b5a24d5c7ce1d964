// SPDX-License-Identifier: BSD-3-Clause
// When a sink may stop, turn by turn on a made-up clock.
#include "engine/drain.h"

#include <gtest/gtest.h>

namespace barewire::engine {
namespace {

class Drain : public testing::Test {
  protected:
    Drain() {
        way.has_senders = true;
        way.sending = 1;
        watch.begin_trial(&way, nullptr);
    }
    /// A turn whose receive returns nothing; `senders_end`: the last sender ends after the
    /// receive, before the look.
    bool empty_turn(Ns now, bool senders_end = false) {
        watch.begin_turn();
        if (senders_end) way.sending = 0;
        return watch.drained(now);
    }
    WayControl way;
    DrainWatch watch;
};

TEST_F(Drain, GoesOnWhileASenderSends) {
    EXPECT_FALSE(empty_turn(1));
}

TEST_F(Drain, AnEmptyReceiveBeforeTheSendersEndedProvesNothing) {
    EXPECT_FALSE(empty_turn(1, true));
    EXPECT_TRUE(empty_turn(2));
}

TEST_F(Drain, HousekeepingInTheSameTurnProvesNothingEither) {
    watch.begin_turn();
    way.sending = 0;
    EXPECT_FALSE(watch.limit_passed(1));
    EXPECT_FALSE(watch.drained(1));
    EXPECT_TRUE(empty_turn(2));
}

TEST_F(Drain, WaitsForQuietWhereAPortNeedsIt) {
    way.quiet_ns = 100;
    EXPECT_FALSE(empty_turn(1, true));
    EXPECT_FALSE(empty_turn(50));
    watch.begin_turn();
    watch.received(60);
    EXPECT_FALSE(empty_turn(159));
    EXPECT_TRUE(empty_turn(160));
}

TEST_F(Drain, LeavesATrialThatOthersFloodAfterTheLimit) {
    EXPECT_FALSE(empty_turn(1, true));
    EXPECT_FALSE(watch.limit_passed(kDrainLimitNs));
    EXPECT_TRUE(watch.limit_passed(kDrainLimitNs + 1));
}

TEST_F(Drain, WithoutSendersTheWindowTheStopOrTheEndOfTheInputDecide) {
    way.has_senders = false;
    way.end_ns = 100;
    EXPECT_FALSE(empty_turn(99));
    EXPECT_FALSE(empty_turn(100));
    EXPECT_TRUE(empty_turn(101));

    std::atomic<bool> exhausted{false};
    watch.begin_trial(&way, &exhausted);
    EXPECT_FALSE(empty_turn(1));
    exhausted = true;
    EXPECT_FALSE(empty_turn(2));
    EXPECT_TRUE(empty_turn(3));

    watch.begin_trial(&way, nullptr);
    way.stop = true;
    EXPECT_FALSE(empty_turn(1));
    EXPECT_TRUE(empty_turn(2));
}

}  // namespace
}  // namespace barewire::engine
