// SPDX-License-Identifier: BSD-3-Clause
// Reads /proc and /sys.
#include "barewire/machine/facts.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <sstream>
#include <string_view>
#include <sys/utsname.h>

#include <fmt/format.h>
#include <sched.h>

namespace barewire::machine {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kKiB = 1024;

/// First line of a file, nothing if it cannot be read or is empty.
std::optional<std::string> first_line(const fs::path& path) {
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line) || line.empty()) return std::nullopt;
    return line;
}

uint64_t leading_number(std::string_view text) {
    const size_t first = std::min(text.find_first_of("0123456789"), text.size());
    uint64_t value = 0;
    std::from_chars(text.data() + first, text.data() + text.size(), value);
    return value;
}

/// Entries of a folder whose names are `prefix` and a number: those numbers, ascending.
std::vector<uint64_t> numbered_entries(const fs::path& folder, std::string_view prefix) {
    std::vector<uint64_t> numbers;
    std::error_code none;
    for (fs::directory_iterator at(folder, none), end; !none && at != end; at.increment(none)) {
        const std::string name = at->path().filename().string();
        if (!name.starts_with(prefix) || name.size() == prefix.size()) continue;
        const char digit = name[prefix.size()];
        if (digit >= '0' && digit <= '9') {
            numbers.push_back(leading_number(std::string_view(name).substr(prefix.size())));
        }
    }
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

fs::path cpu_folder(const SystemFiles& files, int core) {
    return files.sys / "devices/system/cpu" / fmt::format("cpu{}", core);
}

/// The value of "name : value" in a file of such lines.
std::optional<std::string> value_of(const fs::path& path, std::string_view name) {
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line)) {
        if (!line.starts_with(name)) continue;
        const size_t colon = line.find(':');
        if (line.find_first_not_of(" \t", name.size()) != colon) continue;
        const size_t value = line.find_first_not_of(" \t", colon + 1);
        if (value != std::string::npos) return line.substr(value);
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string> cpu_model(const SystemFiles& files) {
    return value_of(files.proc / "cpuinfo", "model name");
}

std::string boot_id(const SystemFiles& files) {
    std::ifstream in(files.proc / "sys/kernel/random/boot_id");
    std::string id;
    in >> id;
    return id;
}

std::string kernel_release() {
    utsname names{};
    return uname(&names) == 0 ? names.release : "";
}

std::vector<int> allowed_cores() {
    // The kernel refuses a set smaller than its own; machines with over 1,024 cores exist.
    for (size_t most = CPU_SETSIZE; most <= 65536; most *= 2) {
        cpu_set_t* set = CPU_ALLOC(most);
        if (set == nullptr) return {};
        const size_t size = CPU_ALLOC_SIZE(most);
        std::vector<int> cores;
        const bool told = sched_getaffinity(0, size, set) == 0;
        for (size_t core = 0; told && core < most; ++core) {
            if (CPU_ISSET_S(core, size, set)) cores.push_back(static_cast<int>(core));
        }
        CPU_FREE(set);
        if (told) return cores;
    }
    return {};
}

Topology read_topology(const std::vector<int>& cores, const SystemFiles& files) {
    Topology topology;
    for (const int id : cores) {
        Core core{.id = id, .siblings = {}, .numa_node = std::nullopt};
        const fs::path folder = cpu_folder(files, id);
        if (const auto list = first_line(folder / "topology/thread_siblings_list")) {
            core.siblings = parse_cpulist(*list).value_or(std::vector<int>{});
        }
        const auto nodes = numbered_entries(folder, "node");
        if (!nodes.empty()) core.numa_node = static_cast<int>(nodes.front());
        topology.push_back(std::move(core));
    }
    return topology;
}

std::optional<std::string> governor(const std::vector<int>& cores, const SystemFiles& files) {
    std::set<std::string> names;
    for (const int core : cores) {
        if (const auto name = first_line(cpu_folder(files, core) / "cpufreq/scaling_governor")) {
            names.insert(*name);
        }
    }
    if (names.empty()) return std::nullopt;
    return fmt::format("{}", fmt::join(names, ","));
}

std::map<uint64_t, HugePages> huge_pages(const SystemFiles& files) {
    std::map<uint64_t, HugePages> pages;
    const fs::path folder = files.sys / "kernel/mm/hugepages";
    for (const uint64_t kib : numbered_entries(folder, "hugepages-")) {
        const fs::path size = folder / fmt::format("hugepages-{}kB", kib);
        pages[kib * kKiB] = {
            .total = leading_number(first_line(size / "nr_hugepages").value_or("")),
            .free = leading_number(first_line(size / "free_hugepages").value_or(""))};
    }
    return pages;
}

uint64_t memory_available(const SystemFiles& files) {
    const auto value = value_of(files.proc / "meminfo", "MemAvailable");
    return value ? leading_number(*value) * kKiB : 0;
}

std::string page_size_name(uint64_t bytes) {
    constexpr uint64_t kMiB = kKiB * kKiB;
    constexpr uint64_t kGiB = kMiB * kKiB;
    if (bytes >= kGiB && bytes % kGiB == 0) return fmt::format("{} GiB", bytes / kGiB);
    if (bytes >= kMiB && bytes % kMiB == 0) return fmt::format("{} MiB", bytes / kMiB);
    return fmt::format("{} KiB", bytes / kKiB);
}

}  // namespace barewire::machine
