// SPDX-License-Identifier: BSD-3-Clause
// The kernel's list of network interfaces, by rtnetlink. /sys/class/net will not do: it shows the
// namespace that /sys was mounted in, which need not be this one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "barewire/plan/plan.h"

namespace barewire::machine {

/// One interface as the kernel tells it (RTM_NEWLINK, rtnetlink(7)).
struct Link {
    int index = 0;
    std::string name;
    std::string kind;       ///< IFLA_INFO_KIND: "veth", "bridge", "tun"; empty: a device, or lo
    uint16_t hardware = 0;  ///< ARPHRD_*: 1 Ethernet, 772 loopback
    uint32_t flags = 0;     ///< IFF_*
    uint32_t mtu = 0;       ///< bytes
    plan::Addressing::Mac mac{};
    std::optional<bool> carrier;
    int master = 0;  ///< index of its bridge or bond; 0: none
    int lower = 0;   ///< index of what it stands on, in this namespace; 0: none
    friend bool operator==(const Link&, const Link&) = default;
};

/// The interfaces in an answer to RTM_GETLINK: netlink messages one after the other. Stops at the
/// first that is cut off; leaves out what has no name.
std::vector<Link> parse_links(std::string_view answer);

/// The interfaces of this network namespace, in the kernel's order. Empty if the kernel refuses.
std::vector<Link> read_links();

}  // namespace barewire::machine
