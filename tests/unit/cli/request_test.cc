// SPDX-License-Identifier: BSD-3-Clause
// The command line and the configuration file: precedence, no guessing, each mistake in a sentence.
#include "request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace barewire::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::optional<std::string> no_config(const std::string& /*path*/, std::string& why) {
    why = "no such file";
    return std::nullopt;
}

Request stress(const std::vector<std::string>& args, const std::string& config = "") {
    return parse_request("stress", kStress, args,
                         [&](const std::string&, std::string&) { return std::optional(config); });
}

TEST(Request, DefaultsStandUntilSomethingIsGiven) {
    const Request request = stress({});
    EXPECT_THAT(request.problems, IsEmpty());
    EXPECT_EQ(request.value("size"), "64,1518,9018");
    EXPECT_EQ(request.value("rate"), "max");
    EXPECT_EQ(request.value("for"), "5s");
    EXPECT_EQ(request.value("late"), "catch-up=10ms");
    EXPECT_FALSE(request.flag("both-ways"));
    EXPECT_FALSE(request.given("size"));
    EXPECT_EQ(request.value("far"), "none");
    EXPECT_FALSE(request.has("ip"));
}

TEST(Request, EveryWayToWriteAValue) {
    const Request request =
        stress({"--size", "64", "--rate=5Mpps", "--json", "-", "--label=", "--both-ways"});
    EXPECT_EQ(request.value("size"), "64");
    EXPECT_EQ(request.value("rate"), "5Mpps");
    EXPECT_EQ(request.value("json"), "-");
    EXPECT_TRUE(request.flag("both-ways"));
    EXPECT_THAT(request.problems, ElementsAre("--label has no value: write --label TEXT"));
    EXPECT_TRUE(stress({"-h"}).help);
    EXPECT_TRUE(stress({"--help", "--size", "64"}).help);
}

TEST(Request, CommandLineBeatsConfigurationBeatsDefault) {
    const Request request = stress({"--config", "f", "--size", "128"},
                                   "# a comment\nsize = 64\nrate=5Mpps\npayload-check = true\n"
                                   "label = two words\n");
    EXPECT_THAT(request.problems, IsEmpty());
    EXPECT_EQ(request.value("size"), "128");
    EXPECT_EQ(request.value("rate"), "5Mpps");
    EXPECT_EQ(request.value("label"), "two words");
    EXPECT_TRUE(request.flag("payload-check"));
    EXPECT_TRUE(request.given("rate"));
    EXPECT_EQ(request.value("for"), "5s");
}

TEST(Request, EffectiveListsEveryOptionOfTheCommandOnce) {
    const auto effective = stress({"--size", "70"}).effective();
    EXPECT_EQ(effective.size(), options_of(kStress).size());
    EXPECT_THAT(effective, testing::Contains(testing::Pair("size", "70")));
    EXPECT_THAT(effective, testing::Contains(testing::Pair("flows", "1")));
}

// Every start of every option's name, shorter than the name, is refused with the whole name.
TEST(Request, NoShortenedOptionIsTaken) {
    for (const OptionInfo& option : options_of(kStress)) {
        for (size_t length = 1; length < option.name.size(); ++length) {
            const std::string shortened(option.name.substr(0, length));
            if (find_option(shortened, kStress) != nullptr) continue;
            const Request request = stress({"--" + shortened, "1"});
            ASSERT_EQ(request.problems.size(), 1U) << shortened;
            EXPECT_THAT(request.problems[0], HasSubstr("not shortened, write --")) << shortened;
            EXPECT_EQ(request.effective(), stress({}).effective()) << shortened;
        }
    }
}

struct Mistake {
    std::vector<std::string> args;
    std::vector<std::string> problems;
};

class Mistakes : public testing::TestWithParam<Mistake> {};

TEST_P(Mistakes, AreAllSaidAtOnce) {
    EXPECT_EQ(stress(GetParam().args).problems, GetParam().problems);
}

INSTANTIATE_TEST_SUITE_P(
    Request, Mistakes,
    testing::Values(
        Mistake{{"--sise", "64"}, {"unknown option '--sise': did you mean --size?"}},
        Mistake{{"-size", "64"}, {"unknown option '-size': write --size"}},
        Mistake{{"--frobnicate=3"},
                {"unknown option '--frobnicate': barewire stress --help lists all"}},
        Mistake{{"--ip", "10.0.0.1"},
                {"--ip is no option of stress: it belongs to reflect and far"}},
        Mistake{{"--size"}, {"--size has no value: write --size 64,1518,9018"}},
        Mistake{{"--csv", "--rate", "max"}, {"--csv has no value: write --csv FILE"}},
        Mistake{{"--both-ways=yes"}, {"--both-ways takes no value: write --both-ways alone"}},
        Mistake{{"--seed", "1", "--seed", "2"}, {"--seed is given twice: once is enough"}},
        Mistake{{"64"}, {"'64' stands alone: every value follows an option, as in --label TEXT"}},
        Mistake{{"--", "--size"},
                {"'--size' stands alone: every value follows an option, as in --label TEXT"}},
        Mistake{{"--="}, {"unknown option '--': barewire stress --help lists all"}},
        Mistake{{"--pay", "--sed", "5", "--size", "--csv", "--count="},
                {"--count has no value: write --count N",
                 "--size has no value: write --size 64,1518,9018",
                 "--csv has no value: write --csv FILE",
                 "unknown option '--pay': options are not shortened, write --payload-check",
                 "unknown option '--sed': did you mean --seed?"}}));

TEST(Request, FarMayStandAlone) {
    EXPECT_EQ(stress({"--far"}).value("far"), "link");
    EXPECT_EQ(stress({"--far", "--size", "64"}).value("far"), "link");
    EXPECT_EQ(stress({"--far", "02:00:00:00:00:01"}).value("far"), "02:00:00:00:00:01");
    EXPECT_EQ(stress({"--far=02:00:00:00:00:01"}).value("far"), "02:00:00:00:00:01");
    EXPECT_THAT(stress({"--far", "--far"}).problems,
                ElementsAre("--far is given twice: once is enough"));
}

TEST(Request, MistakesInAConfigurationNameTheFile) {
    const Request request = stress({"--config", "my.cfg"},
                                   "sise = 3\nboth-ways = maybe\nconfig = other\nip = 10.0.0.1\n"
                                   "size = 64\nsize = 65\n");
    EXPECT_THAT(
        request.problems,
        ElementsAre("config 'my.cfg': unknown option 'sise': did you mean size?",
                    "config 'my.cfg': both-ways = 'maybe': true or false",
                    "config 'my.cfg': config: a configuration file names no further one",
                    "config 'my.cfg': ip is no option of stress: it belongs to reflect and far",
                    "config 'my.cfg': size is given twice: once is enough"));
    EXPECT_THAT(stress({"--config", "c"}, "hello\n").problems,
                ElementsAre("config 'c': 'hello' is no line 'name = value'"));
    EXPECT_THAT(parse_request("stress", kStress, {"--config", "c"}, no_config).problems,
                ElementsAre("--config 'c': no such file"));
}

TEST(Request, ARealConfigurationFileIsBounded) {
    std::string why;
    EXPECT_FALSE(read_config_file("/dev/zero", why));
    EXPECT_EQ(why, "not a regular file");
    EXPECT_FALSE(read_config_file("/nonexistent/barewire", why));
    EXPECT_EQ(why, "no such file");
}

}  // namespace
}  // namespace barewire::cli
