// SPDX-License-Identifier: BSD-3-Clause
// The grammar of ports: --tx, --rx and --port.
#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "barewire/base/text.h"
#include "barewire/plan/parse.h"

#include "sentences.h"

namespace barewire::plan {
namespace {

constexpr std::string_view kPortKinds =
    "wire:a, wire:b, null, af_packet:IFACE, af_xdp:IFACE, tap:NAME, "
    "memif:PATH,role=server|client, pcap:IN.pcap,OUT.pcap, a PCI address as 0000:3b:00.0, or "
    "dpdk:DEVARGS";
/// IFNAMSIZ - 1 of <linux/if.h>.
constexpr size_t kMaxInterfaceName = 15;
/// sockaddr_un::sun_path less its closing zero (unix(7)).
constexpr size_t kMaxSocketPath = 107;

/// What the kernel's dev_valid_name() accepts, less what no shell would show.
void check_interface(std::string_view text, std::string_view name, Sentences& problems) {
    const auto unfit = [](char c) {
        return c == '/' || c == ':' || c == ',' || std::isgraph(static_cast<unsigned char>(c)) == 0;
    };
    if (name.empty() || name.size() > kMaxInterfaceName || name == "." || name == ".." ||
        std::any_of(name.begin(), name.end(), unfit)) {
        refuse(text,
               fmt::format("an interface's name has 1 to {} characters, none of them a blank, "
                           "slash, colon or comma, as eth0 (ip link lists them)",
                           kMaxInterfaceName),
               problems);
    }
}

PortSpec parse_interface(PortKind kind, std::string_view text, std::string_view name,
                         Sentences& problems) {
    check_interface(text, name, problems);
    PortSpec port{kind, std::string(text), {}, {}};
    port.device = name;
    return port;
}

PortSpec parse_pcap(std::string_view text, std::string_view files, Sentences& problems) {
    PortSpec port{PortKind::pcap, std::string(text), {}, {}};
    const size_t comma = std::min(files.find(','), files.size());
    port.pcap_in = files.substr(0, comma);
    if (comma < files.size()) port.pcap_out = files.substr(comma + 1);
    if (port.pcap_in.empty() && port.pcap_out.empty()) {
        refuse(text, "it names no file; pcap:IN.pcap,OUT.pcap, of which one may be left out",
               problems);
    } else if (files.find('\0') != files.npos) {
        refuse(text, "a file's name cannot hold a zero byte", problems);
    } else if (port.pcap_in == port.pcap_out) {
        refuse(text, "it would read the file that it writes; name two files", problems);
    }
    return port;
}

/// The role is asked for: two servers, or two clients, would wait for each other forever.
PortSpec parse_memif(std::string_view text, std::string_view rest, Sentences& problems) {
    PortSpec port{PortKind::memif, std::string(text), {}, {}};
    const size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view path = rest.substr(0, comma);
    const std::string_view role = rest.substr(comma);
    port.device = path;
    port.memif_server = role == ",role=server";
    if (path.empty()) {
        refuse(text, "it names no socket; as memif:/run/bw.sock,role=server", problems);
    } else if (path.size() > kMaxSocketPath) {
        refuse(text,
               fmt::format("its path has {} bytes, and a socket's has at most {}; choose a "
                           "shorter one",
                           path.size(), kMaxSocketPath),
               problems);
    } else if (path.find('\0') != path.npos) {
        refuse(text, "a socket's path cannot hold a zero byte", problems);
    } else if (!port.memif_server && role != ",role=client") {
        refuse(text,
               "after the path comes ,role=server (it makes the socket) or ,role=client (it "
               "connects to it); a path holds no comma",
               problems);
    }
    return port;
}

/// The EAL's --vdev: a driver's name with a number, and arguments.
PortSpec parse_dpdk(std::string_view text, std::string_view arguments, Sentences& problems) {
    PortSpec port{PortKind::dpdk, std::string(text), {}, {}};
    port.device = arguments;
    const std::string_view name = arguments.substr(0, arguments.find(','));
    const auto plain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
    };
    if (name.empty() || name.size() > 63 || !std::all_of(name.begin(), name.end(), plain)) {
        refuse(text,
               "it names no device; as dpdk:net_ring0 or dpdk:net_pcap0,iface=eth0 (what the "
               "EAL's --vdev takes)",
               problems);
    } else if (!std::all_of(arguments.begin(), arguments.end(), [](char c) {
                   return std::isgraph(static_cast<unsigned char>(c)) != 0;
               })) {
        refuse(text, "a device's arguments are of printable characters without blanks", problems);
    }
    return port;
}

/// "0000:3b:00.0", from that or from "3b:00.0"; empty if it is no PCI address at all.
std::optional<std::string> pci_address(std::string_view text) {
    constexpr std::string_view kShape = "hhhh:hh:hh.h";
    constexpr size_t kDomain = 5;  // "0000:"
    std::string address(text);
    if (address.size() + kDomain == kShape.size()) address.insert(0, "0000:");
    if (address.size() != kShape.size()) return std::nullopt;
    for (size_t i = 0; i < kShape.size(); ++i) {
        const auto c = static_cast<unsigned char>(address[i]);
        if (kShape[i] == 'h' ? std::isxdigit(c) == 0 : kShape[i] != address[i]) return {};
        address[i] = static_cast<char>(std::tolower(c));
    }
    return address;
}

/// 32 slots of 8 functions (PCI Local Bus 3.0, section 3.2.2.3.4).
PortSpec parse_pci(std::string_view text, std::string address, Sentences& problems) {
    PortSpec port{PortKind::pci, std::string(text), {}, {}};
    if (address[8] > '1' || address[11] > '7') {
        refuse(text, "a PCI address ends with a slot of 00 to 1f and a function of 0 to 7",
               problems);
    }
    port.device = std::move(address);
    return port;
}

struct InterfaceKind {
    std::string_view prefix;
    PortKind kind;
};
constexpr std::array<InterfaceKind, 3> kInterfaceKinds{
    {{"af_packet:", PortKind::af_packet}, {"af_xdp:", PortKind::af_xdp}, {"tap:", PortKind::tap}}};

}  // namespace

PortSpec parse_port(std::string_view text, Sentences& problems) {
    constexpr std::string_view kPcap = "pcap:";
    constexpr std::string_view kMemif = "memif:";
    constexpr std::string_view kDpdk = "dpdk:";
    PortSpec port{PortKind::null, std::string(text), {}, {}};
    if (text == "null") return port;
    if (text == "wire:a" || text == "wire:b") {
        port.kind = text == "wire:a" ? PortKind::wire_a : PortKind::wire_b;
        return port;
    }
    for (const auto& [prefix, kind] : kInterfaceKinds) {
        if (!text.starts_with(prefix)) continue;
        return parse_interface(kind, text, text.substr(prefix.size()), problems);
    }
    if (text.starts_with(kPcap)) return parse_pcap(text, text.substr(kPcap.size()), problems);
    if (text.starts_with(kMemif)) return parse_memif(text, text.substr(kMemif.size()), problems);
    if (text.starts_with(kDpdk)) return parse_dpdk(text, text.substr(kDpdk.size()), problems);
    if (auto address = pci_address(text)) return parse_pci(text, std::move(*address), problems);
    if (text == "wire" || text.starts_with("wire:")) {
        refuse(text, "the embedded wire's ends are wire:a and wire:b", problems);
    } else {
        refuse(text, fmt::format("no such port; a port is {}", kPortKinds), problems);
    }
    return port;
}

}  // namespace barewire::plan
