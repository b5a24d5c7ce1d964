// SPDX-License-Identifier: BSD-3-Clause
// Interfaces of the kernel as ports, over a veth pair: every frame that was taken arrives once, or
// is counted once where it was lost.
#include "barewire/nic/packet_port.h"

#include <linux/capability.h>
#include <map>
#include <sys/syscall.h>

#include <gmock/gmock.h>
#include <unistd.h>

#include "barewire/base/error.h"
#include "barewire/wire/frame_template.h"

#include "veth.h"

namespace barewire::nic {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Packet : public Veth {};

TEST_F(Packet, CarriesEverySizeUnchanged) {
    PacketPort a = open("va");
    PacketPort b = open("vb");
    Sender sender;
    std::vector<std::vector<uint8_t>> sent;
    TxQueue out = a.tx_queue(0);
    Received received;
    for (uint32_t length = 60; length <= 9014; length += length < 200 || length > 8900 ? 1 : 89) {
        sent.push_back(numbered(static_cast<uint32_t>(sent.size()), length));
        while (sender.send_one(out, sent.back()) == 0) received.take(b.rx_queue(0));
        received.take(b.rx_queue(0));
    }
    out.flush();
    received.drain(b.rx_queue(0));
    EXPECT_EQ(received.frames, sent);
    EXPECT_EQ(sender.buffers_out(), 0U);

    uint64_t bytes = 0;
    for (const auto& frame : sent) bytes += frame.size();
    const plan::PortCounters at_a = a.counters(), at_b = b.counters();
    EXPECT_EQ(at_a.opackets, sent.size());
    EXPECT_EQ(at_a.obytes, bytes);
    EXPECT_EQ(at_a.oerrors, 0U);
    EXPECT_EQ(at_b.ipackets, sent.size());
    EXPECT_EQ(at_b.ibytes, bytes);
    EXPECT_EQ(at_b.imissed, 0U);
    EXPECT_EQ(at_b.ierrors, 0U);
    EXPECT_EQ(at_b.rx_nombuf, 0U);
}

TEST_F(Packet, DoesNotReceiveWhatItSends) {
    PacketPort a = open("va");
    PacketPort b = open("vb");
    Sender sender;
    TxQueue from_a = a.tx_queue(0), from_b = b.tx_queue(0);
    EXPECT_EQ(sender.offer(from_a, 100, 60), 100U);
    EXPECT_EQ(sender.offer(from_b, 50, 60), 50U);
    Received at_a, at_b;
    at_a.drain(a.rx_queue(0));
    at_b.drain(b.rx_queue(0));
    EXPECT_EQ(at_a.numbers(), range(100, 50));
    EXPECT_EQ(at_b.numbers(), range(0, 100));
}

TEST_F(Packet, DoesNotReceiveWhatThisHostsKernelSends) {
    PacketPort a = open("va");
    PacketPort b = open("vb");
    run("ip addr add 198.18.0.1/24 dev va");
    run("bash -c 'echo > /dev/udp/198.18.0.2/9'");  // first, it asks for the address
    Received at_a, at_b;
    ASSERT_TRUE(comes_true([&] { return !at_b.take(b.rx_queue(0)); }));
    at_a.drain(a.rx_queue(0));
    EXPECT_EQ(at_a.frames.size(), 0U);
}

TEST_F(Packet, KeepsTags) {
    PacketPort a = open("va", 1522);
    PacketPort b = open("vb", 1522);
    Sender sender;
    TxQueue out = a.tx_queue(0);
    std::vector<std::vector<uint8_t>> sent;
    const std::array<uint8_t, 4> one{0x81, 0x00, 0xA0, 0x05}, outer{0x88, 0xA8, 0x6F, 0xFF};
    for (const uint32_t length : {56U, 1514U}) {
        auto frame = numbered(length, length);
        frame.insert(frame.begin() + 12, one.begin(), one.end());
        sent.push_back(frame);
        frame = numbered(length, length - 4);
        frame.insert(frame.begin() + 12, one.begin(), one.end());
        frame.insert(frame.begin() + 12, outer.begin(), outer.end());
        sent.push_back(frame);
    }
    for (const auto& frame : sent) EXPECT_EQ(sender.send_one(out, frame), 1U);
    Received received;
    received.drain(b.rx_queue(0));
    EXPECT_EQ(received.frames, sent);
}

TEST_F(Packet, SaysWhatTheInterfaceIs) {
    PacketPort a = open("va", 64, 0, 2);
    const plan::PortFacts facts = a.facts();
    EXPECT_EQ(facts.port, "af_packet:va");
    EXPECT_EQ(facts.mtu, 9000U);
    EXPECT_EQ(facts.max_frame, 9018U);
    EXPECT_EQ(facts.max_frame_by, "the MTU of va");
    EXPECT_EQ(facts.speed_bps, std::nullopt);
    EXPECT_EQ(facts.spread, "kernel hash");
    EXPECT_EQ(facts.rx_queues, 2U);
    EXPECT_EQ(facts.tx_queues, 1U);
    EXPECT_EQ(
        std::system(("test $(ip -br link show va | awk '{print $3}') = " + facts.mac).c_str()), 0);
}

std::vector<std::string> problems(const plan::PortSpec& spec, uint32_t largest_frame) {
    try {
        const PacketPort port(spec, {.largest_frame = largest_frame});
    } catch (const ConfigError& error) {
        return error.problems();
    }
    return {};
}

TEST_F(Packet, TellsAllThatIsWrongWithAnInterfaceAtOnce) {
    EXPECT_THAT(problems(spec("vc"), 64), ElementsAre(HasSubstr("no interface vc")));
    EXPECT_THAT(problems(spec("a-name-longer-than-any"), 64), ElementsAre(HasSubstr("no interf")));
    EXPECT_THAT(problems(spec("lo"), 64),
                ElementsAre(HasSubstr("no Ethernet interface"), HasSubstr("ip link set lo up")));
    run("ip link set va down");
    EXPECT_THAT(problems(spec("va"), 9019),
                ElementsAre(HasSubstr("ip link set va up"), HasSubstr("ip link set va mtu 9001")));
}

TEST_F(Packet, NamesTheCapabilityThatIsMissing) {
    __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
    std::array<__user_cap_data_struct, 2> data{};
    ASSERT_EQ(syscall(SYS_capget, &header, data.data()), 0);
    const auto before = data;
    data[0].effective &= ~(1U << CAP_NET_RAW);
    ASSERT_EQ(syscall(SYS_capset, &header, data.data()), 0);
    const auto found = problems(spec("va"), 9019);
    ASSERT_EQ(syscall(SYS_capset, &header, before.data()), 0);
    EXPECT_THAT(found, ElementsAre(HasSubstr("CAP_NET_RAW"), HasSubstr("mtu 9001")));
}

TEST_F(Packet, AStopEndsTheWaitForACarrier) {
    run("ip link set vb down");
    const std::atomic<bool> stop{true};
    const PacketPort port(spec("va"), {.largest_frame = 64, .stop = &stop});
}

/// The device drops what is sent without a carrier, and tells: the frame stays in the ring, is
/// tried to the end of the trial, and is then withdrawn as an error.
TEST_F(Packet, AnEndThatIsDownLosesWhatIsCountedAsErrors) {
    PacketPort a = open("va");
    PacketPort b = open("vb");
    a.begin_trial(1);
    Sender sender;
    TxQueue out = a.tx_queue(0);
    EXPECT_EQ(sender.offer(out, 100, 60), 100U);
    out.flush();
    run("ip link set vb down");
    const uint32_t taken = sender.offer(out, 1000, 60);
    EXPECT_GT(taken, 100U);
    EXPECT_LT(taken, 1000U);  // never blocks: takes what the ring holds
    out.flush();
    EXPECT_EQ(a.counters().opackets, 100U);
    EXPECT_EQ(a.counters().oerrors, taken);
    run("ip link set vb up");
    ASSERT_TRUE(comes_true([] { return std::system("ip link show va | grep -q LOWER_UP") == 0; }));
    const uint32_t first_again = sender.next();
    EXPECT_EQ(sender.offer(out, 100, 60), 100U);
    out.flush();
    Received received;
    received.drain(b.rx_queue(0));
    std::set<uint32_t> expected = range(0, 100);
    expected.merge(range(first_again, 100));
    EXPECT_EQ(received.numbers(), expected);
    EXPECT_EQ(received.frames.size(), 200U);
    EXPECT_EQ(a.counters().opackets, 200U);
    EXPECT_EQ(a.counters().oerrors, taken);
    EXPECT_EQ(a.failure(), "");
    EXPECT_EQ(sender.buffers_out(), 0U);
}

TEST_F(Packet, AnInterfaceThatIsDownForAWhileLosesAndDoublesNothing) {
    PacketPort a = open("va");
    PacketPort b = open("vb");
    a.begin_trial(1);
    Sender sender;
    TxQueue out = a.tx_queue(0);
    uint32_t taken = sender.offer(out, 100, 60);
    run("ip link set va down");
    taken += sender.offer(out, 100, 60);
    EXPECT_EQ(taken, 200U);
    EXPECT_EQ(a.counters().opackets, 100U);
    run("ip link set va up");
    ASSERT_TRUE(comes_true([] { return std::system("ip link show va | grep -q LOWER_UP") == 0; }));
    taken += sender.offer(out, 100, 60);
    out.flush();
    Received received;
    received.drain(b.rx_queue(0));
    EXPECT_EQ(received.numbers(), range(0, 300));
    EXPECT_EQ(received.frames.size(), 300U);
    EXPECT_EQ(a.counters().opackets, 300U);
    EXPECT_EQ(a.counters().oerrors, 0U);
    EXPECT_EQ(a.failure(), "");
}

TEST_F(Packet, FramesThatTheOtherEndIsTooNarrowForAreErrors) {
    PacketPort a = open("va");
    PacketPort b = open("vb");
    run("ip link set vb mtu 1500");
    a.begin_trial(1);
    Sender sender;
    TxQueue out = a.tx_queue(0);
    EXPECT_EQ(sender.offer(out, 50, 9014), 50U);
    out.flush();
    EXPECT_EQ(sender.offer(out, 50, 1514), 50U);
    out.flush();
    Received received;
    received.drain(b.rx_queue(0));
    EXPECT_EQ(received.numbers(), range(50, 50));
    EXPECT_EQ(a.counters().oerrors, 50U);
    EXPECT_EQ(a.counters().opackets, 50U);
}

TEST_F(Packet, AnMtuLoweredMeanwhileMakesErrorsAndTheQueueGoesOn) {
    PacketPort a = open("va");
    PacketPort b = open("vb");
    a.begin_trial(1);
    Sender sender;
    TxQueue out = a.tx_queue(0);
    run("ip link set va mtu 1500");
    EXPECT_EQ(sender.offer(out, 50, 9014), 50U);
    EXPECT_EQ(a.counters().oerrors, 50U);
    EXPECT_EQ(sender.offer(out, 50, 1514), 50U);
    out.flush();
    Received received;
    received.drain(b.rx_queue(0));
    EXPECT_EQ(received.numbers(), range(50, 50));
    EXPECT_EQ(a.counters().oerrors, 50U);
    EXPECT_EQ(a.counters().opackets, 50U);
    EXPECT_EQ(a.failure(), "");
}

TEST_F(Packet, WhatIsLongerThanThePortWasOpenedForIsAnError) {
    PacketPort a = open("va", 64);
    PacketPort b = open("vb");
    Sender sender;
    TxQueue out = a.tx_queue(0);
    EXPECT_EQ(sender.offer(out, 3, 61), 3U);
    EXPECT_EQ(a.counters().oerrors, 3U);
    EXPECT_EQ(sender.buffers_out(), 0U);
}

TEST_F(Packet, WhatATrialLeftWaitingIsNotTheNextOnes) {
    PacketPort a = open("va");
    PacketPort b = open("vb");
    Sender sender;
    TxQueue out = a.tx_queue(0);
    run("ip link set va down");
    EXPECT_EQ(sender.offer(out, 10, 60), 10U);
    a.begin_trial(2);
    run("ip link set va up");
    ASSERT_TRUE(comes_true([] { return std::system("ip link show va | grep -q LOWER_UP") == 0; }));
    EXPECT_EQ(sender.offer(out, 10, 60), 10U);
    out.flush();
    Received received;
    received.drain(b.rx_queue(0));
    EXPECT_EQ(received.numbers(), range(10, 10));
    EXPECT_EQ(a.counters().opackets, 10U);
    EXPECT_EQ(a.counters().oerrors, 0U);
}

TEST_F(Packet, AnInterfaceThatWentAwayIsAFailure) {
    PacketPort a = open("va");
    Sender sender;
    TxQueue out = a.tx_queue(0);
    run("ip link del va");
    EXPECT_EQ(sender.offer(out, 10, 60), 10U);
    out.flush();
    EXPECT_EQ(a.counters().oerrors, 10U);
    EXPECT_THAT(a.failure(), HasSubstr("sending over va"));
}

TEST_F(Packet, ARingTooSmallForASlowReaderMisses) {
    PacketPort a = open("va");
    PacketPort b = open("vb", 64, 64);
    b.begin_trial(1);
    Sender sender;
    TxQueue out = a.tx_queue(0);
    uint32_t sent = 0;
    ASSERT_TRUE(comes_true([&] { return (sent += sender.offer(out, 2000 - sent, 60)) == 2000; }));
    out.flush();
    Received received;
    received.drain(b.rx_queue(0));
    EXPECT_LT(received.frames.size(), 2000U);
    EXPECT_GE(received.frames.size(), 64U);
    EXPECT_EQ(received.frames.size() + *b.counters().imissed, 2000U);
    EXPECT_EQ(b.counters().imissed, 2000U - received.frames.size());  // reading resets nothing
    b.begin_trial(2);
    EXPECT_EQ(b.counters().imissed, 0U);
    EXPECT_EQ(b.counters().ipackets, 0U);
}

TEST_F(Packet, DoesNotDeliverWhatItHadToCut) {
    PacketPort a = open("va");
    PacketPort b = open("vb", 64);
    Sender sender;
    TxQueue out = a.tx_queue(0);
    EXPECT_EQ(sender.offer(out, 10, 1514), 10U);
    EXPECT_EQ(sender.offer(out, 10, 60), 10U);
    Received received;
    received.drain(b.rx_queue(0));
    EXPECT_EQ(received.numbers(), range(10, 10));
    EXPECT_EQ(b.counters().ierrors, 10U);
    EXPECT_EQ(b.counters().ipackets, 10U);
}

TEST_F(Packet, WithoutBuffersFramesWaitInTheRing) {
    PacketPort a = open("va");
    PacketPort b = open("vb");
    b.begin_trial(1);
    Sender sender;
    TxQueue out = a.tx_queue(0);
    uint32_t sent = 0;
    ASSERT_TRUE(comes_true([&] { return (sent += sender.offer(out, 3000 - sent, 60)) == 3000; }));
    out.flush();
    std::vector<rte_mbuf*> held(3000);
    uint32_t holding = 0;
    while (const uint16_t n = b.rx_queue(0).receive(&held[holding], kBurst)) holding += n;
    EXPECT_LT(holding, 3000U);
    rte_pktmbuf_free_bulk(held.data(), holding);
    Received received;
    received.drain(b.rx_queue(0));
    EXPECT_EQ(received.frames.size() + holding, 3000U);
    EXPECT_EQ(b.counters().rx_nombuf, 0U);
    EXPECT_EQ(b.counters().imissed, 0U);
}

TEST_F(Packet, SendsAllFramesOfAFlowToOneReceiver) {
    constexpr uint32_t kFlows = 64, kFrames = 20;
    PacketPort a = open("va", 64);
    PacketPort b = open("vb", 64, 0, 2);
    const wire::FrameTemplate frame(64, {.src_port = 49152}, {1, 1, 0}, false);
    FramePool pool("flows", 64, 60, 1);
    ASSERT_TRUE(pool.prebuild(frame.bytes()));
    TxQueue out = a.tx_queue(0);
    for (uint32_t i = 0; i < kFlows * kFrames; ++i) {
        rte_mbuf* buffer = nullptr;
        ASSERT_TRUE(pool.get(&buffer, 1));
        frame.stamp<false, true>(rte_pktmbuf_mtod(buffer, uint8_t*), frame.flow_stamp(i % kFlows),
                                 i, 0);
        ASSERT_TRUE(comes_true([&] { return out.send(&buffer, 1) == 1; }));
    }
    out.flush();
    std::map<uint16_t, std::set<uint32_t>> at;
    uint32_t frames = 0;
    for (uint32_t queue = 0; queue < 2; ++queue) {
        Received received;
        received.drain(b.rx_queue(queue));
        EXPECT_GT(received.frames.size(), kFrames);
        for (const auto& bytes : received.frames) {
            at[static_cast<uint16_t>(bytes[34] << 8 | bytes[35])].insert(queue);
            ++frames;
        }
    }
    EXPECT_EQ(frames, kFlows * kFrames);
    EXPECT_EQ(at.size(), kFlows);
    for (const auto& [port, queues] : at) EXPECT_EQ(queues.size(), 1U) << port;
}

}  // namespace
}  // namespace barewire::nic
