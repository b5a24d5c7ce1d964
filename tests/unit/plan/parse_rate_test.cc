// SPDX-License-Identifier: BSD-3-Clause
// --rate and --late.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "barewire/plan/parse.h"

#include "refusals.h"

namespace barewire::plan {
namespace {

using testing::IsEmpty;

TEST(ParseRate, EveryFormOfTheGrammar) {
    struct Case {
        std::string text;
        RateKind kind;
        double value;
    };
    const std::vector<Case> table = {
        {"max", RateKind::max, 0},
        {"5Mpps", RateKind::frames, 5e6},
        {"14.88Mpps", RateKind::frames, 14.88e6},
        {"1kpps", RateKind::frames, 1e3},
        {"100pps", RateKind::frames, 100},
        {"10Gbps", RateKind::l1, 10e9},
        {"l1:10Gbps", RateKind::l1, 10e9},
        {"l2:9Gbps", RateKind::l2, 9e9},
        {"2.5Gbps", RateKind::l1, 2.5e9},
        {"50%", RateKind::percent, 50},
        {"99.9%", RateKind::percent, 99.9},
        {"100%", RateKind::percent, 100},
    };
    for (const Case& row : table) {
        Sentences problems;
        const RateSpec rate = parse_rate(row.text, problems);
        EXPECT_THAT(problems, IsEmpty()) << row.text;
        EXPECT_EQ(rate.kind, row.kind) << row.text;
        EXPECT_DOUBLE_EQ(rate.value, row.value) << row.text;
    }
}

TEST(ParseRate, RefusesWithWhatWouldBeRight) {
    const std::vector<Refusal> table = {
        {"5", "5pps is frames a second, 5bps bits a second on L1"},
        {"1000000", "1000000 of what?"},
        {"5M", "5M of what? 5Mpps is frames a second, 5Mbps bits"},
        {"10g", "10Gbps bits"},
        {"1.5K", "1.5kpps"},
        {"10Gbits", "10Gbps would be right"},
        {"10gbps", "10Gbps would be right"},
        {"10Gb/s", "10Gbps would be right"},
        {"5mpps", "5Mpps would be right"},
        {"5MPPS", "5Mpps would be right"},
        {"5kfps", "5kpps would be right"},
        {"5Mp/s", "5Mpps would be right"},
        {"0pps", "0.001pps to 10Gpps"},
        {"20Gpps", "0.001pps to 10Gpps"},
        {"0%", "0.000001% to 100%"},
        {"101%", "0.000001% to 100%"},
        {"l2:9", "9 of what? a bit rate has a unit, as in 10Gbps"},
        {"l2:9Mpps", "as in 10Gbps"},
        {"l1:", "as in 10Gbps"},
        {"l3:9Gbps", "a rate is max, or written as in 5Mpps"},
        {"", "a rate is max"},
        {"MAX", "a rate is max"},
        {"-5Mpps", "a rate is max"},
        {"nanpps", "a rate is max"},
        {"infGbps", "a rate is max"},
        {"5 furlongs", "as in 10Gbps"},
    };
    for (const Refusal& refusal : table) {
        Sentences problems;
        parse_rate(refusal.text, problems);
        expect_refusal(refusal, problems);
    }
}

TEST(ParseLate, BothPolicies) {
    Sentences problems;
    const LatePolicy catch_up = parse_late("catch-up=10ms", problems);
    EXPECT_EQ(catch_up.kind, LatePolicy::Kind::catch_up);
    EXPECT_EQ(catch_up.limit_ns, 10'000'000);
    const LatePolicy skip = parse_late("skip=1us", problems);
    EXPECT_EQ(skip.kind, LatePolicy::Kind::skip);
    EXPECT_EQ(skip.limit_ns, 1000);
    EXPECT_EQ(parse_late("skip=1h", problems).limit_ns, 3'600'000'000'000);
    EXPECT_THAT(problems, IsEmpty());
}

TEST(ParseLate, RefusesWithWhatWouldBeRight) {
    const std::vector<Refusal> table = {
        {"catch-up", "as in catch-up=10ms or skip=1ms"},
        {"drop=1ms", "as in catch-up=10ms or skip=1ms"},
        {"", "as in catch-up=10ms or skip=1ms"},
        {"skip=10", "10 of what? a duration has a unit"},
        {"skip=", "a duration is written as in 10s"},
        {"catch-up=10msec", "10ms would be right"},
        {"catch-up=999ns", "the limit is 1us to 1h"},
        {"catch-up=61min", "the limit is 1us to 1h"},
    };
    for (const Refusal& refusal : table) {
        Sentences problems;
        parse_late(refusal.text, problems);
        expect_refusal(refusal, problems);
    }
}

}  // namespace
}  // namespace barewire::plan
