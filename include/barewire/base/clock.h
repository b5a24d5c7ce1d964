// SPDX-License-Identifier: BSD-3-Clause
// Time: the processor's counter (TSC), calibrated against CLOCK_MONOTONIC_RAW.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace barewire {

/// GCC and clang have it on every 64-bit target; ISO C++ has no name for it.
__extension__ using Uint128 = unsigned __int128;

/// Nanoseconds since the calibration's epoch. Signed differences, so that skew shows.
using Ns = int64_t;

/// The raw counter. On x86 RDTSC without a fence: about 10 ns, may move by a few instructions.
inline uint64_t read_tsc() noexcept {
#if defined(__x86_64__)
    return __rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
#error "no cycle counter known for this processor"
#endif
}

/// CLOCK_MONOTONIC_RAW in ns: the judge that no pacer uses.
Ns monotonic_raw_ns() noexcept;

/// Converts counter readings to ns by one multiplication. Trivially copyable: each worker has its
/// own copy.
class TscClock {
  public:
    /// `hz`: counter ticks a second, over 1 MHz; `epoch`: the reading that is time 0; `error_ppm`:
    /// what the calibration may be off by.
    TscClock(double hz, uint64_t epoch, double error_ppm) noexcept;

    /// Measures the counter against CLOCK_MONOTONIC_RAW for `for_ns` (default 50 ms: an error of
    /// about 1 ppm); repeats, at most ten times, until two measurements agree within 20 ppm.
    static TscClock calibrate(Ns for_ns = 50'000'000);

    /// ns since the epoch of reading `tsc`; rounding of the multiplier adds at most 5 ns a month
    /// for each GHz of the counter.
    [[nodiscard]] Ns ns(uint64_t tsc) const noexcept {
        const auto ticks = static_cast<Uint128>(tsc - epoch_);
        return static_cast<Ns>((ticks * multiplier_) >> kShift);
    }
    [[nodiscard]] Ns now() const noexcept { return ns(read_tsc()); }
    [[nodiscard]] double hz() const noexcept { return hz_; }
    [[nodiscard]] double error_ppm() const noexcept { return error_ppm_; }

  private:
    static constexpr int kShift = 48;
    uint64_t multiplier_;  // ns per tick, in units of 2^-48
    uint64_t epoch_;
    double hz_;
    double error_ppm_;
};

}  // namespace barewire
