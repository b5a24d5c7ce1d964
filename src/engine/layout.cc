// SPDX-License-Identifier: BSD-3-Clause
// Cores for workers.
#include "barewire/engine/layout.h"

#include <algorithm>
#include <iterator>
#include <map>

#include <fmt/format.h>

namespace barewire::engine {
namespace {

/// Hands out cores in order of preference, from the start again when there are too few.
class CoreSource {
  public:
    explicit CoreSource(const std::vector<int>& cores) : cores_(cores) {}
    int next() { return cores_[turn_++ % cores_.size()]; }

  private:
    const std::vector<int>& cores_;
    size_t turn_ = 0;
};

Way make_way(const std::string& name, const plan::PortSpec* tx, const plan::PortSpec* rx) {
    Way way;
    way.name = name;
    way.tx = tx;
    way.rx = rx;
    return way;
}

std::vector<Way> ways_of(const plan::Plan& plan) {
    const plan::PortSpec* tx = plan.tx ? &*plan.tx : nullptr;
    const plan::PortSpec* rx = plan.rx ? &*plan.rx : nullptr;
    // From the near end's view: towards the far end, and back.
    if (plan.command == "far") return {make_way("a-to-b", nullptr, rx), make_way("b-to-a", tx, {})};
    const bool from_b = tx != nullptr && tx->kind == plan::PortKind::wire_b;
    std::vector<Way> ways{make_way(from_b ? "b-to-a" : "a-to-b", tx, rx)};
    if (plan.both_ways) ways.push_back(make_way(from_b ? "a-to-b" : "b-to-a", rx, tx));
    return ways;
}

/// The user's cores are dealt out over the ways in turn, so that both have the same.
std::vector<int> share(const std::vector<int>& cores, size_t ways, size_t index) {
    std::vector<int> mine;
    for (size_t i = index; i < cores.size(); i += ways) mine.push_back(cores[i]);
    if (mine.empty() && !cores.empty()) mine.push_back(cores[index % cores.size()]);
    return mine;
}

/// Ways with such an end among the first `count`.
size_t ways_with(const Layout& layout, const plan::PortSpec* Way::*end, size_t count) {
    return static_cast<size_t>(
        std::count_if(layout.ways.begin(), layout.ways.begin() + static_cast<ptrdiff_t>(count),
                      [end](const Way& way) { return way.*end != nullptr; }));
}

/// Cores for the workers at one end of way `index`: the user's, else the next best one.
std::vector<int> cores_for(const Layout& layout, const plan::PortSpec* Way::*end, size_t index,
                           const std::vector<int>& asked, CoreSource& source) {
    if (layout.ways[index].*end == nullptr) return {};
    std::vector<int> cores =
        share(asked, ways_with(layout, end, layout.ways.size()), ways_with(layout, end, index));
    if (cores.empty()) cores.push_back(source.next());
    return cores;
}

void assign(Layout& layout, const plan::Plan& plan, CoreSource& source) {
    for (size_t i = 0; i < layout.ways.size(); ++i) {
        Way& way = layout.ways[i];
        if (plan.command == "reflect") {
            way.reflect_cores = cores_for(layout, &Way::rx, i, plan.cores.sinks, source);
            continue;
        }
        way.generator_cores = cores_for(layout, &Way::tx, i, plan.cores.generators, source);
        way.sink_cores = cores_for(layout, &Way::rx, i, plan.cores.sinks, source);
    }
}

}  // namespace

Layout lay_out(const plan::Plan& plan, const std::vector<int>& preferred) {
    Layout layout;
    layout.ways = ways_of(plan);
    CoreSource source(preferred);
    assign(layout, plan, source);

    std::map<int, uint32_t> workers_on;
    for (const Way& way : layout.ways) {
        for (int core : way.generator_cores) ++workers_on[core];
        for (int core : way.sink_cores) ++workers_on[core];
        for (int core : way.reflect_cores) ++workers_on[core];
    }
    for (const auto& [core, workers] : workers_on) {
        layout.workers += workers;
        if (workers > 1) layout.crowded_cores.insert(core);
    }
    std::copy_if(preferred.begin(), preferred.end(), std::back_inserter(layout.control_cores),
                 [&](int core) { return workers_on.count(core) == 0; });
    if (layout.control_cores.empty()) layout.control_cores = preferred;
    if (!layout.crowded_cores.empty()) {
        layout.warnings.push_back(
            fmt::format("{} workers share {} cores: they wait for each other, so rates and "
                        "latencies are the machine's, not the path's",
                        layout.workers, workers_on.size()));
    }
    return layout;
}

}  // namespace barewire::engine
