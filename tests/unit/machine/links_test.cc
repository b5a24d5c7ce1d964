// SPDX-License-Identifier: BSD-3-Clause
// The kernel's list of interfaces, out of made-up netlink messages and out of the kernel.
#include "barewire/machine/links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <net/if.h>
#include <net/if_arp.h>

#include "netlink_answer.h"

namespace barewire::machine {
namespace {

using testing::Contains;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Links, AMemberOfABridge) {
    const std::string info = attribute(IFLA_INFO_KIND, "dummy");
    const auto links = parse_links(link_message(
        7, ARPHRD_ETHER, IFF_UP | IFF_BROADCAST,
        named("d0") + attribute(IFLA_ADDRESS, std::string("\x02\x00\x00\x00\x00\x01", 6)) +
            attribute(IFLA_MTU, bytes_of(uint32_t{9000})) +
            attribute(IFLA_CARRIER, std::string("\x01", 1)) + attribute(IFLA_MASTER, bytes_of(9)) +
            attribute(IFLA_LINKINFO, info)));
    ASSERT_THAT(links, SizeIs(1));
    const Link wanted = {.index = 7,
                         .name = "d0",
                         .kind = "dummy",
                         .hardware = ARPHRD_ETHER,
                         .flags = IFF_UP | IFF_BROADCAST,
                         .mtu = 9000,
                         .mac = {2, 0, 0, 0, 0, 1},
                         .carrier = true,
                         .master = 9,
                         .lower = 0};
    EXPECT_EQ(links[0], wanted);
}

TEST(Links, WhatAnInterfaceStandsOn) {
    const auto lower_of = [](const std::string& more) {
        const auto links = parse_links(link_message(
            3, ARPHRD_ETHER, 0, named("x") + attribute(IFLA_LINK, bytes_of(2)) + more));
        return links.at(0).lower;
    };
    EXPECT_EQ(lower_of(""), 2);
    // A veth's peer is no interface below it; an index of another namespace means nothing here.
    EXPECT_EQ(lower_of(attribute(IFLA_LINKINFO, attribute(IFLA_INFO_KIND, "veth"))), 0);
    EXPECT_EQ(lower_of(attribute(IFLA_LINK_NETNSID, bytes_of(1))), 0);
}

TEST(Links, TheCarrierOfWhatIsDownIsUnknown) {
    const std::string carrier = attribute(IFLA_CARRIER, std::string("\x00", 1));
    EXPECT_EQ(parse_links(link_message(1, 1, IFF_UP, named("a") + carrier)).at(0).carrier, false);
    EXPECT_EQ(parse_links(link_message(1, 1, 0, named("a") + carrier)).at(0).carrier, std::nullopt);
    EXPECT_EQ(parse_links(link_message(1, 1, IFF_UP, named("a"))).at(0).carrier, std::nullopt);
}

TEST(Links, StopsWhereTheAnswerIsCutOff) {
    const std::string two =
        link_message(1, 772, 0, named("lo")) + link_message(2, 1, 0, named("e"));
    EXPECT_THAT(parse_links(two), SizeIs(2));
    for (size_t length = 0; length < two.size(); ++length) {
        EXPECT_LE(parse_links(std::string_view(two).substr(0, length)).size(), 1U) << length;
    }
    std::string lies = link_message(1, 1, 0, named("a"));
    lies[sizeof(nlmsghdr) + sizeof(ifinfomsg)] = '\xff';  // length of the attribute
    EXPECT_THAT(parse_links(lies), IsEmpty());
    EXPECT_THAT(parse_links(message(NLMSG_DONE, "") + two), SizeIs(2));
}

TEST(Links, TheKernelHasALoopback) {
    EXPECT_THAT(read_links(), Contains(Field(&Link::hardware, ARPHRD_LOOPBACK)));
}

}  // namespace
}  // namespace barewire::machine
