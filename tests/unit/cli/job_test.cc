// SPDX-License-Identifier: BSD-3-Clause
// The whole program with a made-up engine: what goes where, and the exit status.
#include "job.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "barewire/base/error.h"

#include "help.h"

namespace barewire::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

plan::TrialResult trial_of(uint32_t size) {
    plan::TrialResult trial;
    trial.frame_size = size;
    trial.direction = "a-to-b";
    trial.trial = 1;
    trial.duration_s = trial.duration_raw_s = 1;
    trial.intended = trial.offered = 1000;
    trial.unsent = 0;
    trial.received = 999;
    trial.lost = 1;
    trial.surplus = trial.duplicated = trial.reordered = trial.corrupted = 0;
    trial.foreign = trial.stale = 0;
    trial.payload_check = "none";
    return trial;
}

/// A folder of its own for results and saved runs; the streams are files.
class Program : public testing::Test {
  protected:
    Program() {
        std::string name = testing::TempDir() + "barewire-job-XXXXXX";
        folder_ = mkdtemp(name.data());
        setenv("XDG_STATE_HOME", (folder_ + "/state").c_str(), 1);
        host_.machine.cores_allowed = {0, 1};
        host_.run = [this](const plan::Plan& plan, const engine::RunOptions&) {
            ++runs_;
            plan_ = plan;
            plan::RunResult result;
            for (const uint32_t size : plan.sizes) result.trials.push_back(trial_of(size));
            return result;
        };
    }
    ~Program() override { fs::remove_all(folder_); }

    std::string at(const std::string& name) { return folder_ + "/" + name; }
    static std::string text_of(const std::string& path) {
        std::ostringstream text;
        text << std::ifstream(path).rdbuf();
        return text.str();
    }
    int run(std::vector<std::string> args) {
        args.insert(args.begin(), "barewire");
        host_.out = std::fopen(at("out").c_str(), "w");
        host_.err = std::fopen(at("err").c_str(), "w");
        const int status = run_program(args, host_);
        std::fclose(host_.out);
        std::fclose(host_.err);
        out_ = text_of(at("out"));
        err_ = text_of(at("err"));
        return status;
    }
    json result(const std::string& name = "r.json") { return json::parse(text_of(at(name))); }
    size_t saved_runs() {
        size_t count = 0;
        if (!fs::exists(at("state"))) return 0;
        for (const auto& entry : fs::recursive_directory_iterator(at("state"))) {
            count += entry.is_regular_file() ? 1U : 0U;
        }
        return count;
    }

    std::string folder_, out_, err_;
    Host host_;
    plan::Plan plan_;
    int runs_ = 0;
};

TEST_F(Program, AnswersWhatIsNoRun) {
    EXPECT_EQ(run({}), kDone);
    EXPECT_EQ(out_, first_steps());
    for (const char* word : {"--help", "-h", "help"}) {
        EXPECT_EQ(run({word}), kDone);
        EXPECT_EQ(out_, overview());
    }
    EXPECT_EQ(run({"help", "sink"}), kDone);
    EXPECT_EQ(out_, command_help(kSinkCommand));
    EXPECT_EQ(run({"sink", "--help", "--nonsense"}), kDone);
    EXPECT_EQ(out_, command_help(kSinkCommand));
    EXPECT_EQ(run({"--version"}), kDone);
    EXPECT_THAT(out_, testing::StartsWith("barewire "));
    EXPECT_EQ(run({"--print-defaults"}), kDone);
    EXPECT_EQ(out_, defaults_page());
    EXPECT_EQ(err_, "");
    EXPECT_EQ(runs_, 0);
    EXPECT_EQ(saved_runs(), 0U);
}

TEST_F(Program, RefusesWordsThatAreNoCommand) {
    EXPECT_EQ(run({"strss", "--json", at("r.json")}), kBadRequest);
    EXPECT_EQ(err_, "barewire: unknown command 'strss': did you mean stress?\n");
    EXPECT_EQ(result()["status"], "failed");
    EXPECT_EQ(run({"help", "nfs"}), kBadRequest);
    EXPECT_THAT(err_, HasSubstr("nfs is not in this version yet"));
    EXPECT_EQ(run({"--size", "64"}), kBadRequest);
    EXPECT_THAT(err_, HasSubstr("'--size' stands before a command"));
    EXPECT_EQ(out_, "");
}

TEST_F(Program, ARunIsShownWrittenAndSaved) {
    EXPECT_EQ(run({"stress", "--size", "64,128", "--label", "x", "--json", at("r.json"), "--csv",
                   at("r.csv")}),
              kDone);
    EXPECT_EQ(runs_, 1);
    EXPECT_THAT(out_, HasSubstr("64"));
    const json r = result();
    EXPECT_EQ(r["status"], "ok");
    EXPECT_EQ(r["command"], "stress");
    EXPECT_EQ(r["label"], "x");
    EXPECT_EQ(r["command_line"][0], "barewire");
    EXPECT_EQ(r["effective"]["size"], "64,128");
    EXPECT_EQ(r["effective"]["rate"], "max");
    EXPECT_EQ(r["trials"].size(), 2U);
    EXPECT_THAT(r["started"].get<std::string>(),
                testing::MatchesRegex("....-..-..T..:..:..[+-]..:.."));
    EXPECT_EQ(saved_runs(), 1U);
    const std::string csv = text_of(at("r.csv"));
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
}

