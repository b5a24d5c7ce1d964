// SPDX-License-Identifier: BSD-3-Clause
// DPDK's environment (EAL): started once a process, after every check that needs none, and taken
// down without leaving anything behind.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace barewire::nic {

struct EalRequest {
    uint64_t memory_bytes = 0;       ///< what pools and rings need
    std::vector<int> control_cores;  ///< where the control thread may run
    std::string extra;               ///< the user's own flags, separated by blanks
    std::vector<std::string> pci{};  ///< addresses of the devices that DPDK may touch
};

/// Memory that this process may still take, and what sets it ("MemAvailable", "RLIMIT_AS", ...).
struct MemoryLimit {
    uint64_t bytes = 0;
    std::string set_by;
};
MemoryLimit available_memory();

/// The EAL while it lives. Only one may exist; DPDK 22.11 cannot start it twice in a process.
class Eal {
  public:
    /// Huge pages when enough are free, else none. Throws ConfigError where memory is short of the
    /// request, DeviceError with the EAL's own words where it refuses.
    explicit Eal(const EalRequest& request);
    Eal(const Eal&) = delete;
    Eal& operator=(const Eal&) = delete;
    ~Eal();

    /// "2 MiB", "1 GiB" or "none".
    [[nodiscard]] const std::string& huge_pages() const { return huge_pages_; }
    /// What DPDK logged so far at level error or worse; for quoting.
    [[nodiscard]] std::string log() const;

  private:
    void leave_nothing();
    std::string huge_pages_ = "none";
    std::string runtime_folder_;
    FILE* log_stream_ = nullptr;
    char* log_text_ = nullptr;
    size_t log_size_ = 0;
};

/// Eal::log() of the EAL that lives, empty without one: for what opens devices.
std::string eal_log();

/// DPDK's version, "DPDK 22.11.11".
std::string dpdk_version();

}  // namespace barewire::nic
