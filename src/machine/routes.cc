// SPDX-License-Identifier: BSD-3-Clause
// Reads the two lists of routes, line by line.
#include "barewire/machine/routes.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <linux/ipv6_route.h>
#include <linux/route.h>
#include <map>
#include <optional>

#include <fmt/format.h>

namespace barewire::machine {
namespace {

/// At most as many columns as either list has.
using Columns = std::array<std::string_view, 12>;

Columns columns_of(std::string_view line) {
    Columns columns;
    for (std::string_view& column : columns) {
        const size_t first = std::min(line.find_first_not_of(" \t"), line.size());
        const size_t last = std::min(line.find_first_of(" \t", first), line.size());
        column = line.substr(first, last - first);
        line.remove_prefix(last);
    }
    return columns;
}

template <class T>
std::optional<T> hexadecimal(std::string_view text) {
    T value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole ? std::optional<T>(value) : std::nullopt;
}

bool leads_somewhere(uint32_t flags) {
    return (flags & RTF_UP) != 0 && (flags & RTF_REJECT) == 0;
}

/// "eth0 000200C0 00000000 0001 0 0 0 00FFFFFF 0 0 0": addresses as the number that they are in
/// memory.
std::optional<Route> ipv4_route(std::string_view line) {
    const Columns columns = columns_of(line);
    const auto to = hexadecimal<uint32_t>(columns[1]);
    const auto flags = hexadecimal<uint32_t>(columns[3]);
    const auto mask = hexadecimal<uint32_t>(columns[7]);
    if (!to || !flags || !mask || !leads_somewhere(*flags)) return std::nullopt;
    if (*mask == 0) return Route{.interface = std::string(columns[0]), .destination = "default"};
    std::array<char, INET_ADDRSTRLEN> text{};
    ::inet_ntop(AF_INET, &*to, text.data(), text.size());
    const uint32_t host = ntohl(*to);
    const bool link_local = host >> 16 == 0xA9FE;  // RFC 3927
    const bool multicast = host >> 28 == 0xE;      // RFC 5771
    return Route{.interface = std::string(columns[0]),
                 .destination = fmt::format("{}/{}", text.data(), std::popcount(*mask)),
                 .apart = link_local || multicast};
}

std::optional<in6_addr> ipv6_address(std::string_view text) {
    in6_addr address{};
    if (text.size() != 2 * sizeof address.s6_addr) return std::nullopt;
    for (size_t i = 0; i < sizeof address.s6_addr; ++i) {
        const auto byte = hexadecimal<uint8_t>(text.substr(2 * i, 2));
        if (!byte) return std::nullopt;
        address.s6_addr[i] = *byte;
    }
    return address;
}

/// "fd00...0000 40 0000... 00 0000... 00000100 00000001 00000000 00000001 eth0".
std::optional<Route> ipv6_route(std::string_view line) {
    const Columns columns = columns_of(line);
    const auto to = ipv6_address(columns[0]);
    const auto length = hexadecimal<uint8_t>(columns[1]);
    const auto flags = hexadecimal<uint32_t>(columns[8]);
    const std::string interface(columns[9]);
    if (!to || !length || !flags || interface.empty() || !leads_somewhere(*flags)) {
        return std::nullopt;
    }
    if ((*flags & (RTF_LOCAL | RTF_ANYCAST)) != 0) return std::nullopt;
    if (*length == 0) return Route{.interface = interface, .destination = "default"};
    std::array<char, INET6_ADDRSTRLEN> text{};
    ::inet_ntop(AF_INET6, &*to, text.data(), text.size());
    return Route{.interface = interface,
                 .destination = fmt::format("{}/{}", text.data(), *length),
                 .apart = IN6_IS_ADDR_LINKLOCAL(&*to) || IN6_IS_ADDR_MULTICAST(&*to)};
}

std::vector<Route> routes_of(std::string_view text,
                             std::optional<Route> (*route_of)(std::string_view)) {
    std::vector<Route> routes;
    std::map<std::string, size_t> kept;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        auto route = route_of(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        // A default route counts wherever it stands in the list.
        if (!route) continue;
        const bool room = kept[route->interface]++ < kMostRoutesKept;
        if (room || route->destination == "default") routes.push_back(std::move(*route));
    }
    return routes;
}

}  // namespace

std::vector<Route> parse_ipv4_routes(std::string_view text) {
    return routes_of(text, ipv4_route);
}

std::vector<Route> parse_ipv6_routes(std::string_view text) {
    return routes_of(text, ipv6_route);
}

}  // namespace barewire::machine
