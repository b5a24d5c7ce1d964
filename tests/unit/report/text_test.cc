// SPDX-License-Identifier: BSD-3-Clause
// The end page against golden ones, and its promises on results that nobody foresaw.
// BAREWIRE_REGENERATE=1 in the environment writes the golden pages anew; read the difference.
#include "barewire/report/text.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "random_result.h"
#include "samples.h"

namespace barewire::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string page(const plan::RunResult& run, TextOptions options = {}) {
    plan::RunResult judged = run;
    judged.verdict = plan::judge_run(run);
    return render_text(to_json(judged), options);
}

class Golden : public testing::TestWithParam<std::pair<std::string, plan::RunResult>> {};

TEST_P(Golden, PageIsAsKept) {
    const char* folder = std::getenv("BAREWIRE_GOLDEN");
    ASSERT_NE(folder, nullptr) << "BAREWIRE_GOLDEN is to name tests/unit/report/golden";
    const auto& [name, run] = GetParam();
    const std::string path = std::string(folder) + "/" + name + ".txt";
    const std::string text = page(run, {.saved = !run.run_id.empty()});
    if (std::getenv("BAREWIRE_REGENERATE") != nullptr) std::ofstream(path) << text;
    std::ifstream file(path);
    const std::string kept{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    EXPECT_EQ(text, kept) << path;
}

INSTANTIATE_TEST_SUITE_P(Samples, Golden, testing::ValuesIn(samples::all()),
                         [](const auto& sample) { return sample.param.first; });

/// Empty if all lines are printable ASCII, at most `width` long and without spaces at the end.
std::string fault_of(const std::string& text, size_t width) {
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line)) {
        if (line.size() > width) return "too long: " + line;
        if (!line.empty() && line.back() == ' ') return "space at the end: " + line;
        for (const char c : line) {
            if (c < ' ' || c > '~') return "not ASCII: " + line;
        }
    }
    return text.empty() || text.back() != '\n' ? "no line end" : "";
}

TEST(Text, AnyResultFitsTheWidthInAscii) {
    samples::RandomResult random(1);
    for (int i = 0; i < 1000; ++i) {
        const size_t width = 40 + random.below(60);
        const std::string text = render_text(to_json(random.next()), {.width = width});
        ASSERT_EQ(fault_of(text, std::min(width, kMostColumns)), "") << "result " << i;
    }
}

TEST(Text, ReadsObjectsOfOtherVersions) {
    for (const char* json :
         {"{}", "[]", "null", R"({"trials": 3, "status": null})",
          R"({"trials": [3, {}, {"offered": -1, "lost_by": []}], "errors": [1]})",
          R"({"trials": [{"offered": 1.5, "foreign_by": {"ARP": "x"}}]})",
          R"({"environment": {"ports": [[]], "cores": {}}, "verdict": []})"}) {
        EXPECT_EQ(fault_of(render_text(Json::parse(json), {}), kMostColumns), "") << json;
    }
}

TEST(Text, TheWireSaysThatItIsMemoryOnItsFirstLine) {
    const std::string text = page(samples::lossless());
    EXPECT_THAT(text.substr(0, text.find('\n')), HasSubstr("memory of this process, no NIC"));
    EXPECT_THAT(page(samples::nic_loss()), Not(HasSubstr("memory of this process")));
}

TEST(Text, ColoursTheFirstWordOnly) {
    const std::string plain = page(samples::nic_loss());
    const std::string coloured = page(samples::nic_loss(), {.colour = true});
    ASSERT_THAT(plain, StartsWith("LOSS   "));
    EXPECT_EQ(coloured, "\x1b[1;31mLOSS\x1b[0m" + plain.substr(4));
    EXPECT_EQ(plain.find('\x1b'), std::string::npos);
}

TEST(Text, LossIsTheFarPortsWhereThatOneReceived) {
    plan::RunResult run = samples::nic_loss();
    run.trials[0].lost_by.path = 0;
    run.trials[0].lost_by.rx_missed = run.trials[0].lost;
    EXPECT_THAT(page(run), AllOf(HasSubstr("lost, by our port"), HasSubstr("our NIC, missed")));
    run.far_environment = run.environment;
    EXPECT_THAT(page(run), AllOf(HasSubstr("lost, by the far port"), HasSubstr("our NIC, sending"),
                                 HasSubstr("the far NIC, missed")));
    run.trials[1].direction = "b-to-a";
    EXPECT_THAT(page(run),
                AllOf(HasSubstr("lost, by either port"), HasSubstr("either NIC, sending"),
                      HasSubstr("either NIC, missed")));
}

TEST(Text, ASingleLostFrameIsNeverRoundedAway) {
    plan::RunResult run = samples::lossless();
    run.trials[0] = samples::both_ends(1, 64, 74'404'760, 1);
    const std::string text = page(run);
    EXPECT_THAT(text, StartsWith("LOSS"));
    EXPECT_THAT(text, HasSubstr("<0.001%"));
    run.trials[0] = samples::both_ends(1, 64, 74'404'760, 74'404'759);
    EXPECT_THAT(page(run), HasSubstr(">99.999%"));
}

TEST(Text, NothingReceivedIsNoSuccess) {
    plan::RunResult run = samples::sunk();
    run.trials[0].received = 0;
    EXPECT_THAT(page(run), StartsWith("NONE"));
    run = samples::generated();
    for (auto& trial : run.trials) trial.offered = trial.intended = 0;
    EXPECT_THAT(page(run), StartsWith("NONE"));
}

TEST(Text, DamageWithoutLossIsNoSuccess) {
    EXPECT_THAT(page(samples::both_ways()), StartsWith("FLAW"));
}

TEST(Text, UnsentIsNoSuccess) {
    EXPECT_THAT(page(samples::stalled()), StartsWith("SHORT"));
}

TEST(Text, ALedgerThatDoesNotAddUpIsNamed) {
    const std::string text = page(samples::unsettled());
    EXPECT_THAT(text, HasSubstr("LEDGER DOES NOT ADD UP: 1518 bytes"));
    EXPECT_THAT(text, Not(HasSubstr("ledger adds up")));
}

TEST(Text, EveryTrialHasARow) {
    plan::RunResult run = samples::lossless();
    run.trials.clear();
    for (uint32_t i = 1; i <= 300; ++i) {
        run.trials.push_back(samples::both_ends(i, 64 + i, 1'000'000 + i));
    }
    const std::string text = page(run);
    for (uint32_t i = 1; i <= 300; ++i) {
        EXPECT_THAT(text, HasSubstr(std::to_string(64 + i) + "  1,000,"));
    }
}

}  // namespace
}  // namespace barewire::report