TEST_F(Program, StandardOutputHoldsTheReportAlone) {
    EXPECT_EQ(run({"stress", "--json", "-"}), kDone);
    EXPECT_EQ(json::parse(out_)["status"], "ok");
    EXPECT_EQ(err_, "");
}

TEST_F(Program, ABadRequestRunsNothingAndLeavesItsResult) {
    std::ofstream(at("r.csv")) << "kept";
    EXPECT_EQ(run({"stress", "--size", "63", "--rate", "100", "--cores", "9", "--json",
                   at("r.json"), "--csv", at("r.csv")}),
              kBadRequest);
    EXPECT_EQ(runs_, 0);
    EXPECT_EQ(out_, "");
    EXPECT_EQ(std::count(err_.begin(), err_.end(), '\n'), 3);
    EXPECT_EQ(result()["status"], "failed");
    EXPECT_EQ(result()["errors"].size(), 3U);
    EXPECT_THAT(result()["trials"], IsEmpty());
    EXPECT_EQ(text_of(at("r.csv")), "kept");
    EXPECT_EQ(saved_runs(), 0U);
    EXPECT_EQ(run({"stress", "--siz", "64", "--json", "-"}), kBadRequest);
    EXPECT_EQ(json::parse(out_)["errors"].size(), 1U);
}

TEST_F(Program, WhatTheEngineFindsWrongIsABadRequestToo) {
    host_.run = [](const plan::Plan&, const engine::RunOptions&) -> plan::RunResult {
        throw ConfigError(std::vector<std::string>{"too little memory", "another thing"});
    };
    EXPECT_EQ(run({"stress", "--json", at("r.json")}), kBadRequest);
    EXPECT_EQ(err_, "barewire: too little memory\nbarewire: another thing\n");
    EXPECT_EQ(result()["errors"].size(), 2U);
}

TEST_F(Program, ADeviceThatRefusesFailsTheRun) {
    host_.run = [](const plan::Plan&, const engine::RunOptions&) -> plan::RunResult {
        throw DeviceError("rte_eth_dev_start: no");
    };
    EXPECT_EQ(run({"stress", "--json", at("r.json")}), kFailed);
    EXPECT_THAT(err_, HasSubstr("barewire: rte_eth_dev_start: no\n"));
    EXPECT_EQ(result()["status"], "failed");
    host_.run = [](const plan::Plan&, const engine::RunOptions&) -> plan::RunResult {
        throw std::bad_alloc();
    };
    EXPECT_EQ(run({"stress"}), kBadRequest);
    EXPECT_THAT(err_, HasSubstr("not enough memory"));
}

TEST_F(Program, ABrokenExpectationFailsTheRun) {
    EXPECT_EQ(run({"stress", "--size", "64,65", "--expect", "loss=0,offered=1000", "--json",
                   at("r.json")}),
              kFailed);
    EXPECT_EQ(result()["status"], "failed");
    EXPECT_EQ(result()["errors"].size(), 2U);  // one a trial
    EXPECT_EQ(result()["trials"].size(), 2U);
    EXPECT_THAT(err_, HasSubstr("loss=0"));
    EXPECT_EQ(run({"stress", "--expect", "loss<=0.1%"}), kDone);
}

TEST_F(Program, ALedgerThatDoesNotAddUpFailsTheRun) {
    host_.run = [](const plan::Plan&, const engine::RunOptions&) {
        plan::RunResult result;
        result.trials = {trial_of(64)};
        result.trials[0].ledger_adds_up = false;
        return result;
    };
    EXPECT_EQ(run({"stress", "--json", at("r.json")}), kFailed);
    EXPECT_THAT(result()["errors"][0].get<std::string>(), HasSubstr("does not add up"));
}

TEST_F(Program, AnInterruptKeepsTheResultSoFar) {
    host_.run = [](const plan::Plan&, const engine::RunOptions& options) {
        raise(SIGINT);
        raise(SIGINT);
        plan::RunResult result;
        result.trials = {trial_of(64)};
        result.trials[0].complete = false;
        result.status = options.stop->load() ? plan::Status::interrupted : plan::Status::ok;
        return result;
    };
    EXPECT_EQ(run({"stress", "--expect", "loss=0", "--json", at("r.json")}), kInterrupted);
    EXPECT_EQ(result()["status"], "interrupted");
    EXPECT_EQ(result()["trials"].size(), 1U);
    EXPECT_EQ(saved_runs(), 1U);
}

