// SPDX-License-Identifier: BSD-3-Clause
// A thousand random mixes of loss, duplication, reordering and damage in simulated time: every
// count equals the model's, and the identity holds.
#include <algorithm>
#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "barewire/stats/ledger.h"

#include "sink_model.h"

namespace barewire::stats {
namespace {

using Random = std::mt19937_64;

bool happens(Random& random, double probability) {
    return std::uniform_real_distribution<double>(0, 1)(random) < probability;
}

/// What one mix does to frames; each probability is often 0.
struct Mix {
    double lose, copy, delay, flip, cut, stale, foreign;
    uint32_t frames;
    uint32_t sinks;
    uint64_t start;
    uint8_t trial;
    uint32_t frame_size;
    ReceiverConfig config;
};

Mix draw_mix(Random& random, bool damaging) {
    const auto often_none = [&](double most) {
        return random() % 3 == 0 ? 0.0 : most * std::uniform_real_distribution<>(0, 1)(random);
    };
    Mix mix{};
    mix.lose = often_none(0.4);
    mix.copy = often_none(0.3);
    mix.delay = often_none(0.3);
    mix.flip = damaging ? often_none(0.6) : 0;
    mix.cut = damaging ? often_none(0.3) : 0;
    mix.stale = often_none(0.1);
    mix.foreign = often_none(0.1);
    mix.frames = static_cast<uint32_t>(10 + random() % 150);
    mix.start = std::array<uint64_t, 3>{0, (uint64_t{1} << 32) - 120, 0xFFFF'FF00}[random() % 3];
    mix.trial = static_cast<uint8_t>(random() % 3 + 255);
    mix.frame_size = std::array<uint32_t, 4>{64, 65, 68, 131}[random() % 4];
    mix.config.run = kRun;
    mix.config.layout = {static_cast<uint32_t>(1 + random() % 4),
                         static_cast<uint32_t>(1 + random() % 9)};
    mix.config.payload_check = random() % 2 == 0;
    mix.config.count_flows = random() % 2 == 0;
    mix.config.addresses = kAddresses;
    mix.config.sequence_window = 1U << 16;
    mix.sinks = static_cast<uint32_t>(1 + random() % 3);
    return mix;
}

/// A path with a memory of one frame a stream that it holds back.
class Path {
  public:
    Path(const Mix& mix, Random& random)
        : mix_(mix),
          random_(random),
          crc_(mix.config.payload_check && mix.frame_size >= wire::kMinCrcFrameSize),
          factory_(mix.frame_size, crc_) {}

    /// Everything that arrives, in order. `offered`: by stream.
    std::vector<Delivery> run(std::vector<uint64_t>& offered) {
        const uint32_t streams = mix_.config.layout.streams();
        offered.assign(streams, 0);
        for (uint32_t i = 0; i < mix_.frames; ++i) {
            if (happens(random_, mix_.foreign)) deliver(foreign());
            const auto stream = static_cast<uint8_t>(random_() % streams);
            const auto trial = static_cast<uint8_t>(mix_.trial - 1);
            if (happens(random_, mix_.stale)) deliver(make(kRun, trial, stream, random_()));
            const uint64_t sequence = mix_.start + offered[stream]++;
            if (happens(random_, mix_.lose)) {
                ++lost;
                continue;
            }
            send(make(kRun, mix_.trial, stream, sequence));
        }
        for (Delivery& held : held_) deliveries_.push_back(std::move(held));
        return std::move(deliveries_);
    }

    uint64_t lost = 0, duplicated = 0;

  private:
    Delivery make(uint32_t run, uint8_t trial, uint8_t stream, uint64_t sequence) {
        clock_ += static_cast<Ns>(random_() % 1000);
        return {factory_.make({run, trial, stream}, sequence, clock_), {}, false};
    }
    Delivery foreign() {
        if (random_() % 2 == 0) return make(kRun ^ 1, mix_.trial, 0, random_());
        Frame noise(random_() % 100);
        for (uint8_t& byte : noise) byte = static_cast<uint8_t>(random_());
        return {noise, {}, false};
    }
    void send(Delivery delivery) {
        if (happens(random_, mix_.copy)) {
            ++duplicated;
            deliver(delivery);
        }
        if (happens(random_, mix_.delay)) {
            held_.push_back(std::move(delivery));
        } else {
            deliver(std::move(delivery));
        }
        while (!held_.empty() && random_() % 4 == 0) {
            deliver(std::move(held_.back()));
            held_.pop_back();
        }
    }
    /// At most one impairment a frame, as on a real path all but always.
    void deliver(Delivery delivery) {
        if (happens(random_, mix_.flip) && !delivery.frame.empty()) {
            delivery.flipped = random_() % (delivery.frame.size() * 8);
            delivery.frame = flip(std::move(delivery.frame), *delivery.flipped);
        } else if (happens(random_, mix_.cut) && !delivery.frame.empty()) {
            delivery.cut = true;
            delivery.frame.resize(delivery.frame.size() - 1 -
                                  random_() % 10 % delivery.frame.size());
        }
        deliveries_.push_back(std::move(delivery));
    }

    const Mix& mix_;
    Random& random_;
    bool crc_;
    FrameFactory factory_;
    Ns clock_ = 0;
    std::vector<Delivery> held_;
    std::vector<Delivery> deliveries_;
};

/// Receivers and their models, side by side.
struct Bench {
    Bench(const Mix& mix, const std::vector<Delivery>& deliveries, Random& random) {
        for (uint32_t i = 0; i < mix.sinks; ++i) {
            receivers.emplace_back(mix.config).begin_trial(mix.trial, mix.start);
            models.emplace_back(mix.config, mix.trial, mix.start);
        }
        Ns now = 1000;
        for (const Delivery& delivery : deliveries) {
            now += static_cast<Ns>(random() % 1000);
            // All copies of a frame to the same sink, and the frames of a stream to several.
            const size_t at = delivery.frame.size() < 60 ? 0 : delivery.frame[53] % mix.sinks;
            account(receivers[at], delivery.frame, now);
            models[at].feed(delivery, now);
        }
        std::vector<const Receiver*> others;
        for (const Receiver& receiver : receivers) others.push_back(&receiver);
        for (size_t i = 0; i < mix.sinks; ++i) {
            receivers[i].finish(others);
            models[i].finish(models);
        }
    }
    std::vector<Receiver> receivers;
    std::vector<SinkModel> models;
};

void expect_counts(const Receiver& receiver, const SinkModel& model) {
    const ReceiverCounts counts = receiver.counts();
    EXPECT_EQ(counts.received, model.sum.received);
    EXPECT_EQ(counts.duplicated, model.sum.duplicated);
    EXPECT_EQ(counts.surplus, model.sum.surplus);
    EXPECT_EQ(counts.reordered, model.sum.reordered);
    EXPECT_EQ(counts.corrupted, model.sum.corrupted);
    EXPECT_EQ(counts.stale, model.sum.stale);
    EXPECT_EQ(counts.foreign.total(), model.sum.foreign);
    uint64_t first = 0;
    for (const auto& [stream, state] : model.streams) {
        EXPECT_EQ(receiver.tracker(stream).seen_count(), state.seen.size());
        first += state.seen.size();
    }
    EXPECT_EQ(counts.received, first + counts.duplicated + counts.surplus);
    uint64_t jitter = 0;
    for (size_t i = 1; i < model.transits.size(); ++i) {
        const int64_t change = model.transits[i] - model.transits[i - 1];
        // 32 bits of difference: the shorter way around.
        jitter += std::min(static_cast<uint64_t>(std::abs(change)),
                           static_cast<uint64_t>(std::abs((int64_t{1} << 32) - std::abs(change))));
    }
    const auto negative = std::count_if(model.transits.begin(), model.transits.end(),
                                        [](int64_t transit) { return transit < 0; });
    EXPECT_EQ(receiver.latency().count(), model.transits.size());
    EXPECT_EQ(receiver.jitter_sum(), jitter);
    EXPECT_EQ(counts.negative_latencies, static_cast<uint64_t>(negative));
}

/// The model's lost frames and surplus, stream by stream.
void expect_ledger(const plan::TrialResult& result, const std::vector<SinkModel>& models,
                   const std::vector<uint64_t>& offered) {
    uint64_t lost = 0;
    uint64_t surplus = 0;
    uint64_t received = 0;
    for (const SinkModel& model : models) {
        surplus += model.sum.surplus;
        received += model.sum.received;
    }
    for (uint32_t stream = 0; stream < offered.size(); ++stream) {
        uint64_t matched = 0;
        for (const SinkModel& model : models) {
            const auto found = model.streams.find(static_cast<uint8_t>(stream));
            if (found == model.streams.end()) continue;
            for (const int64_t sequence : found->second.seen) {
                const bool ours = sequence < static_cast<int64_t>(offered[stream]);
                matched += ours ? 1 : 0;
                surplus += ours ? 0 : 1;
            }
        }
        const uint64_t excess = matched > offered[stream] ? matched - offered[stream] : 0;
        surplus += excess;
        lost += offered[stream] + excess - matched;
    }
    EXPECT_EQ(result.received, received);
    EXPECT_EQ(result.lost, lost);
    EXPECT_EQ(result.surplus, surplus);
    EXPECT_EQ(*result.offered + *result.surplus + *result.duplicated,
              *result.received + *result.lost);
}

void expect_flows(const plan::TrialResult& result, const std::vector<SinkModel>& models,
                  const std::vector<uint64_t>& offered, uint32_t flows) {
    ASSERT_EQ(result.flows.size(), flows);
    std::vector<plan::FlowResult> expected(flows);
    for (uint32_t stream = 0; stream < offered.size(); ++stream) {
        const auto id = static_cast<uint8_t>(stream);
        for (uint64_t i = 0; i < offered[stream]; ++i) {
            ++expected[models[0].flow_number(id, static_cast<int64_t>(i))].offered;
        }
        for (const SinkModel& model : models) {
            const auto found = model.streams.find(id);
            if (found == model.streams.end()) continue;
            for (const int64_t sequence : found->second.seen) {
                if (sequence < static_cast<int64_t>(offered[stream])) continue;
                ++expected[model.flow_number(id, sequence)].surplus;
            }
        }
    }
    for (uint32_t flow = 0; flow < flows; ++flow) {
        plan::FlowResult& sum = expected[flow];
        for (const SinkModel& model : models) {
            const auto found = model.flows.find(flow);
            if (found == model.flows.end()) continue;
            sum.received += found->second.received;
            sum.surplus += found->second.surplus;
            sum.duplicated += found->second.duplicated;
            EXPECT_LE(found->second.reordered, result.flows[flow].reordered);
            EXPECT_LE(found->second.corrupted, result.flows[flow].corrupted);
        }
        const uint64_t matched = sum.offered + sum.surplus + sum.duplicated;
        if (sum.received > matched) sum.surplus += sum.received - matched;
        EXPECT_EQ(result.flows[flow].offered, sum.offered);
        EXPECT_EQ(result.flows[flow].received, sum.received);
        EXPECT_EQ(result.flows[flow].surplus, sum.surplus);
        EXPECT_EQ(result.flows[flow].duplicated, sum.duplicated);
        EXPECT_EQ(result.flows[flow].lost,
                  sum.offered + sum.surplus + sum.duplicated - sum.received);
    }
}

/// One mix against its model; `path` is run.
plan::TrialResult expect_exact(const Mix& mix, Path& path, Random& random) {
    SentTotals sent;
    const std::vector<Delivery> deliveries = path.run(sent.offered);
    sent.intended = std::accumulate(sent.offered.begin(), sent.offered.end(), uint64_t{0});
    const Bench bench(mix, deliveries, random);
    std::vector<const Receiver*> receivers;
    for (size_t i = 0; i < mix.sinks; ++i) {
        expect_counts(bench.receivers[i], bench.models[i]);
        receivers.push_back(&bench.receivers[i]);
    }
    plan::TrialResult result;
    const LedgerNotes notes = fill_ledger({mix.config.layout, &sent, receivers}, result);
    EXPECT_TRUE(result.ledger_adds_up) << notes.problems.front();
    expect_ledger(result, bench.models, sent.offered);
    if (mix.config.count_flows) {
        expect_flows(result, bench.models, sent.offered, mix.config.layout.flows());
    } else {
        EXPECT_TRUE(result.flows.empty());
    }
    return result;
}

TEST(LedgerMix, AThousandMixesOfDamageEqualTheModel) {
    Random random(23);
    for (int round = 0; round < 1000 && !::testing::Test::HasFailure(); ++round) {
        SCOPED_TRACE(round);
        const Mix mix = draw_mix(random, true);
        Path path(mix, random);
        expect_exact(mix, path, random);
    }
}

TEST(LedgerMix, WithoutDamageCountsAreThePathsOwn) {
    Random random(24);
    for (int round = 0; round < 300 && !::testing::Test::HasFailure(); ++round) {
        SCOPED_TRACE(round);
        const Mix mix = draw_mix(random, false);
        Path path(mix, random);
        const plan::TrialResult result = expect_exact(mix, path, random);
        EXPECT_EQ(result.lost, path.lost);
        EXPECT_EQ(result.duplicated, path.duplicated);
        EXPECT_EQ(result.surplus, 0U);
        EXPECT_EQ(result.corrupted, 0U);
    }
}

}  // namespace
}  // namespace barewire::stats
