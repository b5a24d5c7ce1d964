// SPDX-License-Identifier: BSD-3-Clause
// Signal handlers: one store to a lock-free flag, nothing that is not async-signal-safe.
#include "signals.h"

namespace barewire::cli {
namespace {

std::atomic<bool> stop_flag{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a handler may only touch such");

extern "C" void barewire_on_signal(int /*signal*/) {
    stop_flag.store(true, std::memory_order_relaxed);
}

}  // namespace

std::atomic<bool>& SignalGuard::stop() noexcept {
    return stop_flag;
}

SignalGuard::SignalGuard() {
    stop_flag.store(false);
    for (size_t i = 0; i < kSignals.size(); ++i) {
        struct sigaction action {};
        sigemptyset(&action.sa_mask);
        action.sa_flags = SA_RESTART;
        // A closed pipe and a file at its limit are told by the write that fails.
        const bool ignored = kSignals[i] == SIGPIPE || kSignals[i] == SIGXFSZ;
        action.sa_handler = ignored ? SIG_IGN : barewire_on_signal;
        sigaction(kSignals[i], &action, &before_[i]);
        if (kSignals[i] == SIGHUP && before_[i].sa_handler == SIG_IGN) {
            sigaction(SIGHUP, &before_[i], nullptr);
        }
    }
}

SignalGuard::~SignalGuard() {
    for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

}  // namespace barewire::cli