TEST_F(Program, ProgressIsQuietInAPipeUnlessAskedFor) {
    plan::Interval interval;
    interval.trial = 1;
    interval.frame_size = 64;
    interval.direction = "a-to-b";
    interval.end_s = 1;
    interval.offered = interval.received = 12345678;
    Ns every = -1;
    host_.run = [&](const plan::Plan&, const engine::RunOptions& options) {
        every = options.progress_every_ns;
        if (every != 0) options.on_progress({&interval, 1, 1, 1.0});
        plan::RunResult result;
        result.trials = {trial_of(64)};
        return result;
    };
    run({"stress", "--json", "-"});
    EXPECT_EQ(every, 0);
    EXPECT_EQ(err_, "");
    run({"stress", "--interval", "1s"});
    EXPECT_EQ(every, 1'000'000'000);
    const std::string with_lines = out_;
    run({"stress"});
    EXPECT_GT(with_lines.size(), out_.size());
    run({"stress", "--interval", "1s", "--json", "-"});
    EXPECT_TRUE(json::accept(out_));
    EXPECT_NE(err_, "");
    run({"stress", "--progress", "always"});
    EXPECT_GT(every, 0);
    EXPECT_THAT(err_, HasSubstr("\r"));
}

TEST_F(Program, PortsRunsNoPlanAndIsNotSaved) {
    host_.survey = [] {
        machine::Survey survey;
        survey.network.links.resize(1);
        survey.network.links[0].name = "v7";
        survey.network.ipv4_routes = "as read";
        return survey;
    };
    EXPECT_EQ(run({"ports", "--json", at("r.json"), "--record", at("raw.json")}), kDone);
    EXPECT_EQ(runs_, 0);
    EXPECT_EQ(saved_runs(), 0U);
    EXPECT_EQ(err_, "");
    EXPECT_THAT(out_, testing::StartsWith("NONE "));
    const json r = result();
    EXPECT_EQ(r["schema"], "barewire.result/1");
    EXPECT_EQ(r["command"], "ports");
    EXPECT_EQ(r["status"], "ok");
    EXPECT_THAT(r["trials"], IsEmpty());
    EXPECT_EQ(r["ports"]["interfaces"][0]["name"], "v7");
    EXPECT_EQ(result("raw.json")["proc/net/route"], "as read");
    EXPECT_EQ(run({"ports", "--json", "-"}), kDone);
    EXPECT_EQ(json::parse(out_)["command"], "ports");
    EXPECT_EQ(err_, "");
}

TEST_F(Program, PortsRefusesWhatItCannotWrite) {
    host_.survey = []() -> machine::Survey { throw std::logic_error("asked in vain"); };
    EXPECT_EQ(run({"ports", "--json", "-", "--record", "-", "--size", "64"}), kBadRequest);
    EXPECT_EQ(json::parse(out_)["errors"].size(), 2U);
    EXPECT_THAT(err_, HasSubstr("--json and --record both go to standard output"));
    EXPECT_EQ(run({"ports", "--record", at("no/such/raw.json")}), kBadRequest);
    EXPECT_THAT(err_, HasSubstr("--record"));
}

TEST_F(Program, PortsFailsWhereAReportDoes) {
    EXPECT_EQ(run({"ports", "--record", "/dev/full"}), kFailed);
    EXPECT_THAT(err_, HasSubstr("barewire: --record"));
    EXPECT_EQ(run({"ports", "--json", "/dev/full"}), kFailed);
    EXPECT_THAT(err_, HasSubstr("barewire: --json"));
}

TEST_F(Program, TheGuardRefusesAndIsLifted) {
    plan::KernelInterface v7;
    v7.name = "v7";
    v7.up = true;
    v7.addresses = {"192.0.2.2/24"};
    host_.machine.network = {.interfaces = {v7}, .holds_default_route = true};
    const std::vector<std::string> request = {"generate", "--port", "af_packet:v7", "--dst-ip",
                                              "192.0.2.9"};
    EXPECT_EQ(run(request), kBadRequest);
    EXPECT_EQ(runs_, 0);
    EXPECT_EQ(std::count(err_.begin(), err_.end(), '\n'), 2);
    EXPECT_THAT(err_, HasSubstr("--i-own-this-network"));
    std::vector<std::string> lifted = request;
    lifted.insert(lifted.end(), {"--i-own-this-network", "--json", at("r.json")});
    EXPECT_EQ(run(lifted), kDone);
    EXPECT_EQ(runs_, 1);
    EXPECT_TRUE(plan_.own_network);
    EXPECT_EQ(result()["lifted"].size(), 2U);
}

TEST_F(Program, AReportThatCannotBeWrittenFailsTheRun) {
    EXPECT_EQ(run({"stress", "--json", "/dev/full"}), kFailed);
    EXPECT_THAT(err_, HasSubstr("barewire: --json"));
    EXPECT_EQ(saved_runs(), 1U);
}

TEST_F(Program, BytesThatAreNoTextDoNoHarm) {
    EXPECT_EQ(run({"stress", "--label", "\xff\x1b", "--json", at("r.json")}), kDone);
    EXPECT_NO_THROW(result());
    EXPECT_THAT(out_, Not(HasSubstr("\x1b")));
    EXPECT_EQ(run({"\xff\x1b"}), kBadRequest);
    EXPECT_THAT(err_, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace barewire::cli
