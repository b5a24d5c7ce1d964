// SPDX-License-Identifier: BSD-3-Clause
// What is concluded of made-up interfaces, and that this machine's own can be read.
#include "barewire/machine/interfaces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <net/if.h>
#include <net/if_arp.h>

namespace barewire::machine {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

Link link(int index, const std::string& name, const std::string& kind) {
    Link made;
    made.index = index;
    made.name = name;
    made.kind = kind;
    made.hardware = ARPHRD_ETHER;
    made.flags = IFF_UP;
    made.mtu = 1500;
    made.carrier = true;
    return made;
}

RawNetwork a_host() {
    RawNetwork raw;
    Link lo = link(1, "lo", "");
    lo.hardware = ARPHRD_LOOPBACK;
    raw.links = {lo, link(2, "eth0", ""), link(3, "br0", "bridge"), link(4, "v0", "veth"),
                 link(5, "eth0.7", "vlan")};
    raw.links[3].master = 3;
    raw.links[4].lower = 2;
    raw.addresses = {{"eth0", "192.0.2.2/24", false},
                     {"eth0", "fe80::1/64", true},
                     {"v0", "fe80::2/64", true},
                     {"gone0", "192.0.2.9/24", false}};
    raw.ipv4_routes =
        "Iface\tDestination\n"
        "eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n";
    raw.ipv6_routes =
        "fe800000000000000000000000000000 40 00000000000000000000000000000000 00 "
        "00000000000000000000000000000000 00000100 00000002 00000000 00000001     v0\n";
    raw.devices["eth0"] = {.driver = "ixgbe",
                           .bus = "0000:3b:00.0",
                           .speed_bps = 10e9,
                           .fec = "off",
                           .module = "SFP (SFF-8472)",
                           .numa_node = 1};
    raw.devices["v0"] = {.driver = "veth", .bus = "", .speed_bps = 10e9};
    return raw;
}

TEST(Interfaces, OfAHost) {
    const Interfaces found = interfaces_of(a_host());
    EXPECT_TRUE(found.holds_default_route);
    ASSERT_THAT(found.all, SizeIs(5));
    const Interface& eth0 = found.all[1];
    EXPECT_EQ(eth0.kind, "physical");
    EXPECT_TRUE(eth0.real);
    EXPECT_EQ(eth0.driver, "ixgbe");
    EXPECT_EQ(eth0.pci_address, "0000:3b:00.0");
    EXPECT_EQ(eth0.numa_node, 1);
    EXPECT_EQ(eth0.speed_bps, 10e9);
    EXPECT_EQ(eth0.fec, "off");
    EXPECT_THAT(eth0.addresses, ElementsAre("192.0.2.2/24"));
    EXPECT_THAT(eth0.link_local_addresses, ElementsAre("fe80::1/64"));
    EXPECT_THAT(eth0.routes, ElementsAre("default"));
    EXPECT_EQ(found.all[0].kind, "loopback");
    EXPECT_FALSE(found.all[0].real);
    EXPECT_EQ(found.all[4].lower, "eth0");
}

TEST(Interfaces, LinkLocalAddressesAndRoutesAreNoUse) {
    const Interface v0 = interfaces_of(a_host()).all[3];
    EXPECT_THAT(v0.addresses, IsEmpty());
    EXPECT_THAT(v0.routes, IsEmpty());
    EXPECT_THAT(v0.link_local_addresses, ElementsAre("fe80::2/64"));
    EXPECT_THAT(v0.link_local_routes, ElementsAre("fe80::/64"));
    EXPECT_EQ(v0.master, "br0");
}

TEST(Interfaces, WhatAVethCallsItsSpeedIsNone) {
    const Interfaces found = interfaces_of(a_host());
    EXPECT_EQ(found.all[3].kind, "veth");
    EXPECT_EQ(found.all[3].speed_bps, std::nullopt);
}

TEST(Interfaces, TheSpeedOfWhatIsDownIsUnknown) {
    RawNetwork raw = a_host();
    raw.links[1].flags = 0;
    EXPECT_EQ(interfaces_of(raw).all[1].speed_bps, std::nullopt);
}

TEST(Interfaces, ThePlanIsJudgedAgainstTheSame) {
    const plan::Network network = network_of(interfaces_of(a_host()));
    EXPECT_TRUE(network.holds_default_route);
    ASSERT_THAT(network.interfaces, SizeIs(5));
    EXPECT_THAT(network.interfaces[1].addresses, ElementsAre("192.0.2.2/24"));
    EXPECT_EQ(network.interfaces[3].master, "br0");
}

TEST(Interfaces, ThisMachineHasALoopback) {
    const Interfaces found = interfaces_of(read_network());
    EXPECT_THAT(found.all, Contains(Field(&Interface::kind, "loopback")));
}

TEST(Interfaces, PciAddresses) {
    for (const char* text : {"0000:3b:00.0", "10000:e1:00.7"}) EXPECT_TRUE(is_pci_address(text));
    for (const char* text :
         {"", "virtio2", "3b:00.0", "0000:3b:00", "0000:3b:00:0", "usb-0000:0"}) {
        EXPECT_FALSE(is_pci_address(text)) << text;
    }
}

}  // namespace
}  // namespace barewire::machine
