// SPDX-License-Identifier: BSD-3-Clause
// Frames of a sound path: order, times, flows, wraps, and frames that are not ours.
#include "barewire/stats/receiver.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frames.h"
#include "sink_model.h"

namespace barewire::stats {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

ReceiverConfig config_of(plan::FlowLayout layout = {1, 1}, bool count_flows = false) {
    ReceiverConfig config;
    config.run = kRun;
    config.layout = layout;
    config.count_flows = count_flows;
    return config;
}

TEST(Receiver, CountsFramesInOrder) {
    Receiver receiver(config_of());
    FrameFactory factory(64, false);
    receiver.begin_trial(1);
    for (uint64_t i = 0; i < 1000; ++i) account(receiver, factory.make({kRun, 1, 0}, i), 5);
    receiver.finish();
    EXPECT_EQ(receiver.received(), 1000U);
    EXPECT_EQ(receiver.counts().received, 1000U);
    EXPECT_EQ(receiver.tracker(0).seen_count(), 1000U);
    EXPECT_EQ(receiver.believed_end(0), 1000U);
    EXPECT_EQ(receiver.counts().corrupted + receiver.counts().reordered, 0U);
}

TEST(Receiver, TellsLatencyJitterAndReceiptTimes) {
    Receiver receiver(config_of());
    FrameFactory factory(64, false);
    receiver.begin_trial(1);
    const auto arrive = [&](uint64_t sequence, Ns departure, Ns now) {
        account(receiver, factory.make({kRun, 1, 0}, sequence, departure), now);
    };
    arrive(0, 1000, 1100);  // 100
    arrive(1, 2000, 2250);  // 250
    arrive(1, 2000, 2260);  // a copy: 260
    arrive(5, 3000, 3030);  // after a gap: 30
    arrive(3, 2500, 3040);  // late: 540
    receiver.finish();
    const plan::Distribution latency = receiver.latency().summary();
    EXPECT_EQ(latency.count, 5U);
    EXPECT_EQ(latency.min, 30);
    EXPECT_EQ(latency.max, 540);
    EXPECT_EQ(latency.mean, (100 + 250 + 260 + 30 + 540) / 5.0);
    EXPECT_EQ(receiver.jitter_sum(), 150U + 10 + 230 + 510);
    EXPECT_EQ(receiver.first_receipt(), 1100);
    EXPECT_EQ(receiver.last_receipt(), 3040);
    EXPECT_EQ(receiver.counts().negative_latencies, 0U);
}

TEST(Receiver, ExtendsDeparturesOverTheWrapOf32Bits) {
    Receiver receiver(config_of());
    FrameFactory factory(64, false);
    for (const Ns wraps : {1, 2, 1000}) {
        receiver.begin_trial(1);
        const Ns wrap = wraps << 32;
        uint64_t sequence = 0;
        for (Ns step = -100; step <= 100; step += 10) {
            account(receiver, factory.make({kRun, 1, 0}, sequence++, wrap + step),
                    wrap + step + 50);
        }
        EXPECT_EQ(receiver.latency().summary().max, 50);
        EXPECT_EQ(receiver.latency().summary().min, 50);
        EXPECT_EQ(receiver.jitter_sum(), 0U);
    }
}

TEST(Receiver, ItsLatencyRangeIsMinusAQuarterToFourSeconds) {
    Receiver receiver(config_of());
    FrameFactory factory(64, false);
    constexpr Ns kDeparture = Ns{1} << 40;
    constexpr Ns kNegative = Ns{1} << 28;
    constexpr Ns kMost = (Ns{1} << 32) - kNegative - 1;
    struct Row {
        Ns latency, recorded;
        uint64_t negative;
    };
    for (const Row& row : {Row{0, 0, 0}, Row{-1, 0, 1}, Row{-kNegative, 0, 1},
                           Row{-kNegative - 1, kMost, 0}, Row{kMost, kMost, 0}}) {
        receiver.begin_trial(1);
        for (uint64_t i = 0; i < 2; ++i) {
            account(receiver, factory.make({kRun, 1, 0}, i, kDeparture), kDeparture + row.latency);
        }
        EXPECT_EQ(receiver.latency().summary().min, row.recorded) << row.latency;
        EXPECT_EQ(receiver.counts().negative_latencies, 2 * row.negative) << row.latency;
        EXPECT_EQ(receiver.latency().count(), 2U);
    }
}

TEST(Receiver, JitterNeedsNoCommonClock) {
    FrameFactory factory(64, false);
    for (const Ns offset : {Ns{0}, Ns{-70'000}, Ns{1} << 31, (Ns{1} << 32) - 5}) {
        Receiver receiver(config_of());
        receiver.begin_trial(1);
        for (uint64_t i = 0; i < 100; ++i) {
            const auto at = static_cast<Ns>(i * 1000);
            account(receiver, factory.make({kRun, 1, 0}, i, at),
                    at + offset + (i % 2 == 0 ? 7 : 0));
        }
        EXPECT_EQ(receiver.jitter_sum(), 99U * 7) << offset;
    }
}

TEST(Receiver, StepsOverTheSequencesWrapWithLossCopyAndReordering) {
    FrameFactory factory(64, false);
    for (const uint64_t start : {(uint64_t{1} << 32) - 500, ~uint64_t{0} - 500}) {
        Receiver receiver(config_of());
        receiver.begin_trial(1, start);
        const auto arrive = [&](uint64_t i) {
            account(receiver, factory.make({kRun, 1, 0}, start + i), 1);
        };
        for (uint64_t i = 0; i < 1000; ++i) {
            if (i % 10 == 3) continue;  // lost
            if (i % 10 == 5) continue;  // late
            arrive(i);
            if (i % 10 == 7) arrive(i);
            if (i % 10 == 8) arrive(i - 3);
        }
        receiver.finish();
        EXPECT_EQ(receiver.received(), 1000U);
        EXPECT_EQ(receiver.counts().duplicated, 100U);
        EXPECT_EQ(receiver.counts().reordered, 100U);
        EXPECT_EQ(receiver.counts().surplus, 0U);
        EXPECT_EQ(receiver.tracker(0).seen_count(), 900U);
        EXPECT_EQ(receiver.believed_end(0), start + 1000);
    }
}

TEST(Receiver, StepsOverTheTrialsWrap) {
    Receiver receiver(config_of());
    FrameFactory factory(64, false);
    for (uint32_t trial = 254; trial < 259; ++trial) {
        receiver.begin_trial(trial);
        const auto now = static_cast<uint8_t>(trial);
        account(receiver, factory.make({kRun, now, 0}, 0), 1);
        account(receiver, factory.make({kRun, static_cast<uint8_t>(trial - 1), 0}, 1), 1);
        account(receiver, factory.make({kRun, now, 0}, 1), 1);
        account(receiver, factory.make({kRun, static_cast<uint8_t>(trial - 1), 0}, 2), 1);
        EXPECT_EQ(receiver.received(), 2U);
        EXPECT_EQ(receiver.counts().stale, 2U);
        EXPECT_EQ(receiver.tracker(0).seen_count(), 2U);
    }
}

TEST(Receiver, ATrialBeginsWithNothingOfTheLast) {
    Receiver receiver(config_of({2, 4}, true));
    FrameFactory factory(64, false);
    for (const uint32_t trial : {1U, 2U}) {
        receiver.begin_trial(trial);
        EXPECT_EQ(receiver.received(), 0U);
        EXPECT_EQ(receiver.latency().count(), 0U);
        EXPECT_EQ(receiver.jitter_sum(), 0U);
        EXPECT_EQ(receiver.first_receipt(), 0);
        EXPECT_EQ(receiver.flows()[3].received, 0U);
        const auto id = static_cast<uint8_t>(trial);
        for (const uint64_t sequence : {0U, 1U, 1U, 7U, 3U}) {
            account(receiver, factory.make({kRun, id, 1}, sequence), 1);
        }
        account(receiver, Frame(60), 1);
        receiver.finish();
        EXPECT_EQ(receiver.received(), 5U);
        EXPECT_EQ(receiver.counts().duplicated, 1U);
        EXPECT_EQ(receiver.counts().reordered, 1U);
        EXPECT_EQ(receiver.counts().foreign.total(), 1U);
    }
}

TEST(Receiver, CountsFlowsInOrderAndOutOfIt) {
    FrameFactory factory(64, false);
    for (const auto& [streams, flows] : {std::pair{1U, 1U}, {1U, 3U}, {2U, 7U}, {4U, 3U}}) {
        Receiver receiver(config_of({streams, flows}, true));
        receiver.begin_trial(1);
        std::vector<uint64_t> expected(flows);
        const SinkModel model(receiver.config(), 1, 0);
        for (uint64_t i = 0; i < 300; ++i) {
            const auto stream = static_cast<uint8_t>(i % streams);
            const uint64_t sequence = i / streams + i / 70;  // a gap every 70 frames
            ++expected[model.flow_number(stream, static_cast<int64_t>(sequence))];
            account(receiver, factory.make({kRun, 1, stream}, sequence), 1);
        }
        for (uint32_t flow = 0; flow < flows; ++flow) {
            EXPECT_EQ(receiver.flows()[flow].received, expected[flow]) << streams << ' ' << flow;
        }
    }
}

TEST(Receiver, AStreamThatTheRunDoesNotHaveIsSurplus) {
    Receiver receiver(config_of({2, 2}, true));
    FrameFactory factory(64, false);
    receiver.begin_trial(1);
    account(receiver, factory.make({kRun, 1, 2}, 0, 100), 150);
    account(receiver, factory.make({kRun, 1, 255}, 0, 100), 150);
    receiver.finish();
    EXPECT_EQ(receiver.received(), 2U);
    EXPECT_EQ(receiver.counts().surplus, 2U);
    EXPECT_EQ(receiver.counts().corrupted, 0U);
    EXPECT_EQ(receiver.latency().count(), 2U);
}

Frame with_ethertype(uint16_t type, size_t size = 60) {
    Frame frame(size);
    frame[12] = static_cast<uint8_t>(type >> 8);
    frame[13] = static_cast<uint8_t>(type);
    return frame;
}

TEST(Receiver, FilesForeignFramesByClass) {
    Receiver receiver(config_of());
    FrameFactory factory(64, false);
    receiver.begin_trial(1);
    account(receiver, with_ethertype(0x0806), 1);
    account(receiver, with_ethertype(0x0806, 42), 1);
    account(receiver, with_ethertype(0x86DD), 1);
    Frame stp = with_ethertype(38);
    stp[14] = stp[15] = 0x42;
    account(receiver, stp, 1);
    account(receiver, factory.make({kRun + 1, 1, 0}, 0), 1);
    account(receiver, Frame(5), 1);
    account(receiver, Frame(), 1);
    EXPECT_EQ(receiver.received(), 0U);
    EXPECT_EQ(receiver.first_receipt(), 0);
    EXPECT_THAT(receiver.counts().foreign.by_name(),
                ElementsAre(Pair("ARP", 2), Pair("IPv6", 1), Pair("STP", 1), Pair("other-run", 1),
                            Pair("runt", 2)));
}

TEST(Receiver, KnowsItsFramesBehindATagThatASwitchAdded) {
    ReceiverConfig config = config_of();
    config.payload_check = true;
    config.addresses = kAddresses;
    Receiver receiver(config);
    FrameFactory factory(128, true);
    receiver.begin_trial(1);
    for (const uint64_t sequence : {0U, 1U, 3U}) {
        Frame frame = factory.make({kRun, 1, 0}, sequence);
        frame.insert(frame.begin() + 12, {0x81, 0x00, 0x20, 0x07});
        account(receiver, frame, 1);
    }
    receiver.finish();
    EXPECT_EQ(receiver.received(), 3U);
    EXPECT_EQ(receiver.counts().corrupted, 0U);
    EXPECT_EQ(receiver.tracker(0).seen_count(), 3U);
}

TEST(Receiver, TakesFramesOfEverySize) {
    for (const bool check : {false, true}) {
        ReceiverConfig config = config_of();
        config.payload_check = check;
        config.addresses = kAddresses;
        Receiver receiver(config);
        for (const uint32_t size : {64U, 65U, 67U, 68U, 69U, 1518U, 1519U, 9018U, 65535U}) {
            FrameFactory factory(size, check && size >= wire::kMinCrcFrameSize);
            receiver.begin_trial(1);
            for (const uint64_t sequence : {0U, 1U, 2U, 9U, 8U, 8U, 10U}) {
                account(receiver, factory.make({kRun, 1, 0}, sequence), 1);
            }
            receiver.finish();
            EXPECT_EQ(receiver.received(), 7U) << size;
            EXPECT_EQ(receiver.counts().corrupted, 0U) << size;
            EXPECT_EQ(receiver.counts().duplicated, 1U) << size;
            EXPECT_EQ(receiver.counts().reordered, 1U) << size;
            EXPECT_EQ(receiver.counts().surplus, 0U) << size;
        }
    }
}

}  // namespace
}  // namespace barewire::stats
