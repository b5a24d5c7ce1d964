// SPDX-License-Identifier: BSD-3-Clause
// What keeps a run from the network that this host, and others, live on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "barewire/plan/network.h"
#include "barewire/plan/plan.h"

namespace barewire::plan {

struct GuardFindings {
    std::vector<std::string> refusals;  ///< sentences, each with what lifts or mends it
    std::vector<std::string> lifted;    ///< what --i-own-this-network let pass, a sentence each
};

/// Before anything is opened. Refused, of ports that reach others (not the embedded wire, null,
/// pcap and memif):
/// - an interface that this host uses itself, in a namespace that holds a default route; for a PCI
///   port, the kernel's interface of that function;
/// - frames to a group address, or to an IP address outside 198.18.0.0/15 (RFC 2544, RFC 6890) and
///   the private ranges (RFC 1918);
/// and, whoever owns the network:
/// - an interface that is not there;
/// - a NIC without link, or of unknown speed where --line names none;
/// - frames to the sending port itself;
/// - a rate above the port's speed.
/// `--i-own-this-network` (plan.own_network) lifts the first two. What a port can only tell when
/// it is open, the engine asks then.
GuardFindings guard(const Plan& plan, const Network& network);

/// Why `interface` is this host's own, "has the address 192.0.2.2/24", itself or through the bridge
/// or VLAN above it; nothing where it is not, or where the namespace holds no default route.
std::optional<std::string> used_by_host(const KernelInterface& interface, const Network& network);

/// Why no frame could leave the NIC `interface`: "is down: ip link set eth1 up". Nothing where it
/// is none, or has its link.
std::optional<std::string> without_link(const KernelInterface& interface);

}  // namespace barewire::plan
