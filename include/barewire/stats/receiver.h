// SPDX-License-Identifier: BSD-3-Clause
// The receiving half of the ledger: every frame that a sink takes from its port is given to one
// Receiver, which files it as received (first, duplicated, surplus; reordered; corrupted), stale
// or foreign.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "barewire/base/check.h"
#include "barewire/base/clock.h"
#include "barewire/base/knobs.h"
#include "barewire/plan/flow_layout.h"
#include "barewire/stats/histogram.h"
#include "barewire/stats/sequence_tracker.h"
#include "barewire/wire/frame_class.h"
#include "barewire/wire/frame_template.h"
#include "barewire/wire/signature.h"

namespace barewire::stats {

struct ReceiverConfig {
    uint32_t run = 0;  ///< frames of another run are foreign
    plan::FlowLayout layout{1, 1};
    bool payload_check = false;  ///< every bit of each frame is checked, not its length alone
    bool count_flows = false;    ///< costs 64 bytes a flow
    /// With the payload check: the MAC addresses that every frame must bear. Empty where the path
    /// rewrites them.
    std::optional<wire::ProbeAddresses> addresses{};
    uint32_t sequence_window = kSequenceWindow;  ///< see SequenceTracker
};

/// Of one sink, one trial. received = first + duplicated + surplus, where first is the sum of the
/// trackers' seen_count(); reordered and corrupted are shares of received.
struct ReceiverCounts {
    uint64_t received = 0;    ///< frames whose signature names this run and trial
    uint64_t duplicated = 0;  ///< copies after the first
    uint64_t surplus = 0;     ///< match no frame that was still awaited
    uint64_t reordered = 0;   ///< undamaged first copies below a sequence already seen
    uint64_t corrupted = 0;   ///< damaged
    uint64_t stale = 0;       ///< whole frames of this run, but of another trial; not received
    uint64_t negative_latencies = 0;  ///< arrived before they were to depart; recorded as 0
    wire::ForeignTally foreign;       ///< not of this run, by class; not received
};

/// Frames of one flow as counted at one sink; its first copies are the rest of `received`.
struct alignas(64) FlowCounts {
    uint64_t received = 0, duplicated = 0, surplus = 0, reordered = 0, corrupted = 0;
};

/// One writer: the sink's worker. Others read when the worker has stopped. Nothing is allocated
/// after construction.
///
/// A frame is damaged when its length differs from the one in its headers, when the payload check
/// fails, or when it is out of sequence and its UDP checksum fails. A sequence is believed where
/// it is the expected one or its frame is undamaged, so that a flipped bit cannot move a stream. A
/// damaged frame's claim is believed when it is the expected one or follows the stream's last
/// damaged claim; any other waits for the end of the trial, when it counts as the frame that it
/// claims to be if that one is still awaited, else as surplus.
class Receiver {
  public:
    explicit Receiver(const ReceiverConfig& config);

    /// Counters and windows as new. Streams begin at `first_sequence`.
    void begin_trial(uint32_t trial, uint64_t first_sequence = 0) noexcept;

    /// Files the frame (from its destination MAC on, without FCS) that was received at `now`, in
    /// ns since the run's epoch. Template arguments: the configuration's payload_check and
    /// count_flows. False: it is none of this run's.
    template <bool kPayloadCheck, bool kFlows>
    bool account(const uint8_t* frame, uint32_t length, Ns now) noexcept;

    /// After the last frame of a trial: decides on the damaged frames that wait. Frames after it
    /// need a new trial. `others`: stopped receivers that took other frames of the same streams, so
    /// that a claim to one of theirs is seen to be wrong.
    void finish(std::span<const Receiver* const> others = {}) noexcept;

    [[nodiscard]] ReceiverCounts counts() const noexcept {
        ReceiverCounts counts = counts_;
        counts.received = received_;
        return counts;
    }
    /// For live lines: counts().received.
    [[nodiscard]] uint64_t received() const noexcept { return received_; }
    [[nodiscard]] const ReceiverConfig& config() const noexcept { return config_; }
    [[nodiscard]] bool finished() const noexcept { return finished_; }
    [[nodiscard]] const SequenceTracker& tracker(uint32_t stream) const noexcept {
        return stream_[stream].tracker;
    }
    /// One above the highest sequence of the stream that was believed before finish(): how far it
    /// went as far as a receiver can know alone.
    [[nodiscard]] uint64_t believed_end(uint32_t stream) const noexcept {
        return believed_end_[stream];
    }
    /// By flow; empty without count_flows. Frames that name no stream of ours are in none.
    [[nodiscard]] const std::vector<FlowCounts>& flows() const noexcept { return flows_; }

    /// Of every received frame that is not damaged: from the intended departure to `now`, exact
    /// from -0.27 s to 4.02 s (the frame carries 32 bits of ns).
    [[nodiscard]] const Histogram& latency() const noexcept { return latency_; }
    /// Sum of |D(i - 1, i)| of RFC 3550 section 6.4.1 over undamaged frames in the order of their
    /// receipt, in ns; there are latency().count() - 1 of them.
    [[nodiscard]] uint64_t jitter_sum() const noexcept { return jitter_sum_; }
    /// Receipts of the first and last received frame, since the run's epoch; 0 without one.
    [[nodiscard]] Ns first_receipt() const noexcept { return first_receipt_; }
    [[nodiscard]] Ns last_receipt() const noexcept { return last_receipt_; }

    /// Buffer bytes of the smallest probe frame: headers and signature.
    static constexpr uint32_t kLeastLength = wire::kProbeOffset + wire::kSignatureSize;
    static_assert(kLeastLength == kMinFrameSize - kFcsSize);

