// SPDX-License-Identifier: BSD-3-Clause
// --expect: what is compared, and how a broken expectation reads.
#include "barewire/plan/expect.h"

#include <limits>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "refusals.h"

namespace barewire::plan {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Optional;
using testing::SizeIs;
using Compare = Expectation::Compare;

/// A trial in which every figure has a value of its own.
TrialResult whole_trial() {
    TrialResult trial;
    trial.frame_size = 1518;
    trial.direction = "a-to-b";
    trial.trial = 3;
    trial.intended = 1100;
    trial.offered = 1000;
    trial.unsent = 100;
    trial.received = 995;
    trial.lost = 20;
    trial.surplus = 4;
    trial.duplicated = 11;
    trial.reordered = 6;
    trial.corrupted = 7;
    trial.foreign = 8;
    trial.stale = 9;
    trial.stalls.count = 2;
    trial.tx = {.fps = 5e6, .l1_bps = 8e9, .l2_bps = 7e9};
    trial.rx = {.fps = 4e6, .l1_bps = 6e9, .l2_bps = 5e9};
    trial.line_rate_ratio = 0.6;
    trial.latency_ns = {1000, 10, 50, 90, 99, 999, 2000, 60.5, 0.01};
    trial.lateness_ns = {1000, 1, 2, 3, 444, 5, 6, 2.5, 0.01};
    trial.jitter_ns = 12.25;
    return trial;
}

std::optional<std::string> judge(const std::string& text, const TrialResult& trial) {
    std::vector<std::string> problems;
    const auto all = parse_expect(text, problems);
    EXPECT_THAT(problems, IsEmpty()) << text;
    if (all.size() != 1) return "not one expectation";
    return evaluate_expectation(all.front(), trial);
}

TEST(ParseExpect, ListOfTheContract) {
    std::vector<std::string> problems;
    const auto all = parse_expect(
        "loss=0, l1>=99.9% ,p99<=20us,received >= 1M,duplicated<3,fps>14Mpps,l1>=9Gbps", problems);
    EXPECT_THAT(problems, IsEmpty());
    struct Row {
        std::string text, figure;
        Compare compare;
        double value;
    };
    const std::vector<Row> rows = {
        {"loss=0", "loss", Compare::equal, 0},
        {"l1>=99.9%", "line-rate", Compare::at_least, 0.999},
        {"p99<=20us", "p99", Compare::at_most, 20'000},
        {"received >= 1M", "received", Compare::at_least, 1e6},
        {"duplicated<3", "duplicated", Compare::less, 3},
        {"fps>14Mpps", "fps", Compare::greater, 14e6},
        {"l1>=9Gbps", "l1", Compare::at_least, 9e9},
    };
    ASSERT_EQ(all.size(), rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
        EXPECT_EQ(all[i].text, rows[i].text);
        EXPECT_EQ(all[i].figure, rows[i].figure);
        EXPECT_EQ(all[i].compare, rows[i].compare);
        EXPECT_DOUBLE_EQ(all[i].value, rows[i].value);
    }
}

TEST(ParseExpect, RefusesWithWhatWouldBeRight) {
    const std::vector<Refusal> table = {
        {"", "compares with = < > <= or >=, as in loss<=0.1%"},
        {"loss", "compares with = < > <= or >="},
        {"loss==0", "compares with = < > <= or >="},
        {"loss=>0", "compares with = < > <= or >="},
        {"loss<>0", "compares with = < > <= or >="},
        {"1<p99<2", "compares with = < > <= or >="},
        {"speed>=1Gbps", "no figure is called speed; there are loss, lost, intended"},
        {"P99<=1us", "no figure is called P99; there are loss"},
        {"=0", "no figure is called (nothing); there are loss"},
        {"loss!=0", "no figure is called loss!; there are loss"},
        {"p99<=20", "20 of what? a duration has a unit, as in 10s, 300ms or 50us"},
        {"p99<=20usec", "20us would be right"},
        {"loss<=5", "a share is 0 to 1, or 0% to 100%"},
        {"loss<=-1", "it cannot be negative; a share is written as in"},
        {"lost=0.5", "a count is a whole number"},
        {"lost=1%", "as in 3000000"},
        {"l1>=9", "a bit rate has a unit, as in 10Gbps"},
        {"l1>=101%", "a share is 0 to 1"},
        {"l2>=99%", "as in 10Gbps"},
        {"fps>=14mpps", "14Mpps would be right"},
        {"received>=", "a count is written as in 3000000"},
        {"line-rate>=9Gbps", "a share"},
    };
    for (const Refusal& refusal : table) {
        std::vector<std::string> problems;
        EXPECT_THAT(parse_expect(refusal.text, problems), IsEmpty());
        expect_refusal(refusal, problems);
    }
}

TEST(ParseExpect, AllMistakesAtOnceUpToABound) {
    std::vector<std::string> problems;
    EXPECT_THAT(parse_expect("loss=x,lost=0,p99", problems), SizeIs(1));
    EXPECT_THAT(problems, ElementsAre(HasSubstr("loss=x: "), HasSubstr("p99: ")));
    problems.clear();
    parse_expect(std::string(10000, ','), problems);
    EXPECT_THAT(problems, SizeIs(16));
}

/// Each figure is read from its own field: equality holds for its value and no other figure's.
TEST(EvaluateExpectation, EveryFigureReadsItsField) {
    const TrialResult trial = whole_trial();
    const std::vector<std::string> table = {
        "loss=2%",      "lost=20",   "intended=1100", "offered=1000",  "unsent=100",
        "received=995", "surplus=4", "duplicated=11", "reordered=6",   "corrupted=7",
        "foreign=8",    "stale=9",   "stalls=2",      "line-rate=0.6", "fps=4M",
        "l1=6Gbps",     "l2=5Gbps",  "min=10ns",      "mean<61ns",     "p50=50ns",
        "p90=90ns",     "p99=99ns",  "p999=999ns",    "max=2us",       "lateness-p99=444ns",
        "jitter<=13ns",
    };
    std::set<std::string> covered;
    for (const std::string& text : table) {
        EXPECT_EQ(judge(text, trial), std::nullopt) << text;
        covered.insert(text.substr(0, text.find_first_of("<=")));
    }
    for (const std::string_view figure : expectation_figures()) {
        EXPECT_EQ(covered.count(std::string(figure)), 1U) << figure << " is in no row";
    }
    EXPECT_TRUE(judge("mean<60ns", trial));
    EXPECT_TRUE(judge("jitter<=12ns", trial));
}

TEST(EvaluateExpectation, EachComparisonAtItsEdge) {
    const TrialResult trial = whole_trial();  // lost 20
    for (const char* text : {"lost<21", "lost<=20", "lost=20", "lost>=20", "lost>19"}) {
        EXPECT_EQ(judge(text, trial), std::nullopt) << text;
    }
    for (const char* text : {"lost<20", "lost<=19", "lost=19", "lost>=21", "lost>20"}) {
        EXPECT_TRUE(judge(text, trial)) << text;
    }
}

TEST(EvaluateExpectation, SaysHowAndWhereItBroke) {
    const TrialResult trial = whole_trial();
    EXPECT_THAT(judge("lost=0", trial),
                Optional(std::string("expected lost=0, but lost was 20 (frame size 1518, a-to-b, "
                                     "trial 3)")));
    EXPECT_THAT(judge("p99<=50ns", trial), Optional(HasSubstr("p99 was 99 ns")));
    EXPECT_THAT(judge("max<=1us", trial), Optional(HasSubstr("max was 2 us")));
    EXPECT_THAT(judge("loss<=0.1%", trial), Optional(HasSubstr("loss was 2%")));
    EXPECT_THAT(judge("l1>=99.9%", trial), Optional(HasSubstr("l1>=99.9%, but line-rate was 60%")));
    EXPECT_THAT(judge("l1>=9Gbps", trial), Optional(HasSubstr("l1 was 6 Gbps")));
    EXPECT_THAT(judge("fps>=14Mpps", trial), Optional(HasSubstr("fps was 4 Mpps")));
}

TEST(EvaluateExpectation, AFigureJustBeyondItsLimitDoesNotReadAsTheLimit) {
    TrialResult trial = whole_trial();
    trial.line_rate_ratio = 0.99899999;
    EXPECT_THAT(judge("line-rate>=99.9%", trial), Optional(HasSubstr("was 99.899999%")));
    trial.rx.l1_bps = 8'999'999'999.0;
    EXPECT_THAT(judge("l1>=9Gbps", trial), Optional(HasSubstr("was 8.999999999 Gbps")));
    trial.received = 999'999;
    EXPECT_THAT(judge("received>=1M", trial), Optional(HasSubstr("was 999,999")));
}

TEST(EvaluateExpectation, TheLossOfNothingAndTheEndsOfCounts) {
    TrialResult trial = whole_trial();
    trial.offered = 0;
    trial.lost = 0;
    EXPECT_THAT(judge("loss=0", trial), Optional(HasSubstr("loss is not known: nothing")));
    trial.offered = std::numeric_limits<uint64_t>::max();
    EXPECT_THAT(judge("offered=0", trial), Optional(HasSubstr("was 18446744073709551616")));
}

/// null is no value: it meets neither a comparison nor its opposite.
TEST(EvaluateExpectation, WhatIsNotKnownIsNotMet) {
    const TrialResult nothing;
    for (const std::string_view figure : expectation_figures()) {
        if (figure == "stalls") continue;  // always counted
        for (const Compare compare : {Compare::at_least, Compare::less}) {
            const Expectation expectation{"as typed", std::string(figure), compare, 0};
            EXPECT_THAT(evaluate_expectation(expectation, nothing),
                        Optional(AllOf(HasSubstr("expected as typed, but"),
                                       HasSubstr(std::string(figure) + " is not known: "))))
                << figure;
        }
    }
    EXPECT_THAT(evaluate_expectation({"x=0", "x", Compare::equal, 0}, nothing),
                Optional(HasSubstr("no such figure")));
}

TEST(EvaluateExpectation, NotANumberIsNotMet) {
    TrialResult trial = whole_trial();
    trial.jitter_ns = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(judge("jitter>=0s", trial));
    EXPECT_TRUE(judge("jitter<1s", trial));
}

TEST(EvaluateExpectation, AnEndThatOnlySendsIsJudgedByWhatItSent) {
    TrialResult trial = whole_trial();
    trial.rx = {};
    EXPECT_EQ(judge("fps=5Mpps", trial), std::nullopt);
    EXPECT_EQ(judge("l1=8Gbps", trial), std::nullopt);
    EXPECT_EQ(judge("l2=7Gbps", trial), std::nullopt);
}

}  // namespace
}  // namespace barewire::plan
