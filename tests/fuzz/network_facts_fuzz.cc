// SPDX-License-Identifier: BSD-3-Clause
// Any bytes in the place of the kernel's answers about networks: they parse into legal values, or
// into nothing. The first byte picks the parser.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "barewire/base/check.h"
#include "barewire/machine/interfaces.h"
#include "barewire/machine/pci.h"
#include "barewire/machine/routes.h"

namespace {

using namespace barewire;

void check_routes(const std::vector<machine::Route>& routes, size_t bytes) {
    // A route takes a line of more than ten bytes.
    BW_CHECK(routes.size() <= bytes / 10);
    for (const machine::Route& route : routes) {
        const bool is_default = route.destination == "default";
        BW_CHECK(is_default || route.destination.find('/') != std::string::npos);
        BW_CHECK(!(is_default && route.apart));
    }
}

void check_links(std::string_view bytes) {
    machine::RawNetwork raw;
    raw.links = machine::parse_links(bytes);
    BW_CHECK(raw.links.size() <= bytes.size() / 16);
    for (const machine::Link& link : raw.links) BW_CHECK(!link.name.empty());
    BW_CHECK(machine::interfaces_of(raw).all.size() == raw.links.size());
}

void check_ids(std::string_view text) {
    const std::string name = machine::pci_name(text, "8086", "10fb");
    BW_CHECK(name.size() <= text.size() + 1 && name.find('\n') == std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    switch (data[0] % 4) {
        case 0:
            check_routes(machine::parse_ipv4_routes(text), text.size());
            break;
        case 1:
            check_routes(machine::parse_ipv6_routes(text), text.size());
            break;
        case 2:
            check_links(text);
            break;
        default:
            check_ids(text);
    }
    return 0;
}
