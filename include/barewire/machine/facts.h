// SPDX-License-Identifier: BSD-3-Clause
// What this machine is, as far as Linux tells without DPDK.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "barewire/machine/cores.h"

namespace barewire::machine {

/// Where the kernel's files are; tests have their own.
struct SystemFiles {
    std::filesystem::path sys = "/sys";
    std::filesystem::path proc = "/proc";
    std::filesystem::path share = "/usr/share";
};

/// Pages of one size.
struct HugePages {
    uint64_t total = 0;
    uint64_t free = 0;
};

/// "AMD EPYC 7763 64-Core Processor"; nothing where the kernel has no such line.
std::optional<std::string> cpu_model(const SystemFiles& files = {});

/// "6.1.0-18-amd64", from uname.
std::string kernel_release();

/// The kernel's identity since it started: the same in two processes of one machine. Empty if it
/// tells none.
std::string boot_id(const SystemFiles& files = {});

/// Cores that this process may run on (sched_getaffinity), ascending. Empty if the kernel refuses.
std::vector<int> allowed_cores();

/// Those cores with their siblings and NUMA nodes.
Topology read_topology(const std::vector<int>& cores, const SystemFiles& files = {});

/// Frequency governor of `cores`: one name, or several joined by ','. Nothing where no core has
/// one (a virtual machine).
std::optional<std::string> governor(const std::vector<int>& cores, const SystemFiles& files = {});

/// Huge pages by size in bytes, of all nodes. Empty where the kernel has none.
std::map<uint64_t, HugePages> huge_pages(const SystemFiles& files = {});

/// Bytes that can be had without swapping (MemAvailable), 0 if unknown.
uint64_t memory_available(const SystemFiles& files = {});

/// "2 MiB", "1 GiB": how people name a size of pages. `bytes` a multiple of 1024.
std::string page_size_name(uint64_t bytes);

}  // namespace barewire::machine
