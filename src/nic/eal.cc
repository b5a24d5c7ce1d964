// SPDX-License-Identifier: BSD-3-Clause
// Builds the EAL's arguments, so that the user writes none, and cleans up after it.
#include "barewire/nic/eal.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <sys/resource.h>
#include <sys/stat.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_log.h>
#include <rte_version.h>

#include "barewire/base/error.h"

#include "driver_words.h"
#include "still_interrupts.h"

namespace barewire::nic {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kMiB = 1U << 20;
/// The EAL's own needs: heap headers, lcore and device tables (measured: under 20 MiB).
constexpr uint64_t kEalOverhead = 48 * kMiB;
constexpr const char* kPrefix = "barewire-";

uint64_t number_in(const fs::path& file) {
    std::ifstream in(file);
    uint64_t number = 0;
    in >> number;
    return in ? number : 0;
}

/// Free huge pages of one size, in bytes.
uint64_t free_huge_bytes(uint64_t page_kib) {
    const fs::path folder =
        fmt::format("/sys/kernel/mm/hugepages/hugepages-{}kB/free_hugepages", page_kib);
    return number_in(folder) * page_kib * 1024;
}

uint64_t mem_available() {
    std::ifstream in("/proc/meminfo");
    std::string key;
    uint64_t kib = 0;
    for (std::string line; std::getline(in, line);) {
        std::istringstream fields(line);
        if (fields >> key >> kib && key == "MemAvailable:") return kib * 1024;
    }
    return std::numeric_limits<uint64_t>::max();
}

/// Room below RLIMIT_AS: the limit less what is mapped now.
uint64_t address_space_left() {
    rlimit limit{};
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return std::numeric_limits<uint64_t>::max();
    }
    const uint64_t mapped = number_in("/proc/self/statm") * static_cast<uint64_t>(getpagesize());
    return limit.rlim_cur > mapped ? limit.rlim_cur - mapped : 0;
}

/// 22.11 leaves its folder behind at exit; a crash of ours does too.
void remove_stale_folders(const fs::path& parent) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(parent, error)) {
        const std::string name = entry.path().filename();
        if (!name.starts_with(kPrefix)) continue;
        pid_t pid = 0;
        const char* digits = name.data() + std::strlen(kPrefix);
        std::from_chars(digits, name.data() + name.size(), pid);
        if (pid > 0 && kill(pid, 0) != 0 && errno == ESRCH) {
            std::error_code ignored;
            fs::remove_all(entry.path(), ignored);
        }
    }
}

std::vector<std::string> arguments_of(const EalRequest& request, bool huge, uint64_t memory) {
    std::vector<std::string> arguments{
        "barewire",
        "--no-telemetry",
        "--log-level=*:error",
        fmt::format("--file-prefix={}{}", kPrefix, getpid()),
        fmt::format("--lcores=0@({})", fmt::join(request.control_cores, ",")),
        "--main-lcore=0"};
    if (request.pci.empty()) {
        arguments.insert(arguments.end(), {"--no-pci", "--iova-mode=va"});
    }
    for (const std::string& address : request.pci) {
        arguments.insert(arguments.end(), {"-a", address});
    }
    if (huge) {
        arguments.emplace_back("--in-memory");
    } else {
        // Not --in-memory: pool creation fails with both in 22.11.
        arguments.insert(arguments.end(),
                         {"--no-huge", "--no-shconf", "-m", std::to_string(memory / kMiB)});
    }
    std::istringstream extra(request.extra);
    for (std::string flag; extra >> flag;) arguments.push_back(flag);
    return arguments;
}

int init_eal(std::vector<std::string>& arguments) {
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    // It says "FATAL" there before its log can be turned away; the log's words are quoted instead.
    const SilencedStderr silenced;
    return rte_eal_init(static_cast<int>(argv.size()), argv.data());
}

/// The one EAL that lives, for eal_log().
const Eal* living = nullptr;

}  // namespace

MemoryLimit available_memory() {
    const uint64_t memory = mem_available();
    const uint64_t space = address_space_left();
    // Libraries, thread stacks and malloc's arenas take address space too, though little memory.
    constexpr uint64_t kElse = 256 * kMiB;
    const uint64_t left = space > kElse ? space - kElse : 0;
    if (left < memory) return {left, "RLIMIT_AS (ulimit -v)"};
    return {memory, "MemAvailable in /proc/meminfo"};
}

Eal::Eal(const EalRequest& request) {
    const uint64_t memory = (request.memory_bytes + kEalOverhead + kMiB - 1) / kMiB * kMiB;
    const MemoryLimit limit = available_memory();
    const uint64_t in_2m = free_huge_bytes(2048);
    const uint64_t in_1g = free_huge_bytes(1 << 20);
    const bool unlimited = limit.set_by.starts_with("Mem");  // the EAL reserves address space
    const bool huge = unlimited && std::max(in_2m, in_1g) >= memory;
    if (!huge && memory > limit.bytes) {
        throw ConfigError(fmt::format(
            "not enough memory: buffers and rings need {} MiB, {} MiB are available ({}): "
            "use fewer workers or a smaller --size",
            memory / kMiB, limit.bytes / kMiB, limit.set_by));
    }
    if (huge) huge_pages_ = in_2m >= memory ? "2 MiB" : "1 GiB";

    log_stream_ = open_memstream(&log_text_, &log_size_);
    rte_openlog_stream(log_stream_);
    std::vector<std::string> arguments = arguments_of(request, huge, memory);
    const int started = init_eal(arguments);
    const int code = rte_errno;
    runtime_folder_ = rte_eal_get_runtime_dir();
    if (started < 0) {
        const std::string words =
            fmt::format("DPDK's EAL does not start: {} ({}); flags: {}", rte_strerror(code),
                        one_line(log()), fmt::join(arguments, " "));
        leave_nothing();
        if (code != ENOMEM) throw DeviceError(words);
        throw ConfigError(
            fmt::format("not enough memory for {} MiB of buffers and rings: use fewer "
                        "workers or a smaller --size, or lift the limit; {}",
                        memory / kMiB, words));
    }
    remove_stale_folders(fs::path(runtime_folder_).parent_path());
    living = this;
}

Eal::~Eal() {
    living = nullptr;
    // No rte_eal_cleanup(): 22.11 unmaps its memory while its interrupt thread runs on, which looks
    // through all sources when one goes; that of a closed memif's socket is still among them.
    // Devices are closed by their ports, memory goes with the process, and files right here.
    StillInterrupts::for_good();
    leave_nothing();
}

void Eal::leave_nothing() {
    rte_openlog_stream(nullptr);
    if (log_stream_ != nullptr) fclose(log_stream_);
    log_stream_ = nullptr;
    free(log_text_);
    log_text_ = nullptr;
    std::error_code ignored;
    if (!runtime_folder_.empty()) fs::remove_all(runtime_folder_, ignored);
}

std::string Eal::log() const {
    if (log_stream_ != nullptr) fflush(log_stream_);
    return log_text_ != nullptr ? std::string(log_text_, log_size_) : std::string();
}

std::string eal_log() {
    return living != nullptr ? living->log() : std::string();
}

std::string dpdk_version() {
    return rte_version();
}

}  // namespace barewire::nic
