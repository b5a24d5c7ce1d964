// SPDX-License-Identifier: BSD-3-Clause
// When a sink may stop: no frame can still be on its way.
#pragma once

#include <algorithm>
#include <atomic>

#include "barewire/base/clock.h"

namespace barewire::engine {

/// One trial of one way. Written by the control thread before the trial, but as noted.
struct WayControl {
    Ns end_ns = 0;  ///< when a sink without senders ends
    bool has_senders = false;
    Ns quiet_ns = 0;  ///< how long nothing may arrive before the way is drained
    alignas(64) std::atomic<bool> stop{false};     // control: wo; workers: ro
    alignas(64) std::atomic<uint32_t> sending{0};  // generators: count down; sinks: ro
};

/// After the senders are done no trial waits longer for its last frames.
inline constexpr Ns kDrainLimitNs = 1'000'000'000;

/// One sink's watch over the end of its trial. An empty receive proves that nothing is left only if
/// it began after the senders were seen to be done: begin_turn() comes before the receive.
class DrainWatch {
  public:
    /// `exhausted`: set when nothing can arrive any more (the end of a capture); may be null.
    void begin_trial(const WayControl* way, const std::atomic<bool>* exhausted) noexcept {
        *this = {};
        way_ = way;
        exhausted_ = exhausted;
    }
    /// Before each receive.
    void begin_turn() noexcept { known_before_ = done_; }
    /// After a receive that returned frames.
    void received(Ns now) noexcept { last_receipt_ns_ = now; }

    /// After a receive that returned nothing: the sink may stop.
    [[nodiscard]] bool drained(Ns now) noexcept {
        look(now);
        return known_before_ && now - std::max(done_ns_, last_receipt_ns_) >= way_->quiet_ns;
    }
    /// Frames still arrive, but for too long after the last sender was done.
    [[nodiscard]] bool limit_passed(Ns now) noexcept {
        look(now);
        return done_ && now - done_ns_ >= (way_->has_senders ? kDrainLimitNs : 0);
    }

  private:
    void look(Ns now) noexcept {
        if (done_) return;
        done_ = way_->has_senders ? way_->sending.load(std::memory_order_acquire) == 0
                                  : way_->stop.load(std::memory_order_relaxed) ||
                                        now >= way_->end_ns || exhausted();
        done_ns_ = now;
    }
    [[nodiscard]] bool exhausted() const noexcept {
        return exhausted_ != nullptr && exhausted_->load(std::memory_order_acquire);
    }

    const WayControl* way_ = nullptr;
    const std::atomic<bool>* exhausted_ = nullptr;
    bool done_ = false;          // no sender will send any more
    bool known_before_ = false;  // done_ as it was before this turn's receive
    Ns done_ns_ = 0;
    Ns last_receipt_ns_ = 0;
};

}  // namespace barewire::engine
