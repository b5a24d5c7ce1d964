// SPDX-License-Identifier: BSD-3-Clause
// A DPDK Ethernet device as a port: null, af_xdp, tap, memif, a PCI device, or any that the EAL's
// --vdev can name.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "barewire/nic/pool.h"
#include "barewire/nic/port.h"
#include "barewire/plan/device_choice.h"

namespace barewire::nic {

class EthDevice;
class Linearise;
class SharedTx;
class SoftwareSpread;
class StillInterrupts;

/// What rte_eth_tx_burst and rte_eth_rx_burst need to know of a queue.
struct EthQueue {
    uint16_t port;
    uint16_t queue;
};

/// Workers beyond the device's queues share one: sending ones by a lock a burst, receiving ones by
/// a spread in software, of which worker 0 is to go on polling as long as any other does.
class EthPort final : public Port {
  public:
    /// Opens, configures and starts. Throws ConfigError where the request and the device do not
    /// go together, DeviceError naming the DPDK call that refused, with the driver's words.
    EthPort(const plan::PortSpec& spec, const PortRequest& request);
    ~EthPort() override;

    [[nodiscard]] plan::PortFacts facts() const override;
    [[nodiscard]] std::array<uint8_t, 6> mac() const override;
    TxQueue tx_queue(uint32_t index) override;
    RxQueue rx_queue(uint32_t index) override;
    void await_link() override;
    void hold() override;
    void release() override;
    void begin_trial(uint32_t trial) override;
    void end_trial() override;
    [[nodiscard]] uint32_t keeps_sent() const override;
    void keep(std::unique_ptr<FramePool> pool) override;
    [[nodiscard]] plan::PortCounters counters() override;
    [[nodiscard]] Ns drain_quiet_ns() const override { return 20'000'000; }
    [[nodiscard]] std::string failure() const override;
    [[nodiscard]] bool reaches_others() const override {
        return spec_.kind != plan::PortKind::null;
    }

    /// Bytes of DPDK memory that such a port takes at most, before there is a device to ask.
    static uint64_t bytes_needed(const plan::PortSpec& spec, const PortRequest& request);

  private:
    void choose(const PortRequest& request);
    void make_pool(const PortRequest& request);
    void configure();
    void set_up_queues();
    void set_mtu();
    bool start();
    void disconnect();
    void set_flow_control();
    void check_flow_control();
    [[nodiscard]] bool stopped() const;
    void make_queues(const PortRequest& request);
    [[noreturn]] void refuse(const char* call, int code, const std::string& words) const;
    [[nodiscard]] plan::PortCounters count() const;

    plan::PortSpec spec_;
    plan::FlowControl wanted_flow_control_;
    const std::atomic<bool>* stop_;
    bool sends_only_;
    bool started_ = false;
    bool linked_ = false;  // frames could travel
    plan::DeviceFacts device_facts_;
    plan::DeviceChoice choice_;
    std::optional<uint32_t> mtu_;
    std::optional<std::string> flow_control_;
    plan::PortCounters at_begin_;
    // In this order: the device, then what waits in rings, is gone before the pools.
    std::unique_ptr<FramePool> rx_pool_;
    std::vector<std::unique_ptr<FramePool>> sent_pools_;  // whose buffers are not all back
    std::vector<std::unique_ptr<Linearise>> linearise_;   // one for each of the device's queues
    std::unique_ptr<SoftwareSpread> spread_;
    std::unique_ptr<EthDevice> device_;
    std::vector<EthQueue> tx_, rx_;
    std::vector<std::unique_ptr<SharedTx>> shared_tx_;
    std::vector<TxQueue> tx_queues_;
    std::vector<RxQueue> rx_queues_;
    std::unique_ptr<StillInterrupts> still_;  // while held_ > 0
    unsigned held_ = 0;
};

}  // namespace barewire::nic
