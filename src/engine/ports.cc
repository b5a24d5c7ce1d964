// SPDX-License-Identifier: BSD-3-Clause
// Which port object serves which name.
#include "ports.h"

#include <algorithm>

#include "barewire/base/check.h"
#include "barewire/base/knobs.h"
#include "barewire/nic/eth_port.h"
#include "barewire/nic/pcap_port.h"

namespace barewire::engine {
namespace {

bool is_wire(const plan::PortSpec* spec) {
    return spec != nullptr &&
           (spec->kind == plan::PortKind::wire_a || spec->kind == plan::PortKind::wire_b);
}

uint32_t largest(const plan::Plan& plan) {
    return plan.sizes.empty() ? kMaxFrameSize
                              : *std::max_element(plan.sizes.begin(), plan.sizes.end());
}

/// The wire's path that leaves at the end `from`, if any way of the run uses it.
std::optional<nic::WireWay> wire_way(const plan::Plan& plan, const Layout& layout,
                                     plan::PortKind from) {
    const bool from_a = from == plan::PortKind::wire_a;
    for (const Way& way : layout.ways) {
        const bool sends = is_wire(way.tx) && way.tx->kind == from;
        const bool receives = is_wire(way.rx) && way.rx->kind != from;
        if (!sends && !receives) continue;
        return nic::WireWay{
            .character = from_a ? plan.wire.a_to_b : plan.wire.b_to_a,
            .seed = plan.seed,
            .direction = static_cast<uint8_t>(from_a ? 0 : 1),
            .senders = sends ? static_cast<uint32_t>(way.generator_cores.size()) : 0,
            .receivers = receives ? static_cast<uint32_t>(way.sink_cores.size()) : 0,
            .largest_frame = largest(plan)};
    }
    return std::nullopt;
}

/// A DPDK device, which knows what to do when no size is named.
bool is_device(const plan::PortSpec& spec) {
    return spec.kind == plan::PortKind::null || spec.kind > plan::PortKind::af_packet;
}

nic::PortRequest request_for(const plan::PortSpec& spec, const plan::Plan& plan,
                             const Layout& layout, const std::atomic<bool>* stop) {
    nic::PortRequest request{.largest_frame = largest(plan),
                             .rx_buffers = plan.rx_buffers,
                             .flow_control = plan.flow_control,
                             .stop = stop};
    if (is_device(spec) && plan.sizes.empty()) request.largest_frame = 0;
    for (const Way& way : layout.ways) {
        if (way.tx != nullptr && *way.tx == spec) {
            request.tx_queues = static_cast<uint32_t>(way.generator_cores.size());
        }
        if (way.rx != nullptr && *way.rx == spec) {
            request.rx_queues = static_cast<uint32_t>(way.sink_cores.size());
        }
    }
    return request;
}

}  // namespace

Ports::Ports(const plan::Plan& plan, const Layout& layout, const std::atomic<bool>* stop)
    : stop_(stop) {
    if (const auto way = wire_way(plan, layout, plan::PortKind::wire_a)) {
        a_to_b_ = std::make_unique<nic::WirePath>(*way);
    }
    if (const auto way = wire_way(plan, layout, plan::PortKind::wire_b)) {
        b_to_a_ = std::make_unique<nic::WirePath>(*way);
    }
    for (const Way& way : layout.ways) {
        if (way.tx != nullptr && find(way.tx) == nullptr) open(*way.tx, plan, layout);
        if (way.rx != nullptr && find(way.rx) == nullptr) open(*way.rx, plan, layout);
    }
    for (const auto& port : ports_) port->await_link();
}

void Ports::open(const plan::PortSpec& spec, const plan::Plan& plan, const Layout& layout) {
    const nic::PortRequest request = request_for(spec, plan, layout, stop_);
    std::unique_ptr<nic::Port> port;
    switch (spec.kind) {
        case plan::PortKind::wire_a:
            port = std::make_unique<nic::WirePort>(spec.text, a_to_b_.get(), b_to_a_.get());
            break;
        case plan::PortKind::wire_b:
            port = std::make_unique<nic::WirePort>(spec.text, b_to_a_.get(), a_to_b_.get());
            break;
        case plan::PortKind::pcap:
            port = std::make_unique<nic::PcapPort>(spec, request);
            break;
        case plan::PortKind::null:
        case plan::PortKind::af_xdp:
        case plan::PortKind::memif:
        case plan::PortKind::tap:
        case plan::PortKind::pci:
        case plan::PortKind::dpdk:
            port = std::make_unique<nic::EthPort>(spec, request);
            break;
        case plan::PortKind::af_packet:
            BW_CHECK(false);
    }
    ports_.push_back(std::move(port));
    specs_.push_back(spec);
}

nic::Port* Ports::find(const plan::PortSpec* spec) const {
    if (spec == nullptr) return nullptr;
    const auto found = std::find(specs_.begin(), specs_.end(), *spec);
    return found == specs_.end() ? nullptr
                                 : ports_[static_cast<size_t>(found - specs_.begin())].get();
}

std::optional<plan::WireCounts> Ports::wire_counts(const Way& way) const {
    if (!is_wire(way.tx)) return std::nullopt;
    return (way.tx->kind == plan::PortKind::wire_a ? a_to_b_ : b_to_a_)->counts();
}

void Ports::begin_trial(uint32_t trial) {
    for (const auto& port : ports_) port->begin_trial(trial);
}

void Ports::end_trial() {
    for (const auto& port : ports_) port->end_trial();
}

std::string Ports::failure() const {
    for (const auto& port : ports_) {
        if (std::string words = port->failure(); !words.empty()) return words;
    }
    return {};
}

uint64_t Ports::bytes_needed(const plan::Plan& plan, const Layout& layout) {
    uint64_t bytes = 0;
    for (const auto from : {plan::PortKind::wire_a, plan::PortKind::wire_b}) {
        if (const auto way = wire_way(plan, layout, from))
            bytes += nic::WirePath::bytes_needed(*way);
    }
    std::vector<const plan::PortSpec*> seen;
    for (const Way& way : layout.ways) {
        for (const plan::PortSpec* spec : {way.tx, way.rx}) {
            if (spec == nullptr || is_wire(spec)) continue;
            const auto same = [spec](const plan::PortSpec* other) { return *other == *spec; };
            if (std::any_of(seen.begin(), seen.end(), same)) continue;
            seen.push_back(spec);
            const nic::PortRequest request = request_for(*spec, plan, layout, nullptr);
            // A capture is read into buffers for any frame.
            constexpr uint32_t kPcapBuffers = 1024;
            bytes += is_device(*spec)
                         ? nic::EthPort::bytes_needed(*spec, request)
                         : nic::FramePool::bytes_needed(kPcapBuffers, kMaxFrameSize - kFcsSize,
                                                        request.rx_queues, true);
        }
    }
    return bytes;
}

}  // namespace barewire::engine
