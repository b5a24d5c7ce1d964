// SPDX-License-Identifier: BSD-3-Clause
// DPDK's interrupt thread held still while workers use a memif. When the other side goes, that
// thread unmaps the rings (DPDK 22.11, memif_disconnect), whoever is reading them just then.
#pragma once

namespace barewire::nic {

/// While any lives, the interrupt thread handles nothing: the other side's departure waits, and
/// the rings stay where they are. Made and destroyed by the control thread.
class StillInterrupts {
  public:
    StillInterrupts();
    StillInterrupts(const StillInterrupts&) = delete;
    StillInterrupts& operator=(const StillInterrupts&) = delete;
    ~StillInterrupts();
    /// Until the process ends. rte_eal_cleanup() would wait for the thread then, forever.
    static void for_good();
};

}  // namespace barewire::nic
