// SPDX-License-Identifier: BSD-3-Clause
// From rte_eth_dev_info to plan::DeviceFacts.
#include "device_facts.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string_view>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <utility>

#include <fmt/format.h>
#include <net/if.h>
#include <unistd.h>

#include <rte_bus.h>
#include <rte_errno.h>
#include <rte_ethdev.h>

#include "barewire/base/error.h"
#include "barewire/base/knobs.h"
#include "barewire/plan/parse.h"

namespace barewire::nic {
namespace {

constexpr std::array<std::pair<const char*, uint64_t>, 2> kRss{
    {{"ipv4", RTE_ETH_RSS_IPV4}, {"ipv4-udp", RTE_ETH_RSS_NONFRAG_IPV4_UDP}}};

std::set<std::string> names_of(uint64_t flags, const char* (*name_of)(uint64_t)) {
    std::set<std::string> names;
    for (unsigned bit = 0; bit < 64; ++bit) {
        if ((flags >> bit & 1) != 0) names.insert(name_of(uint64_t{1} << bit));
    }
    names.erase("UNKNOWN");
    return names;
}

uint64_t flags_of(const std::set<std::string>& names, const char* (*name_of)(uint64_t)) {
    uint64_t flags = 0;
    for (unsigned bit = 0; bit < 64; ++bit) {
        if (names.contains(name_of(uint64_t{1} << bit))) flags |= uint64_t{1} << bit;
    }
    return flags;
}

plan::DescriptorLimits limits_of(const rte_eth_desc_lim& limits, uint16_t preferred) {
    return {.min = limits.nb_min,
            .max = limits.nb_max,
            .align = std::max<uint16_t>(limits.nb_align, 1),
            .preferred = preferred};
}

/// By the socket interface: /sys may show another network namespace.
uint32_t mtu_of_interface(const std::string& name) {
    ifreq request{};
    name.copy(request.ifr_name, IFNAMSIZ - 1);
    const int socket_fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const int code = socket_fd < 0 ? -1 : ioctl(socket_fd, SIOCGIFMTU, &request);
    const int reason = errno;
    if (socket_fd >= 0) close(socket_fd);
    if (code != 0) {
        throw DeviceError(fmt::format("interface {}: SIOCGIFMTU: {} (ip link lists interfaces)",
                                      name, std::strerror(reason)));
    }
    return static_cast<uint32_t>(request.ifr_mtu);
}

/// Buffers are the kernel's too: of one page, with room for XDP in front (DPDK 22.11,
/// rte_eth_af_xdp.c; XDP_PACKET_HEADROOM of <linux/bpf.h>). A pool pads its objects to an odd
/// number of cache lines, to spread them over memory channels: 63 of a page's 64.
void correct_af_xdp(plan::DeviceFacts& facts) {
    constexpr uint32_t kMostObject = 63 * RTE_CACHE_LINE_SIZE;
    constexpr uint32_t kXdpFront = 256;
    constexpr uint32_t kBufferHead = RTE_CACHE_LINE_SIZE + sizeof(rte_mbuf) + RTE_PKTMBUF_HEADROOM;
    facts.mtu_role = plan::MtuRole::interface;
    facts.rx_buffer_front = kXdpFront;
    facts.min_rx_buffer = 2048;
    facts.max_rx_buffer = kMostObject - kBufferHead;
    facts.max_rx_length = facts.max_rx_buffer - kXdpFront + kFcsSize;
    facts.max_mtu = std::min(facts.max_mtu, *facts.max_rx_length - plan::kInterfaceOverMtu);
    // The fill ring holds so many whatever is asked for; rings as large never overflow, which the
    // driver would not count.
    facts.rx_descriptors.max = facts.tx_descriptors.max = 2048;
    facts.rx_descriptors.preferred = facts.tx_descriptors.preferred = 2048;
}

/// Rings have no MTU; memif says 1518, and takes any frame in several buffers. A queue each way:
/// what goes into a further one comes out of none that the other side reads.
void correct_memory(plan::DeviceFacts& facts) {
    facts.mtu_role = plan::MtuRole::none;
    facts.max_rx_length.reset();
    if (facts.driver == "net_null") return;
    facts.max_rx_queues = facts.max_tx_queues = 1;
}

/// Frames up to 1522: it would take more, but DPDK 22.11 sets no MTU beyond what it says. Its hash
/// needs flow rules, which it can make only where the kernel has the multiq queue discipline.
void correct_tap(plan::DeviceFacts& facts) {
    facts.max_mtu = std::min(facts.max_mtu, *facts.max_rx_length - plan::kMtuToFrame);
    facts.max_rx_queues = facts.max_tx_queues = 1;
    facts.rss.clear();
    facts.reta_size = 0;
}

void correct(plan::DeviceFacts& facts, bool in_pci) {
    constexpr std::array<std::string_view, 3> kMemory{"net_null", "net_ring", "net_memif"};
    if (std::find(kMemory.begin(), kMemory.end(), facts.driver) != kMemory.end()) {
        correct_memory(facts);
    } else if (facts.driver == "net_af_xdp") {
        correct_af_xdp(facts);
    } else if (facts.driver == "net_tap") {
        correct_tap(facts);
    } else if (in_pci) {
        // 22.11 does not say. Intel's descriptors hold 16 KiB less 128 bytes (XL710 datasheet,
        // DBUFF), and no frame of a NIC known to us is larger.
        facts.max_rx_buffer = 16256;
    } else {
        facts.mtu_role = plan::MtuRole::none;
    }
}

}  // namespace

plan::DeviceFacts read_device_facts(uint16_t port, const std::string& interface) {
    rte_eth_dev_info info{};
    const int code = rte_eth_dev_info_get(port, &info);
    if (code != 0) {
        throw DeviceError(fmt::format("rte_eth_dev_info_get: {}", rte_strerror(-code)));
    }
    plan::DeviceFacts facts;
    facts.driver = info.driver_name;
    facts.min_mtu = info.min_mtu;
    facts.max_mtu = info.max_mtu;
    if (!interface.empty()) facts.interface_mtu = mtu_of_interface(interface);
    if (info.max_rx_pktlen != std::numeric_limits<uint32_t>::max() && info.max_rx_pktlen != 0) {
        facts.max_rx_length = info.max_rx_pktlen;
    }
    facts.min_rx_buffer = info.min_rx_bufsize;
    facts.max_rx_buffer = std::numeric_limits<uint16_t>::max();
    facts.max_rx_queues = info.max_rx_queues;
    facts.max_tx_queues = info.max_tx_queues;
    facts.rx_descriptors = limits_of(info.rx_desc_lim, info.default_rxportconf.ring_size);
    facts.tx_descriptors = limits_of(info.tx_desc_lim, info.default_txportconf.ring_size);
    facts.rx_offloads = names_of(info.rx_offload_capa, &rte_eth_dev_rx_offload_name);
    facts.tx_offloads = names_of(info.tx_offload_capa, &rte_eth_dev_tx_offload_name);
    for (const auto& [name, flag] : kRss) {
        if ((info.flow_type_rss_offloads & flag) != 0) facts.rss.insert(name);
    }
    facts.reta_size = info.reta_size;
    const std::string_view bus = rte_bus_name(rte_dev_bus(info.device));
    correct(facts, bus == "pci");
    return facts;
}

uint64_t rx_offload_flags(const std::set<std::string>& names) {
    return flags_of(names, &rte_eth_dev_rx_offload_name);
}

uint64_t tx_offload_flags(const std::set<std::string>& names) {
    return flags_of(names, &rte_eth_dev_tx_offload_name);
}

uint64_t rss_flags(const std::set<std::string>& names) {
    uint64_t flags = 0;
    for (const auto& [name, flag] : kRss) {
        if (names.contains(name)) flags |= flag;
    }
    return flags;
}

}  // namespace barewire::nic
