// SPDX-License-Identifier: BSD-3-Clause
// Cost of stamping, recognising and checking a frame.
#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

#include "barewire/base/knobs.h"
#include "barewire/wire/checksum.h"
#include "barewire/wire/frame_template.h"
#include "barewire/wire/frame_view.h"

namespace {

using namespace barewire;
using namespace barewire::wire;

FrameTemplate probe(uint32_t frame_size, bool with_crc) {
    return {frame_size,
            {.src_ip = 0xC6120001, .dst_ip = 0xC6130001, .src_port = 49152, .dst_port = 49184},
            {.run = 1, .trial = 1, .stream = 1},
            with_crc};
}

/// A burst of frames side by side, as a pool has them.
template <bool kCrc, bool kFlows>
void stamp(benchmark::State& state) {
    constexpr uint32_t kFlowCount = 16;
    const FrameTemplate frame = probe(128, kCrc);
    std::vector<std::vector<uint8_t>> burst(kBurst, {frame.bytes().begin(), frame.bytes().end()});
    std::vector<FlowStamp> flows;
    for (uint32_t flow = 0; flow < kFlowCount; ++flow) flows.push_back(frame.flow_stamp(flow));
    uint32_t sequence = 0;
    for (auto _ : state) {
        for (std::vector<uint8_t>& buffer : burst) {
            const FlowStamp& flow = flows[kFlows ? sequence % kFlowCount : 0];
            frame.stamp<kCrc, kFlows>(buffer.data(), flow, sequence, sequence * 67);
            ++sequence;
        }
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(state.iterations() * kBurst);
}
BENCHMARK(stamp<false, false>);
BENCHMARK(stamp<false, true>);
BENCHMARK(stamp<true, false>);
BENCHMARK(stamp<true, true>);

void signature_check(benchmark::State& state) {
    const FrameTemplate frame = probe(64, false);
    const std::vector<std::vector<uint8_t>> burst(kBurst,
                                                  {frame.bytes().begin(), frame.bytes().end()});
    const SignatureKey key(1);
    for (auto _ : state) {
        uint32_t sum = 0;
        for (const std::vector<uint8_t>& buffer : burst) {
            if (key.names(buffer.data())) sum += signature_of(buffer.data()).sequence.value();
        }
        benchmark::DoNotOptimize(sum);
    }
    state.SetItemsProcessed(state.iterations() * kBurst);
}
BENCHMARK(signature_check);

void frame_view(benchmark::State& state) {
    const FrameTemplate frame = probe(64, false);
    for (auto _ : state) {
        const FrameView view(frame.bytes());
        benchmark::DoNotOptimize(view.frame_class());
    }
}
BENCHMARK(frame_view);

void checksum(benchmark::State& state) {
    const std::vector<uint8_t> bytes(static_cast<size_t>(state.range(0)), 0x5A);
    for (auto _ : state) benchmark::DoNotOptimize(internet_sum(bytes));
    state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(checksum)->Arg(60)->Arg(1514)->Arg(9014)->Arg(65531);

void crc(benchmark::State& state) {
    const std::vector<uint8_t> bytes(static_cast<size_t>(state.range(0)), 0x5A);
    for (auto _ : state) benchmark::DoNotOptimize(crc32c(bytes));
    state.SetBytesProcessed(state.iterations() * state.range(0));
}
BENCHMARK(crc)->Arg(60)->Arg(1514)->Arg(9014)->Arg(65531);

}  // namespace

BENCHMARK_MAIN();
