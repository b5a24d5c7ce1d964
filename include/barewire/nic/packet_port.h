// SPDX-License-Identifier: BSD-3-Clause
// An interface of the kernel as a port, over packet sockets (AF_PACKET) and rings shared with the
// kernel: works on anything that `ip link` shows, by way of the kernel's driver.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "barewire/nic/pool.h"
#include "barewire/nic/port.h"

namespace barewire::nic {

class PacketRx;
class PacketTx;

/// MTU of a kernel's interface in this network namespace; empty where there is none.
std::optional<uint32_t> interface_mtu(const std::string& interface);

/// One socket and ring a queue; no thread, no file. Why it is not DPDK's net_af_packet, and what
/// each figure means on it: docs/measurement.md, "af_packet". Needs CAP_NET_RAW.
class PacketPort final : public Port {
  public:
    /// Opens the interface `spec.device`. Waits for its carrier, `kCarrierWaitNs` at most. Throws
    /// ConfigError with all that is wrong with the interface, DeviceError where the kernel
    /// refuses or there is no carrier.
    PacketPort(const plan::PortSpec& spec, const PortRequest& request);
    ~PacketPort() override;

    /// What an interface may take from being switched on to its carrier; auto-negotiation of
    /// twisted pair takes up to 4 s.
    static constexpr Ns kCarrierWaitNs = 5'000'000'000;
    /// Bytes of buffers that it takes from the EAL; rings are the kernel's memory.
    static uint64_t bytes_needed(const PortRequest& request);

    [[nodiscard]] plan::PortFacts facts() const override;
    [[nodiscard]] std::array<uint8_t, 6> mac() const override;
    TxQueue tx_queue(uint32_t index) override;
    RxQueue rx_queue(uint32_t index) override;
    void begin_trial(uint32_t trial) override;
    [[nodiscard]] plan::PortCounters counters() override;
    /// What the kernel was handed is with the receiving socket once its softirq ran; where workers
    /// spin on all cores, that waits for a time slice or a few (some ms each).
    [[nodiscard]] Ns drain_quiet_ns() const override { return 50'000'000; }
    [[nodiscard]] std::string failure() const override;
    [[nodiscard]] bool reaches_others() const override { return true; }

  private:
    void listen();

    std::string name_;
    std::string device_;
    plan::PortFacts facts_;
    std::array<uint8_t, 6> mac_{};
    int index_ = 0;
    std::unique_ptr<FramePool> pool_;
    std::vector<std::unique_ptr<PacketTx>> tx_;
    std::vector<std::unique_ptr<PacketRx>> rx_;
};

}  // namespace barewire::nic
