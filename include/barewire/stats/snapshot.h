// SPDX-License-Identifier: BSD-3-Clause
// Counters that a worker publishes every so many turns and the control thread reads at any time.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "barewire/base/clock.h"

namespace barewire::stats {

/// Counts since the trial began, as they were at `time`.
struct Progress {
    Ns time = 0;          ///< since the run's epoch
    uint64_t frames = 0;  ///< offered or received
    uint64_t bytes = 0;
    friend bool operator==(const Progress&, const Progress&) = default;
};

/// A sequence lock without fences: every word is an atomic, so there is no data race to reason
/// away. Written by one worker (publish), read by any thread (read); alone in its cache line.
class alignas(64) Snapshot {
  public:
    void publish(const Progress& progress) noexcept {
        const uint64_t version = version_.load(std::memory_order_relaxed);
        version_.store(version + 1, std::memory_order_relaxed);
        // Release: who sees one of these words sees the odd version too.
        words_[0].store(static_cast<uint64_t>(progress.time), std::memory_order_release);
        words_[1].store(progress.frames, std::memory_order_release);
        words_[2].store(progress.bytes, std::memory_order_release);
        version_.store(version + 2, std::memory_order_release);
    }

    /// The latest progress published as a whole; all 0 before the first. Tries again while the
    /// writer is at it, which takes it some ten instructions every kHousekeepingTurns turns.
    [[nodiscard]] Progress read() const noexcept {
        for (;;) {
            const uint64_t before = version_.load(std::memory_order_acquire);
            std::array<uint64_t, kWords> copy{};
            // Acquire: the second look at the version comes after.
            for (size_t i = 0; i < kWords; ++i) copy[i] = words_[i].load(std::memory_order_acquire);
            const uint64_t after = version_.load(std::memory_order_relaxed);
            if (before == after && before % 2 == 0) {
                return {static_cast<Ns>(copy[0]), copy[1], copy[2]};
            }
        }
    }

  private:
    static constexpr size_t kWords = 3;
    std::atomic<uint64_t> version_{0};  // odd while being written
    std::array<std::atomic<uint64_t>, kWords> words_{};
};

}  // namespace barewire::stats
