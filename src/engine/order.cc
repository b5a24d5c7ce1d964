// SPDX-License-Identifier: BSD-3-Clause
// Orders out of plans, and plans out of orders.
#include "order.h"

#include <utility>

namespace barewire::engine {

control::Order order_of(const plan::Plan& plan, uint32_t run, const TrialSpec& spec,
                        const WayRun& to_far, const Way* from_far) {
    const wire::ProbeAddresses addresses = to_far.addresses();
    return {.run = run,
            .trial = spec.number,
            .frame_size = spec.frame_size,
            .repeat = spec.repeat,
            .to_far_streams = static_cast<uint32_t>(to_far.way().generator_cores.size()),
            .from_far_streams = from_far != nullptr ? from_far->far_streams : 0,
            .flows = plan.flows,
            .payload_check = plan.payload_check,
            .seed = plan.seed,
            .window_ns = spec.window_ns,
            .count = spec.count,
            .fps = spec.fps,
            .late = plan.late,
            .src_mac = addresses.src_mac,
            .dst_mac = addresses.dst_mac,
            .src_ip = addresses.src_ip,
            .dst_ip = addresses.dst_ip,
            .src_port = addresses.src_port,
            .dst_port = addresses.dst_port};
}

plan::Plan plan_for(const control::Order& order, const plan::Plan& own) {
    plan::Plan plan = own;
    plan.flows = order.flows;
    plan.payload_check = order.payload_check;
    plan.seed = order.seed;
    plan.late = order.late;
    plan.addressing = {.src_ip = order.src_ip,
                       .dst_ip = order.dst_ip,
                       .src_port = order.src_port,
                       .dst_port = order.dst_port};
    // With both ways the ends' own addresses are in the frames, each way round.
    if (order.from_far_streams == 0) {
        plan.addressing.src_mac = order.src_mac;
        plan.addressing.dst_mac = order.dst_mac;
    }
    return plan;
}

Layout layout_for(const control::Order& order, const wire::MacAddress& from, const Layout& own,
                  const plan::Plan& plan) {
    Layout layout;
    layout.crowded_cores = own.crowded_cores;
    for (Way way : own.ways) {
        way.far_mac = from;
        if (way.rx != nullptr) {
            if (order.to_far_streams == 0) continue;
            way.rx = &*plan.rx;
            way.far_streams = order.to_far_streams;
        } else {
            if (order.from_far_streams == 0) continue;
            way.tx = &*plan.tx;
            way.generator_cores.resize(order.from_far_streams);
        }
        layout.ways.push_back(std::move(way));
    }
    return layout;
}

TrialSpec spec_for(const control::Order& order) {
    TrialSpec spec{.number = order.trial,
                   .frame_size = order.frame_size,
                   .repeat = order.repeat,
                   .window_ns = order.window_ns,
                   .count = order.count,
                   .fps = order.fps};
    if (order.from_far_streams != 0) spec.lead_ns = kBothSendLeadNs;
    return spec;
}

}  // namespace barewire::engine
