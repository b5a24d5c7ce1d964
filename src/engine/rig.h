// SPDX-License-Identifier: BSD-3-Clause
// What a run stands on: cores, DPDK, the clock, the open ports.
#pragma once

#include "barewire/engine/layout.h"
#include "barewire/engine/run.h"
#include "barewire/nic/eal.h"

#include "ports.h"

namespace barewire::engine {

/// Opens everything, in the order that tells of a problem soonest. `plan` outlives it.
class Rig {
  public:
    /// Throws ConfigError and DeviceError as run() does.
    Rig(const plan::Plan& plan, const RunOptions& options);

    [[nodiscard]] const Layout& layout() const { return layout_; }
    [[nodiscard]] const TscClock& clock() const { return clock_; }
    [[nodiscard]] Ports& ports() { return ports_; }
    /// Of this host, for the result.
    [[nodiscard]] plan::Environment environment() const;

  private:
    Layout layout_;
    nic::Eal eal_;
    TscClock clock_;
    Ports ports_;
};

}  // namespace barewire::engine
