// SPDX-License-Identifier: BSD-3-Clause
// The network of this host's namespace as a plan is judged against it: plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "barewire/plan/plan.h"

namespace barewire::plan {

/// A network interface of the kernel.
struct KernelInterface {
    std::string name;
    std::string pci_address;      ///< "0000:3b:00.0"; empty: on no PCI function
    Addressing::Mac mac{};        ///< all zero: none
    uint32_t mtu = 0;             ///< bytes after the Ethernet header
    bool real = false;            ///< a device, not made by software alone (veth, tap, bridge)
    bool up = false;              ///< set up by the administrator
    std::optional<bool> carrier;  ///< the link is there; empty: unknown, as of one that is not up
    std::optional<double> speed_bps;     ///< of a real device; what others name is no speed
    std::vector<std::string> addresses;  ///< "192.0.2.2/24"; IPv6 link-local ones left out
    std::vector<std::string> routes;     ///< "default", "192.0.2.0/24"; likewise, and multicast
    std::string master;                  ///< the bridge or bond that it is a member of; empty: none
    std::string lower;  ///< the interface that it stands on (VLAN, macvlan); empty: none here
};

struct Network {
    std::vector<KernelInterface> interfaces;  ///< empty: unknown (a namespace has lo at least)
    bool holds_default_route = false;         ///< the namespace has one, IPv4 or IPv6
};

}  // namespace barewire::plan
