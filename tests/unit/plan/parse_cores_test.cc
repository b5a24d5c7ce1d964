// SPDX-License-Identifier: BSD-3-Clause
// --cores: which worker sits where.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "barewire/plan/parse.h"

#include "refusals.h"

namespace barewire::plan {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Cores = std::vector<int>;

TEST(ParseCores, WithBothRolesTheFirstHalfGenerates) {
    struct Case {
        std::string text;
        Cores generators, sinks;
    };
    const std::vector<Case> table = {
        {"2,4", {2}, {4}},
        {"4,2", {4}, {2}},
        {"2-5", {2, 3}, {4, 5}},
        {"2-4", {2, 3}, {4}},
        {"0x4,1x4", {0, 0, 0, 0}, {1, 1, 1, 1}},
        {"0x3", {0, 0}, {0}},
        {"0", {0}, {0}},
        {"8191,0-1", {8191, 0}, {1}},
        {"generate=0,2;sink=4", {0, 2}, {4}},
        {"sink=4;generate=0-1,3x2", {0, 1, 3, 3}, {4}},
        {"sink=4", {}, {4}},
    };
    for (const Case& row : table) {
        Sentences problems;
        const CoreSpec cores = parse_cores(row.text, Roles::both, problems);
        EXPECT_THAT(problems, IsEmpty()) << row.text;
        EXPECT_EQ(cores.generators, row.generators) << row.text;
        EXPECT_EQ(cores.sinks, row.sinks) << row.text;
    }
}

TEST(ParseCores, WithOneRoleAllHaveIt) {
    Sentences problems;
    const CoreSpec generate = parse_cores("1-3", Roles::generate, problems);
    EXPECT_THAT(generate.generators, ElementsAre(1, 2, 3));
    EXPECT_THAT(generate.sinks, IsEmpty());
    const CoreSpec sink = parse_cores("5x2", Roles::sink, problems);
    EXPECT_THAT(sink.generators, IsEmpty());
    EXPECT_THAT(sink.sinks, ElementsAre(5, 5));
    EXPECT_THAT(problems, IsEmpty());
}

TEST(ParseCores, RefusesWithTheGrammar) {
    const std::string grammar = "2,4 or 2-5 or 0x4,1x4 (core 0 four times); cores are 0 to 8191";
    for (const char* text : {"", "a", "-1", "1-", "1-2-3", "5-2", "0x", "0x0", "x4", "0x4x4",
                             "2-5x2", "1.5", "8192", "0-8192", "0x513", "2 4", "0xA"}) {
        Sentences problems;
        parse_cores(text, Roles::both, problems);
        expect_refusal({text, grammar}, problems);
    }
}

TEST(ParseCores, RolesAreWrittenOnceEachWhereThereAreTwo) {
    for (const char* text : {"generate=0;generate=1", "sink=1;sink=2", "send=0;sink=1",
                             "generate=0;", "generate=0;sink=1;sink=2", "2;sink=3"}) {
        Sentences problems;
        parse_cores(text, Roles::both, problems);
        expect_refusal({text, "as in generate=0,2;sink=4"}, problems);
    }
    for (const Roles roles : {Roles::generate, Roles::sink}) {
        Sentences problems;
        parse_cores("generate=0;sink=1", roles, problems);
        expect_refusal({"generate=0;sink=1", "name only cores, as in 2,4"}, problems);
    }
    Sentences problems;
    parse_cores("generate=0,b;sink=c", Roles::both, problems);
    EXPECT_THAT(problems, ElementsAre(HasSubstr("b: "), HasSubstr("c: ")));
}

TEST(ParseCores, AStreamSpaceForEachWorker) {
    Sentences problems;
    const CoreSpec most = parse_cores("0x256,1x256", Roles::both, problems);
    EXPECT_THAT(most.generators, SizeIs(256));
    EXPECT_THAT(most.generators, Each(0));
    EXPECT_THAT(most.sinks, Each(1));
    EXPECT_THAT(problems, IsEmpty());
    for (const char* text : {"0x257,1x256", "0-8191", "generate=0-256;sink=1"}) {
        problems.clear();
        EXPECT_THAT(parse_cores(text, Roles::both, problems).generators, IsEmpty());
        expect_refusal({text, "at most 256 workers of a role"}, problems);
    }
    problems.clear();
    parse_cores(std::string(10000, ','), Roles::sink, problems);
    EXPECT_THAT(problems, SizeIs(16));
}

}  // namespace
}  // namespace barewire::plan
