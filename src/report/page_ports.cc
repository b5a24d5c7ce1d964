// SPDX-License-Identifier: BSD-3-Clause
// The page of `barewire ports`: which names a command takes here, then NICs, refusals, kinds.
#include "page_ports.h"

#include <algorithm>

#include <fmt/format.h>

#include "reading.h"

namespace barewire::report {
namespace {

/// What stands at `key` as a list; a loop over anything else does nothing.
std::vector<const Json*> list_at(const Json& object, std::string_view key) {
    std::vector<const Json*> list;
    const Json& array = part(object, key);
    if (!array.is_array()) return list;
    for (const Json& element : array) list.push_back(&element);
    return list;
}

void append(std::string& text, const std::string& more) {
    if (!more.empty()) text += (text.empty() ? "" : ", ") + more;
}

bool is_usable(const Json& interface) {
    return !words_at(interface, "ports").empty() && words_at(interface, "refused").empty() &&
           flag_at(interface, "up", false);
}

bool is_usable_nic(const Json& nic) {
    const std::string state = word_at(nic, "state");
    return state == "dpdk" || (state == "bifurcated" && !flag_at(nic, "needed_by_host", false));
}

std::vector<std::string> usable_names(const Json& ports) {
    std::vector<std::string> names;
    for (const Json* nic : list_at(ports, "nics")) {
        if (is_usable_nic(*nic)) names.push_back(word_at(*nic, "address"));
    }
    for (const Json* interface : list_at(ports, "interfaces")) {
        if (is_usable(*interface)) names.push_back(words_at(*interface, "ports").front());
    }
    return names;
}

std::string speed_of(const Json& interface) {
    const auto speed = figure_at(interface, "speed_bps");
    return speed ? fmt::format("{:.4g}G", *speed / 1e9) : "";
}

/// "veth, frames up to 1518 (MTU 1500), NUMA 0".
std::string describe(const Json& interface) {
    std::string text = word_at(interface, "kind");
    const std::string driver = word_at(interface, "driver");
    if (text == "physical") text = driver.empty() ? "NIC" : driver;
    append(text, speed_of(interface));
    if (!flag_at(interface, "up", false)) append(text, "down");
    if (const auto most = count_at(interface, "max_frame")) {
        append(text, fmt::format("frames up to {} (MTU {})", *most,
                                 count_at(interface, "mtu").value_or(0)));
    }
    if (const auto node = count_at(interface, "numa_node")) {
        append(text, fmt::format("NUMA {}", *node));
    }
    const std::string master = word_at(interface, "master");
    if (!master.empty()) append(text, "member of " + master);
    return text;
}

/// "a, b, c, d, ...".
std::string shortened(std::vector<std::string> words) {
    constexpr size_t kMostListed = 4;
    const bool more = words.size() > kMostListed;
    words.resize(std::min(words.size(), kMostListed));
    return fmt::format("{}{}", fmt::join(words, ", "), more ? ", ..." : "");
}

/// "192.0.2.2/24; routes default, 192.0.2.0/24", the first of each.
std::string holdings(const Json& interface) {
    const auto routes = words_at(interface, "routes");
    std::string text = shortened(words_at(interface, "addresses"));
    if (routes.empty()) return text;
    if (!text.empty()) text += "; ";
    return text + (routes.size() > 1 ? "routes " : "route ") + shortened(routes);
}

std::string pcie_of(const Json& nic) {
    const auto words = [](const Json& link) {
        return fmt::format("{} x{}", word_at(link, "speed"), count_at(link, "width").value_or(0));
    };
    const Json& now = part(nic, "pcie");
    const Json& most = part(nic, "pcie_most");
    if (!now.is_object()) return "";
    const bool less = most.is_object() && most != now;
    return words(now) + (less ? fmt::format(" (could do {})", words(most)) : "");
}

/// What the kernel's interfaces of a NIC tell of its link.
std::string link_of(const Json& interface) {
    std::string text;
    if (!flag_at(interface, "up", false)) return "";
    const Json& carrier = part(interface, "carrier");
    if (carrier.is_boolean()) text = carrier.get<bool>() ? "link up" : "no link";
    append(text, speed_of(interface));
    const std::string fec = word_at(interface, "fec");
    if (!fec.empty()) append(text, "FEC " + fec);
    append(text, word_at(interface, "module"));
    return text;
}

/// What to do about the NIC.
std::string use_of(const Json& nic) {
    const std::string state = word_at(nic, "state");
    if (flag_at(nic, "needed_by_host", false)) return "leave it to the kernel: this host uses it";
    if (state == "dpdk") return "bound, ready as " + word_at(nic, "address");
    if (state == "bifurcated") return "ready beside the kernel, nothing to bind";
    const std::string bind = word_at(nic, "bind");
    if (!bind.empty()) return "to bind it: " + bind;
    return "the kernel drives it, for another network namespace: look there";
}

/// What does not fit goes on deeper than the facts of the row.
constexpr size_t kDeeper = 2;

void put_row(Page& page, const char* head, const std::string& row) {
    page.line(padded_right(head, kIndent) + row, kIndent + 2 * kDeeper);
}

/// A fact of the row above it.
void put_fact(Page& page, const std::string& fact) {
    if (fact.empty()) return;
    page.line(std::string(kIndent + kDeeper, ' ') + fact, kIndent + 2 * kDeeper);
}

void put_nic(Page& page, const char* head, const Json& nic, const Json& ports) {
    std::string what = word_at(nic, "name");
    if (what.empty()) {
        what = fmt::format("{}:{}", word_at(nic, "vendor_id"), word_at(nic, "device_id"));
    }
    put_row(page, head, fmt::format("{}   {}", word_at(nic, "address"), what));
    const std::string driver = word_at(nic, "driver");
    std::string facts = driver.empty() ? "no driver" : "driver " + driver;
    const auto names = words_at(nic, "interfaces");
    if (!names.empty()) append(facts, "interface " + listed(names));
    if (const auto node = count_at(nic, "numa_node")) append(facts, fmt::format("NUMA {}", *node));
    append(facts, pcie_of(nic));
    put_fact(page, facts);
    for (const Json* interface : list_at(ports, "interfaces")) {
        const std::string name = word_at(*interface, "name");
        const bool here = std::find(names.begin(), names.end(), name) != names.end();
        const std::string link = here ? link_of(*interface) : "";
        if (!link.empty()) put_fact(page, fmt::format("{}: {}", name, link));
    }
    put_fact(page, use_of(nic));
}

void put_nics(Page& page, const Json& ports) {
    const auto nics = list_at(ports, "nics");
    for (const Json* nic : nics) put_nic(page, nic == nics.front() ? "NICS" : "", *nic, ports);
    if (!nics.empty()) page.gap();
}

void put_interface(Page& page, const char* head, const Json& interface) {
    const auto names = words_at(interface, "ports");
    put_row(page, head, fmt::format("{}   {}", names.front(), describe(interface)));
    put_fact(page, names.size() > 1 ? "also " + names[1] : "");
    put_fact(page, holdings(interface));
    const auto refused = words_at(interface, "refused");
    for (const std::string& why : refused) put_fact(page, "refused: " + why);
    if (refused.empty() && !flag_at(interface, "up", false)) {
        put_fact(page, fmt::format("first: ip link set {} up", word_at(interface, "name")));
    }
}

void put_interfaces(Page& page, const Json& ports) {
    const char* head = "PORTS";
    for (const Json* interface : list_at(ports, "interfaces")) {
        if (words_at(*interface, "ports").empty()) continue;
        put_interface(page, head, *interface);
        head = "";
    }
    page.gap();
}

void put_next(Page& page, const std::vector<std::string>& usable) {
    if (usable.empty()) {
        page.section("NEXT", "barewire stress   both ends on the wire in memory");
    } else {
        page.section("NEXT", fmt::format("barewire generate --port {}", usable.front()));
    }
}

void put_kinds(Page& page, const Json& ports) {
    const auto kinds = list_at(ports, "kinds");
    size_t width = 0;
    for (const Json* kind : kinds) width = std::max(width, word_at(*kind, "port").size());
    for (const Json* kind : kinds) {
        page.section(kind == kinds.front() ? "ALSO" : "",
                     padded_right(word_at(*kind, "port"), width + 3) + word_at(*kind, "meaning"));
    }
}

}  // namespace

std::string ports_word(const Json& ports) {
    return usable_names(ports).empty() ? "NONE" : "OK";
}

void put_ports_page(Page& page, const Json& ports) {
    const auto names = usable_names(ports);
    const std::string answer =
        names.empty() ? "no NIC or interface can be a port as it is; the virtual ports can"
                      : fmt::format("usable here: {}", shortened(names));
    page.section(ports_word(ports), answer);
    page.section("", flag_at(ports, "default_route", false)
                         ? "This network namespace has a default route: an interface with an "
                           "address or a route is refused."
                         : "This network namespace has no default route: nothing in it is refused "
                           "for its addresses or routes.");
    page.gap();
    put_nics(page, ports);
    put_interfaces(page, ports);
    put_kinds(page, ports);
    page.gap();
    put_next(page, names);
}

}  // namespace barewire::report
