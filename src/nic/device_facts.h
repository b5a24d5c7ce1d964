// SPDX-License-Identifier: BSD-3-Clause
// What DPDK says of a device, as plain data, put right where a driver says what it does not do.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "barewire/plan/device_choice.h"

namespace barewire::nic {

/// `interface`: the kernel's, where there is one that is not of our own making; else empty. Throws
/// DeviceError when the device says nothing, or the kernel has no such interface.
plan::DeviceFacts read_device_facts(uint16_t port, const std::string& interface);

/// RTE_ETH_RX_OFFLOAD_* and RTE_ETH_TX_OFFLOAD_* flags of these names.
uint64_t rx_offload_flags(const std::set<std::string>& names);
uint64_t tx_offload_flags(const std::set<std::string>& names);
/// RTE_ETH_RSS_* flags of these names ("ipv4", "ipv4-udp").
uint64_t rss_flags(const std::set<std::string>& names);

}  // namespace barewire::nic
