// SPDX-License-Identifier: BSD-3-Clause
// Parts of a result back from JSON: what was written reads as it was, what is wrong as not known.
#include "barewire/report/read_json.h"

#include <gtest/gtest.h>

#include "random_result.h"
#include "samples.h"

namespace barewire::report {
namespace {

TEST(ReadJson, ATrialComesBackAsItWas) {
    for (const plan::TrialResult& trial : samples::lossless().trials) {
        Json written = to_json(trial);
        written["wire"] = nullptr;             // the embedded wire has no far end
        written["line_rate_ratio"] = nullptr;  // the near end's to say
        EXPECT_EQ(to_json(read_trial(written)), written);
    }
}

TEST(ReadJson, AnEnvironmentComesBackAsItWas) {
    plan::Environment environment = samples::lossless().environment;
    environment.version = "0.1.0";
    environment.ports.front().mtu = 9000;
    environment.ports.front().offloads = {"MBUF_FAST_FREE"};
    const Json written = to_json(environment);
    EXPECT_EQ(to_json(read_environment(written)), written);
}

TEST(ReadJson, WhatOneReadingMakesOfAnythingTheNextKeeps) {
    samples::RandomResult results(1);
    for (int i = 0; i < 300; ++i) {
        const plan::RunResult run = results.next();
        for (const plan::TrialResult& trial : run.trials) {
            const Json once = to_json(read_trial(Json::parse(serialize(to_json(trial)))));
            EXPECT_EQ(to_json(read_trial(once)), once);
        }
    }
}

TEST(ReadJson, WrongKindsReadAsNotKnown) {
    const plan::TrialResult trial = read_trial(
        {{"received", "many"}, {"lost", -1}, {"workers", 7}, {"foreign_by", Json::array()}});
    EXPECT_EQ(trial.received, std::nullopt);
    EXPECT_EQ(trial.lost, std::nullopt);
    EXPECT_TRUE(trial.workers.empty());
    EXPECT_TRUE(trial.foreign_by.empty());
    EXPECT_TRUE(read_environment(Json::array()).cpu.empty());
}

TEST(ReadJson, ListsAndTextAreBounded) {
    Json json = {{"flows", Json::array()}, {"direction", std::string(5000, 'a')}};
    for (size_t i = 0; i < kMostElements + 5; ++i) json["flows"].push_back({{"flow", i}});
    const plan::TrialResult trial = read_trial(json);
    EXPECT_EQ(trial.flows.size(), kMostElements);
    EXPECT_EQ(trial.direction.size(), 256U);
}

}  // namespace
}  // namespace barewire::report
