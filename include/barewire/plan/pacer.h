// SPDX-License-Identifier: BSD-3-Clause
// When each frame is to depart. Time is an argument; the loop reads the clock.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "barewire/base/clock.h"
#include "barewire/base/knobs.h"
#include "barewire/plan/plan.h"

namespace barewire::plan {

/// A worker's share of a constant rate: frame i departs at start + phase + i x period.
struct Schedule {
    static constexpr uint64_t kNoCount = std::numeric_limits<uint64_t>::max();
    static constexpr Ns kNoEnd = std::numeric_limits<Ns>::max();

    double period_ns = 0;  ///< between two frames of this worker, over 0 (unused at max rate)
    double phase_ns = 0;   ///< of this worker's first frame after the start, 0 or more
    Ns start_ns = 0;
    Ns end_ns = kNoEnd;         ///< frames intended at or after it do not exist
    uint64_t count = kNoCount;  ///< frames at most
    LatePolicy late{};
};

/// Time in ns with 64 fractional bits: steps of a period add no error beyond the period's own
/// (2^-53 of it as a double).
class FineTime {
  public:
    constexpr FineTime() = default;
    /// `extra`: 0 or more, below 2^53.
    static FineTime from(Ns whole, double extra) noexcept;
    static constexpr FineTime from(Ns whole) noexcept {
        return FineTime(static_cast<Int128>(whole) << 64);
    }
    /// Rounded down: what a signature states.
    [[nodiscard]] constexpr Ns ns() const noexcept { return static_cast<Ns>(units_ >> 64); }
    constexpr FineTime& operator+=(FineTime step) noexcept {
        units_ += step.units_;
        return *this;
    }
    friend constexpr FineTime operator+(FineTime a, FineTime b) noexcept { return a += b; }
    friend constexpr bool operator<(FineTime a, FineTime b) noexcept { return a.units_ < b.units_; }
    friend constexpr bool operator<=(FineTime a, FineTime b) noexcept { return !(b < a); }
    [[nodiscard]] constexpr FineTime half() const noexcept { return FineTime(units_ >> 1); }
    [[nodiscard]] constexpr FineTime times(uint64_t n) const noexcept {
        return FineTime(units_ * static_cast<Int128>(n));
    }
    /// How many steps of `period` (over 0), the first one at this time itself, begin before `end`.
    /// Divides.
    [[nodiscard]] uint64_t steps_before(FineTime end, FineTime period) const noexcept;

  private:
    __extension__ using Int128 = __int128;
    explicit constexpr FineTime(Int128 units) noexcept : units_(units) {}
    Int128 units_ = 0;
};

/// Constant rate. At every turn the loop asks due() and sends exactly that many frames, each with
/// the intended departure that take() returns.
///
/// A late frame is one whose time had come at an earlier turn than this, or during a stall. With
/// LatePolicy catch_up late frames are spaced by half a period at least, counted from the last
/// turn, or from kStallNs ago if that was longer ago: what a stall withheld is not sent at once.
/// So no interval of t ns holds more frames than twice the rate sends in t + kStallNs.
class CbrPacer {
  public:
    static constexpr bool kPaced = true;
    explicit CbrPacer(const Schedule& schedule) noexcept;

    /// Frames to be sent at `now`, at most `most`; skips (as unsent) those that are older than the
    /// policy's limit. `now` never decreases.
    uint32_t due(Ns now, uint32_t most) noexcept {
        const Ns earliest = std::max(turn_, now - Ns{kStallNs});
        turn_ = now;
        if (next_.ns() > now) return 0;
        if (next_.ns() < now - late_.limit_ns) [[unlikely]]
            skip_before(now - late_.limit_ns);
        const auto bound = static_cast<uint32_t>(std::min<uint64_t>(most, left()));
        const bool late = next_.ns() < earliest || next_ < release_;
        if (late && late_.kind == LatePolicy::Kind::catch_up) [[unlikely]] {
            return catch_up(now, earliest, bound);
        }
        return on_time(now, bound);
    }
    /// Intended departure of the next frame; then the one after it.
    [[nodiscard]] Ns take() noexcept {
        const Ns at = next_.ns();
        next_ += period_;
        ++taken_;
        return at;
    }
    /// Every frame of the schedule was taken or skipped.
    [[nodiscard]] bool over(Ns /*now*/) const noexcept { return left() == 0; }
    /// Taken or skipped so far; at the end, the whole schedule.
    [[nodiscard]] uint64_t intended() const noexcept { return taken_ + skipped_; }
    [[nodiscard]] uint64_t skipped() const noexcept { return skipped_; }
    /// Ends the schedule at `now` (an interrupt): frames intended after it do not exist any more.
    /// Those overdue still do, until they are taken or skipped.
    void cut(Ns now) noexcept;

  private:
    [[nodiscard]] uint64_t left() const noexcept { return total_ - taken_ - skipped_; }
    uint32_t on_time(Ns now, uint32_t bound) const noexcept {
        FineTime at = next_;
        uint32_t count = 0;
        for (; count < bound && at.ns() <= now; ++count) at += period_;
        return count;
    }
    uint32_t catch_up(Ns now, Ns earliest, uint32_t bound) noexcept;
    void skip_before(Ns time) noexcept;

    FineTime next_;  // intended departure of the next frame
    FineTime period_;
    FineTime half_period_;
    FineTime release_;  // catching up: no frame leaves before it
    Ns turn_;           // the last call of due()
    uint64_t total_;
    uint64_t taken_ = 0;
    uint64_t skipped_ = 0;
    LatePolicy late_;
};

/// As fast as the port takes them: a frame is intended when it is first attempted.
class MaxPacer {
  public:
    static constexpr bool kPaced = false;
    explicit MaxPacer(const Schedule& schedule) noexcept
        : end_(schedule.end_ns), total_(schedule.count) {}

    uint32_t due(Ns now, uint32_t most) noexcept {
        now_ = now;
        return over(now) ? 0 : static_cast<uint32_t>(std::min<uint64_t>(most, total_ - taken_));
    }
    [[nodiscard]] Ns take() noexcept {
        ++taken_;
        return now_;
    }
    [[nodiscard]] bool over(Ns now) const noexcept { return now >= end_ || taken_ == total_; }
    [[nodiscard]] uint64_t intended() const noexcept { return taken_; }
    [[nodiscard]] uint64_t skipped() const noexcept { return 0; }
    void cut(Ns now) noexcept { end_ = std::min(end_, now); }

  private:
    Ns end_;
    Ns now_ = 0;
    uint64_t total_;
    uint64_t taken_ = 0;
};

}  // namespace barewire::plan
