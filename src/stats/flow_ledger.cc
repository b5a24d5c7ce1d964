// SPDX-License-Identifier: BSD-3-Clause
// Offered frames by flow from the layout, received ones from the sinks, losses from both.
#include "flow_ledger.h"

#include <algorithm>

#include <fmt/format.h>

namespace barewire::stats {
namespace {

using plan::Count;
using plan::FlowResult;

/// Where each stream begins: the same at all receivers.
uint64_t first_sequence(const LedgerInput& input, uint32_t stream) {
    return input.receivers.empty() ? 0 : input.receivers.front()->tracker(stream).first_sequence();
}

/// `visit(flow, slot)` for each listed flow of the stream.
template <class Visit>
void for_listed(const plan::FlowLayout& layout, uint32_t stream, size_t listed, Visit visit) {
    for (uint32_t slot = 0; slot < layout.flows_of(stream); ++slot) {
        const uint32_t flow = layout.flow_at(stream, slot);
        if (flow >= listed) return;
        visit(flow, slot);
    }
}

void add_offered(const LedgerInput& input, const std::vector<Count>& extents,
                 std::vector<FlowResult>& flows) {
    const plan::FlowLayout& layout = input.layout;
    for (uint32_t stream = 0; stream < layout.streams(); ++stream) {
        const uint64_t first = first_sequence(input, stream);
        for_listed(layout, stream, flows.size(), [&](uint32_t flow, uint32_t slot) {
            flows[flow].offered += layout.frames_of(stream, slot, first + extents[stream]) -
                                   layout.frames_of(stream, slot, first);
        });
    }
}

void add_received(const LedgerInput& input, std::vector<FlowResult>& flows) {
    for (const Receiver* receiver : input.receivers) {
        for (size_t i = 0; i < std::min(flows.size(), receiver->flows().size()); ++i) {
            const FlowCounts& counts = receiver->flows()[i];
            flows[i].received += counts.received;
            flows[i].surplus += counts.surplus;
            flows[i].duplicated += counts.duplicated;
            flows[i].reordered += counts.reordered;
            flows[i].corrupted += counts.corrupted;
        }
    }
}

/// First copies of sequences above the last offered one are surplus of the flow that they name.
void add_beyond(const LedgerInput& input, const std::vector<Count>& extents,
                std::vector<FlowResult>& flows) {
    const plan::FlowLayout& layout = input.layout;
    for (const Receiver* receiver : input.receivers) {
        for (uint32_t stream = 0; stream < layout.streams(); ++stream) {
            const SequenceTracker& tracker = receiver->tracker(stream);
            const uint64_t end = tracker.first_sequence() + extents[stream];
            Count left = tracker.count_from(end);
            for (uint64_t sequence = tracker.next(); left > 0;) {
                if (!tracker.seen(--sequence)) continue;
                --left;
                const auto flow = layout.flow_at(stream, layout.slot_of(stream, sequence));
                if (flow < flows.size()) ++flows[flow].surplus;
            }
        }
    }
}

/// The identity gives what was lost. Should two receivers have counted the same frame, the excess
/// is surplus; returns it.
Count settle(FlowResult& flow) {
    const Count matched = flow.offered + flow.surplus + flow.duplicated;
    const Count excess = flow.received > matched ? flow.received - matched : 0;
    flow.surplus += excess;
    flow.lost = matched + excess - flow.received;
    return excess;
}

}  // namespace

Count fill_flows(const LedgerInput& input, const std::vector<Count>& extents,
                 plan::TrialResult& result) {
    const bool receiving = !input.receivers.empty();
    const bool counted = std::any_of(input.receivers.begin(), input.receivers.end(),
                                     [](auto* receiver) { return !receiver->flows().empty(); });
    if (receiving ? !counted : input.layout.flows() == 1) return 0;
    result.flows.assign(std::min(input.layout.flows(), plan::kMaxFlowsReported), {});
    for (uint32_t i = 0; i < result.flows.size(); ++i) result.flows[i].flow = i;
    add_offered(input, extents, result.flows);
    if (!receiving) return 0;
    add_received(input, result.flows);
    add_beyond(input, extents, result.flows);
    Count excess = 0;
    for (FlowResult& flow : result.flows) excess += settle(flow);
    return excess;
}

void prove_flows(const LedgerInput& input, const plan::TrialResult& result, LedgerNotes& notes) {
    if (!result.lost || result.flows.size() != input.layout.flows()) return;
    Count lost = 0;
    for (const FlowResult& flow : result.flows) lost += *flow.lost;
    if (lost == *result.lost) return;
    notes.problems.push_back(
        fmt::format("the flows lost {}, all together lost {}", lost, *result.lost));
}

}  // namespace barewire::stats
