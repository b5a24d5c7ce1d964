// SPDX-License-Identifier: BSD-3-Clause
// The grammar of --wire: what is accepted, what is refused in which words, and its inverse.
#include "barewire/link/wire_spec.h"

#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace barewire::link {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

WireSpec parse_good(std::string_view text) {
    std::vector<std::string> problems;
    WireSpec spec = parse_wire(text, problems);
    EXPECT_THAT(problems, IsEmpty()) << text;
    return spec;
}

std::vector<std::string> problems_of(std::string_view text) {
    std::vector<std::string> problems;
    parse_wire(text, problems);
    return problems;
}

TEST(WireSpec, NothingIsThePlainWire) {
    EXPECT_EQ(parse_good(""), WireSpec{});
    EXPECT_TRUE(WireDirection{}.plain());
    EXPECT_EQ(to_string(WireSpec{}), "");
    EXPECT_TRUE(parse_good("loss=0").a_to_b.plain());
}

TEST(WireSpec, EveryKeySetsBothWays) {
    WireDirection way;
    way.loss = 0.001;
    way.burst_loss = 1e-5;
    way.burst_frames = 10;
    way.duplicate = 1e-4;
    way.reorder = 0.02;
    way.reorder_frames = 5;
    way.corrupt = 1e-6;
    way.corrupt_any = 0.5;
    way.truncate = 0.25;
    way.mtu = 9000;
    way.max_frame = 9018;
    const std::string text =
        "loss=0.1%,burst-loss=1e-5,10,duplicate=1e-4,reorder=0.02,5,corrupt=1e-6,corrupt-any=.5,"
        "truncate=25%,mtu=9000,max-frame=9018";
    EXPECT_EQ(parse_good(text), (WireSpec{way, way}));
    EXPECT_FALSE(way.plain());
}

TEST(WireSpec, EachImpairmentAloneIsNotPlain) {
    for (const char* text : {"loss=1", "burst-loss=1,1", "duplicate=1", "reorder=1", "corrupt=1",
                             "corrupt-any=1", "truncate=1", "mtu=46", "max-frame=64"}) {
        EXPECT_FALSE(parse_good(text).b_to_a.plain()) << text;
    }
}

TEST(WireSpec, DirectionsApartAndTheLaterWins) {
    const WireSpec spec = parse_good("loss=0.5,a-to-b.loss=0.25,b-to-a.mtu=1500,reorder=0.1");
    EXPECT_EQ(spec.a_to_b.loss, 0.25);
    EXPECT_EQ(spec.b_to_a.loss, 0.5);
    EXPECT_EQ(spec.a_to_b.mtu, std::nullopt);
    EXPECT_EQ(spec.b_to_a.mtu, 1500U);
    EXPECT_EQ(spec.a_to_b.reorder_frames, 3U);
}

TEST(WireSpec, RefusesWithTheLimitAndWhatWouldBeRight) {
    EXPECT_THAT(
        problems_of("loss=1.5"),
        ElementsAre(AllOf(StartsWith("loss=1.5: "), HasSubstr("0 to 1"), HasSubstr("loss=1e-3"))));
    EXPECT_THAT(problems_of("loss="), ElementsAre(StartsWith("loss=: ")));
    EXPECT_THAT(problems_of("loss=0.1,2"), ElementsAre(StartsWith("loss=0.1,2: ")));
    EXPECT_THAT(problems_of("burst-loss=0.1"), ElementsAre(HasSubstr("burst-loss=1e-5,10")));
    EXPECT_THAT(problems_of("burst-loss=0.1,0"), ElementsAre(HasSubstr("1 to 1,000,000")));
    EXPECT_THAT(problems_of("reorder=0.1,1001"), ElementsAre(HasSubstr("1 to 1,000")));
    EXPECT_THAT(problems_of("reorder=0.1,2,3"), ElementsAre(HasSubstr("reorder=1e-4,5")));
    EXPECT_THAT(problems_of("mtu=45"), ElementsAre(HasSubstr("46 (a 64-byte frame's)")));
    EXPECT_THAT(problems_of("mtu=65536"), ElementsAre(HasSubstr("65,535")));
    EXPECT_THAT(problems_of("max-frame=63"), ElementsAre(HasSubstr("64 (Ethernet's smallest)")));
    EXPECT_THAT(problems_of("los=1"),
                ElementsAre(AllOf(HasSubstr("no key los"), HasSubstr("burst-loss"))));
    EXPECT_THAT(problems_of("a-b.loss=1"), ElementsAre(HasSubstr("a-to-b and b-to-a")));
    EXPECT_THAT(problems_of("lossy"), ElementsAre(HasSubstr("key=value")));
    EXPECT_THAT(problems_of("=1"), ElementsAre(HasSubstr("no key")));
}

