// SPDX-License-Identifier: BSD-3-Clause
// Which worker runs where: decided before the EAL starts, from the plan and the machine.
#pragma once

#include <cstdint>
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
