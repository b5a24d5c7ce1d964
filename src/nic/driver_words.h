// SPDX-License-Identifier: BSD-3-Clause
// What drivers, and the libraries below them, say while a device is set up: kept off the terminal,
// quoted where the device refuses.
#pragma once

#include <string>

namespace barewire::nic {

/// Standard error goes nowhere while it lives; what was written there is kept, 64 KiB at most.
class SilencedStderr {
  public:
    SilencedStderr();
    SilencedStderr(const SilencedStderr&) = delete;
    SilencedStderr& operator=(const SilencedStderr&) = delete;
    ~SilencedStderr();
    [[nodiscard]] std::string text() const;

  private:
    int saved_ = -1;
    int kept_ = -1;
};

/// Listens to DPDK's log and to standard error from its making on.
class DriverWords {
  public:
    DriverWords();
    /// "; DPDK says: first line; second line", or nothing when nothing was said.
    [[nodiscard]] std::string quote() const;

  private:
    size_t log_begin_;
    SilencedStderr stderr_;
};

/// Without the newlines at the end, others become "; ".
std::string one_line(std::string text);

}  // namespace barewire::nic
