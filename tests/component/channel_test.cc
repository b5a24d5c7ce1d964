// SPDX-License-Identifier: BSD-3-Clause
// The control thread's way to a port that workers use: by itself, through them, and when they are
// done, in every order without a frame lost or doubled.
#include "engine/channel.h"

#include <vector>

#include <gtest/gtest.h>

#include "barewire/nic/eth_port.h"

namespace barewire::engine {
namespace {

/// What is sent on queue 0 of this port arrives on it.
class Channels : public testing::Test {
  protected:
    static constexpr uint32_t kLength = 60;

    static std::vector<uint8_t> frame(uint8_t content) {
        return std::vector<uint8_t>(kLength, content);
    }
    /// First bytes of what the control thread gets, in order.
    std::vector<int> received() {
        std::vector<int> contents;
        channel_.receive([&](std::span<const uint8_t> bytes) {
            EXPECT_EQ(bytes.size(), kLength);
            contents.push_back(bytes[0]);
        });
        return contents;
    }

    plan::PortSpec spec_{.kind = plan::PortKind::dpdk,
                         .text = "dpdk:net_ring7",
                         .pcap_in = {},
                         .pcap_out = {},
                         .device = "net_ring7"};
    nic::EthPort port_{spec_, {.tx_queues = 1, .rx_queues = 1, .largest_frame = 128}};
    Channel channel_{port_, 7, 1, 128};
};

TEST_F(Channels, BetweenTrialsTheQueuesAreTheControlThreads) {
    EXPECT_TRUE(channel_.send(frame(1)));
    EXPECT_TRUE(channel_.send(frame(2)));
    EXPECT_EQ(received(), (std::vector{1, 2}));
    EXPECT_EQ(received(), (std::vector<int>{}));
}

TEST_F(Channels, InATrialWorkersPassFramesOn) {
    std::atomic<bool> done{false};
    channel_.workers_receive();
    channel_.worker_sends(done);
    EXPECT_TRUE(channel_.send(frame(1)));
    nic::TxQueue tx = port_.tx_queue(0);
    nic::RxQueue rx = port_.rx_queue(0);
    rte_mbuf* got = nullptr;
    EXPECT_EQ(rx.receive(&got, 1), 0) << "sent by the control thread itself";
    send_for_control(channel_.outbox(), tx);
    EXPECT_EQ(received(), (std::vector<int>{})) << "received by the control thread itself";
    ASSERT_EQ(rx.receive(&got, 1), 1);
    ASSERT_EQ(rte_ring_enqueue(channel_.inbox(), got), 0);
    EXPECT_EQ(received(), std::vector{1});
    channel_.workers_rest();
}

TEST_F(Channels, WhatAWorkerLeftIsSentOnceItIsDone) {
    std::atomic<bool> done{false};
    channel_.workers_receive();
    channel_.worker_sends(done);
    EXPECT_TRUE(channel_.send(frame(1)));
    done = true;
    EXPECT_TRUE(channel_.send(frame(2)));
    channel_.workers_rest();
    EXPECT_EQ(received(), (std::vector{1, 2}));
}

TEST_F(Channels, WhatIsLeftAtTheEndOfATrialIsSentThen) {
    std::atomic<bool> done{false};
    channel_.worker_sends(done);
    EXPECT_TRUE(channel_.send(frame(1)));
    channel_.workers_rest();
    EXPECT_EQ(received(), std::vector{1});
}

TEST_F(Channels, ARingThatIsFullRefuses) {
    std::atomic<bool> done{false};
    channel_.worker_sends(done);
    uint32_t taken = 0;
    while (taken < 10'000 && channel_.send(frame(1))) ++taken;
    EXPECT_EQ(taken, 256U);
    EXPECT_FALSE(channel_.send(std::vector<uint8_t>(125))) << "no room for 125 bytes";
    channel_.workers_rest();
    EXPECT_EQ(received().size(), 256U);
}

}  // namespace
}  // namespace barewire::engine
