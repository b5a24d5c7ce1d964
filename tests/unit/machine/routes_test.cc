// SPDX-License-Identifier: BSD-3-Clause
// Routes out of made-up /proc/net/route and /proc/net/ipv6_route.
#include "barewire/machine/routes.h"

#include <bit>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace barewire::machine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view kTitle =
    "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT   \n";

/// The kernel prints the number that the address is in memory; these are of a little-endian one.
class Ipv4Routes : public testing::Test {
  protected:
    static std::vector<Route> parse(const std::string& lines) {
        static_assert(std::endian::native == std::endian::little);
        return parse_ipv4_routes(std::string(kTitle) + lines);
    }
};

TEST_F(Ipv4Routes, DefaultAndPrefix) {
    const auto routes = parse(
        "eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0   \n"
        "eth0\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0   \n");
    EXPECT_THAT(routes,
                ElementsAre(Route{"eth0", "default", false}, Route{"eth0", "192.0.2.0/24", false}));
}

TEST_F(Ipv4Routes, LinkLocalAndMulticastStandApart) {
    EXPECT_THAT(
        parse("eth0\t0000FEA9\t00000000\t0001\t0\t0\t1000\t0000FFFF\t0\t0\t0\n"
              "eth0\t000000E0\t00000000\t0001\t0\t0\t0\t000000F0\t0\t0\t0\n"),
        ElementsAre(Route{"eth0", "169.254.0.0/16", true}, Route{"eth0", "224.0.0.0/4", true}));
}

TEST_F(Ipv4Routes, WhatIsNotUpOrRejectsLeadsNowhere) {
    EXPECT_THAT(parse("eth0\t00000000\t010200C0\t0002\t0\t0\t0\t00000000\t0\t0\t0\n"
                      "*\t00000000\t00000000\t0201\t0\t0\t0\t00000000\t0\t0\t0\n"),
                IsEmpty());
}

TEST_F(Ipv4Routes, LinesThatAreNoneAreLeftOut) {
    EXPECT_THAT(parse("eth0\t0000000g\t0\t0001\t0\t0\t0\t00000000\neth0\n\n\t\t\n"
                      "eth1\t0000000A\t0\t0001\t0\t0\t0\t000000FF"),
                ElementsAre(Route{"eth1", "10.0.0.0/8", false}));
}

TEST_F(Ipv4Routes, ARouterSMillionIsNotKept) {
    std::string lines;
    for (int i = 1; i <= 1000; ++i) {
        lines += fmt::format("eth0\t{:08X}\t0\t0001\t0\t0\t0\tFFFFFFFF\n", i);
    }
    lines += "eth0\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n";
    const auto routes = parse(lines);
    ASSERT_THAT(routes, SizeIs(kMostRoutesKept + 1));
    EXPECT_EQ(routes.back().destination, "default");
}

TEST(Ipv6Routes, OfAHost) {
    // As a kernel printed them: a prefix, link-local, default, this host's own, multicast, and the
    // unreachable default route that every namespace has.
    const std::string none(32, '0');
    const auto line = [&](const std::string& to, const char* length, const char* flags,
                          const char* name) {
        return fmt::format("{} {} {} 00 {} 00000100 00000001 00000000 {}     {}\n", to, length,
                           none, none, flags, name);
    };
    const auto routes =
        parse_ipv6_routes(line("fd000000000000000000000000000000", "40", "00000001", "eth0") +
                          line("fe800000000000000000000000000000", "40", "00000001", "eth0") +
                          line(none, "00", "00000003", "eth0") +
                          line("fd000000000000000000000000000002", "80", "80200001", "eth0") +
                          line("ff000000000000000000000000000000", "08", "00000001", "eth0") +
                          line(none, "00", "00200200", "lo"));
    EXPECT_THAT(routes,
                ElementsAre(Route{"eth0", "fd00::/64", false}, Route{"eth0", "fe80::/64", true},
                            Route{"eth0", "default", false}, Route{"eth0", "ff00::/8", true}));
}

TEST(Ipv6Routes, LinesThatAreNoneAreLeftOut) {
    EXPECT_THAT(parse_ipv6_routes("fd 40\n\nx\n"), IsEmpty());
    EXPECT_THAT(parse_ipv6_routes(std::string(32, 'g') + " 00 0 0 0 0 0 0 00000001 eth0\n"),
                IsEmpty());
}

}  // namespace
}  // namespace barewire::machine