  private:
    /// One cache line.
    struct alignas(64) Stream {
        explicit Stream(uint32_t window) : tracker(window) {}
        SequenceTracker tracker;
        uint64_t next_claim = 0;  // one above the last damaged frame's claim, if there was one
        uint32_t flow = 0;        // of the expected frame
        bool claimed = false;     // there was one
    };
    /// A damaged frame whose place is not decided.
    struct Pending {
        uint64_t sequence;
        uint8_t stream;
    };

    void record_latency(Ns now, uint32_t departure) noexcept;
    void next_flow(Stream& stream, uint8_t index) noexcept;

    // receiver.cc: whatever is not the expected frame, and the check of every bit.
    [[nodiscard]] bool intact(const uint8_t* frame, uint32_t length) const noexcept;
    [[nodiscard]] bool intact_from(size_t l3_offset, std::span<const uint8_t> frame) const noexcept;
    [[nodiscard]] bool damaged(std::span<const uint8_t> frame, size_t l3_offset,
                               bool expected) const noexcept;
    [[nodiscard]] size_t find_packet(std::span<const uint8_t> frame) noexcept;
    bool account_other(const uint8_t* frame, uint32_t length, Ns now) noexcept;
    void account_believed(uint8_t index, uint64_t sequence) noexcept;
    void account_damaged(uint8_t index, uint64_t sequence) noexcept;
    void postpone(Pending pending) noexcept;
    void settle_claims(uint8_t index, uint64_t next) noexcept;
    [[nodiscard]] bool place(Pending pending, bool may_advance) noexcept;
    void count_surplus(uint8_t index, uint64_t sequence) noexcept;
    [[nodiscard]] uint32_t flow_of(uint8_t index, uint64_t sequence) const noexcept;

    static constexpr uint32_t kNoTrial = 256;  // no frame's trial byte
    static constexpr uint32_t kMostNegative = 1U << 28;

    // What each frame in order touches, in one cache line (but for its stream and the histogram).
    alignas(64) uint64_t key_ = 0;    // magic and run as they stand in a frame
    uint32_t fast_trial_ = kNoTrial;  // trial_ from the first undamaged frame on
    uint32_t streams_;
    uint64_t received_ = 0;
    Ns last_receipt_ = 0;
    uint64_t jitter_sum_ = 0;
    uint32_t last_transit_ = 0;
    std::vector<Stream> stream_;
    Histogram latency_;

    uint8_t trial_ = 0;
    bool finished_ = false;
    Ns first_receipt_ = 0;
    ReceiverCounts counts_;  // received stays 0 here
    std::vector<FlowCounts> flows_;
    std::vector<Pending> pending_;  // kMaxPendingDamaged at most; then a ring
    size_t oldest_pending_ = 0;
    std::vector<std::optional<uint64_t>> lowest_claim_;  // by stream, of those pending
    std::vector<uint64_t> believed_end_;
    ReceiverConfig config_;
};

inline void Receiver::record_latency(Ns now, uint32_t departure) noexcept {
    const uint32_t transit = static_cast<uint32_t>(now) - departure;
    const auto change = int64_t{static_cast<int32_t>(transit - last_transit_)};
    jitter_sum_ += static_cast<uint64_t>(change < 0 ? -change : change);
    last_transit_ = transit;
    if (transit >= uint32_t{0} - kMostNegative) [[unlikely]] {
        ++counts_.negative_latencies;
        latency_.record(0);
        return;
    }
    latency_.record(transit);
}

/// The same as FlowLayout::flow_at for the next sequence, without a division.
inline void Receiver::next_flow(Stream& stream, uint8_t index) noexcept {
    stream.flow += streams_;
    if (stream.flow >= flows_.size()) stream.flow = config_.layout.flow_at(index, 0);
}

template <bool kPayloadCheck, bool kFlows>
inline bool Receiver::account(const uint8_t* frame, uint32_t length, Ns now) noexcept {
    BW_DCHECK(kPayloadCheck == config_.payload_check && kFlows == config_.count_flows);
    const auto load = [frame](auto value, size_t offset) {
        std::memcpy(&value, frame + offset, sizeof(value));
        return value;
    };
    if (length < kLeastLength) [[unlikely]]
        return account_other(frame, length, now);
    const uint64_t key = load(uint64_t{}, wire::kProbeOffset);
    const uint64_t stamp =
        load(wire::be64_t{}, wire::kProbeOffset + offsetof(wire::Signature, sequence)).value();
    const uint8_t trial = frame[wire::kProbeOffset + offsetof(wire::Signature, trial)];
    const uint8_t index = frame[wire::kProbeOffset + offsetof(wire::Signature, stream)];
    const uint32_t ip_length = load(wire::be16_t{}, 14 + 2).value();
    const uint32_t udp_length = load(wire::be16_t{}, 14 + 20 + 4).value();
    if (key != key_ || trial != fast_trial_ || index >= streams_ || ip_length != length - 14 ||
        udp_length != length - 34) [[unlikely]] {
        return account_other(frame, length, now);
    }
    Stream& stream = stream_[index];
    if (!stream.tracker.expects(static_cast<uint32_t>(stamp >> 32))) [[unlikely]] {
        return account_other(frame, length, now);
    }
    if constexpr (kPayloadCheck) {
        if (!intact(frame, length)) [[unlikely]]
            return account_other(frame, length, now);
    }
    stream.tracker.accept_expected();
    if constexpr (kFlows) {
        ++flows_[stream.flow].received;
        next_flow(stream, index);
    }
    ++received_;
    last_receipt_ = now;
    record_latency(now, static_cast<uint32_t>(stamp));
    return true;
}

}  // namespace barewire::stats
