// SPDX-License-Identifier: BSD-3-Clause
// Where frames were lost, from the counters of two ports, and two halves of a trial as one.
#include "engine/lost_by.h"

#include <gtest/gtest.h>

namespace barewire::engine {
namespace {

plan::TrialResult near_half() {
    plan::TrialResult trial;
    trial.offered = 100;
    trial.lost = 10;
    return trial;
}

plan::PortCounters counters(plan::MaybeCount oerrors, plan::MaybeCount ierrors,
                            plan::MaybeCount imissed, plan::MaybeCount rx_nombuf) {
    plan::PortCounters port;
    port.oerrors = oerrors;
    port.ierrors = ierrors;
    port.imissed = imissed;
    port.rx_nombuf = rx_nombuf;
    return port;
}

TEST(LostBy, ThePathHasWhatNoPortClaims) {
    plan::TrialResult trial = near_half();
    set_lost_by({.tx = counters(1, 0, 0, 0), .rx = counters(7, 2, 3, 0)}, trial);
    EXPECT_EQ(trial.lost_by.tx_port, 1U);
    EXPECT_EQ(trial.lost_by.rx_damaged, 2U);
    EXPECT_EQ(trial.lost_by.rx_missed, 3U);
    EXPECT_EQ(trial.lost_by.rx_no_buffer, 0U);
    EXPECT_EQ(trial.lost_by.path, 4U);
}

TEST(LostBy, NoPlaceHasMoreThanWasLost) {
    plan::TrialResult trial = near_half();
    set_lost_by({.tx = counters(4, 0, 0, 0), .rx = counters(0, 0, 50, 9)}, trial);
    EXPECT_EQ(trial.lost_by.tx_port, 4U);
    EXPECT_EQ(trial.lost_by.rx_missed, 6U);  // the other 44 were somebody else's frames
    EXPECT_EQ(trial.lost_by.rx_no_buffer, 0U);
    EXPECT_EQ(trial.lost_by.path, 0U);
}

TEST(LostBy, WhatAPortCannotTellIsNullAndInThePathsShare) {
    plan::TrialResult trial = near_half();
    set_lost_by({.tx = counters({}, 0, 0, 0), .rx = counters(0, 1, {}, 0)}, trial);
    EXPECT_EQ(trial.lost_by.tx_port, std::nullopt);
    EXPECT_EQ(trial.lost_by.rx_missed, std::nullopt);
    EXPECT_EQ(trial.lost_by.path, 9U);
}

TEST(LostBy, WithOneEndNothingIsKnown) {
    plan::TrialResult trial = near_half();
    set_lost_by({.tx = counters(1, 0, 0, 0), .rx = std::nullopt}, trial);
    EXPECT_EQ(trial.lost_by.tx_port, std::nullopt);
    EXPECT_EQ(trial.lost_by.path, std::nullopt);
}

plan::TrialResult far_half() {
    plan::TrialResult far;
    far.received = 93;
    far.lost = 10;
    far.surplus = 1;
    far.duplicated = 2;
    far.reordered = far.corrupted = far.foreign = far.stale = 0;
    far.workers.resize(1);
    far.workers.front().role = "sink";
    far.port_counters = {counters(0, 0, 10, 0)};
    far.stalls = {.count = 2, .longest_ns = 9, .total_ns = 12};
    return far;
}

TEST(MergeFar, ReceivedHalfIsTakenAndProvedOnceMore) {
    plan::TrialResult trial = near_half();
    trial.lost.reset();
    trial.stalls = {.count = 1, .longest_ns = 7, .total_ns = 7};
    LostBetween between{.tx = counters(0, 0, 0, 0), .rx = std::nullopt};
    merge_far(far_half(), trial, between);
    EXPECT_TRUE(trial.ledger_adds_up);
    EXPECT_EQ(trial.received, 93U);
    EXPECT_TRUE(trial.workers.front().far);
    EXPECT_TRUE(trial.port_counters.front().far);
    EXPECT_EQ(trial.stalls.count, 3U);
    EXPECT_EQ(trial.stalls.longest_ns, 9);
    EXPECT_EQ(trial.stalls.total_ns, 19);
    set_lost_by(between, trial);
    EXPECT_EQ(trial.lost_by.rx_missed, 10U);
}

TEST(MergeFar, ASumThatDoesNotHoldIsFound) {
    plan::TrialResult trial = near_half();
    plan::TrialResult far = far_half();
    far.received = 92;
    LostBetween between{.tx = counters(0, 0, 0, 0), .rx = std::nullopt};
    merge_far(far, trial, between);
    EXPECT_FALSE(trial.ledger_adds_up);
}

TEST(MergeFar, SentHalfLeavesTheCountsOfOurs) {
    plan::TrialResult trial;
    trial.received = 90;
    plan::TrialResult far;
    far.duration_s = 2;
    far.tx.fps = 50;
    far.received = 7;
    LostBetween between{.tx = std::nullopt, .rx = counters(0, 0, 0, 0)};
    merge_far(far, trial, between);
    EXPECT_EQ(trial.received, 90U);
    EXPECT_EQ(trial.duration_s, 2);
    EXPECT_EQ(trial.tx.fps, 50);
}

}  // namespace
}  // namespace barewire::engine
