// SPDX-License-Identifier: BSD-3-Clause
// Frames through each kind of port, sent and received by the test itself: what goes in against
// what comes out, and every buffer back in its pool.
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "barewire/base/error.h"
#include "barewire/nic/eth_port.h"
#include "barewire/nic/pcap_port.h"
#include "barewire/nic/wire_port.h"
#include "barewire/stats/receiver.h"
#include "barewire/wire/frame_template.h"

#include "frames.h"

namespace barewire::nic {
namespace {

WireWay way_with(const link::WireDirection& character, uint32_t frame_size) {
    return {.character = character,
            .seed = 7,
            .direction = 0,
            .senders = 1,
            .receivers = 1,
            .largest_frame = frame_size};
}

TEST(Wire, CarriesEverySizeUnchanged) {
    for (const uint32_t size : {64U, 65U, 1518U, 9018U, 65000U, 65535U}) {
        WirePath path(way_with({}, size));
        path.begin_trial(1);
        Sender sender(size, size >= wire::kMinCrcFrameSize);
        Sink sink(path.rx_queue(0));
        sender.send(path.tx_queue(0), 2000, [&] { sink.drain(); });
        const stats::ReceiverCounts counts = sink.finish().counts();
        EXPECT_EQ(counts.received, 2000U) << size;
        EXPECT_EQ(counts.corrupted, 0U) << size;
        EXPECT_EQ(counts.reordered, 0U) << size;
        EXPECT_EQ(path.counts().delivered, 2000U) << size;
        EXPECT_EQ(sender.buffers_out(), 0U) << size;
    }
}

TEST(Wire, DoesWhatItCounts) {
    const link::WireDirection character{
        .loss = 0.01, .duplicate = 0.01, .reorder = 0.01, .corrupt = 0.01, .truncate = 0.01};
    constexpr uint32_t kFrames = 200'000;
    WirePath path(way_with(character, 128));
    path.begin_trial(1);
    Sender sender(128);
    Sink sink(path.rx_queue(0));
    sender.send(path.tx_queue(0), kFrames, [&] { sink.drain(); });
    const stats::Receiver& receiver = sink.finish();
    const stats::ReceiverCounts counts = receiver.counts();
    const plan::WireCounts wire = path.counts();
    EXPECT_EQ(wire.entered, kFrames);
    EXPECT_EQ(wire.delivered, counts.received);
    EXPECT_EQ(kFrames - receiver.tracker(0).seen_count(), wire.lost);
    EXPECT_EQ(counts.duplicated, wire.duplicated);
    EXPECT_EQ(counts.reordered, wire.reordered);
    EXPECT_EQ(counts.corrupted, wire.corrupted + wire.truncated);
    EXPECT_EQ(counts.surplus, 0U);
    for (const plan::Count count :
         {wire.lost, wire.duplicated, wire.reordered, wire.corrupted, wire.truncated}) {
        EXPECT_GT(count, kFrames / 200);  // each did happen, at about 1%
        EXPECT_LT(count, kFrames / 50);
    }
    EXPECT_EQ(sender.buffers_out(), 0U);
}

TEST(Wire, ABitAnywhereIsSeenOrForeign) {
    constexpr uint32_t kFrames = 100'000;
    WirePath path(way_with({.corrupt_any = 0.05}, 128));
    path.begin_trial(1);
    Sender sender(128);
    Sink sink(path.rx_queue(0));
    sender.send(path.tx_queue(0), kFrames, [&] { sink.drain(); });
    const stats::Receiver& receiver = sink.finish();
    const stats::ReceiverCounts counts = receiver.counts();
    EXPECT_EQ(counts.received + counts.foreign.total() + counts.stale, kFrames);
    EXPECT_EQ(counts.corrupted + counts.foreign.total(), path.counts().corrupted_any);
    EXPECT_GT(counts.foreign.total(), 0U);
    EXPECT_EQ(counts.duplicated, 0U);
    EXPECT_EQ(counts.reordered, 0U);
}

TEST(Wire, DropsWhatIsTooLarge) {
    WirePath narrow(way_with({.mtu = 1500}, 1519));
    narrow.begin_trial(1);
    Sender full(1518);
    Sink sink(narrow.rx_queue(0));
    full.send(narrow.tx_queue(0), 10, [&] { sink.drain(); });
    EXPECT_EQ(sink.finish().counts().received, 10U);
    EXPECT_EQ(narrow.counts().over_mtu, 0U);
}

TEST(Wire, DropsOneByteOverItsMtu) {
    WirePath narrow(way_with({.mtu = 1500}, 1519));
    narrow.begin_trial(1);
    Sender over(1519);
    Sink sink(narrow.rx_queue(0));
    over.send(narrow.tx_queue(0), 10, [&] { sink.drain(); });
    EXPECT_EQ(sink.finish().counts().received, 0U);
    EXPECT_EQ(narrow.counts().over_mtu, 10U);
    EXPECT_EQ(over.buffers_out(), 0U);
}

TEST(Wire, SpreadsFlowsOverReceivers) {
    WirePath path({.character = {},
                   .seed = 1,
                   .direction = 0,
                   .senders = 1,
                   .receivers = 2,
                   .largest_frame = 64});
    path.begin_trial(1);
    const wire::FrameTemplate frame(64, {.src_port = 49152}, {kRun, 1, 0}, false);
    FramePool pool("flows", 64, 60, 1);
    ASSERT_TRUE(pool.prebuild(frame.bytes()));
    TxQueue queue = path.tx_queue(0);
    for (uint32_t flow = 0; flow < 8; ++flow) {
        rte_mbuf* buffer = nullptr;
        ASSERT_TRUE(pool.get(&buffer, 1));
        frame.stamp<false, true>(rte_pktmbuf_mtod(buffer, uint8_t*), frame.flow_stamp(flow), flow,
                                 0);
        ASSERT_EQ(queue.send(&buffer, 1), 1);
    }
    std::array<rte_mbuf*, kBurst> burst{};
    for (uint32_t receiver = 0; receiver < 2; ++receiver) {
        const uint16_t n = path.rx_queue(receiver).receive(burst.data(), kBurst);
        EXPECT_EQ(n, 4) << receiver;
        rte_pktmbuf_free_bulk(burst.data(), n);
    }
}

TEST(Null, TakesEverythingAndCountsIt) {
    EthPort port({plan::PortKind::null, "null", {}, {}},
                 {.tx_queues = 1, .rx_queues = 1, .largest_frame = 64});
    port.begin_trial(1);
    Sender sender(64, false);
    sender.send(port.tx_queue(0), 10'000, [] {});
    EXPECT_EQ(port.counters().opackets, 10'000U);
    std::array<rte_mbuf*, kBurst> burst{};
    EXPECT_EQ(port.rx_queue(0).receive(burst.data(), kBurst), 0);
    EXPECT_EQ(sender.buffers_out(), 0U);
    port.begin_trial(2);
    EXPECT_EQ(port.counters().opackets, 0U);
}

class PcapFile {
  public:
    PcapFile() {
        std::array<char, 32> name{"/tmp/barewire-test-XXXXXX"};
        close(mkstemp(name.data()));
        path_ = name.data();
    }
    ~PcapFile() { std::filesystem::remove(path_); }
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
};

TEST(Pcap, ReadsBackWhatItWrote) {
    for (const uint32_t size : {64U, 9018U, 65535U}) {
        const PcapFile file;
        Sender sender(size, size >= wire::kMinCrcFrameSize);
        {
            PcapPort out({plan::PortKind::pcap, "pcap", "", file.path()},
                         {.tx_queues = 1, .rx_queues = 0, .largest_frame = size});
            sender.send(out.tx_queue(0), 500, [] {});
            EXPECT_EQ(out.counters().opackets, 500U);
            EXPECT_EQ(out.failure(), "");
        }
        PcapPort in({plan::PortKind::pcap, "pcap", file.path(), ""},
                    {.tx_queues = 0, .rx_queues = 1, .largest_frame = size});
        Sink sink(in.rx_queue(0));
        const stats::ReceiverCounts counts = sink.finish().counts();
        EXPECT_EQ(counts.received, 500U) << size;
        EXPECT_EQ(counts.corrupted, 0U) << size;
        EXPECT_TRUE(in.exhausted()->load());
        EXPECT_EQ(in.failure(), "");
        EXPECT_EQ(sender.buffers_out(), 0U);
    }
}

TEST(Pcap, AFullDiskIsAFailureAndNothingIsCountedAsSent) {
    PcapPort out({plan::PortKind::pcap, "pcap", "", "/dev/full"},
                 {.tx_queues = 1, .rx_queues = 0, .largest_frame = 65535});
    const wire::FrameTemplate frame(65535, {}, {kRun, 1, 0}, true);
    FramePool pool("full", 8, 65531, 1);
    ASSERT_TRUE(pool.prebuild(frame.bytes()));
    rte_mbuf* buffer = nullptr;
    ASSERT_TRUE(pool.get(&buffer, 1));
    TxQueue queue = out.tx_queue(0);
    EXPECT_EQ(queue.send(&buffer, 1), 0);
    rte_pktmbuf_free(buffer);
    EXPECT_THAT(out.failure(), testing::HasSubstr("No space left"));
    EXPECT_EQ(out.counters().opackets, 0U);
}

TEST(Pcap, WhatDidNotLeaveTheBufferIsAFailureToo) {
    PcapPort out({plan::PortKind::pcap, "pcap", "", "/dev/full"},
                 {.tx_queues = 1, .rx_queues = 0, .largest_frame = 64});
    Sender sender(64, false);
    sender.send(out.tx_queue(0), 3, [] {});  // flushes at the end
    EXPECT_THAT(out.failure(), testing::HasSubstr("No space left"));
}

TEST(Pcap, RefusesWhatIsNoEthernetCapture) {
    const PcapFile empty;
    EXPECT_THROW(PcapPort({plan::PortKind::pcap, "pcap", empty.path(), ""},
                          {.tx_queues = 0, .rx_queues = 1, .largest_frame = 64}),
                 ConfigError);
    EXPECT_THROW(PcapPort({plan::PortKind::pcap, "pcap", "/nonexistent.pcap", ""},
                          {.tx_queues = 0, .rx_queues = 1, .largest_frame = 64}),
                 ConfigError);
}

TEST(Pcap, ACaptureCutInTheMiddleOfARecordIsAFailure) {
    const PcapFile file;
    Sender sender(1518);
    {
        PcapPort out({plan::PortKind::pcap, "pcap", "", file.path()},
                     {.tx_queues = 1, .rx_queues = 0, .largest_frame = 1518});
        sender.send(out.tx_queue(0), 3, [] {});
    }
    std::filesystem::resize_file(file.path(), std::filesystem::file_size(file.path()) - 700);
    PcapPort in({plan::PortKind::pcap, "pcap", file.path(), ""},
                {.tx_queues = 0, .rx_queues = 1, .largest_frame = 1518});
    Sink sink(in.rx_queue(0));
    EXPECT_EQ(sink.finish().counts().received, 2U);
    EXPECT_THAT(in.failure(), testing::HasSubstr("ends inside a record"));
}

}  // namespace
}  // namespace barewire::nic
