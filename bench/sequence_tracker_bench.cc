// SPDX-License-Identifier: BSD-3-Clause
// The tracker in order, and with every frame out of it.
#include <benchmark/benchmark.h>

#include "barewire/stats/sequence_tracker.h"

namespace {

using barewire::stats::SequenceTracker;

void in_order(benchmark::State& state) {
    SequenceTracker tracker;
    benchmark::DoNotOptimize(&tracker);
    uint32_t sequence = 0;
    for (auto _ : state) {
        if (!tracker.expects(sequence)) state.SkipWithError("not in order");
        tracker.accept_expected();
        ++sequence;
        benchmark::ClobberMemory();
    }
}
BENCHMARK(in_order);

/// As one of two sinks that share a stream sees it.
void every_second(benchmark::State& state) {
    SequenceTracker tracker;
    benchmark::DoNotOptimize(&tracker);
    uint32_t sequence = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(tracker.accept(tracker.extend(sequence)));
        sequence += 2;
    }
}
BENCHMARK(every_second);

void pairs_swapped(benchmark::State& state) {
    SequenceTracker tracker;
    benchmark::DoNotOptimize(&tracker);
    uint32_t sequence = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(tracker.accept(tracker.extend(sequence ^ 1)));
        ++sequence;
    }
}
BENCHMARK(pairs_swapped);

}  // namespace

BENCHMARK_MAIN();
