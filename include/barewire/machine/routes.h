// SPDX-License-Identifier: BSD-3-Clause
// The kernel's routes: what /proc/net/route and /proc/net/ipv6_route say.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace barewire::machine {

struct Route {
    std::string interface;
    std::string destination;  ///< "default", "192.0.2.0/24", "2001:db8::/32"
    bool apart = false;       ///< link-local or multicast: every interface has some
    friend bool operator==(const Route&, const Route&) = default;
};

/// Routes of one interface that are kept; a router has a million.
inline constexpr size_t kMostRoutesKept = 16;

/// Of the main table, in its order: routes that are up and lead somewhere. A line that is none is
/// left out, and so are the addresses of this host itself, which the IPv6 list has too.
std::vector<Route> parse_ipv4_routes(std::string_view text);
std::vector<Route> parse_ipv6_routes(std::string_view text);

}  // namespace barewire::machine
