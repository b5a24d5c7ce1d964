// SPDX-License-Identifier: BSD-3-Clause
// The network interfaces of this network namespace and what the host itself uses them for.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "barewire/machine/facts.h"
#include "barewire/machine/links.h"
#include "barewire/plan/network.h"

namespace barewire::machine {

/// What the driver of an interface says of itself (SIOCETHTOOL).
struct Device {
    std::string driver{};                 ///< "ixgbe", "veth"; empty: it does not say
    std::string bus{};                    ///< "0000:3b:00.0" for a PCI function
    std::optional<double> speed_bps{};    ///< negotiated; nominal for a veth or tap
    std::optional<std::string> fec{};     ///< forward error correction in use: "off", "rs", "baser"
    std::optional<std::string> module{};  ///< kind of the plug: "SFP (SFF-8472)"
    std::optional<int> numa_node{};
};

/// An address of an interface.
struct Address {
    std::string interface;
    std::string text;         ///< "192.0.2.2/24", "fe80::1/64"
    bool link_local = false;  ///< IPv6, which every interface gets by itself
};

/// As the kernel told it, before anything is concluded: what tests make up, and --record keeps.
struct RawNetwork {
    std::vector<Link> links;
    std::vector<Address> addresses;
    std::string ipv4_routes;                ///< of /proc/net/route
    std::string ipv6_routes;                ///< of /proc/net/ipv6_route
    std::map<std::string, Device> devices;  ///< by name of the interface
};

struct Interface : plan::KernelInterface {
    int index = 0;
    std::string kind;  ///< "physical", "loopback", or the kernel's word: "veth", "bridge", "tun"
    bool ethernet = false;  ///< carries Ethernet frames: a packet socket can serve as a port
    std::string driver;     ///< empty: unknown
    std::optional<int> numa_node;
    std::optional<std::string> fec, module;
    std::vector<std::string> link_local_addresses, link_local_routes;
};

struct Interfaces {
    std::vector<Interface> all;  ///< in the kernel's order
    bool holds_default_route = false;
};

/// Asks the kernel: of this namespace, whatever /sys and /proc are mounted. What it does not tell
/// is left empty.
RawNetwork read_network(const SystemFiles& files = {});

/// What follows from the raw facts.
Interfaces interfaces_of(const RawNetwork& raw);

/// As a plan is judged against them.
plan::Network network_of(const Interfaces& interfaces);

/// "0000:3b:00.0"?
bool is_pci_address(std::string_view text);

}  // namespace barewire::machine
