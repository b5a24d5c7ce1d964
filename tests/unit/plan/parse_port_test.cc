// SPDX-License-Identifier: BSD-3-Clause
// Ports, addresses and port numbers.
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "barewire/plan/parse.h"

#include "refusals.h"

namespace barewire::plan {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ParsePort, EveryKindOfThisVersion) {
    const std::vector<PortSpec> table = {
        {PortKind::wire_a, "wire:a", "", ""},
        {PortKind::wire_b, "wire:b", "", ""},
        {PortKind::null, "null", "", ""},
        {PortKind::pcap, "pcap:IN.pcap,OUT.pcap", "IN.pcap", "OUT.pcap"},
        {PortKind::pcap, "pcap:IN.pcap", "IN.pcap", ""},
        {PortKind::pcap, "pcap:IN.pcap,", "IN.pcap", ""},
        {PortKind::pcap, "pcap:,OUT.pcap", "", "OUT.pcap"},
        {PortKind::pcap, "pcap:a:b,c,d", "a:b", "c,d"},
    };
    for (const PortSpec& port : table) {
        Sentences problems;
        EXPECT_EQ(parse_port(port.text, problems), port) << port.text;
        EXPECT_THAT(problems, IsEmpty()) << port.text;
    }
}

TEST(ParsePort, RefusesWithThePortsThatExist) {
    const std::string exist = "wire:a, wire:b, null or pcap:IN.pcap,OUT.pcap";
    const std::string later = "not in this version; use " + exist;
    const std::vector<Refusal> table = {
        {"af_packet:eth0", later},
        {"af_xdp:eth0", later},
        {"memif:/tmp/x,role=server", later},
        {"tap:bw0", later},
        {"dpdk:net_null0", later},
        {"0000:3b:00.0", later},
        {"3b:00.1", later},
        {"eth0", "no such port; a port is " + exist},
        {"", "a port is " + exist},
        {"NULL", "a port is " + exist},
        {"null:", "a port is " + exist},
        {"3b:00", "a port is " + exist},
        {"192.168.0.1", "a port is " + exist},
        {"wire", "ends are wire:a and wire:b"},
        {"wire:c", "ends are wire:a and wire:b"},
        {"pcap:", "pcap:IN.pcap,OUT.pcap"},
        {"pcap:,", "pcap:IN.pcap,OUT.pcap"},
        {"pcap:x,x", "name two files"},
        {std::string("pcap:a\0b", 8), "cannot hold a zero byte"},
    };
    for (const Refusal& refusal : table) {
        Sentences problems;
        parse_port(refusal.text, problems);
        expect_refusal(refusal, problems);
    }
}

TEST(ParseMac, SixBytesInHex) {
    Sentences problems;
    EXPECT_THAT(parse_mac("02:00:5e:10:aB:fF", problems),
                ElementsAre(0x02, 0x00, 0x5e, 0x10, 0xab, 0xff));
    EXPECT_THAT(parse_mac("ff:ff:ff:ff:ff:ff", problems),
                ElementsAre(0xff, 0xff, 0xff, 0xff, 0xff, 0xff));
    EXPECT_THAT(problems, IsEmpty());
    for (const char* text :
         {"", "02:00:00:00:00", "02:00:00:00:00:01:02", "2:0:0:0:0:1", "02-00-00-00-00-01",
          "02:00:00:00:00:0g", "02:00:00:00:00:+1", "02:00:00:00:00:01 ", "00:00:00:00:00:00"}) {
        problems.clear();
        parse_mac(text, problems);
        expect_refusal({text, "02:00:00:00:00:01"}, problems);
    }
}

TEST(ParseIpv4, DottedQuadsToHostOrder) {
    const std::vector<std::pair<std::string, uint32_t>> table = {{"198.18.0.1", 0xC6120001},
                                                                 {"0.0.0.0", 0},
                                                                 {"255.255.255.255", 0xFFFFFFFF},
                                                                 {"1.2.3.4", 0x01020304}};
    for (const auto& [text, address] : table) {
        Sentences problems;
        EXPECT_EQ(parse_ipv4(text, problems), address) << text;
        EXPECT_THAT(problems, IsEmpty()) << text;
    }
    for (const std::string& text :
         {std::string(), std::string("1.2.3"), std::string("1.2.3.4.5"), std::string("256.1.1.1"),
          std::string("1.2.3.04"), std::string("0x1.2.3.4"), std::string(" 1.2.3.4"),
          std::string("1.2.3.4 "), std::string("1.2.3.-4"), std::string("::1"),
          std::string("localhost"), std::string("1.2.3.4\0", 8), std::string("1.2.3.4/24")}) {
        Sentences problems;
        parse_ipv4(text, problems);
        expect_refusal({text, "as in 198.18.0.1"}, problems);
    }
}

TEST(ParsePortNumber, OneTo65535) {
    Sentences problems;
    EXPECT_EQ(parse_port_number("1", problems), 1);
    EXPECT_EQ(parse_port_number("65535", problems), 65535);
    EXPECT_THAT(problems, IsEmpty());
    for (const char* text : {"", "0", "65536", "-1", "+1", "80 ", "http", "8k"}) {
        problems.clear();
        parse_port_number(text, problems);
        expect_refusal({text, "1 to 65535"}, problems);
    }
}

}  // namespace
}  // namespace barewire::plan
