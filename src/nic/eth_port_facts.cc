// SPDX-License-Identifier: BSD-3-Clause
// A DPDK Ethernet device as a port: what it is, and what it counts.
#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rte_ethdev.h>

#include "barewire/base/knobs.h"
#include "barewire/nic/eth_port.h"

#include "eth_device.h"
#include "eth_stats.h"
#include "linearise.h"
#include "spread.h"
#include "still_interrupts.h"

namespace barewire::nic {
namespace {

/// Of a NIC whose link is up; a virtual device's nominal speed limits nothing.
std::optional<double> speed_of(const EthDevice& device) {
    rte_eth_link link{};
    if (!device.is_pci() || rte_eth_link_get_nowait(device.id(), &link) != 0) return std::nullopt;
    const bool known = link.link_status == RTE_ETH_LINK_UP &&
                       link.link_speed != RTE_ETH_SPEED_NUM_NONE &&
                       link.link_speed != RTE_ETH_SPEED_NUM_UNKNOWN;
    return known ? std::optional<double>(1e6 * link.link_speed) : std::nullopt;
}

}  // namespace

plan::PortFacts EthPort::facts() const {
    const plan::DeviceFrameLimit limit = plan::device_frame_limit(device_facts_);
    plan::PortFacts facts{.port = spec_.text,
                          .driver = device_facts_.driver,
                          .mac = fmt::format("{:02x}", fmt::join(mac(), ":")),
                          .speed_bps = speed_of(*device_),
                          .max_frame = limit.frame_size,
                          .max_frame_by = limit.set_by,
                          .mtu = mtu_,
                          .flow_control = flow_control_};
    facts.rx_queues = choice_.rx_queues;
    facts.tx_queues = choice_.tx_queues;
    if (choice_.rx_queues > 1) facts.spread = "rss";
    if (choice_.software_spread) facts.spread = "software";
    facts.offloads.assign(choice_.rx_offloads.begin(), choice_.rx_offloads.end());
    facts.offloads.insert(facts.offloads.end(), choice_.tx_offloads.begin(),
                          choice_.tx_offloads.end());
    const int node = rte_eth_dev_socket_id(device_->id());
    if (device_->is_pci() && node >= 0) facts.numa_node = node;
    return facts;
}

std::array<uint8_t, 6> EthPort::mac() const {
    rte_ether_addr address{};
    std::array<uint8_t, 6> mac{};
    if (rte_eth_macaddr_get(device_->id(), &address) == 0) {
        std::copy(std::begin(address.addr_bytes), std::end(address.addr_bytes), mac.begin());
    }
    return mac;
}

/// The device's counts and those of what stands before it.
plan::PortCounters EthPort::count() const {
    plan::PortCounters out = read_eth_counters(device_->id(), device_facts_.driver);
    for (const auto& whole : linearise_) {
        out.rx_nombuf = out.rx_nombuf.value_or(0) + whole->dropped();
    }
    if (spread_ != nullptr) out.imissed = out.imissed.value_or(0) + spread_->dropped();
    return out;
}

void EthPort::begin_trial(uint32_t /*trial*/) {
    // Not reset: a driver's reset is not atomic with its counting. The difference is.
    at_begin_ = count();
}

/// A NIC keeps sent buffers until it needs their descriptors. Where one queue can be stopped, that
/// gives back the last of them; e1000, vmxnet3 and virtio keep theirs. Other devices copy or pass
/// on.
void EthPort::end_trial() {
    if (!device_->is_pci()) return;
    for (const EthQueue& queue : tx_) {
        if (rte_eth_dev_tx_queue_stop(queue.port, queue.queue) == 0) {
            rte_eth_dev_tx_queue_start(queue.port, queue.queue);
        } else {
            rte_eth_tx_done_cleanup(queue.port, queue.queue, 0);
        }
    }
}

uint32_t EthPort::keeps_sent() const {
    return device_->is_pci() ? choice_.tx_descriptors : 0;
}

void EthPort::keep(std::unique_ptr<FramePool> pool) {
    std::erase_if(sent_pools_, [](const auto& kept) { return kept->in_use() == 0; });
    if (pool->in_use() != 0) sent_pools_.push_back(std::move(pool));
}

plan::PortCounters EthPort::counters() {
    plan::PortCounters out = since(count(), at_begin_);
    out.port = spec_.text;
    return out;
}

}  // namespace barewire::nic
