// SPDX-License-Identifier: BSD-3-Clause
// The guard's rules, one function each.
#include "barewire/plan/guard.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "barewire/base/knobs.h"
#include "barewire/base/text.h"

namespace barewire::plan {
namespace {

/// What a rule found: the fact, and what would be right.
struct Finding {
    std::string fact, remedy;
};

class Guard {
  public:
    Guard(const Plan& plan, const Network& network) : plan_(plan), network_(network) {}
    void check_port(const PortSpec& port);
    /// What the frames say of where they go.
    void check_addresses();
    void check_rate(const PortSpec& port);
    GuardFindings findings;

  private:
    void check_host(const PortSpec& port, const KernelInterface& interface);
    void check_link(const PortSpec& port, const KernelInterface& interface);
    void check_destination_mac();
    void check_destination_ip();
    void refuse(const Finding& finding);
    void refuse_unless_owned(const Finding& finding);

    const Plan& plan_;
    const Network& network_;
};

/// Whether frames leave for somebody who did not ask for them. A dpdk: device may be anything.
bool reaches_others(PortKind kind) {
    switch (kind) {
        case PortKind::wire_a:
        case PortKind::wire_b:
        case PortKind::null:
        case PortKind::pcap:
        case PortKind::memif:
            return false;
        case PortKind::af_packet:
        case PortKind::af_xdp:
        case PortKind::tap:
        case PortKind::pci:
        case PortKind::dpdk:
            break;
    }
    return true;
}

bool opens_interface(PortKind kind) {
    return kind == PortKind::af_packet || kind == PortKind::af_xdp;
}

/// The kernel's interface behind a port, if it has one here.
const KernelInterface* behind(const PortSpec& port, const Network& network) {
    const auto is_behind = [&port](const KernelInterface& interface) {
        if (port.kind == PortKind::pci) return interface.pci_address == port.device;
        return (opens_interface(port.kind) || port.kind == PortKind::tap) &&
               interface.name == port.device;
    };
    const auto& all = network.interfaces;
    const auto found = std::find_if(all.begin(), all.end(), is_behind);
    return found == all.end() || port.device.empty() ? nullptr : &*found;
}

std::string names_of(const Network& network) {
    constexpr size_t kMost = 8;
    std::vector<std::string_view> names;
    for (const KernelInterface& interface : network.interfaces) {
        if (names.size() < kMost) names.push_back(interface.name);
    }
    return join(names) + (network.interfaces.size() > kMost ? ", ..." : "");
}

/// "has the address 192.0.2.2/24", "has the route to 10.0.0.0/8".
std::optional<std::string> own_use(const KernelInterface& interface) {
    if (!interface.addresses.empty()) {
        return fmt::format("has the address {}", interface.addresses.front());
    }
    if (interface.routes.empty()) return std::nullopt;
    const auto& routes = interface.routes;
    const bool leads_out = std::find(routes.begin(), routes.end(), "default") != routes.end();
    return leads_out ? "has the default route" : fmt::format("has the route to {}", routes.front());
}

/// Interfaces that stand on `interface`, or that it is a member of; `depth` ends what a loop of
/// names, which the kernel has none of, would not.
std::optional<std::string> use_above(const KernelInterface& interface, const Network& network,
                                     int depth) {
    if (depth == 0) return std::nullopt;
    for (const KernelInterface& other : network.interfaces) {
        const bool member = !other.name.empty() && other.name == interface.master;
        const bool above = !interface.name.empty() && other.lower == interface.name;
        if (!member && !above) continue;
        auto use = own_use(other);
        if (!use) use = use_above(other, network, depth - 1);
        if (!use) continue;
        return fmt::format("is {} {}, which {}", member ? "a member of" : "below", other.name,
                           *use);
    }
    return std::nullopt;
}

struct Range {
    uint32_t first;
    int length;  ///< of the prefix
};
constexpr std::array<Range, 4> kOfLabs = {{
    {0xC612'0000, 15},  // 198.18.0.0/15, RFC 2544 appendix C, RFC 6890
    {0x0A00'0000, 8},   // 10.0.0.0/8, as the next two RFC 1918
    {0xAC10'0000, 12},  // 172.16.0.0/12
    {0xC0A8'0000, 16},  // 192.168.0.0/16
}};

bool of_a_lab(uint32_t ip) {
    return std::any_of(kOfLabs.begin(), kOfLabs.end(), [ip](const Range& range) {
        return (ip ^ range.first) >> (32 - range.length) == 0;
    });
}

/// What validate() says of the address itself, whatever the port.
bool no_address_at_all(uint32_t ip) {
    return ip < 0x0100'0000;
}

void Guard::refuse(const Finding& finding) {
    findings.refusals.push_back(finding.fact + ": " + finding.remedy);
}

void Guard::refuse_unless_owned(const Finding& finding) {
    if (plan_.own_network) {
        findings.lifted.push_back(finding.fact);
    } else {
        refuse({finding.fact, finding.remedy + ", or --i-own-this-network"});
    }
}

void Guard::check_port(const PortSpec& port) {
    const KernelInterface* interface = behind(port, network_);
    if (interface != nullptr) {
        check_host(port, *interface);
        check_link(port, *interface);
    } else if (opens_interface(port.kind) && !network_.interfaces.empty()) {
        refuse({fmt::format("{}: there is no such interface in this network namespace",
                            printable(port.text)),
                fmt::format("it has {}", printable(names_of(network_)))});
    }
}

void Guard::check_host(const PortSpec& port, const KernelInterface& interface) {
    const auto use = used_by_host(interface, network_);
    if (!use) return;
    refuse_unless_owned(
        {fmt::format(
             "{}: {} {}, and this network namespace has a default route, so it is a network "
             "that others use",
             printable(port.text), interface.name, *use),
         "name an interface without address and route, or run in a namespace of its own"});
}

void Guard::check_link(const PortSpec& port, const KernelInterface& interface) {
    if (const auto why = without_link(interface)) {
        // The kernel's view of a PCI function that DPDK is to take over ends with the takeover.
        if (port.kind == PortKind::pci && !interface.up) return;
        findings.refusals.push_back(
            fmt::format("{}: {} {}", printable(port.text), interface.name, *why));
        return;
    }
    if (!interface.real || !interface.up || interface.speed_bps || plan_.line_bps) return;
    refuse({fmt::format("{}: the speed of {} is unknown", printable(port.text), interface.name),
            "name it with --line 10Gbps"});
}

void Guard::check_addresses() {
    const bool one = plan_.tx && reaches_others(plan_.tx->kind);
    const bool other = plan_.both_ways && plan_.rx && reaches_others(plan_.rx->kind);
    if (!one && !other) return;
    check_destination_mac();
    check_destination_ip();
}

void Guard::check_destination_mac() {
    const auto& to = plan_.addressing.dst_mac;
    if (!to || *to == Addressing::Mac{}) return;
    if (((*to)[0] & 1) != 0) {
        refuse_unless_owned(
            {fmt::format("--dst-mac {:02x} is a group address, which a switch sends "
                         "out of all of its ports",
                         fmt::join(*to, ":")),
             "the address of the port that receives"});
        return;
    }
    const KernelInterface* sender = plan_.tx ? behind(*plan_.tx, network_) : nullptr;
    if (sender != nullptr && *to == sender->mac) {
        refuse({fmt::format("--dst-mac {:02x} is the address of {} itself, which sends",
                            fmt::join(*to, ":"), printable(plan_.tx->text)),
                "the address of the port that receives"});
    }
}

void Guard::check_destination_ip() {
    const uint32_t ip = plan_.addressing.dst_ip;
    if (of_a_lab(ip) || no_address_at_all(ip)) return;
    refuse_unless_owned(
        {fmt::format("--dst-ip {}.{}.{}.{} may be somebody's", ip >> 24, (ip >> 16) & 255,
                     (ip >> 8) & 255, ip & 255),
         "an address of 198.18.0.0/15 (RFC 2544), 10.0.0.0/8, 172.16.0.0/12 or 192.168.0.0/16"});
}

void Guard::check_rate(const PortSpec& port) {
    const KernelInterface* interface = behind(port, network_);
    if (interface == nullptr || !interface->real || !interface->speed_bps) return;
    const double speed = *interface->speed_bps;
    for (const uint32_t size : plan_.sizes) {
        const auto fps = plan_.rate.frames_per_second(size, plan_.line_bps);
        constexpr double kBits = 8;
        const double bps = fps.value_or(0) * kBits * (size + kL1Overhead);
        // A rate of exactly the speed, which a division and a product may have moved, is right.
        constexpr double kRounding = 1 + 1e-9;
        if (bps <= speed * kRounding) continue;
        refuse({fmt::format("--rate: {:.6g} Gb/s on L1 at {} bytes, and {} runs at {:g} Gb/s",
                            bps / 1e9, size, printable(port.text), speed / 1e9),
                "a lower rate, or --rate max"});
        return;
    }
}

}  // namespace

std::optional<std::string> used_by_host(const KernelInterface& interface, const Network& network) {
    if (!network.holds_default_route) return std::nullopt;
    constexpr int kMostLevels = 8;
    if (auto use = own_use(interface)) return use;
    return use_above(interface, network, kMostLevels);
}

std::optional<std::string> without_link(const KernelInterface& interface) {
    if (!interface.real) return std::nullopt;
    if (!interface.up) return fmt::format("is down: ip link set {} up", interface.name);
    if (interface.carrier.value_or(true)) return std::nullopt;
    return "has no link: look at the cable, and at the other end's port";
}

GuardFindings guard(const Plan& plan, const Network& network) {
    Guard rules(plan, network);
    const bool same = plan.tx && plan.rx && *plan.tx == *plan.rx;
    if (plan.tx) rules.check_port(*plan.tx);
    if (plan.rx && !same) rules.check_port(*plan.rx);
    if (plan.command != "stress" && plan.command != "generate") return rules.findings;
    rules.check_addresses();
    if (plan.tx) rules.check_rate(*plan.tx);
    if (plan.rx && plan.both_ways && !same) rules.check_rate(*plan.rx);
    return rules.findings;
}

}  // namespace barewire::plan
