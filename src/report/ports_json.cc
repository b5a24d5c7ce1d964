// SPDX-License-Identifier: BSD-3-Clause
// This machine's ports into JSON, key by key.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "barewire/base/knobs.h"
#include "barewire/plan/guard.h"
#include "barewire/report/ports.h"

namespace barewire::report {
namespace {

using machine::Interface;
using machine::Interfaces;
using machine::PciFunction;
using machine::PciState;

template <class T>
Json maybe(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json known(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

Json mac_of(const plan::Addressing::Mac& mac) {
    if (mac == plan::Addressing::Mac{}) return nullptr;
    return fmt::format("{:02x}", fmt::join(mac, ":"));
}

Json to_json(const std::optional<machine::PcieLink>& link) {
    if (!link) return nullptr;
    return {{"speed", link->speed}, {"width", link->width}};
}

/// The names under which a command takes an interface. An XDP program needs a frame to fit into a
/// page, beside its headroom and the kernel's own bookkeeping.
std::vector<std::string> names_of(const Interface& interface) {
    constexpr uint32_t kMostXdpMtu = 3438;
    if (!interface.ethernet) return {};
    std::vector<std::string> names = {"af_packet:" + interface.name};
    if (interface.mtu <= kMostXdpMtu) names.push_back("af_xdp:" + interface.name);
    return names;
}

/// Untagged, FCS included; a port cannot be asked for more than the largest frame there is.
Json largest_frame(const Interface& interface) {
    constexpr uint32_t kHeaderAndFcs = 18;
    if (!interface.ethernet || interface.mtu == 0) return nullptr;
    return std::min(interface.mtu, kMaxFrameSize - kHeaderAndFcs) + kHeaderAndFcs;
}

/// Why a run on the interface would be refused, a sentence each.
std::vector<std::string> refusals(const Interface& interface, const plan::Network& network) {
    std::vector<std::string> why;
    if (const auto use = plan::used_by_host(interface, network)) {
        why.push_back(fmt::format("{} {} beside a default route: --i-own-this-network lifts this",
                                  interface.name, *use));
    }
    if (const auto down = plan::without_link(interface)) {
        why.push_back(fmt::format("{} {}", interface.name, *down));
    } else if (interface.real && !interface.speed_bps) {
        why.push_back(
            fmt::format("the speed of {} is unknown: name it with --line 10Gbps", interface.name));
    }
    return why;
}

Json to_json(const Interface& interface, const plan::Network& network) {
    return {{"name", interface.name},
            {"ports", names_of(interface)},
            {"kind", interface.kind},
            {"driver", known(interface.driver)},
            {"pci", known(interface.pci_address)},
            {"mac", mac_of(interface.mac)},
            {"mtu", interface.mtu},
            {"max_frame", largest_frame(interface)},
            {"up", interface.up},
            {"carrier", maybe(interface.carrier)},
            {"speed_bps", maybe(interface.speed_bps)},
            {"fec", maybe(interface.fec)},
            {"module", maybe(interface.module)},
            {"numa_node", maybe(interface.numa_node)},
            {"master", known(interface.master)},
            {"lower", known(interface.lower)},
            {"addresses", interface.addresses},
            {"routes", interface.routes},
            {"link_local", interface.link_local_addresses},
            {"refused", refusals(interface, network)}};
}

const char* name_of(PciState state) {
    switch (state) {
        case PciState::unbound:
            return "unbound";
        case PciState::kernel:
            return "kernel";
        case PciState::dpdk:
            return "dpdk";
        case PciState::bifurcated:
            break;
    }
    return "bifurcated";
}

/// Binding takes the interface from the kernel. No command for that where this host uses it, or
/// where it cannot be seen who does: in another network namespace.
bool may_be_bound(const PciFunction& function, bool needed) {
    return !needed && (function.state == PciState::unbound || !function.interfaces.empty());
}

bool needed_by_host(const PciFunction& function, const plan::Network& network) {
    return std::any_of(network.interfaces.begin(), network.interfaces.end(),
                       [&](const plan::KernelInterface& interface) {
                           return interface.pci_address == function.address &&
                                  plan::used_by_host(interface, network).has_value();
                       });
}

Json to_json(const PciFunction& function, const plan::Network& network) {
    const bool needed = needed_by_host(function, network);
    return {{"address", function.address},
            {"vendor_id", known(function.vendor_id)},
            {"device_id", known(function.device_id)},
            {"name", known(function.name)},
            {"driver", known(function.driver)},
            {"state", name_of(function.state)},
            {"bind", may_be_bound(function, needed) ? known(function.bind) : Json(nullptr)},
            {"needed_by_host", needed},
            {"iommu_group", known(function.iommu_group)},
            {"interfaces", function.interfaces},
            {"numa_node", maybe(function.numa_node)},
            {"pcie", to_json(function.pcie)},
            {"pcie_most", to_json(function.most_pcie)}};
}

struct Kind {
    const char* port;
    const char* meaning;
};
constexpr std::array<Kind, 7> kKinds = {{
    {"wire:a, wire:b", "the two ends of a wire in this process"},
    {"null", "discards what it is sent"},
    {"pcap:IN,OUT", "one capture to receive from, one to write"},
    {"memif:PATH,role=server", "memory shared with another process's client"},
    {"tap:NAME", "an interface that the kernel makes for it"},
    {"dpdk:DEVARGS", "any device of DPDK's, as --vdev takes it"},
    {"0000:3b:00.0", "a NIC by its PCI address, once it is bound"},
}};

Json kinds() {
    Json list = Json::array();
    for (const Kind& kind : kKinds)
        list.push_back({{"port", kind.port}, {"meaning", kind.meaning}});
    return list;
}

Json to_json(const machine::Link& link) {
    return {{"index", link.index},     {"name", link.name},
            {"kind", link.kind},       {"hardware", link.hardware},
            {"flags", link.flags},     {"mtu", link.mtu},
            {"mac", mac_of(link.mac)}, {"carrier", maybe(link.carrier)},
            {"master", link.master},   {"lower", link.lower}};
}

Json to_json(const machine::Device& device) {
    return {{"driver", device.driver},
            {"bus", device.bus},
            {"speed_bps", maybe(device.speed_bps)},
            {"fec", maybe(device.fec)},
            {"module", maybe(device.module)},
            {"numa_node", maybe(device.numa_node)}};
}

}  // namespace

Json ports_json(const machine::Survey& survey) {
    const Interfaces interfaces = machine::interfaces_of(survey.network);
    const plan::Network network = machine::network_of(interfaces);
    Json nics = Json::array();
    for (const auto& function : machine::pci_functions_of(survey.pci, interfaces, survey.pci_ids)) {
        nics.push_back(to_json(function, network));
    }
    Json list = Json::array();
    for (const Interface& interface : interfaces.all) {
        list.push_back(to_json(interface, network));
    }
    return {{"default_route", interfaces.holds_default_route},
            {"nics", std::move(nics)},
            {"interfaces", std::move(list)},
            {"kinds", kinds()}};
}

Json record_json(const machine::Survey& survey) {
    Json links = Json::array();
    for (const machine::Link& link : survey.network.links) links.push_back(to_json(link));
    Json addresses = Json::array();
    for (const machine::Address& address : survey.network.addresses) {
        addresses.push_back({{"interface", address.interface},
                             {"address", address.text},
                             {"link_local", address.link_local}});
    }
    Json devices = Json::object();
    for (const auto& [name, device] : survey.network.devices) devices[name] = to_json(device);
    return {{"links", std::move(links)},
            {"addresses", std::move(addresses)},
            {"devices", std::move(devices)},
            {"proc/net/route", survey.network.ipv4_routes},
            {"proc/net/ipv6_route", survey.network.ipv6_routes},
            {"sys/bus/pci/devices", survey.pci}};
}

}  // namespace barewire::report
