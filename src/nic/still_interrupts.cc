// SPDX-License-Identifier: BSD-3-Clause
// An alarm, which DPDK calls in its interrupt thread, and which returns when the last holder is
// gone.
#include "still_interrupts.h"

#include <condition_variable>
#include <mutex>

#include <rte_alarm.h>

namespace barewire::nic {
namespace {

struct State {
    std::mutex mutex;  // guards the two below
    std::condition_variable changed;
    unsigned holders = 0;
    bool standing = false;  // the interrupt thread is in stand_still()
};

/// Never destroyed: the thread may stand still at the end of the process.
State& state() {
    static State* const only = new State;
    return *only;
}

void stand_still(void* /*argument*/) {
    State& s = state();
    std::unique_lock lock(s.mutex);
    s.standing = true;
    s.changed.notify_all();
    s.changed.wait(lock, [&s] { return s.holders == 0; });
    s.standing = false;
    s.changed.notify_all();
}

}  // namespace

StillInterrupts::StillInterrupts() {
    State& s = state();
    std::unique_lock lock(s.mutex);
    if (++s.holders > 1 || rte_eal_alarm_set(1, &stand_still, nullptr) != 0) return;
    s.changed.wait(lock, [&s] { return s.standing; });
}

StillInterrupts::~StillInterrupts() {
    State& s = state();
    std::unique_lock lock(s.mutex);
    if (--s.holders > 0) return;
    s.changed.notify_all();
    s.changed.wait(lock, [&s] { return !s.standing; });
}

void StillInterrupts::for_good() {
    static const StillInterrupts* const held = new StillInterrupts;
    static_cast<void>(held);
}

}  // namespace barewire::nic
