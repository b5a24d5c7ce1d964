// SPDX-License-Identifier: BSD-3-Clause
// Gathers what the kernel tells of its interfaces, and concludes.
#include "barewire/machine/interfaces.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <netinet/in.h>
#include <sys/socket.h>

#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <netdb.h>
#include <unistd.h>

#include "barewire/machine/routes.h"

#include "device.h"

namespace barewire::machine {
namespace {

namespace fs = std::filesystem;

/// At most 64 MiB: a million routes.
std::string whole_file(const fs::path& path) {
    constexpr size_t kMost = size_t{64} << 20;
    std::ifstream file(path, std::ios::binary);
    std::string text;
    std::array<char, 65536> piece{};
    while (text.size() < kMost && file) {
        file.read(piece.data(), piece.size());
        text.append(piece.data(), static_cast<size_t>(file.gcount()));
    }
    return text;
}

/// Set bits of a netmask.
int prefix_of(const sockaddr* mask) {
    if (mask == nullptr) return 0;
    const auto bits = [](const auto& bytes) {
        int sum = 0;
        for (const uint8_t byte : bytes) sum += std::popcount(byte);
        return sum;
    };
    if (mask->sa_family == AF_INET) {
        sockaddr_in v4{};
        std::memcpy(&v4, mask, sizeof v4);
        return std::popcount(v4.sin_addr.s_addr);
    }
    sockaddr_in6 v6{};
    std::memcpy(&v6, mask, sizeof v6);
    return bits(v6.sin6_addr.s6_addr);
}

bool is_link_local(const sockaddr* address) {
    if (address->sa_family != AF_INET6) return false;
    sockaddr_in6 v6{};
    std::memcpy(&v6, address, sizeof v6);
    return IN6_IS_ADDR_LINKLOCAL(&v6.sin6_addr);
}

std::vector<Address> read_addresses() {
    std::vector<Address> addresses;
    ifaddrs* list = nullptr;
    if (::getifaddrs(&list) != 0) return addresses;
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> owned(list, ::freeifaddrs);
    for (const ifaddrs* at = list; at != nullptr; at = at->ifa_next) {
        if (at->ifa_addr == nullptr) continue;
        const int family = at->ifa_addr->sa_family;
        if (family != AF_INET && family != AF_INET6) continue;
        const socklen_t length = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
        std::array<char, NI_MAXHOST> host{};
        if (::getnameinfo(at->ifa_addr, length, host.data(), host.size(), nullptr, 0,
                          NI_NUMERICHOST) != 0) {
            continue;
        }
        std::string text = host.data();
        text.resize(std::min(text.find('%'), text.size()));  // the zone of a link-local address
        addresses.push_back({.interface = at->ifa_name,
                             .text = fmt::format("{}/{}", text, prefix_of(at->ifa_netmask)),
                             .link_local = is_link_local(at->ifa_addr)});
    }
    return addresses;
}

/// The node of a PCI function; -1 in the file means that the machine has none to tell.
std::optional<int> numa_node_of(const fs::path& device) {
    std::ifstream file(device / "numa_node");
    int node = -1;
    if (!(file >> node) || node < 0) return std::nullopt;
    return node;
}

std::map<std::string, Device> read_devices(const std::vector<Link>& links,
                                           const SystemFiles& files) {
    std::map<std::string, Device> devices;
    const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (socket < 0) return devices;
    for (const Link& link : links) {
        Device device = read_device(socket, link.name);
        if (is_pci_address(device.bus)) {
            device.numa_node = numa_node_of(files.sys / "bus/pci/devices" / device.bus);
        }
        devices[link.name] = std::move(device);
    }
    ::close(socket);
    return devices;
}

std::string name_of(const std::vector<Link>& links, int index) {
    const auto found = std::find_if(links.begin(), links.end(),
                                    [index](const Link& link) { return link.index == index; });
    return index == 0 || found == links.end() ? "" : found->name;
}

/// Without a word of the kernel's a device of Ethernet is one of hardware, or a virtual machine's.
std::string kind_of(const Link& link) {
    if (link.hardware == ARPHRD_LOOPBACK) return "loopback";
    if (!link.kind.empty()) return link.kind;
    return link.hardware == ARPHRD_ETHER ? "physical" : "other";
}

void take_device(const Device& device, Interface& interface) {
    interface.driver = device.driver;
    interface.numa_node = device.numa_node;
    if (!interface.real) return;
    if (is_pci_address(device.bus)) interface.pci_address = device.bus;
    if (interface.up) interface.speed_bps = device.speed_bps;
    interface.fec = device.fec;
    interface.module = device.module;
}

Interface interface_of(const Link& link, const RawNetwork& raw) {
    Interface interface;
    interface.name = link.name;
    interface.index = link.index;
    interface.mac = link.mac;
    interface.mtu = link.mtu;
    interface.kind = kind_of(link);
    interface.real = interface.kind == "physical";
    interface.ethernet = link.hardware == ARPHRD_ETHER;
    interface.up = (link.flags & IFF_UP) != 0;
    interface.carrier = link.carrier;
    interface.master = name_of(raw.links, link.master);
    interface.lower = name_of(raw.links, link.lower);
    if (const auto found = raw.devices.find(link.name); found != raw.devices.end()) {
        take_device(found->second, interface);
    }
    for (const Address& address : raw.addresses) {
        if (address.interface != link.name) continue;
        auto& list = address.link_local ? interface.link_local_addresses : interface.addresses;
        list.push_back(address.text);
    }
    return interface;
}

}  // namespace

RawNetwork read_network(const SystemFiles& files) {
    RawNetwork raw;
    raw.links = read_links();
    raw.addresses = read_addresses();
    // "self/net", not "net", would be the same; both are of the reader's own namespace.
    raw.ipv4_routes = whole_file(files.proc / "net/route");
    raw.ipv6_routes = whole_file(files.proc / "net/ipv6_route");
    raw.devices = read_devices(raw.links, files);
    return raw;
}

Interfaces interfaces_of(const RawNetwork& raw) {
    Interfaces interfaces;
    std::map<std::string, size_t> place;
    for (const Link& link : raw.links) {
        place[link.name] = interfaces.all.size();
        interfaces.all.push_back(interface_of(link, raw));
    }
    for (const auto& routes :
         {parse_ipv4_routes(raw.ipv4_routes), parse_ipv6_routes(raw.ipv6_routes)}) {
        for (const Route& route : routes) {
            const bool is_default = route.destination == "default";
            interfaces.holds_default_route = interfaces.holds_default_route || is_default;
            const auto found = place.find(route.interface);
            if (found == place.end()) continue;
            Interface& interface = interfaces.all[found->second];
            auto& list = route.apart ? interface.link_local_routes : interface.routes;
            if (std::find(list.begin(), list.end(), route.destination) == list.end()) {
                list.push_back(route.destination);
            }
        }
    }
    return interfaces;
}

plan::Network network_of(const Interfaces& interfaces) {
    return {.interfaces = {interfaces.all.begin(), interfaces.all.end()},
            .holds_default_route = interfaces.holds_default_route};
}

bool is_pci_address(std::string_view text) {
    // DDDD:BB:DD.F; a domain may have more digits than four.
    const size_t domain = text.find(':');
    if (domain == std::string_view::npos || domain < 4 || domain > 8) return false;
    const std::string_view rest = text.substr(domain + 1);
    if (rest.size() != 7 || rest[2] != ':' || rest[5] != '.') return false;
    return std::count(text.begin(), text.end(), ':') == 2 &&
           text.find_first_not_of("0123456789abcdefABCDEF:.") == std::string_view::npos;
}

}  // namespace barewire::machine
