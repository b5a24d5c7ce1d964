// SPDX-License-Identifier: BSD-3-Clause
// Set-ups of devices, recorded and documented ones: what holds of every choice, then the cases.
#include "barewire/plan/device_choice.h"

#include <bit>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device_facts.h"

namespace barewire::plan {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

DeviceChoice chosen(const DeviceFacts& facts, const DeviceWish& wish) {
    std::vector<std::string> problems;
    DeviceChoice choice = choose_device(facts, wish, problems);
    EXPECT_THAT(problems, IsEmpty());
    return choice;
}

std::vector<std::string> refused(const DeviceFacts& facts, const DeviceWish& wish) {
    std::vector<std::string> problems;
    choose_device(facts, wish, problems);
    return problems;
}

void expect_within(const DescriptorLimits& limits, uint16_t count) {
    EXPECT_GE(count, limits.min);
    EXPECT_LE(count, limits.max);
    EXPECT_EQ(count % limits.align, 0);
    EXPECT_TRUE(std::has_single_bit(count)) << count;
}

/// A device would refuse, or behave otherwise than told, where one of these did not hold.
void expect_consistent(const DeviceFacts& facts, const DeviceWish& wish, const DeviceChoice& c) {
    expect_within(facts.rx_descriptors, c.rx_descriptors);
    expect_within(facts.tx_descriptors, c.tx_descriptors);
    EXPECT_LE(c.rx_queues, facts.max_rx_queues);
    EXPECT_LE(c.tx_queues, facts.max_tx_queues);
    EXPECT_TRUE(c.rx_queues >= wish.rx_workers || c.software_spread);
    EXPECT_TRUE(c.tx_queues >= wish.tx_workers || c.shared_tx);
    EXPECT_EQ(c.rss.empty(), c.rx_queues == 1);
    EXPECT_GE(c.rx_room, facts.min_rx_buffer);
    EXPECT_LE(c.rx_room, facts.max_rx_buffer);
    EXPECT_TRUE(c.chained || c.rx_room >= c.largest_frame - 4 + facts.rx_buffer_front);
    EXPECT_EQ(c.chained, c.rx_offloads.contains("SCATTER"));
    EXPECT_FALSE(c.tx_offloads.contains("MBUF_FAST_FREE") && c.tx_offloads.contains("MULTI_SEGS"));
    for (const auto& name : c.rx_offloads) EXPECT_TRUE(facts.rx_offloads.contains(name)) << name;
    for (const auto& name : c.tx_offloads) EXPECT_TRUE(facts.tx_offloads.contains(name)) << name;
    if (c.mtu) {
        EXPECT_EQ(facts.mtu_role, MtuRole::own);
        EXPECT_GE(*c.mtu, facts.min_mtu);
        EXPECT_LE(*c.mtu, facts.max_mtu);
        EXPECT_GE(*c.mtu + 18U, c.largest_frame);
    }
}

TEST(DeviceChoice, IsWithinEveryLimitWheneverItIsPossible) {
    size_t possible = 0;
    for (const DeviceFacts& facts :
         {null_facts(), memif_facts(), ring_facts(), af_xdp_facts(1500), af_xdp_facts(3438),
          tap_facts(), ixgbe_facts(), i40e_facts()}) {
        for (const uint32_t size : {0U, 64U, 1518U, 1522U, 3460U, 9018U, 15872U, 65535U}) {
            for (const uint32_t workers : {0U, 1U, 2U, 5U, 64U}) {
                for (const uint32_t buffers : {0U, 1U, 1000U, 65536U}) {
                    for (const bool one_pool : {false, true}) {
                        SCOPED_TRACE(facts.driver + " " + std::to_string(size) + " " +
                                     std::to_string(workers) + " " + std::to_string(buffers));
                        const DeviceWish wish{workers, workers, size, buffers, one_pool, false};
                        std::vector<std::string> problems;
                        const DeviceChoice choice = choose_device(facts, wish, problems);
                        if (!problems.empty()) continue;
                        ++possible;
                        expect_consistent(facts, wish, choice);
                    }
                }
            }
        }
    }
    EXPECT_GT(possible, 1000U);
}

TEST(DeviceChoice, SpreadsByTheDeviceWhereItHashesAndElseInSoftware) {
    const DeviceChoice nic = chosen(ixgbe_facts(), {4, 4, 1518, 0, false, false});
    EXPECT_EQ(nic.rx_queues, 4);
    EXPECT_EQ(nic.tx_queues, 4);
    EXPECT_THAT(nic.rss, ElementsAre("ipv4", "ipv4-udp"));
    EXPECT_FALSE(nic.software_spread || nic.shared_tx);
    const DeviceChoice memif = chosen(memif_facts(), {4, 4, 1518, 0, false, false});
    EXPECT_EQ(memif.rx_queues, 1);
    EXPECT_EQ(memif.tx_queues, 1);
    EXPECT_THAT(memif.rss, IsEmpty());
    EXPECT_TRUE(memif.software_spread && memif.shared_tx);
    DeviceFacts few = ixgbe_facts();
    few.max_rx_queues = 2;
    EXPECT_TRUE(chosen(few, {0, 4, 1518, 0, false, false}).software_spread);
    few = ixgbe_facts();
    few.rss = {"ipv4"};  // one pair of addresses would fall to one queue
    EXPECT_TRUE(chosen(few, {0, 4, 1518, 0, false, false}).software_spread);
}

TEST(DeviceChoice, FreesFastOnlyWhatComesFromOnePoolInOnePiece) {
    const auto offloads = [](bool one_pool, bool chained, uint32_t workers) {
        DeviceFacts facts = i40e_facts();
        facts.max_tx_queues = 2;
        return chosen(facts, {workers, 0, 1518, 0, one_pool, chained}).tx_offloads;
    };
    EXPECT_THAT(offloads(true, false, 1), ElementsAre("MBUF_FAST_FREE"));
    EXPECT_THAT(offloads(false, false, 1), IsEmpty());
    EXPECT_THAT(offloads(true, true, 1), ElementsAre("MULTI_SEGS"));
    EXPECT_THAT(offloads(true, false, 3), IsEmpty());  // pools of several workers meet in a queue
    EXPECT_THAT(refused(null_facts(), {1, 0, 1518, 0, false, true}),
                ElementsAre(HasSubstr("no MULTI_SEGS")));
}

TEST(DeviceChoice, SetsTheMtuThatTheLargestFrameNeeds) {
    EXPECT_EQ(chosen(ixgbe_facts(), {1, 1, 9018, 0, false, false}).mtu, 9000);
    EXPECT_EQ(chosen(ixgbe_facts(), {1, 1, 64, 0, false, false}).mtu, 1500);
    EXPECT_EQ(chosen(ixgbe_facts(), {1, 1, 15872, 0, false, false}).mtu, 15854);
    EXPECT_EQ(chosen(tap_facts(), {1, 1, 1522, 0, false, false}).mtu, 1504);
    EXPECT_EQ(chosen(af_xdp_facts(1500), {1, 1, 1518, 0, false, false}).mtu, std::nullopt);
    EXPECT_EQ(chosen(memif_facts(), {1, 1, 9018, 0, false, false}).mtu, std::nullopt);
    EXPECT_THAT(refused(i40e_facts(), {1, 1, 9721, 0, false, false}),
                ElementsAre(AllOf(HasSubstr("frames of 9721 bytes"),
                                  HasSubstr("net_i40e's largest MTU, 9702"),
                                  HasSubstr("use a smaller --size"))));
}

TEST(DeviceChoice, RefusesWhatAKernelInterfaceWouldDropSilently) {
    EXPECT_EQ(chosen(af_xdp_facts(1500), {1, 1, 1522, 0, false, false}).rx_room, 2048U);
    EXPECT_THAT(refused(af_xdp_facts(1500), {1, 1, 1523, 0, false, false}),
                ElementsAre(AllOf(HasSubstr("frames of 1523 bytes"), HasSubstr("largest has 1522"),
                                  HasSubstr("MTU, 1500"), HasSubstr("mtu 1505"))));
    EXPECT_THAT(refused(af_xdp_facts(1500), {1, 1, 9018, 0, false, false}),
                ElementsAre(AllOf(HasSubstr("net_af_xdp goes to MTU 3438 only"),
                                  HasSubstr("use af_packet:"))));
    EXPECT_THAT(refused(af_xdp_facts(9000), {1, 1, 64, 0, false, false}),
                ElementsAre(AllOf(HasSubstr("and this one has 9000"), HasSubstr("af_packet:"))));
}

TEST(DeviceChoice, TakesTheLargestFrameWhereNoneIsNamed) {
    EXPECT_EQ(chosen(af_xdp_facts(1500), {0, 1, 0, 0, false, false}).largest_frame, 1522U);
    EXPECT_EQ(chosen(i40e_facts(), {0, 1, 0, 0, false, false}).largest_frame, 9026U);
    EXPECT_EQ(chosen(memif_facts(), {0, 1, 0, 0, false, false}).largest_frame, 9026U);
}

TEST(DeviceChoice, ChainsBuffersOnlyWhereOneCannotHoldAFrame) {
    const DeviceChoice whole = chosen(ixgbe_facts(), {0, 1, 9018, 0, false, false});
    EXPECT_FALSE(whole.chained);
    EXPECT_EQ(whole.rx_room % 1024, 0U);
    DeviceFacts small = ixgbe_facts();
    small.max_rx_buffer = 4096;
    const DeviceChoice parts = chosen(small, {0, 1, 9018, 0, false, false});
    EXPECT_TRUE(parts.chained);
    EXPECT_EQ(parts.rx_room, 2048U);
    EXPECT_THAT(parts.rx_offloads, ElementsAre("SCATTER"));
    small.rx_offloads.clear();
    EXPECT_THAT(refused(small, {0, 1, 9018, 0, false, false}),
                ElementsAre(AllOf(HasSubstr("no SCATTER"), HasSubstr("4096"))));
}

TEST(DeviceChoice, HoldsAsManyFramesAsAskedFor) {
    const auto count = [](const DeviceFacts& facts, uint32_t buffers) {
        return chosen(facts, {0, 1, 1518, buffers, false, false}).rx_descriptors;
    };
    EXPECT_EQ(count(ixgbe_facts(), 0), 1024);
    EXPECT_EQ(count(ixgbe_facts(), 1), 32);
    EXPECT_EQ(count(ixgbe_facts(), 3000), 4096);
    EXPECT_EQ(count(af_xdp_facts(1500), 0), 2048);
    DeviceFacts eager = i40e_facts();
    eager.rx_descriptors.preferred = eager.tx_descriptors.preferred = 2048;
    EXPECT_EQ(count(eager, 0), 2048);
    EXPECT_EQ(chosen(eager, {1, 0, 1518, 0, false, false}).tx_descriptors, kNicDescriptors);
    EXPECT_THAT(refused(ixgbe_facts(), {0, 1, 1518, 4097, false, false}),
                ElementsAre(AllOf(HasSubstr("--rx-buffers 4097"), HasSubstr("use 4096 or less"))));
}

}  // namespace
}  // namespace barewire::plan
