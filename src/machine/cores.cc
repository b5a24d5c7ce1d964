// SPDX-License-Identifier: BSD-3-Clause
// The choice of cores.
#include "barewire/machine/cores.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

namespace barewire::machine {
namespace {

constexpr int kHighestCore = 65535;

/// A whole number, all of `text`.
std::optional<int> parse_core(std::string_view text) {
    int core = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), core);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    if (text.front() == '-' || core > kHighestCore) return std::nullopt;
    return core;
}

std::string_view trimmed(std::string_view text) {
    const size_t first = text.find_first_not_of(" \t\n");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

const Core* find(const Topology& topology, int id) {
    const auto found = std::find_if(topology.begin(), topology.end(),
                                    [id](const Core& core) { return core.id == id; });
    return found == topology.end() ? nullptr : &*found;
}

}  // namespace

std::optional<std::vector<int>> parse_cpulist(std::string_view text) {
    std::set<int> cores;
    text = trimmed(text);
    while (!text.empty()) {
        const size_t comma = std::min(text.find(','), text.size());
        const std::string_view range = text.substr(0, comma);
        const size_t dash = range.find('-');
        const auto first = parse_core(range.substr(0, dash));
        const auto last =
            dash == std::string_view::npos ? first : parse_core(range.substr(dash + 1));
        if (!first || !last || *last < *first) return std::nullopt;
        for (int core = *first; core <= *last; ++core) cores.insert(core);
        if (comma + 1 == text.size()) return std::nullopt;  // ends in a comma
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return std::vector<int>(cores.begin(), cores.end());
}

std::string format_cpulist(std::vector<int> cores) {
    std::sort(cores.begin(), cores.end());
    cores.erase(std::unique(cores.begin(), cores.end()), cores.end());
    std::string text;
    for (size_t i = 0; i < cores.size();) {
        size_t last = i;
        while (last + 1 < cores.size() && cores[last + 1] == cores[last] + 1) ++last;
        text += fmt::format("{}{}", text.empty() ? "" : ",", cores[i]);
        if (last > i) text += fmt::format("-{}", cores[last]);
        i = last + 1;
    }
    return text;
}

int physical_core(const Core& core) {
    return core.siblings.empty() ? core.id
                                 : *std::min_element(core.siblings.begin(), core.siblings.end());
}

std::vector<int> choose_cores(const Topology& topology, size_t wanted,
                              std::optional<int> near_node) {
    // How many cores of the same physical one come before it, then nearness, then number.
    std::vector<const Core*> sorted;
    for (const Core& core : topology) sorted.push_back(&core);
    std::sort(sorted.begin(), sorted.end(),
              [](const Core* a, const Core* b) { return a->id < b->id; });
    std::map<int, int> taken;
    std::vector<std::tuple<int, bool, int>> order;
    for (const Core* core : sorted) {
        const bool far = near_node && core->numa_node && *core->numa_node != *near_node;
        order.emplace_back(taken[physical_core(*core)]++, far, core->id);
    }
    std::sort(order.begin(), order.end());
    std::vector<int> chosen;
    for (const auto& [rank, far, id] : order) {
        if (chosen.size() == wanted) break;
        chosen.push_back(id);
    }
    return chosen;
}

std::optional<bool> share_physical_core(const Topology& topology, const std::vector<int>& cores) {
    std::set<int> physical;
    bool known = true;
    for (const int id : cores) {
        const Core* core = find(topology, id);
        known = known && core != nullptr && !core->siblings.empty();
        if (!physical.insert(core == nullptr ? id : physical_core(*core)).second) return true;
    }
    if (!known) return std::nullopt;
    return false;
}

}  // namespace barewire::machine
