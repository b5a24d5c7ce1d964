// SPDX-License-Identifier: BSD-3-Clause
// Ctrl-C and its kin end a run with the result so far.
#pragma once

#include <array>
#include <atomic>

#include <signal.h>

namespace barewire::cli {

/// While it lives SIGINT, SIGTERM and SIGHUP set a flag, as often as they come, and do nothing
/// else; SIGPIPE is ignored, so that a closed pipe is a failed write, and SIGXFSZ for a file at its
/// limit. One at a time. SIGHUP stays ignored where it was (nohup).
class SignalGuard {
  public:
    SignalGuard();
    SignalGuard(const SignalGuard&) = delete;
    SignalGuard& operator=(const SignalGuard&) = delete;
    ~SignalGuard();

    /// True once a signal came. Written by the handler, read by anyone.
    static std::atomic<bool>& stop() noexcept;

  private:
    static constexpr std::array<int, 5> kSignals = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ};
    std::array<struct sigaction, kSignals.size()> before_{};
};

}  // namespace barewire::cli
