// SPDX-License-Identifier: BSD-3-Clause
// Cost of the pacers: turns in which nothing is due, bursts on time, and catching up.
#include <cstdint>

#include <benchmark/benchmark.h>

#include "barewire/base/knobs.h"
#include "barewire/plan/pacer.h"

namespace {

using namespace barewire;
using namespace barewire::plan;

/// Turns `turn_ns` apart, at one frame in `period_ns`, the clock `behind_ns` ahead of the schedule.
void take_all(benchmark::State& state, double period_ns, Ns turn_ns, Ns behind_ns) {
    CbrPacer pacer({.period_ns = period_ns,
                    .late = {.kind = LatePolicy::Kind::catch_up, .limit_ns = Schedule::kNoEnd}});
    Ns now = behind_ns;
    for (auto _ : state) {
        const uint32_t due = pacer.due(now, kBurst);
        Ns last = 0;
        for (uint32_t i = 0; i < due; ++i) last ^= pacer.take();
        benchmark::DoNotOptimize(last);
        now += turn_ns;
    }
    state.SetItemsProcessed(static_cast<int64_t>(pacer.intended()));
}

void idle_turn(benchmark::State& state) {
    take_all(state, 1e9, 1, 0);
}
void one_a_turn(benchmark::State& state) {
    take_all(state, 67.2, 67, 0);
}
void burst_a_turn(benchmark::State& state) {
    take_all(state, 67.2, 2140, 0);
}
void catching_up(benchmark::State& state) {
    take_all(state, 67.2, 1000, Ns{1} << 60);
}
BENCHMARK(idle_turn);
BENCHMARK(one_a_turn);
BENCHMARK(burst_a_turn);
BENCHMARK(catching_up);

void max_pacer(benchmark::State& state) {
    MaxPacer pacer({});
    Ns now = 0;
    for (auto _ : state) {
        const uint32_t due = pacer.due(now++, kBurst);
        Ns last = 0;
        for (uint32_t i = 0; i < due; ++i) last ^= pacer.take();
        benchmark::DoNotOptimize(last);
    }
    state.SetItemsProcessed(static_cast<int64_t>(pacer.intended()));
}
BENCHMARK(max_pacer);

}  // namespace

BENCHMARK_MAIN();
