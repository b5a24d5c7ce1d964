// SPDX-License-Identifier: BSD-3-Clause
// A device's counters, as far as its driver counts what DPDK names.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "barewire/plan/result.h"

namespace barewire::nic {

/// Since the device started. What its driver does not count, or counts as something else, is empty.
plan::PortCounters read_eth_counters(uint16_t port, const std::string& driver);

/// `now` less `begin`; empty where either is, or where the driver began anew in between.
plan::PortCounters since(const plan::PortCounters& now, const plan::PortCounters& begin);

enum class PauseWay : uint8_t { none, rx, tx };
/// Which way the pause frames go that an extended statistic of this name counts: frames that ask
/// for a stop (XOFF), not those that end one.
PauseWay pause_way(std::string_view xstat);

}  // namespace barewire::nic
