// SPDX-License-Identifier: BSD-3-Clause
// From a command line to a plan, and every wrong request to its sentences.
#include "judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "barewire/plan/validate.h"

namespace barewire::cli {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct Judged {
    plan::Plan plan;
    std::vector<std::string> problems, notes;
    std::vector<std::pair<std::string, std::string>> effective;
};

/// All that happens to a request before anything is opened.
Judged judged(const CommandInfo& command, const std::vector<std::string>& args) {
    Request request = parse_request(command.name, command.bit, args, read_config_file);
    Judged out;
    out.problems = request.problems;
    out.plan = judge(command, request, out.problems, out.notes);
    for (const auto& more :
         {plan::validate(out.plan, {.cores_allowed = {0, 1}, .memory_available = 0}),
          judge_files(request, out.plan)}) {
        out.problems.insert(out.problems.end(), more.begin(), more.end());
    }
    out.effective = request.effective();
    return out;
}
Judged stress(const std::vector<std::string>& args) {
    return judged(kStressCommand, args);
}
Judged generate(const std::vector<std::string>& args) {
    return judged(kGenerateCommand, args);
}
Judged sink(const std::vector<std::string>& args) {
    return judged(kSinkCommand, args);
}

TEST(Judge, NothingTypedIsThePlanOfTheDefaults) {
    const Judged out = stress({});
    EXPECT_THAT(out.problems, IsEmpty());
    EXPECT_THAT(out.notes, IsEmpty());
    const plan::Plan typed;  // what the structure says must be what the table says
    EXPECT_EQ(out.plan.command, "stress");
    EXPECT_EQ(out.plan.tx->kind, plan::PortKind::wire_a);
    EXPECT_EQ(out.plan.rx->kind, plan::PortKind::wire_b);
    EXPECT_EQ(out.plan.wire, typed.wire);
    EXPECT_THAT(out.plan.sizes, ElementsAre(64U, 1518U, 9018U));
    EXPECT_EQ(out.plan.rate.kind, plan::RateKind::max);
    EXPECT_EQ(out.plan.late.kind, typed.late.kind);
    EXPECT_EQ(out.plan.late.limit_ns, typed.late.limit_ns);
    EXPECT_EQ(out.plan.duration_ns, typed.duration_ns);
    EXPECT_EQ(out.plan.count, typed.count);
    EXPECT_EQ(out.plan.flows, typed.flows);
    EXPECT_EQ(out.plan.repeat, typed.repeat);
    EXPECT_EQ(out.plan.seed, typed.seed);
    EXPECT_EQ(out.plan.interval_ns, typed.interval_ns);
    EXPECT_EQ(out.plan.line_bps, typed.line_bps);
    EXPECT_EQ(out.plan.addressing.src_ip, typed.addressing.src_ip);
    EXPECT_EQ(out.plan.addressing.dst_ip, typed.addressing.dst_ip);
    EXPECT_EQ(out.plan.addressing.src_port, typed.addressing.src_port);
    EXPECT_EQ(out.plan.addressing.dst_port, typed.addressing.dst_port);
    EXPECT_EQ(out.plan.addressing.src_mac, typed.addressing.src_mac);
    EXPECT_TRUE(out.plan.cores.generators.empty() && out.plan.cores.sinks.empty());
}

TEST(Judge, EveryOptionReachesThePlan) {
    const plan::Plan plan = stress({"--tx",
                                    "wire:b",
                                    "--rx",
                                    "wire:a",
                                    "--both-ways",
                                    "--wire",
                                    "loss=0.5",
                                    "--size",
                                    "70",
                                    "--rate",
                                    "5Mpps",
                                    "--late",
                                    "skip=1ms",
                                    "--flows",
                                    "9",
                                    "--src-mac",
                                    "02:00:00:00:00:07",
                                    "--dst-mac",
                                    "02:00:00:00:00:08",
                                    "--src-ip",
                                    "10.0.0.1",
                                    "--dst-ip",
                                    "10.0.0.2",
                                    "--src-port",
                                    "7",
                                    "--dst-port",
                                    "8",
                                    "--payload-check",
                                    "--line",
                                    "10Gbps",
                                    "--for",
                                    "2s",
                                    "--count",
                                    "77",
                                    "--cores",
                                    "generate=0;sink=1",
                                    "--repeat",
                                    "3",
                                    "--seed",
                                    "4",
                                    "--eal",
                                    "--no-pci",
                                    "--interval",
                                    "1s",
                                    "--expect",
                                    "loss=0"})
                                .plan;
    EXPECT_EQ(plan.tx->kind, plan::PortKind::wire_b);
    EXPECT_EQ(plan.rx->kind, plan::PortKind::wire_a);
    EXPECT_TRUE(plan.both_ways);
    EXPECT_EQ(plan.wire.b_to_a.loss, 0.5);
    EXPECT_THAT(plan.sizes, ElementsAre(70U));
    EXPECT_EQ(plan.rate.kind, plan::RateKind::frames);
    EXPECT_EQ(plan.rate.value, 5e6);
    EXPECT_EQ(plan.late.kind, plan::LatePolicy::Kind::skip);
    EXPECT_EQ(plan.flows, 9U);
    EXPECT_EQ(plan.addressing.src_mac->back(), 7);
    EXPECT_EQ(plan.addressing.dst_mac->back(), 8);
    EXPECT_EQ(plan.addressing.src_ip, 0x0A000001U);
    EXPECT_EQ(plan.addressing.dst_ip, 0x0A000002U);
    EXPECT_EQ(plan.addressing.src_port, 7);
    EXPECT_EQ(plan.addressing.dst_port, 8);
    EXPECT_TRUE(plan.payload_check);
    EXPECT_EQ(plan.line_bps, 10e9);
    EXPECT_EQ(plan.duration_ns, 2'000'000'000);
    EXPECT_EQ(plan.count, 77U);
    EXPECT_THAT(plan.cores.generators, ElementsAre(0));
    EXPECT_THAT(plan.cores.sinks, ElementsAre(1));
    EXPECT_EQ(plan.repeat, 3U);
    EXPECT_EQ(plan.seed, 4U);
    EXPECT_EQ(plan.eal, "--no-pci");
    EXPECT_EQ(plan.interval_ns, 1'000'000'000);
    EXPECT_EQ(plan.expect.size(), 1U);
}

TEST(Judge, CountAloneTakesThePlaceOfTheTime) {
    const Judged counted = stress({"--count", "1M"});
    EXPECT_THAT(counted.problems, IsEmpty());
    EXPECT_EQ(counted.plan.duration_ns, 0);
    EXPECT_EQ(counted.plan.count, 1'000'000U);
    EXPECT_THAT(counted.effective, testing::Contains(testing::Pair("for", "none")));
    const Judged both = stress({"--count", "5", "--for", "2s"});
    EXPECT_EQ(both.plan.duration_ns, 2'000'000'000);
    EXPECT_EQ(both.plan.count, 5U);
    EXPECT_THAT(stress({"--for", "none"}).problems,
                ElementsAre("the run has no end: --for 5s or --count 1000000"));
}

TEST(Judge, AFullFrameOfTheMtuIsPointedOut) {
    EXPECT_THAT(stress({"--size", "1500"}).notes, ElementsAre(HasSubstr("1518")));
    EXPECT_THAT(stress({"--size", "mtu:1500"}).notes, IsEmpty());
}

TEST(Judge, CoresHaveTheRolesOfTheCommand) {
    EXPECT_THAT(generate({"--port", "null", "--cores", "0,1"}).plan.cores.generators,
                ElementsAre(0, 1));
    EXPECT_THAT(stress({"--cores", "0,1"}).plan.cores.sinks, ElementsAre(1));
}

TEST(Judge, ASinkSendsNothing) {
    const plan::Plan plan = sink({"--port", "pcap:/dev/null", "--payload-check"}).plan;
    EXPECT_FALSE(plan.tx);
    EXPECT_EQ(plan.rx->pcap_in, "/dev/null");
    EXPECT_THAT(plan.sizes, IsEmpty());
    EXPECT_TRUE(plan.payload_check);
}

struct Wrong {
    const CommandInfo* command;
    std::vector<std::string> args;
    std::vector<std::string> words;  ///< one for each problem, in order: what it must hold
};

class WrongRequests : public testing::TestWithParam<Wrong> {};

TEST_P(WrongRequests, AreToldInOneSentenceEach) {
    const Wrong& wrong = GetParam();
    const auto problems = judged(*wrong.command, wrong.args).problems;
    ASSERT_EQ(problems.size(), wrong.words.size()) << testing::PrintToString(problems);
    for (size_t i = 0; i < problems.size(); ++i) {
        EXPECT_THAT(problems[i], HasSubstr(wrong.words[i]));
        EXPECT_EQ(problems[i].find('\n'), std::string::npos) << problems[i];
    }
}

INSTANTIATE_TEST_SUITE_P(
    Judge, WrongRequests,
    testing::Values(
        Wrong{&kStressCommand, {"--sizes", "64"}, {"--size"}},
        Wrong{&kStressCommand, {"--payload"}, {"--payload-check"}},
        Wrong{&kStressCommand, {"--size", "63"}, {"64"}},
        Wrong{&kStressCommand, {"--size", "65536"}, {"65"}},
        Wrong{&kStressCommand, {"--size", "63,65536"}, {"63", "65536"}},
        Wrong{&kStressCommand, {"--rate", "10Gbits"}, {"10Gbps"}},
        Wrong{&kStressCommand, {"--rate", "100"}, {"pps"}},
        Wrong{&kStressCommand, {"--rate", "50%"}, {"--line"}},
        Wrong{&kStressCommand, {"--rate", "50%", "--line", "fast"}, {"--line fast"}},
        Wrong{&kStressCommand, {"--tx", "wire:a", "--rx", "wire:a"}, {"wire:a is named twice"}},
        Wrong{&kStressCommand, {"--tx", "wire:c"}, {"wire:c"}},
        Wrong{&kStressCommand, {"--tx", "wire:a"}, {"--rx is missing"}},
        Wrong{&kStressCommand, {"--rx", "wire:a"}, {"--tx is missing", "wire:a is named twice"}},
        Wrong{&kStressCommand, {"--tx", "eth0", "--rx", "wire:b"}, {"--tx eth0"}},
        Wrong{&kStressCommand, {"--cores", "7"}, {"there are cores 0 to 1"}},
        Wrong{&kStressCommand, {"--count", "many"}, {"--count many"}},
        Wrong{&kStressCommand, {"--for", "10"}, {"--for 10"}},
        Wrong{&kStressCommand, {"--progress", "yes"}, {"auto, always or never"}},
        Wrong{&kStressCommand, {"--json", "no/such/x.json"}, {"--json no/such/x.json: No such"}},
        Wrong{&kStressCommand, {"--csv", "/"}, {"--csv /: a folder, not a file"}},
        Wrong{&kStressCommand, {"--json", "-", "--csv", "-"}, {"both go to standard output"}},
        Wrong{&kStressCommand, {"--wire", "loss=2"}, {"--wire"}},
        Wrong{&kStressCommand, {"--src-ip", "1.2.3"}, {"--src-ip 1.2.3"}},
        Wrong{&kStressCommand, {"--dst-mac", "00:00:00:00:00:00"}, {"--dst-mac 00:00"}},
        Wrong{&kStressCommand, {"--src-mac", "x"}, {"--src-mac x"}},
        Wrong{&kStressCommand, {"--flows", "0"}, {"--flows 0"}},
        Wrong{&kStressCommand, {"--expect", "speed=1"}, {"--expect speed=1"}},
        Wrong{&kGenerateCommand, {"--size", "64"}, {"--port is missing"}},
        Wrong{&kGenerateCommand, {"--port", "wire:a"}, {"use stress"}},
        Wrong{&kGenerateCommand, {"--port", "null", "--expect", "loss=0"}, {"cannot know loss"}},
        Wrong{&kGenerateCommand, {"--port", "pcap:,no/such/x"}, {"no/such/x: No such file"}},
        Wrong{&kSinkCommand, {"--port", "pcap:missing.pcap"}, {"missing.pcap: No such file"}},
        Wrong{&kSinkCommand, {"--port", "null"}, {"null delivers nothing"}},
        Wrong{&kSinkCommand, {"--size", "64", "--port", "null"}, {"no option of sink", "null"}},
        Wrong{&kStressCommand,
              {"--size", "63", "--rate", "10Gbits", "--tx", "wire:a", "--rx", "wire:a"},
              {"63", "10Gbps", "wire:a is named twice"}}));

TEST(Judge, OnePortHereAndTheFarEndThere) {
    const Judged out = stress({"--port", "af_packet:eth1", "--far", "02:00:00:00:00:0b",
                               "--both-ways", "--flow-control", "rx", "--rx-buffers", "4096"});
    EXPECT_THAT(out.problems, IsEmpty());
    EXPECT_EQ(out.plan.tx->device, "eth1");
    EXPECT_EQ(out.plan.rx, std::nullopt);
    ASSERT_TRUE(out.plan.far);
    EXPECT_EQ(out.plan.far->mac, (plan::Addressing::Mac{2, 0, 0, 0, 0, 0x0B}));
    EXPECT_TRUE(out.plan.both_ways);
    EXPECT_EQ(out.plan.flow_control, plan::FlowControl::rx);
    EXPECT_EQ(out.plan.rx_buffers, 4096U);
    EXPECT_EQ(stress({"--port", "af_packet:eth1", "--far"}).plan.far->mac, std::nullopt);
}

TEST(Judge, CoresOfOneWayToAFarEndAllSend) {
    const Judged one = stress({"--port", "af_packet:eth1", "--far", "--cores", "0,1"});
    EXPECT_THAT(one.problems, IsEmpty());
    EXPECT_THAT(one.plan.cores.generators, ElementsAre(0, 1));
    EXPECT_THAT(one.plan.cores.sinks, IsEmpty());
    const Judged both =
        stress({"--port", "af_packet:eth1", "--far", "--both-ways", "--cores", "0,1"});
    EXPECT_THAT(both.plan.cores.generators, ElementsAre(0));
    EXPECT_THAT(both.plan.cores.sinks, ElementsAre(1));
}

TEST(Judge, WhatDoesNotGoWithAFarEndIsRefused) {
    EXPECT_THAT(stress({"--far"}).problems, ElementsAre(HasSubstr("--port is missing")));
    EXPECT_THAT(stress({"--port", "af_packet:eth1"}).problems,
                ElementsAre(HasSubstr("add --far, or name both ports")));
    EXPECT_THAT(stress({"--port", "af_packet:eth1", "--far", "--rx", "wire:b"}).problems,
                ElementsAre(HasSubstr("--rx has no place in a run with --far")));
    EXPECT_THAT(stress({"--port", "null", "--far"}).problems,
                ElementsAre(HasSubstr("no other host is behind it")));
    EXPECT_THAT(stress({"--port", "af_packet:eth1", "--far", "lab2"}).problems,
                ElementsAre(HasSubstr("--far lab2: a MAC address is six bytes")));
    EXPECT_THAT(stress({"--flow-control", "on"}).problems,
                ElementsAre(HasSubstr("--flow-control on: pause frames are off, heeded (rx)")));
    EXPECT_THAT(stress({"--port", "af_packet:eth1", "--far", "--expect", "p99<=1ms"}).problems,
                ElementsAre(HasSubstr("needs one clock, they have two")));
}

TEST(Judge, AnsweringEndsWaitWithoutAnEnd) {
    for (const CommandInfo* command : {&kSinkCommand, &kReflectCommand, &kFarCommand}) {
        const Judged out = judged(*command, {"--port", "af_packet:eth1"});
        EXPECT_THAT(out.problems, IsEmpty()) << command->name;
        EXPECT_EQ(out.plan.duration_ns, 0) << command->name;
        EXPECT_EQ(out.plan.rx->device, "eth1") << command->name;
    }
    const Judged far = judged(kFarCommand, {"--port", "af_packet:eth1", "--ip", "10.0.0.9",
                                            "--max-frame", "9018", "--for", "1h"});
    EXPECT_THAT(far.problems, IsEmpty());
    EXPECT_EQ(far.plan.own_ip, 0x0A000009U);
    EXPECT_EQ(far.plan.max_frame, 9018U);
    EXPECT_EQ(far.plan.tx, far.plan.rx);
}

TEST(Judge, AFarEndNeedsCoresForBothRoles) {
    EXPECT_THAT(judged(kFarCommand, {"--port", "af_packet:eth1", "--cores", "generate=0"}).problems,
                Contains(HasSubstr("far needs both roles")));
    EXPECT_THAT(
        judged(kFarCommand, {"--port", "af_packet:eth1", "--cores", "generate=0;sink=1"}).problems,
        IsEmpty());
}

TEST(Judge, NobodyIsBehindACapture) {
    EXPECT_THAT(judged(kReflectCommand, {"--port", "pcap:in.pcap"}).problems,
                Contains(HasSubstr("nobody is behind a capture to be answered")));
    EXPECT_THAT(judged(kFarCommand, {"--port", "wire:a"}).problems,
                Contains(HasSubstr("nobody in this process would send")));
}

}  // namespace
}  // namespace barewire::cli
