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

/// A port that names a device, and what is to be found in PortSpec::device.
PortSpec device_port(PortKind kind, const std::string& text, const std::string& device,
                     bool server = false) {
    PortSpec port{kind, text, "", ""};
    port.device = device;
    port.memif_server = server;
    return port;
}

TEST(ParsePort, Devices) {
    const std::string longest_path = "/" + std::string(106, 'x');
    const std::vector<PortSpec> table = {
        device_port(PortKind::af_packet, "af_packet:eth0", "eth0"),
        device_port(PortKind::af_packet, "af_packet:abcdefghijklmno", "abcdefghijklmno"),
        device_port(PortKind::af_xdp, "af_xdp:enp3s0f1.100", "enp3s0f1.100"),
        device_port(PortKind::tap, "tap:bw0", "bw0"),
        device_port(PortKind::memif, "memif:/run/x.sock,role=server", "/run/x.sock", true),
        device_port(PortKind::memif, "memif:x,role=client", "x"),
        device_port(PortKind::memif, "memif:" + longest_path + ",role=client", longest_path),
        device_port(PortKind::pci, "0000:3b:00.0", "0000:3b:00.0"),
        device_port(PortKind::pci, "3B:1f.7", "0000:3b:1f.7"),
        device_port(PortKind::pci, "10aF:00:02.1", "10af:00:02.1"),
        device_port(PortKind::dpdk, "dpdk:net_ring0", "net_ring0"),
        device_port(PortKind::dpdk, "dpdk:net_pcap1,iface=eth0,x=a:b",
                    "net_pcap1,iface=eth0,x=a:b"),
    };
    for (const PortSpec& port : table) {
        Sentences problems;
        EXPECT_EQ(parse_port(port.text, problems), port) << port.text;
        EXPECT_THAT(problems, IsEmpty()) << port.text;
    }
}

TEST(ParsePort, RefusesWithWhatWouldBeRight) {
    const std::string exist = "no such port; a port is wire:a, wire:b, null, af_packet:IFACE";
    const std::string interface = "an interface's name has 1 to 15 characters";
    const std::string role = "comes ,role=server (it makes the socket) or ,role=client";
    const std::vector<Refusal> table = {
        {"eth0", exist},
        {"", exist},
        {"NULL", exist},
        {"null:", exist},
        {"3b:00", exist},
        {"192.168.0.1", exist},
        {"0000:3b:00.0,x", exist},
        {"3b:0g.0", exist},
        {"3b-00.0", exist},
        {"0000:3b:20.0", "slot of 00 to 1f and a function of 0 to 7"},
        {"3b:00.8", "slot of 00 to 1f and a function of 0 to 7"},
        {"wire", "ends are wire:a and wire:b"},
        {"wire:c", "ends are wire:a and wire:b"},
        {"pcap:", "pcap:IN.pcap,OUT.pcap"},
        {"pcap:,", "pcap:IN.pcap,OUT.pcap"},
        {"pcap:x,x", "name two files"},
        {std::string("pcap:a\0b", 8), "cannot hold a zero byte"},
        {"af_packet:", interface},
        {"af_packet:abcdefghijklmnop", interface},
        {"af_xdp:a b", interface},
        {"af_xdp:a/b", interface},
        {"af_xdp:eth0:1", interface},
        {"tap:..", interface},
        {std::string("tap:a\0b", 7), interface},
        {"tap:a,b", interface},
        {"memif:", "it names no socket"},
        {"memif:,role=server", "it names no socket"},
        {"memif:/run/x", role},
        {"memif:/run/x,", role},
        {"memif:/run/x,role=master", role},
        {"memif:/run/x,role=server,id=1", role},
        {"memif:/a,b,role=server", role},
        {std::string("memif:a\0b,role=server", 21), "cannot hold a zero byte"},
        {"memif:" + std::string(108, 'x') + ",role=server", "has 108 bytes"},
        {"dpdk:", "it names no device"},
        {"dpdk:,x=1", "it names no device"},
        {"dpdk:--vdev=net_null0", "it names no device"},
        {"dpdk:net_null0,a= b", "without blanks"},
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
