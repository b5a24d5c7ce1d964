// SPDX-License-Identifier: BSD-3-Clause
// The account of a trial from its parts: one end alone, several workers, sums that do not hold.
#include "barewire/stats/ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sink_model.h"

namespace barewire::stats {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

/// One sink of a run with `layout`; frames are 64 bytes, trial 1.
class Sink {
  public:
    explicit Sink(plan::FlowLayout layout, bool count_flows = false)
        : receiver_(ReceiverConfig{.run = kRun,
                                   .layout = layout,
                                   .payload_check = false,
                                   .count_flows = count_flows,
                                   .addresses = {},
                                   .sequence_window = 1024}) {
        receiver_.begin_trial(1);
    }
    Sink& take(uint8_t stream, std::initializer_list<uint64_t> sequences) {
        for (const uint64_t sequence : sequences) {
            now_ += 1000;
            account(receiver_, factory_.make({kRun, 1, stream}, sequence, now_ - 300), now_);
        }
        return *this;
    }
    Sink& take(const Frame& frame) {
        account(receiver_, frame, now_);
        return *this;
    }
    const Receiver* finish() {
        receiver_.finish();
        return &receiver_;
    }

  private:
    Receiver receiver_;
    FrameFactory factory_{64, false};
    Ns now_ = 0;
};

SentTotals sent_of(std::vector<uint64_t> offered, uint64_t unsent = 0) {
    SentTotals sent{unsent, unsent, std::move(offered)};
    for (const uint64_t count : sent.offered) sent.intended += count;
    return sent;
}

TEST(Ledger, AddsUpOverStreamsAndSinks) {
    const plan::FlowLayout layout(2, 2);
    Sink one(layout);
    Sink two(layout);
    one.take(0, {0, 1, 4, 3, 4});  // 2 and 5 lost, 3 late, 4 twice
    two.take(1, {0, 1, 2, 7, 8});  // offered 5: 7 and 8 are surplus, 3 and 4 lost
    two.take(Frame(60));
    const SentTotals sent = sent_of({6, 5}, 4);
    const std::array receivers{one.finish(), two.finish()};
    plan::TrialResult result;
    const LedgerNotes notes = fill_ledger({layout, &sent, receivers}, result);
    EXPECT_TRUE(notes.problems.empty());
    EXPECT_TRUE(result.ledger_adds_up);
    EXPECT_EQ(result.intended, 15U);
    EXPECT_EQ(result.offered, 11U);
    EXPECT_EQ(result.unsent, 4U);
    EXPECT_EQ(result.received, 10U);
    EXPECT_EQ(result.lost, 4U);
    EXPECT_EQ(result.surplus, 2U);
    EXPECT_EQ(result.duplicated, 1U);
    EXPECT_EQ(result.reordered, 1U);
    EXPECT_EQ(result.corrupted, 0U);
    EXPECT_EQ(result.stale, 0U);
    EXPECT_EQ(result.foreign, 1U);
    EXPECT_THAT(result.foreign_by, ElementsAre(Pair("LLC", 1)));
    EXPECT_EQ(result.latency_ns.count, 10U);
    EXPECT_EQ(result.latency_ns.max, 300);
    EXPECT_EQ(result.jitter_ns, 0.0);
}

TEST(Ledger, SurplusOfOneStreamHidesNoLossOfAnother) {
    const plan::FlowLayout layout(2, 2);
    Sink sink(layout);
    sink.take(0, {0, 1, 2, 3}).take(1, {0});
    const SentTotals sent = sent_of({2, 3});
    const std::array receivers{sink.finish()};
    plan::TrialResult result;
    fill_ledger({layout, &sent, receivers}, result);
    EXPECT_EQ(result.received, result.offered);
    EXPECT_EQ(result.lost, 2U);
    EXPECT_EQ(result.surplus, 2U);
}

TEST(Ledger, AStreamSpreadOverSinksIsSummed) {
    const plan::FlowLayout layout(1, 2);
    Sink even(layout, true);
    Sink odd(layout, true);
    even.take(0, {0, 2, 4, 6});
    odd.take(0, {1, 3, 3, 7});
    const SentTotals sent = sent_of({8});
    const std::array receivers{even.finish(), odd.finish()};
    plan::TrialResult result;
    fill_ledger({layout, &sent, receivers}, result);
    EXPECT_TRUE(result.ledger_adds_up);
    EXPECT_EQ(result.lost, 1U);
    EXPECT_EQ(result.duplicated, 1U);
    ASSERT_EQ(result.flows.size(), 2U);
    EXPECT_EQ(result.flows[0].offered, 4U);
    EXPECT_EQ(result.flows[0].lost, 0U);
    EXPECT_EQ(result.flows[1].received, 4U);
    EXPECT_EQ(result.flows[1].duplicated, 1U);
    EXPECT_EQ(result.flows[1].lost, 1U);
}

TEST(Ledger, TheSameFramesAtTwoSinksAreSurplusAndNeverANegativeLoss) {
    const plan::FlowLayout layout(1, 1);
    Sink one(layout, true);
    Sink two(layout, true);
    one.take(0, {0, 1, 2});
    two.take(0, {0, 1, 2});
    const SentTotals sent = sent_of({3});
    const std::array receivers{one.finish(), two.finish()};
    plan::TrialResult result;
    fill_ledger({layout, &sent, receivers}, result);
    EXPECT_TRUE(result.ledger_adds_up);
    EXPECT_EQ(result.lost, 0U);
    EXPECT_EQ(result.surplus, 3U);
    EXPECT_EQ(result.flows[0].surplus, 3U);
}

TEST(Ledger, WhereAFlowHasSeveralStreamsThatIsNoContradiction) {
    const plan::FlowLayout layout(2, 1);
    Sink one(layout, true);
    Sink two(layout, true);
    one.take(0, {0, 1, 2}).take(1, {0});
    two.take(0, {0, 1});
    const SentTotals sent = sent_of({3, 3});
    const std::array receivers{one.finish(), two.finish()};
    plan::TrialResult result;
    fill_ledger({layout, &sent, receivers}, result);
    EXPECT_TRUE(result.ledger_adds_up);
    EXPECT_EQ(result.lost, 2U);
    EXPECT_EQ(result.surplus, 2U);
}

TEST(Ledger, ASenderAloneKnowsNothingOfReceipt) {
    const SentTotals sent = sent_of({10, 11}, 1);
    plan::TrialResult result;
    result.frame_size = 64;
    result.duration_s = 2;
    fill_ledger({{2, 3}, &sent, {}}, result);
    EXPECT_EQ(result.offered, 21U);
    EXPECT_FALSE(result.received || result.lost || result.surplus || result.duplicated ||
                 result.reordered || result.corrupted || result.foreign || result.stale);
    EXPECT_FALSE(result.rx.fps || result.jitter_ns || result.latency_ns.max);
    EXPECT_EQ(result.tx.fps, 10.5);
    EXPECT_EQ(result.tx.l1_bps, 10.5 * 84 * 8);
    EXPECT_EQ(result.tx.l2_bps, 10.5 * 64 * 8);
    ASSERT_EQ(result.flows.size(), 3U);
    EXPECT_EQ(result.flows[0].offered, 5U);
    EXPECT_EQ(result.flows[1].offered, 11U);
    EXPECT_EQ(result.flows[2].offered, 5U);
    EXPECT_FALSE(result.flows[0].lost);
    EXPECT_TRUE(result.ledger_adds_up);
}

TEST(Ledger, AReceiverAloneCountsLossUpToTheHighestSequence) {
    const plan::FlowLayout layout(2, 2);
    Sink sink(layout);
    sink.take(0, {0, 1, 5}).take(1, {2, 2});
    const std::array receivers{sink.finish()};
    plan::TrialResult result;
    result.frame_size = 64;
    fill_ledger({layout, nullptr, receivers}, result);
    EXPECT_FALSE(result.intended || result.offered || result.unsent || result.tx.fps);
    EXPECT_FALSE(result.latency_ns.max);
    EXPECT_TRUE(result.jitter_ns);
    EXPECT_EQ(result.received, 5U);
    EXPECT_EQ(result.lost, 5U);
    EXPECT_EQ(result.duplicated, 1U);
    EXPECT_EQ(result.surplus, 0U);
    EXPECT_TRUE(result.ledger_adds_up);
}

TEST(Ledger, AReceiverAloneDoesNotTakeADamagedClaimForTheHighest) {
    const plan::FlowLayout layout(1, 1);
    FrameFactory factory(64, false);
    Sink sink(layout);
    sink.take(0, {0, 1});
    sink.take(flip(factory.make({kRun, 1, 0}, 2), 53 * 8));  // claims 130
    sink.take(0, {3});
    const std::array receivers{sink.finish()};
    plan::TrialResult result;
    fill_ledger({layout, nullptr, receivers}, result);
    EXPECT_EQ(result.lost, 1U);
    EXPECT_EQ(result.surplus, 1U);
    EXPECT_EQ(result.corrupted, 1U);
}

TEST(Ledger, TheReceiveRateIsOfTheIntervalsBetweenFrames) {
    const plan::FlowLayout layout(1, 1);
    Sink sink(layout);
    sink.take(0, {0, 1, 2, 3, 4});  // one a microsecond
    const std::array receivers{sink.finish()};
    plan::TrialResult result;
    result.frame_size = 1518;
    fill_ledger({layout, nullptr, receivers}, result);
    EXPECT_DOUBLE_EQ(*result.rx.fps, 1e6);
    EXPECT_DOUBLE_EQ(*result.rx.l1_bps, 1e6 * 1538 * 8);
    EXPECT_DOUBLE_EQ(*result.rx.l2_bps, 1e6 * 1518 * 8);
}

TEST(Ledger, NoRateOfLessThanTwoMoments) {
    const plan::FlowLayout layout(1, 1);
    for (const size_t frames : {0U, 1U}) {
        Sink sink(layout);
        if (frames > 0) sink.take(0, {0});
        const std::array receivers{sink.finish()};
        plan::TrialResult result;
        fill_ledger({layout, nullptr, receivers}, result);
        EXPECT_EQ(result.received, frames);
        EXPECT_EQ(result.lost, 0U);
        EXPECT_FALSE(result.rx.fps || result.rx.l1_bps || result.rx.l2_bps || result.jitter_ns);
    }
}

TEST(Ledger, ListsAsManyFlowsAsAResultHolds) {
    const plan::FlowLayout layout(3, 5000);
    Sink sink(layout, true);
    sink.take(2, {0, 1, 2, 3});
    const SentTotals sent = sent_of({0, 4000, 4});
    const std::array receivers{sink.finish()};
    plan::TrialResult result;
    fill_ledger({layout, &sent, receivers}, result);
    ASSERT_EQ(result.flows.size(), plan::kMaxFlowsReported);
    EXPECT_TRUE(result.ledger_adds_up);
    EXPECT_EQ(result.flows[8].received, 1U);
    EXPECT_EQ(result.flows[8].lost, 0U);
    EXPECT_EQ(result.flows[1].offered, 3U);  // 4,000 frames over 1,667 flows
    EXPECT_EQ(result.flows[1].lost, 3U);
}

TEST(Ledger, SaysWhenSumsDoNotHold) {
    SentTotals sent = sent_of({10}, 1);
    ++sent.intended;
    plan::TrialResult result;
    const LedgerNotes notes = fill_ledger({{1, 1}, &sent, {}}, result);
    EXPECT_FALSE(result.ledger_adds_up);
    EXPECT_THAT(notes.problems, ElementsAre(HasSubstr("intended 12 is not offered 10 + unsent 1")));
}

TEST(Ledger, PassesOnFramesThatCameBeforeTheyDeparted) {
    const plan::FlowLayout layout(1, 1);
    FrameFactory factory(64, false);
    Sink sink(layout);
    sink.take(factory.make({kRun, 1, 0}, 0, 400));
    const SentTotals sent = sent_of({1});
    const std::array receivers{sink.finish()};
    plan::TrialResult result;
    EXPECT_EQ(fill_ledger({layout, &sent, receivers}, result).negative_latencies, 1U);
    EXPECT_EQ(result.latency_ns.min, 0);
}

}  // namespace
}  // namespace barewire::stats
