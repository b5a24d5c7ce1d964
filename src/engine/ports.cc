// SPDX-License-Identifier: BSD-3-Clause
// Which port object serves which name.
#include "ports.h"

#include <algorithm>

#include "barewire/base/check.h"
#include "barewire/base/knobs.h"
#include "barewire/nic/eth_port.h"
#include "barewire/nic/packet_port.h"
#include "barewire/nic/pcap_port.h"

namespace barewire::engine {
namespace {

bool is_wire(const plan::PortSpec* spec) {
    return spec != nullptr &&
           (spec->kind == plan::PortKind::wire_a || spec->kind == plan::PortKind::wire_b);
}

/// Frames that an end which waits for orders is ready for, where its interface does not say: jumbo
/// frames with a tag.
constexpr uint32_t kDefaultLargest = 9022;

/// An interface of the kernel carries what its MTU allows.
bool has_kernel_interface(plan::PortKind kind) {
    return kind == plan::PortKind::af_packet || kind == plan::PortKind::af_xdp;
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
            .largest_frame = Ports::largest_frame(plan, *plan.tx)};
    }
    return std::nullopt;
}

/// Of the control thread's frames: an echo of the largest that can ask for it.
uint32_t channel_room(const plan::Plan& plan, const plan::PortSpec& spec) {
    return std::clamp(Ports::largest_frame(plan, spec), 128U, kDefaultLargest);
}

/// A DPDK device, which knows what to do when no size is named.
bool is_device(const plan::PortSpec& spec) {
    return spec.kind == plan::PortKind::null || spec.kind > plan::PortKind::af_packet;
}

nic::PortRequest request_for(const plan::PortSpec& spec, const plan::Plan& plan,
                             const Layout& layout, const std::atomic<bool>* stop) {
    // Control frames pass too.
    constexpr uint32_t kControlFrame = 128;
    nic::PortRequest request{
        .largest_frame = std::max(Ports::largest_frame(plan, spec), kControlFrame),
        .rx_buffers = plan.rx_buffers,
        .flow_control = plan.flow_control,
        .returns_foreign = plan.command == "reflect",
        .stop = stop};
    const bool device_chooses = is_device(spec) && plan.sizes.empty() && plan.max_frame == 0 &&
                                !has_kernel_interface(spec.kind);
    if (device_chooses) request.largest_frame = 0;
    for (const Way& way : layout.ways) {
        if (way.tx != nullptr && *way.tx == spec) {
            request.tx_queues = static_cast<uint32_t>(way.generator_cores.size());
        }
        if (way.rx != nullptr && *way.rx == spec) {
            request.rx_queues =
                static_cast<uint32_t>(way.sink_cores.size() + way.reflect_cores.size());
            request.tx_queues =
                std::max(request.tx_queues, static_cast<uint32_t>(way.reflect_cores.size()));
        }
    }
    return request;
}

}  // namespace

Ports::Ports(const plan::Plan& plan, const Layout& layout, const std::atomic<bool>* stop) {
    if (const auto way = wire_way(plan, layout, plan::PortKind::wire_a)) {
        a_to_b_ = std::make_unique<nic::WirePath>(*way);
    }
    if (const auto way = wire_way(plan, layout, plan::PortKind::wire_b)) {
        b_to_a_ = std::make_unique<nic::WirePath>(*way);
    }
    for (const Way& way : layout.ways) {
        for (const plan::PortSpec* spec : {way.tx, way.rx}) {
            if (spec == nullptr || find(spec) != nullptr) continue;
            open(*spec, request_for(*spec, plan, layout, stop));
        }
    }
    for (const auto& port : ports_) port->await_link();
    for (size_t i = 0; i < ports_.size(); ++i) {
        if (!ports_[i]->reaches_others()) continue;
        channels_[i] = std::make_unique<Channel>(
            *ports_[i], static_cast<uint32_t>(i),
            request_for(specs_[i], plan, layout, stop).rx_queues, channel_room(plan, specs_[i]));
    }
}

void Ports::open(const plan::PortSpec& spec, const nic::PortRequest& request) {
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
        case plan::PortKind::af_packet:
            port = std::make_unique<nic::PacketPort>(spec, request);
            break;
        case plan::PortKind::null:
        case plan::PortKind::af_xdp:
        case plan::PortKind::memif:
        case plan::PortKind::tap:
        case plan::PortKind::pci:
        case plan::PortKind::dpdk:
            port = std::make_unique<nic::EthPort>(spec, request);
            break;
    }
    ports_.push_back(std::move(port));
    channels_.emplace_back();
    specs_.push_back(spec);
}

uint32_t Ports::largest_frame(const plan::Plan& plan, const plan::PortSpec& spec) {
    if (plan.max_frame != 0) return plan.max_frame;
    if (plan.sizes.empty() && has_kernel_interface(spec.kind)) {
        constexpr uint32_t kMtuToFrame = 18;
        const auto mtu = nic::interface_mtu(spec.device);
        return std::clamp(mtu.value_or(0) + kMtuToFrame, kMinFrameSize, kMaxFrameSize);
    }
    if (plan.sizes.empty() && spec.kind != plan::PortKind::pcap) return kDefaultLargest;
    return plan.sizes.empty() ? kMaxFrameSize
                              : *std::max_element(plan.sizes.begin(), plan.sizes.end());
}

PortEnd Ports::end_of(const plan::PortSpec* spec) const {
    if (spec == nullptr) return {};
    const auto found = std::find(specs_.begin(), specs_.end(), *spec);
    if (found == specs_.end()) return {};
    const auto index = static_cast<size_t>(found - specs_.begin());
    return {ports_[index].get(), channels_[index].get()};
}

void Ports::end_trial() {
    for (const auto& port : ports_) {
        port->end_trial();
        port->release();
    }
    for (const auto& channel : channels_) {
        if (channel) channel->workers_rest();
    }
}

std::optional<plan::WireCounts> Ports::wire_counts(const Way& way) const {
    if (!is_wire(way.tx)) return std::nullopt;
    return (way.tx->kind == plan::PortKind::wire_a ? a_to_b_ : b_to_a_)->counts();
}

void Ports::begin_trial(uint32_t trial) {
    for (const auto& port : ports_) {
        port->hold();
        port->begin_trial(trial);
    }
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
    std::vector<plan::PortSpec> counted;
    for (const Way& way : layout.ways) {
        for (const plan::PortSpec* spec : {way.tx, way.rx}) {
            if (spec == nullptr || is_wire(spec)) continue;
            if (std::find(counted.begin(), counted.end(), *spec) != counted.end()) continue;
            counted.push_back(*spec);
            const nic::PortRequest request = request_for(*spec, plan, layout, nullptr);
            // A capture is read into buffers for any frame.
            constexpr uint32_t kPcapBuffers = 1024;
            bytes += spec->kind == plan::PortKind::af_packet
                         ? nic::PacketPort::bytes_needed(request)
                     : is_device(*spec)
                         ? nic::EthPort::bytes_needed(*spec, request)
                         : nic::FramePool::bytes_needed(kPcapBuffers, kMaxFrameSize - kFcsSize,
                                                        request.rx_queues, true);
            bytes += Channel::bytes_needed(
                channel_room(plan, *spec),
                spec->kind == plan::PortKind::pci ? plan::kNicDescriptors : 0);
        }
    }
    return bytes;
}

}  // namespace barewire::engine
