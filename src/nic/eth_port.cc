// SPDX-License-Identifier: BSD-3-Clause
// A DPDK Ethernet device as a port.
#include "barewire/nic/eth_port.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rte_dev.h>
#include <rte_errno.h>
#include <rte_ethdev.h>

#include "barewire/base/error.h"
#include "barewire/base/knobs.h"

namespace barewire::nic {
namespace {

constexpr uint16_t kTxDescriptors = 1024;
constexpr uint16_t kRxDescriptors = 1024;
constexpr auto kAnySocket = static_cast<unsigned>(SOCKET_ID_ANY);

[[noreturn]] void refuse(const std::string& port, const char* call, int code) {
    throw DeviceError(fmt::format("port {}: {} refuses: {}", port, call, rte_strerror(-code)));
}

void flush(void* /*self*/) noexcept {}

uint16_t send(void* self, rte_mbuf** frames, uint16_t count) noexcept {
    const auto& ids = *static_cast<const EthQueue*>(self);
    return rte_eth_tx_burst(ids.port, ids.queue, frames, count);
}

uint16_t receive(void* self, rte_mbuf** frames, uint16_t most) noexcept {
    const auto& ids = *static_cast<const EthQueue*>(self);
    return rte_eth_rx_burst(ids.port, ids.queue, frames, most);
}

uint16_t plug_in(const std::string& name, const std::string& device) {
    const std::string driver_name = device.substr(0, device.find(','));
    const std::string arguments =
        device.size() > driver_name.size() ? device.substr(driver_name.size() + 1) : "";
    const int code = rte_eal_hotplug_add("vdev", driver_name.c_str(), arguments.c_str());
    if (code != 0) refuse(name, "rte_eal_hotplug_add", code);
    uint16_t id = 0;
    const int found = rte_eth_dev_get_port_by_name(driver_name.c_str(), &id);
    if (found != 0) refuse(name, "rte_eth_dev_get_port_by_name", found);
    return id;
}

}  // namespace

EthPort::EthPort(std::string name, const std::string& device, const PortRequest& request)
    : name_(std::move(name)),
      device_(device),
      id_(plug_in(name_, device)),
      rx_pool_(fmt::format("rx-{}", id_), kRxDescriptors * std::max(request.rx_queues, 1U),
               request.largest_frame - kFcsSize, request.rx_queues) {
    configure(request);
    const int code = rte_eth_dev_start(id_);
    if (code != 0) refuse(name_, "rte_eth_dev_start", code);
}

void EthPort::configure(const PortRequest& request) {
    const rte_eth_conf conf{};
    // A device without any queue of a kind is refused by most drivers: at least one of each.
    const auto tx = static_cast<uint16_t>(std::max(request.tx_queues, 1U));
    const auto rx = static_cast<uint16_t>(std::max(request.rx_queues, 1U));
    int code = rte_eth_dev_configure(id_, rx, tx, &conf);
    if (code != 0) refuse(name_, "rte_eth_dev_configure", code);
    for (uint16_t queue = 0; queue < tx; ++queue) {
        code = rte_eth_tx_queue_setup(id_, queue, kTxDescriptors, kAnySocket, nullptr);
        if (code != 0) refuse(name_, "rte_eth_tx_queue_setup", code);
        tx_.push_back({id_, queue});
    }
    for (uint16_t queue = 0; queue < rx; ++queue) {
        code = rte_eth_rx_queue_setup(id_, queue, kRxDescriptors, kAnySocket, nullptr,
                                      rx_pool_.handle());
        if (code != 0) refuse(name_, "rte_eth_rx_queue_setup", code);
        rx_.push_back({id_, queue});
    }
}

EthPort::~EthPort() {
    rte_eth_dev_stop(id_);
    rte_eth_dev_close(id_);
    rte_eal_hotplug_remove("vdev", device_.substr(0, device_.find(',')).c_str());
}

TxQueue EthPort::tx_queue(uint32_t index) {
    return {&send, &flush, &tx_.at(index)};
}
RxQueue EthPort::rx_queue(uint32_t index) {
    return {&receive, &rx_.at(index)};
}

plan::PortFacts EthPort::facts() const {
    const FrameLimit limit = frame_limit(plan::PortKind::null);
    const auto address = mac();
    return {.port = name_,
            .driver = "net_null",
            .mac = fmt::format("{:02x}", fmt::join(address, ":")),
            .speed_bps = std::nullopt,  // its nominal 10G is no limit
            .max_frame = limit.frame_size,
            .max_frame_by = limit.set_by};
}

std::array<uint8_t, 6> EthPort::mac() const {
    rte_ether_addr address{};
    std::array<uint8_t, 6> mac{};
    if (rte_eth_macaddr_get(id_, &address) == 0) {
        std::copy(std::begin(address.addr_bytes), std::end(address.addr_bytes), mac.begin());
    }
    return mac;
}

void EthPort::begin_trial(uint32_t /*trial*/) {
    // Not reset: a driver's reset is not atomic with its counting. The difference is.
    at_begin_ = {};
    at_begin_ = counters();
}

plan::PortCounters EthPort::counters() {
    rte_eth_stats now{};
    plan::PortCounters out;
    out.port = name_;
    if (rte_eth_stats_get(id_, &now) != 0) return out;
    const auto since = [](uint64_t value, const plan::MaybeCount& begin) {
        return value - begin.value_or(0);
    };
    out.ipackets = since(now.ipackets, at_begin_.ipackets);
    out.opackets = since(now.opackets, at_begin_.opackets);
    out.ibytes = since(now.ibytes, at_begin_.ibytes);
    out.obytes = since(now.obytes, at_begin_.obytes);
    out.ierrors = since(now.ierrors, at_begin_.ierrors);
    out.oerrors = since(now.oerrors, at_begin_.oerrors);
    out.imissed = since(now.imissed, at_begin_.imissed);
    out.rx_nombuf = since(now.rx_nombuf, at_begin_.rx_nombuf);
    return out;
}

}  // namespace barewire::nic
