// SPDX-License-Identifier: BSD-3-Clause
// A network interface of the kernel: what it says of itself.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace barewire::nic {

struct Interface {
    std::string name;
    int index = 0;
    bool ethernet = false;
    bool up = false;       ///< switched on (IFF_UP)
    bool carrier = false;  ///< up, and the other end as well (IFF_RUNNING)
    uint32_t mtu = 0;
    std::array<uint8_t, 6> mac{};
    std::optional<double> speed_bps{};  ///< of hardware; what veth or tap report limits nothing
    std::optional<int> numa_node{};
};

/// The interface of that name in this thread's network namespace; empty where there is none.
std::optional<Interface> find_interface(const std::string& name);

}  // namespace barewire::nic
