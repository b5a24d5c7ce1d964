// SPDX-License-Identifier: BSD-3-Clause
// What one frame costs in the wire's model: beside an empty loop, and with a held frame pending.
#include <benchmark/benchmark.h>

#include "barewire/link/hold_queue.h"
#include "barewire/link/wire_model.h"

namespace {

using barewire::link::HoldQueue;
using barewire::link::WireDirection;
using barewire::link::WireModel;

void count_only(benchmark::State& state) {
    uint64_t sequence = 0;
    for (auto _ : state) benchmark::DoNotOptimize(++sequence);
}
BENCHMARK(count_only);

void decide_and_deliver(benchmark::State& state) {
    WireDirection way;
    way.loss = static_cast<double>(state.range(0)) * 1e-6;
    way.mtu = 1500;
    WireModel model(way, 7, 0, 1);
    uint64_t sequence = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(model.decide(0, sequence, 124, 110));
        model.deliver(0, sequence, barewire::link::Delivery::whole);
        ++sequence;
    }
}
BENCHMARK(decide_and_deliver)->Arg(0)->Arg(1000)->Arg(100'000);

void overtaken(benchmark::State& state) {
    HoldQueue<uint64_t> queue(64, 1000);
    const auto release = [](uint32_t, uint64_t sequence, uint64_t) {
        benchmark::DoNotOptimize(sequence);
    };
    uint64_t sequence = 0;
    for (auto _ : state) {
        if (state.range(0) != 0 && queue.size() == 0) queue.hold(0, sequence, sequence, release);
        queue.overtaken(0, release);
        ++sequence;
    }
}
BENCHMARK(overtaken)->Arg(0)->Arg(1);

}  // namespace

BENCHMARK_MAIN();
