// SPDX-License-Identifier: BSD-3-Clause
// What a sink does for one frame: the signature's check, sequence, latency. Items are frames.
#include <vector>

#include <benchmark/benchmark.h>

#include "barewire/stats/receiver.h"

namespace {

using namespace barewire;

/// Frames of one size in order, as many as a pool keeps in the cache.
class Frames {
  public:
    static constexpr uint32_t kCount = 1024;

    Frames(uint32_t frame_size, bool crc)
        : made_(frame_size, {{2}, {4}, 1, 2, 3, 4}, {1, 1, 0}, crc),
          stride_((made_.length() + 191) / 64 * 64),
          bytes_(kCount * stride_) {
        for (size_t i = 0; i < kCount; ++i) {
            std::memcpy(at(i), made_.bytes().data(), made_.length());
        }
    }
    uint8_t* at(size_t i) { return bytes_.data() + i * stride_; }
    [[nodiscard]] uint32_t length() const { return made_.length(); }
    void stamp(uint32_t sequence, uint32_t step) {
        const wire::FlowStamp flow = made_.flow_stamp(0);
        for (size_t i = 0; i < kCount; ++i, sequence += step) {
            made_.with_crc() ? made_.stamp<true, false>(at(i), flow, sequence, sequence)
                             : made_.stamp<false, false>(at(i), flow, sequence, sequence);
        }
    }

  private:
    wire::FrameTemplate made_;
    size_t stride_;
    std::vector<uint8_t> bytes_;
};

template <bool kPayloadCheck, bool kFlows>
void account(benchmark::State& state, uint32_t frame_size, uint32_t step) {
    stats::ReceiverConfig config;
    config.run = 1;
    config.layout = {1, kFlows ? 64U : 1U};
    config.payload_check = kPayloadCheck;
    config.count_flows = kFlows;
    stats::Receiver receiver(config);
    receiver.begin_trial(1);
    Frames frames(frame_size, kPayloadCheck && frame_size >= wire::kMinCrcFrameSize);
    uint32_t sequence = 0;
    for (auto _ : state) {
        state.PauseTiming();
        frames.stamp(sequence, step);
        sequence += step * Frames::kCount;
        state.ResumeTiming();
        for (size_t i = 0; i < Frames::kCount; ++i) {
            const Ns now = static_cast<Ns>(sequence) + static_cast<Ns>(i / kBurst * 100);
            receiver.account<kPayloadCheck, kFlows>(frames.at(i), frames.length(), now);
        }
    }
    state.SetItemsProcessed(state.iterations() * int64_t{Frames::kCount});
    if (receiver.counts().corrupted > 0 || receiver.counts().foreign.total() > 0) {
        state.SkipWithError("frames were not taken for what they are");
    }
}

void in_order(benchmark::State& state) {
    account<false, false>(state, 64, 1);
}
void in_order_flows(benchmark::State& state) {
    account<false, true>(state, 64, 1);
}
void out_of_order(benchmark::State& state) {
    account<false, false>(state, 64, 2);
}
void checked_64(benchmark::State& state) {
    account<true, false>(state, 64, 1);
}
void checked_1518(benchmark::State& state) {
    account<true, false>(state, 1518, 1);
}
void checked_9018(benchmark::State& state) {
    account<true, false>(state, 9018, 1);
}
BENCHMARK(in_order);
BENCHMARK(in_order_flows);
BENCHMARK(out_of_order);
BENCHMARK(checked_64);
BENCHMARK(checked_1518);
BENCHMARK(checked_9018);

}  // namespace

BENCHMARK_MAIN();
