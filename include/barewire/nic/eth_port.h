// SPDX-License-Identifier: BSD-3-Clause
// A DPDK Ethernet device as a port. In this version: `null` (net_null).
#pragma once

#include <string>
#include <vector>

#include "barewire/nic/pool.h"
#include "barewire/nic/port.h"

namespace barewire::nic {

/// What rte_eth_tx_burst and rte_eth_rx_burst need to know of a queue.
struct EthQueue {
    uint16_t port;
    uint16_t queue;
};

class EthPort final : public Port {
  public:
    /// Plugs in `device` ("net_null0,no-rx=1"), configures, starts. Throws DeviceError naming the
    /// DPDK call that refused.
    EthPort(std::string name, const std::string& device, const PortRequest& request);
    ~EthPort() override;

    [[nodiscard]] plan::PortFacts facts() const override;
    [[nodiscard]] std::array<uint8_t, 6> mac() const override;
    TxQueue tx_queue(uint32_t index) override;
    RxQueue rx_queue(uint32_t index) override;
    void begin_trial(uint32_t trial) override;
    [[nodiscard]] plan::PortCounters counters() override;
    [[nodiscard]] Ns drain_quiet_ns() const override { return 20'000'000; }

  private:
    void configure(const PortRequest& request);
    std::string name_;
    std::string device_;
    uint16_t id_ = 0;
    std::vector<EthQueue> tx_, rx_;
    FramePool rx_pool_;
    plan::PortCounters at_begin_;
};

}  // namespace barewire::nic
