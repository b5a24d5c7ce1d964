// SPDX-License-Identifier: BSD-3-Clause
// From a plan to open ports.
#include "rig.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "barewire/base/error.h"
#include "barewire/machine/facts.h"

#include "way_run.h"

namespace barewire::engine {
namespace {

std::vector<std::string> pci_addresses(const plan::Plan& plan) {
    std::vector<std::string> addresses;
    for (const auto& port : {plan.tx, plan.rx}) {
        if (port && port->kind == plan::PortKind::pci) addresses.push_back(port->device);
    }
    return addresses;
}

uint64_t memory_needed(const plan::Plan& plan, const Layout& layout) {
    // A far end sends what it is asked to, up to the largest frame of its port.
    const std::vector<uint32_t> sizes = !plan.sizes.empty() ? plan.sizes
                                        : plan.tx
                                            ? std::vector{Ports::largest_frame(plan, *plan.tx)}
                                            : std::vector{kMinFrameSize};
    uint64_t pools = 0;
    for (const uint32_t size : sizes) {
        uint64_t of_trial = 0;
        for (const Way& way : layout.ways) of_trial += WayRun::pool_bytes(way, size);
        pools = std::max(pools, of_trial);
    }
    // A NIC gives back the last buffers of a trial in the next one.
    if (!pci_addresses(plan).empty()) pools *= 2;
    // The heap is cut in pieces by pools of other sizes before: half as much again.
    return pools + pools / 2 + Ports::bytes_needed(plan, layout);
}

/// Cores that this process may use, one of each physical core before any sibling.
std::vector<int> preferred_cores() {
    const std::vector<int> allowed = machine::allowed_cores();
    return machine::choose_cores(machine::read_topology(allowed), allowed.size());
}

/// Throws ConfigError where more workers would share a port than it has queues for.
Layout within_queue_limits(Layout layout) {
    std::vector<std::string> problems;
    const auto check = [&problems](const plan::PortSpec* port, size_t workers, const char* what,
                                   uint32_t nic::QueueLimit::*most) {
        if (port == nullptr) return;
        const nic::QueueLimit limit = nic::queue_limit(port->kind);
        if (workers <= limit.*most) return;
        problems.push_back(
            fmt::format("--cores: {} workers {} {}, which serves at most {} ({}): "
                        "name fewer cores",
                        workers, what, port->text, limit.*most, limit.set_by));
    };
    for (const Way& way : layout.ways) {
        check(way.tx, way.generator_cores.size(), "send into", &nic::QueueLimit::tx);
        check(way.rx, way.sink_cores.size(), "receive from", &nic::QueueLimit::rx);
    }
    if (!problems.empty()) throw ConfigError(problems);
    return layout;
}

}  // namespace

Rig::Rig(const plan::Plan& plan, const RunOptions& options)
    : layout_(within_queue_limits(lay_out(plan, preferred_cores()))),
      eal_({.memory_bytes = memory_needed(plan, layout_),
            .control_cores = layout_.control_cores,
            .extra = plan.eal,
            .pci = pci_addresses(plan)}),
      clock_(TscClock::calibrate()),
      ports_(plan, layout_, options.stop) {}

plan::Environment Rig::environment() const {
    plan::Environment environment;
    const std::vector<int> allowed = machine::allowed_cores();
    environment.cpu = machine::cpu_model().value_or("unknown");
    environment.kernel = machine::kernel_release();
    environment.cores_allowed = static_cast<uint32_t>(allowed.size());
    environment.dpdk = nic::dpdk_version();
    environment.huge_pages = eal_.huge_pages();
    environment.tsc_hz = clock_.hz();
    environment.tsc_error_ppm = clock_.error_ppm();
    auto& cores = environment.cores;
    for (const Way& way : layout_.ways) {
        for (const auto* of_role : {&way.generator_cores, &way.sink_cores, &way.reflect_cores}) {
            cores.insert(cores.end(), of_role->begin(), of_role->end());
        }
    }
    environment.governor = machine::governor(cores);
    environment.siblings = machine::share_physical_core(machine::read_topology(allowed), cores);
    for (const auto& port : ports_.all()) environment.ports.push_back(port->facts());
    return environment;
}

}  // namespace barewire::engine
