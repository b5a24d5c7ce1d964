// SPDX-License-Identifier: BSD-3-Clause
// Opens the ports of a run and joins the embedded wire's ends.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "barewire/engine/layout.h"
#include "barewire/nic/port.h"
#include "barewire/nic/wire_port.h"
#include "barewire/plan/plan.h"

#include "channel.h"
#include "way_run.h"

namespace barewire::engine {

/// Ports of a run, in the order of first use; lives as long as the run.
class Ports {
  public:
    /// `stop` ends the wait for a link; may be null.
    Ports(const plan::Plan& plan, const Layout& layout, const std::atomic<bool>* stop);
    /// The port and the channel of `spec`; both null where that is null.
    [[nodiscard]] PortEnd end_of(const plan::PortSpec* spec) const;
    [[nodiscard]] nic::Port* find(const plan::PortSpec* spec) const { return end_of(spec).port; }
    [[nodiscard]] const std::vector<std::unique_ptr<nic::Port>>& all() const { return ports_; }
    /// The embedded wire's counts for this way; empty where it is not used.
    [[nodiscard]] std::optional<plan::WireCounts> wire_counts(const Way& way) const;
    void begin_trial(uint32_t trial);
    /// All workers are at rest: what was sent goes back to its pool, and the control thread has the
    /// queues of every port.
    void end_trial();
    /// What went wrong in any port, empty: nothing.
    [[nodiscard]] std::string failure() const;

    /// Largest frame size that the plan's port `spec` is to carry.
    static uint32_t largest_frame(const plan::Plan& plan, const plan::PortSpec& spec);
    /// Bytes of DPDK memory for rings, copies and receive buffers.
    static uint64_t bytes_needed(const plan::Plan& plan, const Layout& layout);

  private:
    void open(const plan::PortSpec& spec, const nic::PortRequest& request);
    std::unique_ptr<nic::WirePath> a_to_b_, b_to_a_;
    std::vector<std::unique_ptr<nic::Port>> ports_;
    std::vector<std::unique_ptr<Channel>> channels_;  // null where no other host is behind a port
    std::vector<plan::PortSpec> specs_;
};

}  // namespace barewire::engine
