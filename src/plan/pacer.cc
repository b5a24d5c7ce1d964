// SPDX-License-Identifier: BSD-3-Clause
// The rare turns of the constant-rate pacer: its start, late frames, frames too old, its end.
#include "barewire/plan/pacer.h"

#include <cmath>

#include "barewire/base/check.h"

namespace barewire::plan {
namespace {

/// Added to every intended departure. Doubles carry the rate and the phase: over an hour their
/// rounding moves a frame by up to 0.0004 ns, which must neither move it to the ns before, nor
/// from the end to just before it.
constexpr double kRoundingNs = 1.0 / 256;

}  // namespace

FineTime FineTime::from(Ns whole, double extra) noexcept {
    return FineTime((static_cast<Int128>(whole) << 64) +
                    static_cast<Int128>(std::ldexp(extra, 64)));
}

uint64_t FineTime::steps_before(FineTime end, FineTime period) const noexcept {
    if (end <= *this) return 0;
    const auto span = static_cast<Uint128>(end.units_ - units_);
    const auto step = static_cast<Uint128>(period.units_);
    const Uint128 steps = (span - 1) / step + 1;
    constexpr auto kMost = std::numeric_limits<uint64_t>::max();
    return steps < kMost ? static_cast<uint64_t>(steps) : kMost;
}

CbrPacer::CbrPacer(const Schedule& schedule) noexcept
    : next_(FineTime::from(schedule.start_ns, schedule.phase_ns + kRoundingNs)),
      period_(FineTime::from(0, schedule.period_ns)),
      half_period_(period_.half()),
      release_(next_),
      turn_(schedule.start_ns),
      late_(schedule.late) {
    BW_CHECK(schedule.period_ns > 0 && schedule.phase_ns >= 0 && schedule.start_ns >= 0);
    BW_CHECK(schedule.late.limit_ns >= 0);
    total_ = std::min(schedule.count, next_.steps_before(FineTime::from(schedule.end_ns), period_));
}

uint32_t CbrPacer::catch_up(Ns now, Ns earliest, uint32_t bound) noexcept {
    release_ = std::max(release_, FineTime::from(earliest));
    FineTime at = next_;
    uint32_t count = 0;
    for (; count < bound; ++count) {
        const FineTime leaves = std::max(at, release_);
        if (leaves.ns() > now) break;
        release_ = leaves + half_period_;
        at += period_;
    }
    return count;
}

void CbrPacer::skip_before(Ns time) noexcept {
    const uint64_t steps = std::min(left(), next_.steps_before(FineTime::from(time), period_));
    next_ += period_.times(steps);
    skipped_ += steps;
}

void CbrPacer::cut(Ns now) noexcept {
    const uint64_t come = next_.steps_before(FineTime::from(now + 1), period_);
    total_ = taken_ + skipped_ + std::min(left(), come);
}

}  // namespace barewire::plan
