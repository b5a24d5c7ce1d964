// SPDX-License-Identifier: BSD-3-Clause
// Each impossible plan is refused in words that say what would be right; a sound one is not.
#include "barewire/plan/validate.h"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "barewire/base/knobs.h"

namespace barewire::plan {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const MachineFacts kTwoCores = {.cores_allowed = {0, 1}, .memory_available = 0};

PortSpec port(PortKind kind, const std::string& text) {
    return {.kind = kind, .text = text, .pcap_in = {}, .pcap_out = {}};
}
PortSpec capture(const std::string& in, const std::string& out) {
    return {
        .kind = PortKind::pcap, .text = "pcap:" + in + "," + out, .pcap_in = in, .pcap_out = out};
}

Plan stress() {
    Plan plan;
    plan.command = "stress";
    plan.tx = port(PortKind::wire_a, "wire:a");
    plan.rx = port(PortKind::wire_b, "wire:b");
    plan.sizes = {64, 1518, 9018};
    return plan;
}
Plan generate(const PortSpec& to) {
    Plan plan = stress();
    plan.command = "generate";
    plan.tx = to;
    plan.rx.reset();
    return plan;
}
Plan sink(const PortSpec& from) {
    Plan plan;
    plan.command = "sink";
    plan.rx = from;
    return plan;
}

std::vector<std::string> problems(const Plan& plan) {
    return validate(plan, kTwoCores);
}
std::vector<std::string> after(const std::function<void(Plan&)>& change) {
    Plan plan = stress();
    change(plan);
    return problems(plan);
}

TEST(Validate, SoundPlansPass) {
    EXPECT_THAT(problems(stress()), IsEmpty());
    EXPECT_THAT(problems(generate(port(PortKind::null, "null"))), IsEmpty());
    EXPECT_THAT(problems(generate(capture("", "out"))), IsEmpty());
    EXPECT_THAT(problems(sink(capture("in", ""))), IsEmpty());
    EXPECT_THAT(after([](Plan& p) { std::swap(p.tx, p.rx); }), IsEmpty());
    EXPECT_THAT(after([](Plan& p) {
                    p.cores = {.generators = {0, 0}, .sinks = {1, 1}};
                    p.sizes = {kMinFrameSize, kMaxFrameSize};
                    p.flows = kMaxFlows;
                    p.payload_check = true;
                }),
                IsEmpty());
}

TEST(Validate, BothEndsOfStressMustBeConnected) {
    EXPECT_THAT(after([](Plan& p) { p.rx = p.tx; }),
                ElementsAre("wire:a is named twice: a frame goes from one port to another, as "
                            "--tx wire:a --rx wire:b"));
    EXPECT_THAT(after([](Plan& p) { p.rx = port(PortKind::null, "null"); }),
                ElementsAre(HasSubstr("nothing would arrive: use generate --port null")));
    EXPECT_THAT(after([](Plan& p) { p.tx = capture("", "o"); }),
                ElementsAre(HasSubstr("then sink --port pcap:IN.pcap")));
}

TEST(Validate, OneEndAloneNeedsAPortThatCarries) {
    EXPECT_THAT(problems(generate(port(PortKind::wire_a, "wire:a"))),
                ElementsAre(HasSubstr("use stress, which has both ends")));
    EXPECT_THAT(problems(generate(capture("in", ""))),
                ElementsAre("pcap:in, names no capture to write: as pcap:,OUT.pcap"));
    EXPECT_THAT(problems(sink(port(PortKind::wire_b, "wire:b"))),
                ElementsAre(HasSubstr("use stress, which has both ends")));
    EXPECT_THAT(problems(sink(port(PortKind::null, "null"))),
                ElementsAre(HasSubstr("null delivers nothing")));
    EXPECT_THAT(problems(sink(capture("", "o"))), ElementsAre(HasSubstr("no capture to read")));
    EXPECT_THAT(problems(generate(capture("x", "x"))), ElementsAre(HasSubstr("overwrite")));
}

TEST(Validate, NoByteOfANameReachesTheTerminalRaw) {
    EXPECT_THAT(problems(generate(capture("a\x1b[2J", ""))),
                ElementsAre("pcap:a?[2J, names no capture to write: as pcap:,OUT.pcap"));
}

TEST(Validate, WireCharacterNeedsTheWire) {
    Plan plan = generate(port(PortKind::null, "null"));
    plan.wire.a_to_b.loss = 0.1;
    EXPECT_THAT(problems(plan), ElementsAre(HasSubstr("no port of this run is on it")));
}

TEST(Validate, SizesKeepToTheLimits) {
    EXPECT_THAT(after([](Plan& p) {
                    p.sizes = {63, 64, 65535, 65536};
                }),
                ElementsAre("--size 63: a frame has 64 to 65535 bytes, FCS included",
                            "--size 65536: a frame has 64 to 65535 bytes, FCS included"));
    EXPECT_THAT(after([](Plan& p) { p.sizes.clear(); }), SizeIs(1));
    EXPECT_THAT(after([](Plan& p) { p.repeat = 0; }), SizeIs(1));
    EXPECT_THAT(after([](Plan& p) { p.repeat = 33'333; }), IsEmpty());
    EXPECT_THAT(after([](Plan& p) { p.repeat = 33'334; }),
                ElementsAre(HasSubstr("are 100002 trials: at most 100000")));
}

TEST(Validate, ShareOfALineNeedsALine) {
    const auto half = [](Plan& p) { p.rate = {RateKind::percent, 50}; };
    EXPECT_THAT(after(half), ElementsAre(HasSubstr("name one with --line 10Gbps")));
    EXPECT_THAT(after([&](Plan& p) {
                    half(p);
                    p.line_bps = 10e9;
                }),
                IsEmpty());
    EXPECT_THAT(after([&](Plan& p) {
                    p.rate = {RateKind::percent, 101};
                    p.line_bps = 10e9;
                }),
                ElementsAre("--rate 101%: at most 100% of the line"));
}

TEST(Validate, RateMustFitTheSchedule) {
    EXPECT_THAT(after([](Plan& p) {
                    p.rate = {RateKind::frames, 0.1};
                }),
                ElementsAre("--rate: 0.1 frames/s of 64 bytes send no frame within 5 s: raise it, "
                            "or --for to 10s"));
    EXPECT_THAT(after([](Plan& p) { p.rate = {RateKind::frames, 0.2}; }), IsEmpty());
    EXPECT_THAT(after([](Plan& p) {
                    p.rate = {RateKind::frames, 1.01e9};
                }),
                ElementsAre(HasSubstr("at most one frame a ns, 1000Mpps")));
    EXPECT_THAT(after([](Plan& p) {
                    p.rate = {RateKind::frames, 1};
                    p.duration_ns = 0;
                    p.count = 40'000'000;
                }),
                ElementsAre(HasSubstr("takes over a year")));
}

TEST(Validate, TheRunEnds) {
    EXPECT_THAT(after([](Plan& p) { p.duration_ns = 0; }),
                ElementsAre("the run has no end: --for 5s or --count 1000000"));
    EXPECT_THAT(after([](Plan& p) { p.duration_ns = kMaxDurationNs + 1; }), SizeIs(1));
    EXPECT_THAT(after([](Plan& p) { p.interval_ns = 1'000'000; }),
                ElementsAre("--interval: at least 10 ms"));
    EXPECT_THAT(after([](Plan& p) {
                    p.interval_ns = 10'000'000;
                    p.duration_ns = Ns{3600} * 1'000'000'000;
                }),
                ElementsAre(HasSubstr("1.08e+06 lines in this run, at most 1000000")));
}

TEST(Validate, CoresMustExistAndSuitTheCommand) {
    EXPECT_THAT(after([](Plan& p) {
                    p.cores = {.generators = {7, 0}, .sinks = {1, 3}};
                }),
                ElementsAre("--cores 3,7: there are cores 0 to 1 (that this process may use)"));
    Plan plan = stress();
    plan.cores = {.generators = {1}, .sinks = {3}};
    EXPECT_THAT(validate(plan, {.cores_allowed = {3}, .memory_available = 0}),
                ElementsAre("--cores 1: there is core 3 only (that this process may use)"));
    EXPECT_THAT(validate(plan, {.cores_allowed = {0, 3, 8}, .memory_available = 0}),
                ElementsAre("--cores 1: there are cores 0,3,8 (that this process may use)"));
    EXPECT_THAT(after([](Plan& p) { p.cores.generators = {0}; }),
                ElementsAre("--cores names no sink, and stress receives"));
    EXPECT_THAT(after([](Plan& p) { p.cores.sinks = {0}; }),
                ElementsAre("--cores names no generator, and stress sends"));
    EXPECT_THAT(
        after([](Plan& p) { p.cores = {.generators = std::vector<int>(257, 0), .sinks = {1}}; }),
        ElementsAre(HasSubstr("at most 256 generators")));
    Plan alone = generate(port(PortKind::null, "null"));
    alone.cores = {.generators = {0}, .sinks = {1}};
    EXPECT_THAT(problems(alone),
                ElementsAre("--cores names a sink, and generate receives nothing"));
}

TEST(Validate, FlowsKeepToAddressesThatExist) {
    EXPECT_THAT(after([](Plan& p) { p.flows = 0; }), ElementsAre("--flows 0: 1 to 1000000"));
    EXPECT_THAT(after([](Plan& p) { p.flows = kMaxFlows + 1; }), SizeIs(1));
    EXPECT_THAT(after([](Plan& p) { p.addressing.src_ip = 0xE0000001; }),
                ElementsAre("--src-ip 224.0.0.1 is no host's address: as 198.18.0.1"));
    EXPECT_THAT(after([](Plan& p) {
                    p.addressing.src_ip = 0xDFFFFFFF;
                    p.flows = 16384;
                }),
                IsEmpty());
    EXPECT_THAT(after([](Plan& p) {
                    p.addressing.src_ip = 0xDFFFFFFF;
                    p.flows = 16385;
                }),
                ElementsAre(HasSubstr("run out")));
    EXPECT_THAT(after([](Plan& p) { p.addressing.dst_ip = 0; }), SizeIs(1));
    EXPECT_THAT(after([](Plan& p) { p.addressing.src_mac = Addressing::Mac{1, 0, 0, 0, 0, 1}; }),
                ElementsAre(HasSubstr("group address")));
    EXPECT_THAT(after([](Plan& p) { p.addressing.dst_mac = Addressing::Mac{}; }),
                ElementsAre(HasSubstr("--dst-mac: 00:00:00:00:00:00 is nobody's address")));
}

Expectation expects(const std::string& figure) {
    return {.text = figure + "=0",
            .figure = figure,
            .compare = Expectation::Compare::equal,
            .value = 0};
}

TEST(Validate, ExpectationsAreOfFiguresThatTheCommandKnows) {
    for (const char* figure : {"loss", "p99", "offered", "received", "l1", "stalls"}) {
        EXPECT_THAT(after([&](Plan& p) { p.expect = {expects(figure)}; }), IsEmpty()) << figure;
    }
    Plan sender = generate(port(PortKind::null, "null"));
    sender.expect = {expects("loss"), expects("unsent"), expects("p99")};
    EXPECT_THAT(
        problems(sender),
        ElementsAre("--expect loss=0: generate alone cannot know loss; stress has both ends",
                    "--expect p99=0: generate alone cannot know p99; stress has both ends"));
    Plan receiver = sink(capture("in", ""));
    receiver.expect = {expects("loss"), expects("lost"), expects("max"), expects("jitter")};
    EXPECT_THAT(problems(receiver),
                ElementsAre(HasSubstr("cannot know loss"), HasSubstr("cannot know max")));
}

TEST(Validate, ShareOfALineRateIsExpectedOfALine) {
    const auto share = [](Plan& p) { p.expect = {expects("line-rate")}; };
    EXPECT_THAT(after(share), ElementsAre(HasSubstr("--line 10Gbps")));
    EXPECT_THAT(after([&](Plan& p) {
                    share(p);
                    p.line_bps = 10e9;
                }),
                IsEmpty());
}

TEST(Validate, APortThatCouldNotBeReadIsNotJudgedAgain) {
    EXPECT_THAT(after([](Plan& p) { p.tx.reset(); }), IsEmpty());
    EXPECT_THAT(after([](Plan& p) { p.rx.reset(); }), IsEmpty());
    Plan plan = generate(port(PortKind::null, "null"));
    plan.tx.reset();
    plan.cores.generators = {0};
    EXPECT_THAT(problems(plan), IsEmpty());
}

TEST(Validate, AllProblemsComeAtOnce) {
    EXPECT_THAT(after([](Plan& p) {
                    p.rx = p.tx;
                    p.sizes = {63};
                    p.rate = {RateKind::percent, 50};
                    p.duration_ns = 0;
                    p.cores = {.generators = {9}, .sinks = {9}};
                    p.flows = 0;
                }),
                SizeIs(6));
}

TEST(Cautions, AreGivenWhereTheRunGoesOn) {
    EXPECT_THAT(cautions(stress()), IsEmpty());
    Plan plan = stress();
    plan.wire.b_to_a.corrupt = 0.1;
    EXPECT_THAT(cautions(plan), Contains(HasSubstr("64-byte frames have none")));
    EXPECT_THAT(cautions(plan), Contains(HasSubstr("without --payload-check")));
    plan.payload_check = true;
    plan.sizes = {65};
    EXPECT_THAT(cautions(plan), IsEmpty());
}

}  // namespace
}  // namespace barewire::plan
