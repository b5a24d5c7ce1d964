// SPDX-License-Identifier: BSD-3-Clause
// Sums over workers and streams, and the proof that they add up.
#include "barewire/stats/ledger.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "barewire/base/check.h"

#include "flow_ledger.h"

namespace barewire::stats {
namespace {

using plan::Count;
using plan::TrialResult;

/// Sums over all receivers, before and after the streams are settled.
struct Received {
    ReceiverCounts counts;
    Count extent = 0;  // frames offered, or as many as must have been
    Count lost = 0;
    Count excess = 0;  // of surplus: copies of one frame that several receivers took for the first
};

void add(ReceiverCounts& sum, const ReceiverCounts& counts) {
    sum.received += counts.received;
    sum.duplicated += counts.duplicated;
    sum.surplus += counts.surplus;
    sum.reordered += counts.reordered;
    sum.corrupted += counts.corrupted;
    sum.stale += counts.stale;
    sum.negative_latencies += counts.negative_latencies;
    sum.foreign.merge(counts.foreign);
}

/// First copies of one stream at or above `end`, and those in all.
struct FirstCopies {
    Count all = 0;
    Count beyond = 0;
};

FirstCopies first_copies(const LedgerInput& input, uint32_t stream, Count extent) {
    FirstCopies copies;
    for (const Receiver* receiver : input.receivers) {
        const SequenceTracker& tracker = receiver->tracker(stream);
        copies.all += tracker.seen_count();
        copies.beyond += tracker.count_from(tracker.first_sequence() + extent);
    }
    return copies;
}

/// Frames that match none offered become surplus: sequences above the last offered one, and, should
/// two receivers have counted the same frame, the excess.
Received settle(const LedgerInput& input, const std::vector<Count>& extents) {
    Received sum;
    for (const Receiver* receiver : input.receivers) add(sum.counts, receiver->counts());
    for (uint32_t stream = 0; stream < input.layout.streams(); ++stream) {
        const FirstCopies copies = first_copies(input, stream, extents[stream]);
        const Count matched = std::min(copies.all - copies.beyond, extents[stream]);
        sum.excess += copies.all - copies.beyond - matched;
        sum.extent += extents[stream];
        sum.lost += extents[stream] - matched;
        sum.counts.surplus += copies.all - matched;
    }
    return sum;
}

/// Sums that were counted apart from each other and must agree.
void prove(const LedgerInput& input, LedgerNotes& notes) {
    for (size_t i = 0; i < input.receivers.size(); ++i) {
        const Receiver& receiver = *input.receivers[i];
        const ReceiverCounts counts = receiver.counts();
        Count first = 0;
        for (uint32_t stream = 0; stream < input.layout.streams(); ++stream) {
            first += receiver.tracker(stream).seen_count();
        }
        if (counts.received != first + counts.duplicated + counts.surplus) {
            notes.problems.push_back(
                fmt::format("sink {}: received {} is not first {} + duplicated {} + surplus {}", i,
                            counts.received, first, counts.duplicated, counts.surplus));
        }
        const Count timed = receiver.latency().count();
        if (counts.received != timed + counts.corrupted) {
            notes.problems.push_back(
                fmt::format("sink {}: received {} is not {} with a latency + corrupted {}", i,
                            counts.received, timed, counts.corrupted));
        }
    }
}

void fill_sent(const SentTotals& sent, TrialResult& result, LedgerNotes& notes) {
    const Count offered = std::accumulate(sent.offered.begin(), sent.offered.end(), Count{0});
    result.intended = sent.intended;
    result.offered = offered;
    result.unsent = sent.unsent;
    if (result.duration_s > 0) {
        result.tx = rates_of(static_cast<double>(offered) / result.duration_s, result.frame_size);
    }
    if (sent.intended != offered + sent.unsent) {
        notes.problems.push_back(fmt::format("intended {} is not offered {} + unsent {}",
                                             sent.intended, offered, sent.unsent));
    }
}

void fill_received(const Received& sum, TrialResult& result, LedgerNotes& notes) {
    const ReceiverCounts& counts = sum.counts;
    result.received = counts.received;
    result.lost = sum.lost;
    result.surplus = counts.surplus;
    result.duplicated = counts.duplicated;
    result.reordered = counts.reordered;
    result.corrupted = counts.corrupted;
    result.stale = counts.stale;
    result.foreign = counts.foreign.total();
    result.foreign_by = counts.foreign.by_name();
    notes.negative_latencies = counts.negative_latencies;
    if (sum.extent + counts.surplus + counts.duplicated != counts.received + sum.lost) {
        notes.problems.push_back(
            fmt::format("offered {} + surplus {} + duplicated {} is not received {} + lost {}",
                        sum.extent, counts.surplus, counts.duplicated, counts.received, sum.lost));
    }
}

void fill_times(const LedgerInput& input, TrialResult& result) {
    Histogram latency;
    Count timed = 0;
    uint64_t jitter_sum = 0;
    Count jitter_count = 0;
    for (const Receiver* receiver : input.receivers) {
        latency.merge(receiver->latency());
        timed = receiver->latency().count();
        jitter_sum += receiver->jitter_sum();
        jitter_count += timed > 0 ? timed - 1 : 0;
    }
    if (input.sent != nullptr && input.one_clock) result.latency_ns = latency.summary();
    if (jitter_count > 0) {
        result.jitter_ns = static_cast<double>(jitter_sum) / static_cast<double>(jitter_count);
    }
}

/// (received - 1) / (last - first receipt); empty for fewer than two moments.
void fill_rx_rates(const LedgerInput& input, TrialResult& result) {
    std::vector<const Receiver*> busy;
    for (const Receiver* receiver : input.receivers) {
        if (receiver->received() > 0) busy.push_back(receiver);
    }
    if (busy.empty()) return;
    const auto first = std::min_element(busy.begin(), busy.end(), [](auto* a, auto* b) {
        return a->first_receipt() < b->first_receipt();
    });
    const auto last = std::max_element(busy.begin(), busy.end(), [](auto* a, auto* b) {
        return a->last_receipt() < b->last_receipt();
    });
    const Ns span = (*last)->last_receipt() - (*first)->first_receipt();
    if (span <= 0) return;
    result.rx =
        rates_of(static_cast<double>(*result.received - 1) * 1e9 / static_cast<double>(span),
                 result.frame_size);
}

/// Frames of each stream that were sent, or as many as were sent at least.
std::vector<Count> extents_of(const LedgerInput& input) {
    if (input.sent != nullptr) return input.sent->offered;
    std::vector<Count> extents(input.layout.streams());
    for (const Receiver* receiver : input.receivers) {
        for (uint32_t stream = 0; stream < input.layout.streams(); ++stream) {
            const Count reached =
                receiver->believed_end(stream) - receiver->tracker(stream).first_sequence();
            extents[stream] = std::max(extents[stream], reached);
        }
    }
    return extents;
}

}  // namespace

LedgerNotes fill_ledger(const LedgerInput& input, TrialResult& result) {
    BW_CHECK(input.sent == nullptr || input.sent->offered.size() == input.layout.streams());
    for (const Receiver* receiver : input.receivers) BW_CHECK(receiver->finished());
    LedgerNotes notes;
    const std::vector<Count> extents = extents_of(input);
    if (input.sent != nullptr) fill_sent(*input.sent, result, notes);
    Count excess = 0;
    if (!input.receivers.empty()) {
        const Received sum = settle(input, extents);
        excess = sum.excess;
        fill_received(sum, result, notes);
        if (!input.one_clock) notes.negative_latencies = 0;
        prove(input, notes);
        fill_times(input, result);
        fill_rx_rates(input, result);
    }
    excess += fill_flows(input, extents, result);
    if (excess == 0) prove_flows(input, result, notes);
    result.ledger_adds_up = notes.problems.empty();
    return notes;
}

plan::Rates rates_of(double frames_per_second, uint32_t frame_size) {
    plan::Rates rates;
    rates.fps = frames_per_second;
    rates.l1_bps = frames_per_second * 8 * (frame_size + kL1Overhead);
    rates.l2_bps = frames_per_second * 8 * frame_size;
    return rates;
}

}  // namespace barewire::stats
