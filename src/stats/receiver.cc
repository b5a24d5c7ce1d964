// SPDX-License-Identifier: BSD-3-Clause
// What a sink does with every frame that is not the expected one of its stream.
#include "barewire/stats/receiver.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "barewire/base/check.h"
#include "barewire/wire/bytes.h"
#include "barewire/wire/checksum.h"
#include "barewire/wire/frame_view.h"

namespace barewire::stats {
namespace {

using Bytes = std::span<const uint8_t>;

/// As magic and run stand in a frame.
uint64_t key_of(uint32_t run) noexcept {
    return std::bit_cast<uint64_t>(std::array{wire::be32_t(wire::kProbeMagic), wire::be32_t(run)});
}

/// IPv4 and UDP say the length that is here. `packet` holds both headers; as in the fast path
/// nothing else of them is looked at.
bool lengths_hold(Bytes packet) noexcept {
    const auto ip = wire::load<wire::Ipv4Header>(packet.data());
    const auto udp = wire::load<wire::UdpHeader>(packet.data(), sizeof(ip));
    return ip.total_length.value() == packet.size() &&
           udp.length.value() + sizeof(ip) == packet.size();
}

/// Whether `a` comes before `b` in a sequence that may wrap.
bool precedes(uint64_t a, uint64_t b) noexcept {
    return static_cast<int64_t>(a - b) < 0;
}

}  // namespace

Receiver::Receiver(const ReceiverConfig& config)
    : key_(key_of(config.run)),
      streams_(config.layout.streams()),
      believed_end_(streams_),
      config_(config) {
    static_assert(sizeof(Stream) == 64);
    BW_CHECK(streams_ >= 1 && streams_ <= kMaxStreams && config.layout.flows() >= 1);
    stream_.reserve(streams_);
    for (uint32_t i = 0; i < streams_; ++i) stream_.emplace_back(config.sequence_window);
    if (config.count_flows) flows_.resize(config.layout.flows());
    pending_.reserve(kMaxPendingDamaged);
    lowest_claim_.resize(streams_);
    begin_trial(0);
}

void Receiver::begin_trial(uint32_t trial, uint64_t first_sequence) noexcept {
    trial_ = static_cast<uint8_t>(trial);
    fast_trial_ = kNoTrial;
    finished_ = false;
    received_ = jitter_sum_ = 0;
    first_receipt_ = last_receipt_ = 0;
    counts_ = {};
    latency_.reset();
    pending_.clear();
    oldest_pending_ = 0;
    std::fill(lowest_claim_.begin(), lowest_claim_.end(), std::nullopt);
    std::fill(flows_.begin(), flows_.end(), FlowCounts{});
    for (uint32_t i = 0; i < streams_; ++i) {
        stream_[i].tracker.reset(first_sequence);
        stream_[i].claimed = false;
        stream_[i].flow = flow_of(static_cast<uint8_t>(i), first_sequence);
        believed_end_[i] = first_sequence;
    }
}

bool Receiver::intact(const uint8_t* frame, uint32_t length) const noexcept {
    return intact_from(sizeof(wire::EthernetHeader), {frame, length});
}

bool Receiver::intact_from(size_t l3_offset, Bytes frame) const noexcept {
    if (config_.addresses) {
        const auto header = wire::load<wire::EthernetHeader>(frame.data());
        if (header.dst != config_.addresses->dst_mac || header.src != config_.addresses->src_mac) {
            return false;
        }
    }
    const auto type = wire::load<wire::be16_t>(frame.data(), l3_offset - sizeof(wire::be16_t));
    const Bytes packet = frame.subspan(l3_offset);
    if (type != wire::be16_t(wire::kEtherTypeIpv4) ||
        !wire::ipv4_header_valid(packet.first(sizeof(wire::Ipv4Header))) ||
        !wire::ipv4_udp_valid(packet)) {
        return false;
    }
    const bool has_crc = frame.size() + kFcsSize >= wire::kMinCrcFrameSize;
    return !has_crc || wire::payload_crc_valid(
                           packet.subspan(sizeof(wire::Ipv4Header) + sizeof(wire::UdpHeader)));
}

bool Receiver::damaged(Bytes frame, size_t l3_offset, bool expected) const noexcept {
    const Bytes packet = frame.subspan(l3_offset);
    if (!lengths_hold(packet)) return true;
    if (config_.payload_check) return !intact_from(l3_offset, frame);
    return !expected && !wire::ipv4_udp_valid(packet);
}

/// Where the packet begins; 0, and the frame is counted as foreign, if it is none of this run's.
size_t Receiver::find_packet(Bytes frame) noexcept {
    if (frame.size() >= kLeastLength &&
        wire::load<uint64_t>(frame.data(), wire::kProbeOffset) == key_) [[likely]] {
        return sizeof(wire::EthernetHeader);
    }
    const wire::FrameView view(frame);  // a switch may have added a tag
    if (view.signature() && view.signature()->run.value() == config_.run) return view.l3_offset();
    // The two ends' own talk is no traffic.
    const wire::FrameClass frame_class = view.frame_class();
    if (frame_class != wire::FrameClass::control) counts_.foreign.add(frame_class, view.ethertype());
    return 0;
}

bool Receiver::account_other(const uint8_t* frame, uint32_t length, Ns now) noexcept {
    BW_DCHECK(!finished_);
    const Bytes bytes(frame, length);
    const size_t l3_offset = find_packet(bytes);
    if (l3_offset == 0) return false;
    const Bytes packet = bytes.subspan(l3_offset);
    const auto signature = wire::load<wire::Signature>(
        packet.data(), wire::kProbeOffset - sizeof(wire::EthernetHeader));
    const bool this_trial = signature.trial == trial_;
    const bool known = this_trial && signature.stream < streams_;
    const uint32_t low = signature.sequence.value();
    const bool expected = known && stream_[signature.stream].tracker.expects(low);
    if (!this_trial && lengths_hold(packet) && wire::ipv4_udp_valid(packet)) {
        ++counts_.stale;
        return true;
    }
    const bool is_damaged = !this_trial || damaged(bytes, l3_offset, expected);
    if (received_++ == 0) first_receipt_ = now;
    last_receipt_ = now;
    if (is_damaged) {
        ++counts_.corrupted;
    } else {
        // The first one has no transit before it to differ from.
        const uint32_t departure = signature.departure.value();
        if (fast_trial_ == kNoTrial) last_transit_ = static_cast<uint32_t>(now) - departure;
        fast_trial_ = trial_;
        record_latency(now, departure);
    }
    if (!known) {
        ++counts_.surplus;
        return true;
    }
    const uint64_t sequence = stream_[signature.stream].tracker.extend(low);
    is_damaged ? account_damaged(signature.stream, sequence)
               : account_believed(signature.stream, sequence);
    return true;
}

void Receiver::account_believed(uint8_t index, uint64_t sequence) noexcept {
    Stream& stream = stream_[index];
    settle_claims(index, sequence + 1);
    const Arrival arrival = stream.tracker.accept(sequence);
    counts_.reordered += arrival == Arrival::reordered ? 1 : 0;
    counts_.duplicated += arrival == Arrival::duplicate ? 1 : 0;
    counts_.surplus += arrival == Arrival::surplus ? 1 : 0;
    if (flows_.empty()) return;
    FlowCounts& flow = flows_[flow_of(index, sequence)];
    ++flow.received;
    flow.reordered += arrival == Arrival::reordered ? 1 : 0;
    flow.duplicated += arrival == Arrival::duplicate ? 1 : 0;
    flow.surplus += arrival == Arrival::surplus ? 1 : 0;
    stream.flow = flow_of(index, stream.tracker.next());
}

void Receiver::account_damaged(uint8_t index, uint64_t sequence) noexcept {
    Stream& stream = stream_[index];
    if (!flows_.empty()) {
        FlowCounts& flow = flows_[flow_of(index, sequence)];
        ++flow.received;
        ++flow.corrupted;
    }
    settle_claims(index, stream.tracker.next());
    const uint64_t gap = sequence - stream.tracker.next();
    // Two damaged frames in a row that claim neighbouring places: bits do not flip so.
    const bool follows = stream.claimed && sequence == stream.next_claim;
    stream.claimed = true;
    stream.next_claim = sequence + 1;
    if (gap == 0 || (follows && gap <= config_.sequence_window)) {
        settle_claims(index, sequence + 1);
        stream.tracker.accept(sequence);
        stream.flow = flow_of(index, stream.tracker.next());
    } else {
        postpone({sequence, index});
    }
}

/// A stream is about to be seen up to `next`: claims that its window would then lose sight of are
/// decided now, while the bitmap still tells.
void Receiver::settle_claims(uint8_t index, uint64_t next) noexcept {
    std::optional<uint64_t>& lowest = lowest_claim_[index];
    if (!lowest) [[likely]]
        return;
    const uint64_t tracked = stream_[index].tracker.next();
    const uint64_t window_begin =
        (precedes(next, tracked) ? tracked : next) - config_.sequence_window;
    if (!precedes(*lowest, window_begin)) return;
    lowest.reset();
    const auto settled = [&](const Pending& pending) {
        if (pending.stream != index) return false;
        if (!precedes(pending.sequence, window_begin)) {
            if (!lowest || precedes(pending.sequence, *lowest)) lowest = pending.sequence;
            return false;
        }
        if (!place(pending, false)) count_surplus(pending.stream, pending.sequence);
        return true;
    };
    std::rotate(pending_.begin(), pending_.begin() + static_cast<ptrdiff_t>(oldest_pending_),
                pending_.end());  // the oldest first again
    oldest_pending_ = 0;
    std::erase_if(pending_, settled);
}

void Receiver::postpone(Pending pending) noexcept {
    std::optional<uint64_t>& lowest = lowest_claim_[pending.stream];
    if (!lowest || precedes(pending.sequence, *lowest)) lowest = pending.sequence;
    if (pending_.size() < kMaxPendingDamaged) {
        pending_.push_back(pending);  // reserved: allocates nothing
        return;
    }
    const Pending oldest = std::exchange(pending_[oldest_pending_], pending);
    oldest_pending_ = (oldest_pending_ + 1) % kMaxPendingDamaged;
    if (!place(oldest, false)) count_surplus(oldest.stream, oldest.sequence);
}

/// The frame becomes the first copy that it claims to be, if that one is awaited. `may_advance`: a
/// claim above all that was seen is believed too. While the trial runs it is not: it would make
/// late frames of all that come after.
bool Receiver::place(Pending pending, bool may_advance) noexcept {
    SequenceTracker& tracker = stream_[pending.stream].tracker;
    const uint64_t gap = pending.sequence - tracker.next();
    const bool behind = static_cast<int64_t>(gap) < 0;
    if (!behind && (!may_advance || gap > config_.sequence_window)) return false;
    const Arrival arrival =
        behind ? tracker.accept_claim(pending.sequence) : tracker.accept(pending.sequence);
    return arrival == Arrival::first || arrival == Arrival::reordered;
}

void Receiver::finish(std::span<const Receiver* const> others) noexcept {
    if (finished_) return;
    for (uint32_t i = 0; i < streams_; ++i) believed_end_[i] = stream_[i].tracker.next();
    // Ascending, so that a claim far ahead pushes no other one out of the window.
    std::sort(pending_.begin(), pending_.end(), [](const Pending& a, const Pending& b) {
        if (a.stream != b.stream) return a.stream < b.stream;
        return static_cast<int64_t>(a.sequence - b.sequence) < 0;
    });
    for (const Pending& pending : pending_) {
        const bool taken = std::any_of(others.begin(), others.end(), [&](const Receiver* other) {
            return other != this && other->tracker(pending.stream).seen(pending.sequence);
        });
        if (taken || !place(pending, true)) count_surplus(pending.stream, pending.sequence);
    }
    pending_.clear();
    oldest_pending_ = 0;
    fast_trial_ = kNoTrial;
    finished_ = true;
}

void Receiver::count_surplus(uint8_t index, uint64_t sequence) noexcept {
    ++counts_.surplus;
    if (!flows_.empty()) ++flows_[flow_of(index, sequence)].surplus;
}

uint32_t Receiver::flow_of(uint8_t index, uint64_t sequence) const noexcept {
    const plan::FlowLayout& layout = config_.layout;
    return layout.flow_at(index, layout.slot_of(index, sequence));
}

}  // namespace barewire::stats
