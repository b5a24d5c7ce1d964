// SPDX-License-Identifier: BSD-3-Clause
// The network functions on this machine's PCI buses: what drives them, and what would make them
// ports.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "barewire/machine/facts.h"
#include "barewire/machine/interfaces.h"

namespace barewire::machine {

/// Files of one function as read, "vendor" -> "0x8086"; of a symbolic link ("driver",
/// "iommu_group") the last part of where it leads.
using RawPciFunction = std::map<std::string, std::string>;

/// Network controllers (class 0x02xxxx) under /sys/bus/pci/devices, by address.
std::map<std::string, RawPciFunction> read_pci(const SystemFiles& files = {});

enum class PciState : uint8_t {
    unbound,     ///< no driver has it
    kernel,      ///< a driver of the kernel has it: to be bound before use
    dpdk,        ///< bound to vfio-pci, uio_pci_generic or igb_uio
    bifurcated,  ///< mlx4_core, mlx5_core, ...: DPDK uses it beside the kernel, nothing to bind
};

/// One way the function's connector may run: "8.0 GT/s PCIe", 8 lanes.
struct PcieLink {
    std::string speed;
    uint32_t width = 0;  ///< lanes
    friend bool operator==(const PcieLink&, const PcieLink&) = default;
};

struct PciFunction {
    std::string address;               ///< "0000:3b:00.0"
    std::string vendor_id, device_id;  ///< "8086", "10fb"
    std::string name;                  ///< as pci.ids has it; empty: it has none
    std::string driver;                ///< empty: none
    PciState state = PciState::unbound;
    std::vector<std::string> interfaces;  ///< of the kernel, in this network namespace
    std::optional<int> numa_node;
    std::optional<PcieLink> pcie, most_pcie;  ///< as it runs, and what it could do
    std::string iommu_group;                  ///< "12"; empty: none, vfio needs its no-IOMMU mode
    std::string bind;  ///< the command that hands it to DPDK; empty: nothing to bind
};

/// What follows from the raw facts. `ids` is the text of pci.ids, or empty.
std::vector<PciFunction> pci_functions_of(const std::map<std::string, RawPciFunction>& raw,
                                          const Interfaces& interfaces, std::string_view ids);

/// "Intel Corporation 82599ES 10-Gigabit SFI/SFP+ Network Connection": vendor and device in the
/// text of pci.ids (pciutils), ids being four hexadecimal digits. Without the device the vendor
/// alone; without it "".
std::string pci_name(std::string_view ids, std::string_view vendor, std::string_view device);

/// The text of /usr/share/misc/pci.ids; empty without.
std::string read_pci_ids(const SystemFiles& files = {});

}  // namespace barewire::machine
