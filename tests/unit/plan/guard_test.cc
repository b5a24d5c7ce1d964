// SPDX-License-Identifier: BSD-3-Clause
// What the guard refuses, what lifts it, and what it leaves alone.
#include "barewire/plan/guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "barewire/plan/validate.h"

namespace barewire::plan {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

KernelInterface veth(const std::string& name) {
    KernelInterface interface;
    interface.name = name;
    interface.mac = {2, 0, 0, 0, 0, static_cast<uint8_t>(name.back())};
    interface.mtu = 1500;
    interface.up = true;
    interface.carrier = true;
    return interface;
}
KernelInterface nic(const std::string& name) {
    KernelInterface interface = veth(name);
    interface.real = true;
    interface.pci_address = "0000:3b:00.0";
    interface.speed_bps = 10e9;
    return interface;
}

PortSpec port(PortKind kind, const std::string& text, const std::string& device) {
    return {.kind = kind, .text = text, .pcap_in = {}, .pcap_out = {}, .device = device};
}
PortSpec packet(const std::string& interface) {
    return port(PortKind::af_packet, "af_packet:" + interface, interface);
}

Plan generate(const PortSpec& to) {
    Plan plan;
    plan.command = "generate";
    plan.tx = to;
    plan.sizes = {64, 1518};
    return plan;
}
Plan with(const PortSpec& spec, const std::string& command) {
    Plan plan;
    plan.command = command;
    plan.rx = spec;
    return plan;
}

/// A namespace with the default route out of eth0, and one interface more.
Network open_network(const KernelInterface& more) {
    KernelInterface eth0 = nic("eth0");
    eth0.pci_address = "0000:01:00.0";
    eth0.addresses = {"192.0.2.2/24"};
    eth0.routes = {"default", "192.0.2.0/24"};
    return {.interfaces = {eth0, more}, .holds_default_route = true};
}

TEST(Guard, AnInterfaceWithAnAddressBesideADefaultRouteIsRefused) {
    const auto found = guard(generate(packet("eth0")), open_network(veth("v0")));
    ASSERT_THAT(found.refusals, SizeIs(1));
    EXPECT_THAT(found.refusals[0],
                AllOf(HasSubstr("af_packet:eth0"), HasSubstr("192.0.2.2/24"),
                      HasSubstr("--i-own-this-network"), HasSubstr("namespace of its own")));
    EXPECT_THAT(found.lifted, IsEmpty());
}

TEST(Guard, EveryCommandThatOpensAPortIsGuarded) {
    for (const char* command : {"sink", "reflect", "far"}) {
        EXPECT_THAT(guard(with(packet("eth0"), command), open_network(veth("v0"))).refusals,
                    SizeIs(1))
            << command;
    }
}

TEST(Guard, OwningTheNetworkLiftsThatAndSaysSo) {
    Plan plan = generate(packet("eth0"));
    plan.own_network = true;
    const auto found = guard(plan, open_network(veth("v0")));
    EXPECT_THAT(found.refusals, IsEmpty());
    ASSERT_THAT(found.lifted, SizeIs(1));
    EXPECT_THAT(found.lifted[0],
                AllOf(HasSubstr("192.0.2.2/24"), Not(HasSubstr("--i-own-this-network"))));
}

TEST(Guard, ARouteAloneCountsToo) {
    KernelInterface routed = veth("v0");
    routed.routes = {"10.1.0.0/16"};
    EXPECT_THAT(guard(generate(packet("v0")), open_network(routed)).refusals,
                ElementsAre(HasSubstr("10.1.0.0/16")));
    routed.routes = {"10.1.0.0/16", "default"};
    EXPECT_THAT(guard(generate(packet("v0")), open_network(routed)).refusals,
                ElementsAre(HasSubstr("the default route")));
}

TEST(Guard, WhatStandsAboveAnInterfaceCounts) {
    KernelInterface member = veth("v0");
    member.master = "br0";
    Network network = open_network(member);
    EXPECT_THAT(guard(generate(packet("v0")), network).refusals, IsEmpty());
    KernelInterface bridge = veth("br0");
    bridge.addresses = {"10.0.0.1/24"};
    network.interfaces.push_back(bridge);
    EXPECT_THAT(guard(generate(packet("v0")), network).refusals,
                ElementsAre(HasSubstr("a member of br0, which has the address 10.0.0.1/24")));

    // A VLAN on a bridge with a member.
    network.interfaces.back().addresses.clear();
    KernelInterface vlan = veth("br0.7");
    vlan.lower = "br0";
    vlan.addresses = {"2001:db8::1/64"};
    network.interfaces.push_back(vlan);
    EXPECT_THAT(guard(generate(packet("v0")), network).refusals,
                ElementsAre(HasSubstr("br0.7, which has the address 2001:db8::1/64")));
}

TEST(Guard, ALoopOfNamesEnds) {
    KernelInterface one = veth("v0");
    one.master = "v0";
    one.lower = "v0";
    EXPECT_THAT(guard(generate(packet("v0")), open_network(one)).refusals, IsEmpty());
}

TEST(Guard, APrivateNamespaceNeedsNoLifting) {
    KernelInterface v0 = veth("v0");
    v0.addresses = {"198.18.0.1/24"};
    v0.routes = {"198.18.0.0/24"};
    EXPECT_THAT(guard(generate(packet("v0")), {{v0}, false}).refusals, IsEmpty());
}

TEST(Guard, APciPortIsTheInterfaceOfItsFunction) {
    const Network network = open_network(nic("eth1"));
    const auto at = [](const std::string& address) {
        return generate(port(PortKind::pci, address, address));
    };
    EXPECT_THAT(guard(at("0000:01:00.0"), network).refusals,
                ElementsAre(AllOf(HasSubstr("0000:01:00.0"), HasSubstr("eth0 has the address"))));
    EXPECT_THAT(guard(at("0000:3b:00.0"), network).refusals, IsEmpty());
    EXPECT_THAT(guard(at("0000:5e:00.0"), network).refusals, IsEmpty());
}

TEST(Guard, WhatReachesNobodyIsLeftAlone) {
    Network network = open_network(veth("v0"));
    for (const auto& spec :
         {port(PortKind::null, "null", ""), port(PortKind::wire_a, "wire:a", ""),
          port(PortKind::pcap, "pcap:,eth0", ""), port(PortKind::memif, "memif:eth0", "eth0")}) {
        Plan plan = generate(spec);
        plan.addressing.dst_ip = 0x08080808;
        plan.addressing.dst_mac = Addressing::Mac{255, 255, 255, 255, 255, 255};
        EXPECT_THAT(guard(plan, network).refusals, IsEmpty()) << spec.text;
    }
}

TEST(Guard, AnInterfaceThatIsNotThere) {
    EXPECT_THAT(guard(generate(packet("v9")), open_network(veth("v0"))).refusals,
                ElementsAre(AllOf(HasSubstr("af_packet:v9"), HasSubstr("eth0, v0"))));
    EXPECT_THAT(guard(generate(packet("v9")), {}).refusals, IsEmpty());
}

TEST(Guard, ANicWithoutLinkOrSpeed) {
    KernelInterface eth1 = nic("eth1");
    const auto found = [&] { return guard(generate(packet("eth1")), {{eth1}, false}).refusals; };
    EXPECT_THAT(found(), IsEmpty());
    eth1.carrier = false;
    EXPECT_THAT(found(), ElementsAre(HasSubstr("has no link")));
    eth1.up = false;
    EXPECT_THAT(found(), ElementsAre(HasSubstr("ip link set eth1 up")));
    eth1.real = false;
    EXPECT_THAT(found(), IsEmpty());
    eth1 = nic("eth1");
    eth1.speed_bps.reset();
    EXPECT_THAT(found(), ElementsAre(HasSubstr("--line 10Gbps")));
    Plan plan = generate(packet("eth1"));
    plan.line_bps = 10e9;
    EXPECT_THAT(guard(plan, {{eth1}, false}).refusals, IsEmpty());
    plan = generate(packet("eth1"));
    plan.own_network = true;
    EXPECT_THAT(guard(plan, {{eth1}, false}).refusals, SizeIs(1));
}

TEST(Guard, ADownFunctionIsForDpdkToRaise) {
    KernelInterface eth1 = nic("eth1");
    eth1.up = false;
    eth1.speed_bps.reset();
    const Plan plan = generate(port(PortKind::pci, "0000:3b:00.0", "0000:3b:00.0"));
    EXPECT_THAT(guard(plan, {{eth1}, false}).refusals, IsEmpty());
}

TEST(Guard, DestinationMac) {
    const Network network = {{veth("v0")}, false};
    Plan plan = generate(packet("v0"));
    plan.addressing.dst_mac = Addressing::Mac{1, 0, 0x5E, 0, 0, 1};
    EXPECT_THAT(guard(plan, network).refusals,
                ElementsAre(AllOf(HasSubstr("01:00:5e:00:00:01"), HasSubstr("--i-own"))));
    plan.own_network = true;
    EXPECT_THAT(guard(plan, network).lifted, ElementsAre(HasSubstr("group address")));
    plan.addressing.dst_mac = network.interfaces[0].mac;
    EXPECT_THAT(guard(plan, network).refusals, ElementsAre(HasSubstr("af_packet:v0 itself")));
    plan.addressing.dst_mac = Addressing::Mac{2, 0, 0, 0, 0, 99};
    EXPECT_THAT(guard(plan, network).refusals, IsEmpty());
}

TEST(Guard, AllZerosAreRefusedOnce) {
    Plan plan = generate(packet("v0"));
    plan.addressing.dst_mac = Addressing::Mac{};
    EXPECT_THAT(guard(plan, {{veth("v0")}, false}).refusals, IsEmpty());
    const MachineFacts machine = {
        .cores_allowed = {}, .memory_available = 0, .network = {{veth("v0")}, false}};
    EXPECT_THAT(validate(plan, machine), SizeIs(1));
}

TEST(Guard, DestinationIp) {
    const Network network = {{veth("v0")}, false};
    Plan plan = generate(packet("v0"));
    const auto refusals = [&](uint32_t ip) {
        plan.addressing.dst_ip = ip;
        return guard(plan, network).refusals;
    };
    for (const uint32_t ip : {0xC6120000U, 0xC613FFFFU, 0x0A000000U, 0x0AFFFFFFU, 0xAC100000U,
                              0xAC1FFFFFU, 0xC0A80000U, 0xC0A8FFFFU}) {
        EXPECT_THAT(refusals(ip), IsEmpty()) << std::hex << ip;
    }
    for (const uint32_t ip : {0xC611FFFFU, 0xC6140000U, 0x09FFFFFFU, 0x0B000000U, 0xAC0FFFFFU,
                              0xAC200000U, 0xC0A7FFFFU, 0xC0A90000U, 0xE0000001U, 0x08080808U}) {
        EXPECT_THAT(refusals(ip), ElementsAre(HasSubstr("198.18.0.0/15"))) << std::hex << ip;
    }
    plan.command = "sink";
    EXPECT_THAT(refusals(0x08080808), IsEmpty());
    plan.command = "generate";
    plan.own_network = true;
    EXPECT_THAT(refusals(0x08080808), IsEmpty());
    EXPECT_THAT(guard(plan, network).lifted, ElementsAre(HasSubstr("8.8.8.8")));
}

TEST(Guard, ARateAboveTheSpeed) {
    Network network = {{nic("eth1")}, false};
    Plan plan = generate(packet("eth1"));
    const auto refusals = [&](RateSpec rate) {
        plan.rate = rate;
        return guard(plan, network).refusals;
    };
    EXPECT_THAT(refusals({RateKind::max, 0}), IsEmpty());
    EXPECT_THAT(refusals({RateKind::l1, 10e9}), IsEmpty());
    EXPECT_THAT(refusals({RateKind::l1, 10.01e9}), ElementsAre(HasSubstr("10 Gb/s")));
    EXPECT_THAT(refusals({RateKind::frames, 14.88e6}),
                ElementsAre(AllOf(HasSubstr("1518 bytes"), HasSubstr("--rate"))));
    plan.own_network = true;
    EXPECT_THAT(refusals({RateKind::l1, 10.01e9}), SizeIs(1));
    network.interfaces[0].real = false;
    EXPECT_THAT(refusals({RateKind::l1, 40e9}), IsEmpty());
}

TEST(Guard, BothWaysTheReceiverSendsToo) {
    KernelInterface slow = nic("eth2");
    slow.speed_bps = 1e9;
    Plan plan = generate(packet("eth1"));
    plan.command = "stress";
    plan.rx = packet("eth2");
    plan.rate = {RateKind::l1, 5e9};
    const Network network = {{nic("eth1"), slow}, false};
    EXPECT_THAT(guard(plan, network).refusals, IsEmpty());
    plan.both_ways = true;
    EXPECT_THAT(guard(plan, network).refusals, ElementsAre(HasSubstr("af_packet:eth2 runs at 1 ")));
}

}  // namespace
}  // namespace barewire::plan
