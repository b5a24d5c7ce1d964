// SPDX-License-Identifier: BSD-3-Clause
// The JSON: its keys in their order, null for what is not known, never NaN, valid whatever the
// strings hold.
#include "barewire/report/json.h"

#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "random_result.h"
#include "samples.h"

namespace barewire::report {
namespace {

using testing::ElementsAre;
using testing::IsSupersetOf;

std::vector<std::string> keys(const Json& object) {
    std::vector<std::string> names;
    for (const auto& [name, value] : object.items()) names.push_back(name);
    return names;
}

/// `wanted` in its order, other keys between them left out.
std::vector<std::string> in_order(const Json& object, const std::vector<std::string>& wanted) {
    std::vector<std::string> found;
    for (const std::string& name : keys(object)) {
        if (std::find(wanted.begin(), wanted.end(), name) != wanted.end()) found.push_back(name);
    }
    return found;
}

TEST(Json, HasTheKeysOfTheContractInOrder) {
    EXPECT_THAT(keys(to_json(samples::lossless())),
                ElementsAre("schema", "command", "command_line", "run_id", "label", "version",
                            "status", "errors", "warnings", "started", "effective", "environment",
                            "far_environment", "lifted", "trials", "intervals", "verdict"));
    EXPECT_EQ(to_json(samples::lossless())["schema"], "barewire.result/1");
}

TEST(Json, ATrialHasTheKeysOfTheContractInOrder) {
    const std::vector<std::string> contract = {
        "frame_size", "direction", "duration_s",      "seed",       "repeat",      "intended",
        "offered",    "unsent",    "received",        "lost",       "lost_by",     "surplus",
        "duplicated", "reordered", "corrupted",       "foreign",    "foreign_by",  "stale",
        "tx",         "rx",        "line_rate_ratio", "latency_ns", "lateness_ns", "gap_ns",
        "jitter_ns",  "stalls",    "workers",         "pause",      "wire",        "port_counters",
        "flows"};
    const Json trial = to_json(samples::lossless())["trials"][0];
    EXPECT_EQ(in_order(trial, contract), contract);
    EXPECT_THAT(keys(trial["latency_ns"]), ElementsAre("count", "min", "mean", "p50", "p90", "p99",
                                                       "p999", "max", "error_bound"));
    EXPECT_THAT(keys(trial["lost_by"]),
                ElementsAre("tx_port", "path", "rx_damaged", "rx_missed", "rx_no_buffer"));
    EXPECT_THAT(keys(trial["workers"][0]),
                IsSupersetOf({"core", "role", "busy_share", "cycles_per_frame"}));
}

TEST(Json, CarriesTheFigures) {
    const Json run = to_json(samples::nic_loss());
    const Json& trial = run["trials"][0];
    EXPECT_EQ(trial["offered"], 148'809'520);
    EXPECT_EQ(trial["lost"], 1'204'331);
    EXPECT_EQ(trial["lost_by"]["path"], 1'204'331);
    EXPECT_EQ(trial["foreign_by"], Json({{"LLDP", 2}, {"STP", 12}}));
    EXPECT_EQ(trial["rx"]["l1_bps"], 9.919e9);
    EXPECT_DOUBLE_EQ(trial["workers"][0]["busy_share"].get<double>(), 0.61);
    EXPECT_EQ(run["environment"]["ports"][1]["speed_bps"], 10e9);
    EXPECT_EQ(run["effective"]["tx"], "0000:3b:00.0");
}

TEST(Json, WhatIsNotKnownIsNull) {
    const Json trial = to_json(samples::generated())["trials"][0];
    for (const char* key :
         {"received", "lost", "surplus", "duplicated", "reordered", "corrupted", "foreign",
          "foreign_by", "stale", "latency_ns", "line_rate_ratio", "jitter_ns", "pause", "wire"}) {
        EXPECT_TRUE(trial.at(key).is_null()) << key;
    }
    EXPECT_EQ(trial["unsent"], 0);
    EXPECT_TRUE(trial["rx"]["fps"].is_null());
    EXPECT_TRUE(to_json(samples::sunk())["trials"][0]["frame_size"].is_null());
    const Json refused = to_json(samples::refused());
    EXPECT_TRUE(refused["environment"]["tsc_hz"].is_null());
    EXPECT_TRUE(refused["environment"]["cpu"].is_null());
    EXPECT_EQ(refused["trials"], Json::array());
}

TEST(Json, WholeNumbersKeepAll64Bits) {
    plan::RunResult run = samples::lossless();
    run.trials[0].seed = ~0ULL;
    EXPECT_NE(serialize(to_json(run)).find("\"seed\": 18446744073709551615"), std::string::npos);
}

/// The object itself is looked at: as text NaN and infinity would be null anyway.
bool all_finite(const Json& value) {
    if (value.is_number_float()) return std::isfinite(value.get<double>());
    return std::all_of(value.begin(), value.end(), [&value](const Json& part) {
        return !value.is_structured() || all_finite(part);
    });
}

TEST(Json, AnyResultIsValidAndFinite) {
    samples::RandomResult random(4);
    for (int i = 0; i < 300; ++i) {
        const Json run = to_json(random.next());
        const std::string text = serialize(run);
        ASSERT_TRUE(Json::accept(text));
        ASSERT_EQ(text.back(), '\n');
        // nlohmann writes NaN and infinity as null, which would hide them: look at the object.
        ASSERT_TRUE(all_finite(run)) << text;
    }
}

TEST(Json, BytesThatAreNotUtf8AreReplaced) {
    plan::RunResult run = samples::lossless();
    run.label = "a\xFF z";
    EXPECT_NE(serialize(to_json(run)).find("\"label\": \"a\xEF\xBF\xBD z\""), std::string::npos);
}

}  // namespace
}  // namespace barewire::report
