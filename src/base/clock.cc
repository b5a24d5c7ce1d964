// SPDX-License-Identifier: BSD-3-Clause
// Calibration of the TSC against CLOCK_MONOTONIC_RAW.
#include "barewire/base/clock.h"

#include <algorithm>
#include <cmath>
#include <ctime>

namespace barewire {
namespace {

/// A counter reading and the clock reading taken at the same moment, as nearly as can be told.
struct Pair {
    uint64_t tsc;
    Ns raw_ns;
    uint64_t width;  // ticks between the two counter readings around the clock's
};

/// The narrowest of 32 readings: an interrupt between the two clocks widens a pair, never the best.
Pair read_pair() noexcept {
    Pair best{0, 0, ~0ULL};
    for (int i = 0; i < 32; ++i) {
        const uint64_t before = read_tsc();
        const Ns raw = monotonic_raw_ns();
        const uint64_t after = read_tsc();
        if (after - before < best.width) {
            best = {before + (after - before) / 2, raw, after - before};
        }
    }
    return best;
}

void sleep_ns(Ns ns) noexcept {
    const timespec wait{ns / 1'000'000'000, ns % 1'000'000'000};
    nanosleep(&wait, nullptr);
}

struct Measured {
    double hz;
    double error_ppm;
};

Measured measure(Ns for_ns) noexcept {
    const Pair begin = read_pair();
    sleep_ns(for_ns);
    const Pair end = read_pair();
    const auto elapsed_ns = static_cast<double>(end.raw_ns - begin.raw_ns);
    const auto ticks = static_cast<double>(end.tsc - begin.tsc);
    return {ticks * 1e9 / elapsed_ns,
            static_cast<double>(begin.width + end.width) / 2 / ticks * 1e6};
}

}  // namespace

Ns monotonic_raw_ns() noexcept {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return static_cast<Ns>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

TscClock::TscClock(double hz, uint64_t epoch, double error_ppm) noexcept
    : multiplier_(static_cast<uint64_t>(std::llround(std::ldexp(1e9 / hz, kShift)))),
      epoch_(epoch),
      hz_(hz),
      error_ppm_(error_ppm) {}

TscClock TscClock::calibrate(Ns for_ns) {
    constexpr double kAgreementPpm = 20;
    constexpr int kMostMeasurements = 10;
    Measured last = measure(for_ns);
    double disagreement = 0;
    for (int i = 1; i < kMostMeasurements; ++i) {
        const Measured next = measure(for_ns);
        disagreement = std::abs(next.hz - last.hz) / next.hz * 1e6;
        last = {(next.hz + last.hz) / 2, std::max(next.error_ppm, last.error_ppm)};
        if (disagreement <= kAgreementPpm) break;
    }
    return {last.hz, read_tsc(), std::max(last.error_ppm, disagreement)};
}

}  // namespace barewire
