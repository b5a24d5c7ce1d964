// SPDX-License-Identifier: BSD-3-Clause
// An alarm, which DPDK calls in its interrupt thread, and which returns when the last holder is
// gone.
#include "still_interrupts.h"

#include <condition_variable>
#include <mutex>

#include <rte_alarm.h>

namespace barewire::nic {
namespace {

std::mutex mutex;  // guards the three below
std::condition_variable changed;
unsigned holders = 0;
bool standing = false;  // the interrupt thread is in stand_still()

void stand_still(void* /*argument*/) {
    std::unique_lock lock(mutex);
    standing = true;
    changed.notify_all();
    changed.wait(lock, [] { return holders == 0; });
    standing = false;
    changed.notify_all();
}

}  // namespace

StillInterrupts::StillInterrupts() {
    std::unique_lock lock(mutex);
    if (++holders > 1 || rte_eal_alarm_set(1, &stand_still, nullptr) != 0) return;
    changed.wait(lock, [] { return standing; });
}

StillInterrupts::~StillInterrupts() {
    std::unique_lock lock(mutex);
    if (--holders > 0) return;
    changed.notify_all();
    changed.wait(lock, [] { return !standing; });
}

}  // namespace barewire::nic
