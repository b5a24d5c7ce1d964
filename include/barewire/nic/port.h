// SPDX-License-Identifier: BSD-3-Clause
// A port as the control thread sees it. Workers see its queues only (nic/burst.h).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "barewire/base/clock.h"
#include "barewire/nic/burst.h"
#include "barewire/nic/pool.h"
#include "barewire/plan/plan.h"
#include "barewire/plan/result.h"

namespace barewire::nic {

/// How a port is to be opened.
struct PortRequest {
    uint32_t tx_queues = 0;
    uint32_t rx_queues = 0;
    uint32_t largest_frame = 64;  ///< frame size, FCS included; 0: not known, a device chooses
    uint32_t rx_buffers = 0;      ///< frames to hold for a slow worker; 0: the port chooses
    plan::FlowControl flow_control = plan::FlowControl::off;
    /// All frames that a sending queue ever sees come from one pool and are in one buffer each.
    bool one_pool = false;
    /// Frames go back in the buffers that they came in, to programs that told nobody what theirs
    /// hold.
    bool returns_foreign = false;
    /// Set from outside when the run is to end: ends a wait for a link at once. May be null.
    const std::atomic<bool>* stop = nullptr;
};

class Port {
  public:
    Port() = default;
    Port(const Port&) = delete;
    Port& operator=(const Port&) = delete;
    virtual ~Port() = default;

    [[nodiscard]] virtual plan::PortFacts facts() const = 0;
    [[nodiscard]] virtual std::array<uint8_t, 6> mac() const = 0;
    virtual TxQueue tx_queue(uint32_t index) = 0;
    virtual RxQueue rx_queue(uint32_t index) = 0;

    /// Until frames can travel, once all ports of the run are open (a memif's other side may be one
    /// of them). Returns early when the request's `stop` is set; throws DeviceError when the wait
    /// is over without a link.
    virtual void await_link() {}
    /// Queues are used only between a hold() and its release(), in which the port itself changes
    /// nothing behind the user's back (a memif whose other side goes unmaps its rings). Calls nest.
    /// Control thread.
    virtual void hold() {}
    virtual void release() {}
    /// Before workers start on trial `trial`.
    virtual void begin_trial(uint32_t trial) = 0;
    /// After the trial's workers have stopped and the path is drained: the port gives back what it
    /// was sent, but for keeps_sent().
    virtual void end_trial() {}
    /// Sent buffers that each sending queue may keep until their descriptors are used again, though
    /// the frames are gone: drivers look at what is done only when descriptors run short, and not
    /// all can be made to. Whoever sends needs so many more.
    [[nodiscard]] virtual uint32_t keeps_sent() const { return 0; }
    /// A pool that nobody sends from any more: freed when the port has given back all of its
    /// buffers, at the latest when it is closed.
    virtual void keep(std::unique_ptr<FramePool> /*pool*/) {}
    /// Counters of the trial so far; exact once its workers have stopped.
    [[nodiscard]] virtual plan::PortCounters counters() = 0;
    /// How long nothing may arrive, after all senders are done, before the trial is drained.
    /// 0: an empty queue after that is proof.
    [[nodiscard]] virtual Ns drain_quiet_ns() const { return 0; }
    /// Nothing more can ever arrive (the end of a capture). Asked by the receiving worker.
    [[nodiscard]] virtual const std::atomic<bool>* exhausted() const { return nullptr; }
    /// What went wrong while it ran ("no space left on ..."), empty: nothing.
    [[nodiscard]] virtual std::string failure() const { return {}; }
    /// A far end may be behind it: control and learning frames make sense. Such a port has queue 0
    /// of both kinds, whatever was asked for.
    [[nodiscard]] virtual bool reaches_others() const { return false; }
};

/// Largest frame size that a port of this kind carries, and what sets the limit.
struct FrameLimit {
    uint32_t frame_size;
    std::string set_by;
};
FrameLimit frame_limit(plan::PortKind kind);  // a device may carry less, which opening it tells

/// Sending and receiving workers that a port of this kind serves.
struct QueueLimit {
    uint32_t tx, rx;
    std::string set_by;
};
QueueLimit queue_limit(plan::PortKind kind);

}  // namespace barewire::nic
