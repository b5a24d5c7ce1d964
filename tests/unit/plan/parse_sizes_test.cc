// SPDX-License-Identifier: BSD-3-Clause
// --size: what is typed becomes the frame sizes of a run, or a sentence.
#include <cstdint>
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
using testing::HasSubstr;
using testing::IsEmpty;
using Sizes = std::vector<uint32_t>;

TEST(ParseSizes, EveryFormOfTheGrammar) {
    const std::vector<std::pair<std::string, Sizes>> table = {
        {"64", {64}},
        {"65535", {65535}},
        {"64,1518,9018", {64, 1518, 9018}},
        {"9018,64,64", {9018, 64, 64}},
        {"64-256+64", {64, 128, 192, 256}},
        {"64-64+1", {64}},
        {"65534-65535+1", {65534, 65535}},
        {"mtu:9000", {9018}},
        {"mtu:46", {64}},
        {"mtu:65517", {65535}},
        {"rfc2544", {64, 128, 256, 512, 1024, 1280, 1518}},
        {"mtu:1500,rfc2544,64-128+64", {1518, 64, 128, 256, 512, 1024, 1280, 1518, 64, 128}},
    };
    for (const auto& [text, sizes] : table) {
        Sentences problems, notes;
        EXPECT_EQ(parse_sizes(text, problems, notes), sizes) << text;
        EXPECT_THAT(problems, IsEmpty()) << text;
        EXPECT_THAT(notes, IsEmpty()) << text;
    }
}

TEST(ParseSizes, RefusesWithTheLimitAndWhatSetsIt) {
    const std::vector<Refusal> table = {
        {"63", "smallest frame is 64 bytes, FCS included (IEEE 802.3); use 64 or more"},
        {"0", "use 64 or more"},
        {"65536", "set by the 16-bit lengths of IPv4 and of a DPDK buffer; use 65535 or less"},
        {"18446744073709551615", "use 65535 or less"},
        {"18446744073709551616", "as in 1518"},
        {"", "as in 1518, 64-1518+64, mtu:9000 or rfc2544"},
        {"64B", "as in 1518"},
        {"+64", "as in 1518"},
        {"1e3", "as in 1518"},
        {"mtu:45", "an MTU is 46 to 65,517, for frames of 64 to 65,535 bytes"},
        {"mtu:65518", "an MTU is 46 to 65,517"},
        {"mtu:", "an MTU is 46 to 65,517"},
        {"imix", "not in this version; name single sizes"},
        {"random:64-1518", "not in this version; name single sizes"},
        {"64-1518", "as in 64-1518+64"},
        {"64-1518+0", "its step is 1 or more"},
        {"64-1518+", "its step is 1 or more"},
        {"1518-64+64", "use 64-1518+64"},
        {"64-65535+1", "more than the 4,096 sizes"},
    };
    for (const Refusal& refusal : table) {
        Sentences problems, notes;
        parse_sizes(refusal.text, problems, notes);
        expect_refusal(refusal, problems);
    }
}

TEST(ParseSizes, ARangesEndsAreRefusedByThemselves) {
    Sentences problems, notes;
    parse_sizes("63-65536+1", problems, notes);
    EXPECT_THAT(problems, ElementsAre(HasSubstr("63: "), HasSubstr("65536: ")));
}

TEST(ParseSizes, TheMostSizesAreAllowedAndOneMoreIsNot) {
    Sentences problems, notes;
    EXPECT_EQ(parse_sizes("64-4159+1", problems, notes).size(), 4096U);
    EXPECT_THAT(problems, IsEmpty());
    parse_sizes("64-4160+1", problems, notes);
    EXPECT_THAT(problems, ElementsAre(HasSubstr("name fewer or take larger steps")));
}

TEST(ParseSizes, WhoTypesAnMtuIsToldOfTheFullFrameOnce) {
    Sentences problems, notes;
    EXPECT_THAT(parse_sizes("1500,9000,1500", problems, notes), ElementsAre(1500, 9000, 1500));
    EXPECT_THAT(problems, IsEmpty());
    EXPECT_THAT(notes, ElementsAre(HasSubstr("the full frame of MTU 1500 is 1518 (mtu:1500)"),
                                   HasSubstr("the full frame of MTU 9000 is 9018 (mtu:9000)")));
}

TEST(ParseSizes, WhoseStepsMissTheEndIsTold) {
    Sentences problems, notes;
    EXPECT_EQ(parse_sizes("64-1518+64", problems, notes).back(), 1472U);
    EXPECT_THAT(problems, IsEmpty());
    EXPECT_THAT(notes, ElementsAre(HasSubstr("end at 1472; add ,1518")));
}

TEST(ParseSizes, AllMistakesAtOnceUpToABound) {
    Sentences problems, notes;
    parse_sizes("63,64,imix,70000", problems, notes);
    EXPECT_EQ(problems.size(), 3U);
    problems.clear();
    parse_sizes(std::string(10000, ','), problems, notes);
    EXPECT_EQ(problems.size(), 16U);
}

}  // namespace
}  // namespace barewire::plan
