// SPDX-License-Identifier: BSD-3-Clause
// Processor cores: which there are, which share a physical one, which to take.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace barewire::machine {

/// Parses the kernel's list format, "0-3,8,10-11": ascending, each once. Empty for an empty list.
/// Nothing for text that is no list, or for a core over 65,535.
std::optional<std::vector<int>> parse_cpulist(std::string_view text);

/// The same format; `cores` in any order.
std::string format_cpulist(std::vector<int> cores);

struct Core {
    int id = 0;
    std::vector<int> siblings;  ///< cores of the same physical one, this included; empty: unknown
    std::optional<int> numa_node;
};

/// The cores that this process may run on, ascending.
using Topology = std::vector<Core>;

/// The physical core of `core`: its lowest sibling, itself where that is unknown.
int physical_core(const Core& core);

/// `wanted` cores out of `topology`: one of each physical core before any sibling, cores of
/// `near_node` first, low numbers first. Fewer than `wanted` if there are no more: the caller
/// decides who shares. In the order in which they are to be given out.
std::vector<int> choose_cores(const Topology& topology, size_t wanted,
                              std::optional<int> near_node = std::nullopt);

/// True if two of `cores` are the same, or share a physical core. Nothing where the siblings of
/// one of them are unknown, unless others answer.
std::optional<bool> share_physical_core(const Topology& topology, const std::vector<int>& cores);

}  // namespace barewire::machine
