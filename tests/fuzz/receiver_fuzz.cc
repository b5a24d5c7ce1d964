// SPDX-License-Identifier: BSD-3-Clause
// Any frames at all into two receivers of one run: no read beyond a frame, and a ledger that adds
// up. Input: two bytes of configuration, then records of a length byte and an operation byte.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <tuple>

#include "barewire/base/check.h"
#include "barewire/stats/ledger.h"
#include "barewire/wire/frame_template.h"

namespace {

using namespace barewire;

constexpr uint32_t kRun = 1;
constexpr uint8_t kTrial = 1;
constexpr uint32_t kMostLength = 124;

struct Input {
    std::span<const uint8_t> left;
    uint8_t next() {
        if (left.empty()) return 0;
        const uint8_t byte = left.front();
        left = left.subspan(1);
        return byte;
    }
    uint16_t next16() { return static_cast<uint16_t>(next() << 8 | next()); }
};

/// The bytes of one record: a frame of ours, then changed as the input says. On the heap and of its
/// exact length, so that a read beyond it is seen.
struct Record {
    std::unique_ptr<uint8_t[]> bytes;
    uint32_t length;
};

/// Made once for each size, stream and check.
const wire::FrameTemplate& template_of(uint32_t size, uint8_t stream, bool with_crc) {
    static const wire::ProbeAddresses addresses{{2}, {4}, 1, 2, 3, 4};
    static std::map<std::tuple<uint32_t, uint8_t, bool>, wire::FrameTemplate> made;
    const wire::ProbeIdentity identity{kRun, kTrial, stream};
    return made.try_emplace({size, stream, with_crc}, size, addresses, identity, with_crc)
        .first->second;
}

Record read_record(Input& input, bool crc) {
    const uint32_t length = input.next() % kMostLength;
    const uint8_t operation = input.next();
    Record record{std::make_unique<uint8_t[]>(length), length};
    const bool ours = (operation & 1) != 0;
    if (ours) {
        const uint32_t size = length < 64 ? 68 : length + 4;
        const bool with_crc = crc && size >= wire::kMinCrcFrameSize;
        const auto stream = static_cast<uint8_t>(operation >> 5);
        const wire::FrameTemplate& made = template_of(size, stream, with_crc);
        std::array<uint8_t, kMostLength + 8> frame{};
        std::memcpy(frame.data(), made.bytes().data(), made.length());
        // Few enough that frames follow, repeat and overtake each other; at times near a wrap.
        const uint32_t sequence = input.next() - ((operation & 2) != 0 ? 128U : 0U);
        with_crc ? made.stamp<true, false>(frame.data(), made.flow_stamp(0), sequence, 7)
                 : made.stamp<false, false>(frame.data(), made.flow_stamp(0), sequence, 7);
        if (length > 0) std::memcpy(record.bytes.get(), frame.data(), length);
    }
    const unsigned changes = ours ? operation >> 2 & 3 : length;
    for (unsigned i = 0; i < changes && length > 0; ++i) {
        const uint16_t where = ours ? input.next16() : static_cast<uint16_t>(i * 256);
        record.bytes[(where >> 8) % length] ^= ours ? static_cast<uint8_t>(where) : input.next();
    }
    return record;
}

void account(stats::Receiver& receiver, const Record& record, Ns now) {
    const bool flows = receiver.config().count_flows;
    if (receiver.config().payload_check) {
        flows ? receiver.account<true, true>(record.bytes.get(), record.length, now)
              : receiver.account<true, false>(record.bytes.get(), record.length, now);
    } else {
        flows ? receiver.account<false, true>(record.bytes.get(), record.length, now)
              : receiver.account<false, false>(record.bytes.get(), record.length, now);
    }
}

stats::ReceiverConfig read_config(Input& input) {
    const uint8_t bits = input.next();
    const uint8_t layout = input.next();
    stats::ReceiverConfig config;
    config.run = kRun;
    config.payload_check = (bits & 1) != 0;
    config.count_flows = (bits & 2) != 0;
    config.layout = {1U + layout % 8, 1U + layout / 8};
    config.sequence_window = 64U << (bits >> 2 & 3);
    return config;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input{{data, size}};
    const stats::ReceiverConfig config = read_config(input);
    std::array<stats::Receiver, 2> receivers{stats::Receiver(config), stats::Receiver(config)};
    for (auto& receiver : receivers) receiver.begin_trial(kTrial);
    uint64_t frames = 0;
    while (!input.left.empty()) {
        const Record record = read_record(input, config.payload_check);
        account(receivers[record.length % 5 == 0], record, static_cast<Ns>(frames));
        ++frames;
    }
    const std::array<const stats::Receiver*, 2> all{receivers.data(), receivers.data() + 1};
    for (auto& receiver : receivers) receiver.finish(all);
    stats::SentTotals sent;
    sent.offered.assign(config.layout.streams(), 20);
    sent.intended = 20 * config.layout.streams();
    for (const auto* totals : {&sent, static_cast<stats::SentTotals*>(nullptr)}) {
        plan::TrialResult result;
        const auto notes = stats::fill_ledger({config.layout, totals, all}, result);
        BW_CHECK(result.ledger_adds_up && notes.problems.empty());
        BW_CHECK(*result.received + *result.foreign + *result.stale == frames);
        BW_CHECK(*result.corrupted <= *result.received && *result.reordered <= *result.received);
    }
    return 0;
}
