// SPDX-License-Identifier: BSD-3-Clause
// A thousand random settings in simulated time: real frames through the wire's model into a
// receiver and the ledger; the identity holds and each class equals the wire's own count.
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "barewire/link/hold_queue.h"
#include "barewire/link/wire_model.h"
#include "barewire/stats/ledger.h"
#include "barewire/stats/receiver.h"
#include "barewire/wire/frame_template.h"

namespace barewire::link {
namespace {

using Frame = std::vector<uint8_t>;
constexpr uint32_t kRun = 0xC0FFEE;

struct Setting {
    WireDirection wire;
    uint32_t streams, flows, frame_size;
    uint64_t seed, frames;
};

Setting draw_setting(std::mt19937_64& random) {
    const auto share = [&] {
        return random() % 2 == 0 ? 0.0 : std::uniform_real_distribution<>(0, 0.03)(random);
    };
    Setting setting{};
    setting.wire = {.loss = share(),
                    .burst_loss = share() / 10,
                    .burst_frames = static_cast<uint32_t>(1 + random() % 40),
                    .duplicate = share(),
                    .reorder = share(),
                    .reorder_frames = static_cast<uint32_t>(1 + random() % 8),
                    .corrupt = share(),
                    .truncate = share()};
    setting.streams = static_cast<uint32_t>(1 + random() % 4);
    setting.flows = static_cast<uint32_t>(1 + random() % 12);
    setting.frame_size = static_cast<uint32_t>(68 + random() % 200);
    setting.seed = random();
    setting.frames = 200 + random() % 3000;
    return setting;
}

/// The wire as nic/wire_queues.cc carries it out, with vectors for buffers and no rings.
class Journey {
  public:
    Journey(const Setting& setting, stats::Receiver& receiver)
        : model_(setting.wire, setting.seed, 0, setting.streams),
          held_(64, setting.wire.reorder_frames),
          receiver_(receiver) {
        model_.begin_trial(1);
    }
    auto release() {
        return [this](uint32_t stream, uint64_t sequence, const Frame& frame) {
            arrive(stream, sequence, frame, Delivery::held);
        };
    }
    void enter(uint32_t stream, uint64_t sequence, Frame frame) {
        const auto length = static_cast<uint32_t>(frame.size());
        const Decision decision = model_.decide(stream, sequence, length, length - 14);
        switch (decision.fate) {
            case Fate::lose:
                return;
            case Fate::hold:
                held_.hold(stream, sequence, std::move(frame), release());
                return;
            case Fate::corrupt:
            case Fate::corrupt_any:
                frame[decision.detail / 8] ^= static_cast<uint8_t>(0x80U >> decision.detail % 8);
                return arrive(stream, sequence, frame, Delivery::damaged);
            case Fate::truncate:
                frame.resize(decision.detail);
                return arrive(stream, sequence, frame, Delivery::damaged);
            case Fate::pass:
            case Fate::duplicate:
                break;
        }
        arrive(stream, sequence, frame, Delivery::whole);
        held_.overtaken(stream, release());
        if (decision.fate == Fate::duplicate) arrive(stream, sequence, frame, Delivery::whole);
    }
    const plan::WireCounts& finish() {
        held_.flush(release());
        receiver_.finish();
        return model_.counts();
    }

  private:
    void arrive(uint32_t stream, uint64_t sequence, const Frame& frame, Delivery delivery) {
        model_.deliver(stream, sequence, delivery);
        receiver_.account<true, true>(frame.data(), static_cast<uint32_t>(frame.size()), 0);
    }
    WireModel model_;
    HoldQueue<Frame> held_;
    stats::Receiver& receiver_;
};

/// One sender a stream, taking turns; flows as FlowLayout says.
stats::SentTotals send_all(const Setting& setting, const plan::FlowLayout& layout,
                           Journey& journey) {
    stats::SentTotals sent{.intended = setting.frames, .unsent = 0, .offered = {}};
    sent.offered.resize(setting.streams);
    std::vector<wire::FrameTemplate> templates;
    for (uint32_t stream = 0; stream < setting.streams; ++stream) {
        templates.emplace_back(setting.frame_size, wire::ProbeAddresses{.src_port = 49152},
                               wire::ProbeIdentity{kRun, 1, static_cast<uint8_t>(stream)}, true);
    }
    for (uint64_t i = 0; i < setting.frames; ++i) {
        const auto stream = static_cast<uint32_t>(i % setting.streams);
        const wire::FrameTemplate& frame = templates[stream];
        const uint64_t sequence = sent.offered[stream]++;
        Frame bytes(frame.bytes().begin(), frame.bytes().end());
        const uint32_t flow = layout.flow_at(stream, layout.slot_of(stream, sequence));
        frame.stamp<true, true>(bytes.data(), frame.flow_stamp(flow),
                                static_cast<uint32_t>(sequence), 0);
        journey.enter(stream, sequence, std::move(bytes));
    }
    return sent;
}

TEST(WireJourney, AThousandSettingsKeepTheIdentityAndEveryClass) {
    std::mt19937_64 random(20260101);
    for (int round = 0; round < 1000; ++round) {
        const Setting setting = draw_setting(random);
        const plan::FlowLayout layout(setting.streams, setting.flows);
        stats::Receiver receiver({.run = kRun,
                                  .layout = layout,
                                  .payload_check = true,
                                  .count_flows = true,
                                  .sequence_window = 1U << 12});
        receiver.begin_trial(1);
        Journey journey(setting, receiver);
        const stats::SentTotals sent = send_all(setting, layout, journey);
        const plan::WireCounts wire = journey.finish();

        plan::TrialResult result;
        result.frame_size = setting.frame_size;
        result.duration_s = 1;
        const stats::Receiver* receivers[] = {&receiver};
        stats::fill_ledger({.layout = layout, .sent = &sent, .receivers = receivers}, result);
        ASSERT_TRUE(result.ledger_adds_up) << round;
        ASSERT_EQ(*result.offered + *result.surplus + *result.duplicated,
                  *result.received + *result.lost)
            << round;
        ASSERT_EQ(*result.lost, wire.lost + wire.burst_lost) << round;
        ASSERT_EQ(*result.duplicated, wire.duplicated) << round;
        ASSERT_EQ(*result.reordered, wire.reordered) << round;
        ASSERT_EQ(*result.corrupted, wire.corrupted + wire.truncated) << round;
        ASSERT_EQ(*result.received, wire.delivered) << round;
        ASSERT_EQ(*result.surplus, 0U) << round;
        ASSERT_EQ(*result.foreign, 0U) << round;
    }
}

}  // namespace
}  // namespace barewire::link