TEST(WireSpec, ShapingIsNamedAsNotInThisVersion) {
    for (const char* key : {"speed=10Gbps", "rate=9Gbps", "pps=1Mpps", "buffer=512KiB",
                            "a-to-b.delay=10us", "jitter=1us"}) {
        EXPECT_THAT(problems_of(key), ElementsAre(AllOf(StartsWith(key), HasSubstr("no shaping"))));
    }
}

TEST(WireSpec, SaysAllAtOnce) {
    EXPECT_THAT(problems_of("loss=2,what=1,mtu=1,speed=1Gbps"),
                ElementsAre(StartsWith("loss=2"), StartsWith("what=1"), StartsWith("mtu=1"),
                            StartsWith("speed=1Gbps")));
    EXPECT_THAT(problems_of("loss=0.1,,mtu=1500"), ElementsAre(StartsWith("loss=0.1,: ")));
}

TEST(WireSpec, ProbabilitiesOfOneWayShareAWhole) {
    EXPECT_THAT(problems_of("loss=0.6,duplicate=0.4"), IsEmpty());
    EXPECT_THAT(problems_of("loss=0.1,burst-loss=0.1,1,duplicate=0.1,reorder=0.1,corrupt=0.2,"
                            "corrupt-any=0.2,truncate=0.2"),
                IsEmpty());
    EXPECT_THAT(problems_of("a-to-b.loss=0.6,duplicate=0.5"),
                ElementsAre(AllOf(StartsWith("a-to-b: "), HasSubstr("1.1"))));
    EXPECT_THAT(problems_of("burst-loss=0.6,2,truncate=0.5"),
                ElementsAre(StartsWith("a-to-b: "), StartsWith("b-to-a: ")));
}

TEST(WireSpec, CanonicalTextReadsAsWritten) {
    EXPECT_EQ(to_string(parse_good("mtu=9000,loss=0.1%,b-to-a.reorder=1e-4")),
              "loss=0.001,b-to-a.reorder=0.0001,3,mtu=9000");
    EXPECT_EQ(to_string(parse_good("loss=0.5,a-to-b.loss=0.25")),
              "a-to-b.loss=0.25,b-to-a.loss=0.5");
}

TEST(WireSpec, CanonicalTextRoundTripsForRandomWires) {
    std::mt19937_64 random(1);
    const auto share = [&] {
        return random() % 3 == 0 ? 0.0 : static_cast<double>(random()) / 1.9e19 / 7;
    };
    const auto below = [&](uint32_t most) { return static_cast<uint32_t>(random() % most); };
    for (int i = 0; i < 500; ++i) {
        WireSpec spec;
        for (WireDirection* way : {&spec.a_to_b, &spec.b_to_a}) {
            *way = {share(), share(), below(100) + 1, share(), share(), below(1000) + 1,
                    share(), share(), share(),        {},      {}};
            if (random() % 2 == 0) way->mtu = 46 + below(65490);
            if (random() % 2 == 0) way->max_frame = 64 + below(65472);
        }
        if (random() % 4 == 0) spec.b_to_a = spec.a_to_b;
        EXPECT_EQ(parse_good(to_string(spec)), spec) << to_string(spec);
    }
}

}  // namespace
}  // namespace barewire::link
