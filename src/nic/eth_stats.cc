// SPDX-License-Identifier: BSD-3-Clause
// Counters by driver. What each one counts was read in DPDK 22.11's sources.
#include "eth_stats.h"

#include <array>
#include <vector>

#include <rte_ethdev.h>

namespace barewire::nic {
namespace {

using plan::MaybeCount;
using plan::PortCounters;

constexpr std::array<MaybeCount PortCounters::*, 10> kCounts{
    &PortCounters::ipackets, &PortCounters::opackets,  &PortCounters::ibytes,
    &PortCounters::obytes,   &PortCounters::ierrors,   &PortCounters::oerrors,
    &PortCounters::imissed,  &PortCounters::rx_nombuf, &PortCounters::rx_pause,
    &PortCounters::tx_pause};

/// Which of rte_eth_stats a driver fills in, beyond frames.
struct Tells {
    std::string_view driver;
    bool bytes, ierrors, oerrors, imissed, nombuf;
};
constexpr std::array<Tells, 5> kTells{{
    {"net_null", true, false, false, false, false},
    {"net_ring", false, false, false, false, false},
    // A frame that finds no buffer stays in the ring: nombuf would count tries.
    {"net_memif", true, false, false, false, false},
    // Its tx_dropped are frames that the caller keeps and sends again.
    {"net_af_xdp", true, false, false, true, false},
    {"net_tap", true, true, true, false, true},
}};

void forget_what_it_does_not_tell(const std::string& driver, PortCounters& out) {
    for (const Tells& tells : kTells) {
        if (tells.driver != driver) continue;
        if (!tells.bytes) out.ibytes = out.obytes = std::nullopt;
        if (!tells.ierrors) out.ierrors = std::nullopt;
        if (!tells.oerrors) out.oerrors = std::nullopt;
        if (!tells.imissed) out.imissed = std::nullopt;
        if (!tells.nombuf) out.rx_nombuf = std::nullopt;
    }
}

void add_pauses(uint16_t port, PortCounters& out) {
    const int count = rte_eth_xstats_get_names(port, nullptr, 0);
    if (count <= 0) return;
    const auto size = static_cast<unsigned>(count);
    std::vector<rte_eth_xstat_name> names(size);
    std::vector<rte_eth_xstat> values(size);
    if (rte_eth_xstats_get_names(port, names.data(), size) != count) return;
    if (rte_eth_xstats_get(port, values.data(), size) != count) return;
    for (const rte_eth_xstat& value : values) {
        if (value.id >= names.size()) continue;
        const PauseWay way = pause_way(names[value.id].name);
        if (way == PauseWay::none) continue;
        MaybeCount& sum = way == PauseWay::rx ? out.rx_pause : out.tx_pause;
        sum = sum.value_or(0) + value.value;
    }
}

}  // namespace

PauseWay pause_way(std::string_view xstat) {
    const auto has = [xstat](std::string_view part) { return xstat.find(part) != xstat.npos; };
    const bool pause = has("xoff") || (has("pause") && !has("xon"));
    // By priority they are of annex 31D, and durations and transitions are no frames.
    const bool other = has("xon_to_xoff") || has("xon_2_xoff") || has("prio") || has("duration") ||
                       has("transition");
    if (!pause || other) return PauseWay::none;
    if (xstat.starts_with("rx_")) return PauseWay::rx;
    return xstat.starts_with("tx_") ? PauseWay::tx : PauseWay::none;
}

PortCounters read_eth_counters(uint16_t port, const std::string& driver) {
    rte_eth_stats now{};
    PortCounters out;
    if (rte_eth_stats_get(port, &now) != 0) return out;
    out.ipackets = now.ipackets;
    out.opackets = now.opackets;
    out.ibytes = now.ibytes;
    out.obytes = now.obytes;
    out.ierrors = now.ierrors;
    out.oerrors = now.oerrors;
    out.imissed = now.imissed;
    out.rx_nombuf = now.rx_nombuf;
    forget_what_it_does_not_tell(driver, out);
    add_pauses(port, out);
    return out;
}

PortCounters since(const PortCounters& now, const PortCounters& begin) {
    PortCounters out = now;
    for (const auto count : kCounts) {
        const bool known = now.*count && begin.*count && *(now.*count) >= *(begin.*count);
        out.*count = known ? MaybeCount(*(now.*count) - *(begin.*count)) : std::nullopt;
    }
    return out;
}

}  // namespace barewire::nic
