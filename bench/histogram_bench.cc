// SPDX-License-Identifier: BSD-3-Clause
// Recording of one latency, and the summary at the end of a trial.
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "barewire/stats/histogram.h"

namespace {

using barewire::stats::Histogram;

std::vector<uint64_t> latencies() {
    std::mt19937_64 random(1);
    std::lognormal_distribution<double> distribution(9, 1);
    std::vector<uint64_t> values(4096);
    for (uint64_t& value : values) value = static_cast<uint64_t>(distribution(random));
    return values;
}

void record(benchmark::State& state) {
    Histogram histogram;
    const std::vector<uint64_t> values = latencies();
    benchmark::DoNotOptimize(&histogram);
    size_t i = 0;
    for (auto _ : state) {
        histogram.record(values[i]);
        i = (i + 1) % values.size();
        benchmark::ClobberMemory();
    }
}
BENCHMARK(record);

void summary(benchmark::State& state) {
    Histogram histogram;
    for (const uint64_t value : latencies()) histogram.record(value);
    for (auto _ : state) benchmark::DoNotOptimize(histogram.summary());
}
BENCHMARK(summary);

}  // namespace

BENCHMARK_MAIN();
