// SPDX-License-Identifier: BSD-3-Clause
// Which worker runs where: decided before the EAL starts, from the plan and the machine.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "barewire/plan/plan.h"

namespace barewire::engine {

/// One way of a run: senders of one port, receivers of the other.
struct Way {
    std::string name;                    ///< "a-to-b" or "b-to-a"
    const plan::PortSpec* tx = nullptr;  ///< null: nothing is sent this way
    const plan::PortSpec* rx = nullptr;  ///< null: nothing is received
    std::vector<int> generator_cores;
    std::vector<int> sink_cores;
    std::vector<int> reflect_cores;  ///< each receives from `rx` and sends what it turned round
    /// Where one end is another host's: its address, and how many senders it has if it sends
    /// (0: it does not, or does not say).
    std::optional<plan::Addressing::Mac> far_mac{};
    uint32_t far_streams = 0;
};

struct Layout {
    std::vector<Way> ways;           ///< one, or two with --both-ways
    std::vector<int> control_cores;  ///< cores without a worker; all when every core has one
    uint32_t workers = 0;
    std::set<int> crowded_cores;  ///< cores with two workers or more
    std::vector<std::string> warnings;
};

/// `preferred`: the cores this process may use, best first (one physical core each before any
/// sibling). `plan` outlives the layout.
Layout lay_out(const plan::Plan& plan, const std::vector<int>& preferred);

}  // namespace barewire::engine
