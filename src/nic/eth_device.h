// SPDX-License-Identifier: BSD-3-Clause
// A DPDK Ethernet device while this process has it: plugged in, or found on the PCI bus.
#pragma once

#include <cstdint>
#include <string>

#include "barewire/plan/plan.h"

#include "memif_socket.h"

namespace barewire::nic {

class EthDevice {
  public:
    /// `memif`: its rings, of a memif only. Throws ConfigError or DeviceError naming the port, what
    /// refused, the driver's own words and the remedy.
    EthDevice(const plan::PortSpec& spec, const MemifRings& memif);
    EthDevice(const EthDevice&) = delete;
    EthDevice& operator=(const EthDevice&) = delete;
    /// Stops, closes and unplugs it.
    ~EthDevice();

    [[nodiscard]] uint16_t id() const { return id_; }
    /// DPDK's name of it: "net_memif_bw0", "0000:3b:00.0".
    [[nodiscard]] const std::string& name() const { return name_; }
    /// The kernel's interface that it is a way into; empty for other devices.
    [[nodiscard]] const std::string& interface() const { return interface_; }
    [[nodiscard]] bool is_pci() const { return !plugged_; }
    /// Carrier, or another side that is there.
    [[nodiscard]] bool link_is_up() const;

  private:
    void plug_in(const plan::PortSpec& spec, const std::string& name, const std::string& arguments);
    void find_pci(const plan::PortSpec& spec);

    uint16_t id_ = 0;
    std::string name_, interface_, socket_;
    bool plugged_ = true;
};

}  // namespace barewire::nic
