// SPDX-License-Identifier: BSD-3-Clause
// Verdicts on made-up runs: the limit is named only where the figures decide it.
#include "barewire/plan/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace barewire::plan {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr Count kTurns = 1'000'000;

WorkerResult worker(const char* role, Count productive, Count short_sends) {
    WorkerResult worker;
    worker.role = role;
    worker.turns = kTurns;
    worker.productive_turns = productive;
    worker.short_sends = short_sends;
    return worker;
}

/// A run at the highest rate over the embedded wire, all of it received.
RunResult run_of(const WorkerResult& generator, const WorkerResult& sink) {
    RunResult run;
    run.command = "stress";
    TrialResult trial;
    trial.frame_size = 64;
    trial.duration_s = 1;
    trial.intended = trial.offered = trial.received = 10'000'000;
    trial.unsent = trial.lost = trial.corrupted = 0;
    trial.payload_check = "none";
    trial.rx.fps = 10e6;
    trial.workers = {generator, sink};
    trial.wire = WireCounts{.entered = 10'000'000, .delivered = 10'000'000};
    run.trials = {trial};
    return run;
}

RunResult steady() {
    return run_of(worker("generate", kTurns, 0), worker("sink", kTurns / 2, 0));
}

TEST(Verdict, TheGeneratorIsTheLimitWhereNothingMadeItWait) {
    EXPECT_EQ(judge_run(steady()).limit, "generator-cpu");
}

TEST(Verdict, TheSinkIsTheLimitWhereItIsBusyAndTheWireFull) {
    RunResult run = run_of(worker("generate", kTurns / 2, kTurns / 2), worker("sink", kTurns, 0));
    EXPECT_EQ(judge_run(run).limit, "sink-cpu");
    run.trials[0].wire.reset();  // another port may be full for reasons of its own
    EXPECT_EQ(judge_run(run).limit, "unknown");
}

TEST(Verdict, NeitherBusyIsUnknown) {
    const RunResult run =
        run_of(worker("generate", kTurns / 2, kTurns / 2), worker("sink", kTurns / 2, 0));
    EXPECT_EQ(judge_run(run).limit, "unknown");
}

TEST(Verdict, ASpeedThatWasReachedIsTheLimit) {
    RunResult run = steady();
    run.trials[0].line_rate_ratio = 0.9999;
    EXPECT_EQ(judge_run(run).limit, "wire");
}

TEST(Verdict, ARateThatWasHeldMetNoLimit) {
    RunResult run = steady();
    run.trials[0].target_fps = 10e6;
    EXPECT_EQ(judge_run(run).limit, "none");
    run.trials[0].unsent = 1;
    EXPECT_EQ(judge_run(run).limit, "unknown");
}

TEST(Verdict, NothingRunIsUnknown) {
    const VerdictResult verdict = judge_run({});
    EXPECT_EQ(verdict.limit, "unknown");
    EXPECT_THAT(verdict.evidence, IsEmpty());
    EXPECT_THAT(verdict.next, IsEmpty());
}

TEST(Verdict, AfterLossItSuggestsTheSameMoreSlowly) {
    RunResult run = steady();
    run.effective = {{"tx", "pcap:it's,x"}, {"rx", "wire:b"}, {"wire", ""}};
    run.trials[0].lost = 1'000;
    EXPECT_THAT(judge_run(run).next,
                ElementsAre("barewire stress --tx 'pcap:it'\\''s,x' --size 64 --rate 9Mpps"
                            "  # a tenth slower: still lost?"));
}

TEST(Verdict, AfterTheWiresOwnLossASlowerRateIsNoAnswer) {
    RunResult run = steady();
    run.trials[0].lost = 1'000;
    run.trials[0].wire->delivered -= 1'000;
    EXPECT_THAT(judge_run(run).next, IsEmpty());
}

TEST(Verdict, AfterUnsentItSuggestsToRideOutLongerStalls) {
    RunResult run = steady();
    run.trials[0].target_fps = 14.88e6;
    run.trials[0].unsent = 7;
    EXPECT_THAT(judge_run(run).next,
                ElementsAre(HasSubstr("--rate 14.88Mpps --late catch-up=100ms  # ")));
}

TEST(Verdict, AfterCorruptionItSuggestsThePayloadCheckOnce) {
    RunResult run = steady();
    run.trials[0].corrupted = 1;
    EXPECT_THAT(judge_run(run).next, ElementsAre(HasSubstr("--payload-check  # ")));
    run.trials[0].payload_check = "crc32c";
    EXPECT_THAT(judge_run(run).next, testing::Not(testing::Contains(HasSubstr("--payload-check"))));
}

TEST(Verdict, SaysWhenTheMachineTookTheCores) {
    RunResult run = steady();
    EXPECT_THAT(judge_run(run).evidence, testing::Not(testing::Contains(HasSubstr("took"))));
    run.trials[0].stalls.total_ns = 500'000'000;  // of two workers' one second each
    EXPECT_THAT(judge_run(run).evidence, testing::Contains(HasSubstr("for 25% of the time")));
}

TEST(Verdict, AfterAnInterruptItSuggestsNothing) {
    RunResult run = steady();
    run.status = Status::interrupted;
    EXPECT_THAT(judge_run(run).next, IsEmpty());
}

}  // namespace
}  // namespace barewire::plan
