// SPDX-License-Identifier: BSD-3-Clause
// A loop on a fake clock, and what it sent when.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "barewire/plan/pacer.h"

namespace barewire::plan {

inline constexpr Ns kSecond = 1'000'000'000;

struct Sent {
    Ns intended;
    Ns at;
};

/// The loop: asks at `now`, takes as many as are due.
inline uint32_t turn(CbrPacer& pacer, Ns now, uint32_t most, std::vector<Sent>& sent) {
    const uint32_t due = pacer.due(now, most);
    for (uint32_t i = 0; i < due; ++i) sent.push_back({pacer.take(), now});
    return due;
}

/// As turn(), until the pacer has nothing more for this moment: what one moment can release.
inline void drain(CbrPacer& pacer, Ns now, std::vector<Sent>& sent) {
    turn(pacer, now, ~0U, sent);
}

inline Schedule schedule_of(double fps, Ns duration, LatePolicy late = {}) {
    return {.period_ns = 1e9 / fps, .end_ns = duration, .late = late};
}

/// The largest number of frames in any interval of `width` ns, end excluded.
inline uint64_t most_in(const std::vector<Sent>& sent, Ns width) {
    size_t begin = 0;
    size_t most = 0;
    for (size_t end = 0; end < sent.size(); ++end) {
        while (sent[end].at - sent[begin].at >= width) ++begin;
        most = std::max(most, end - begin + 1);
    }
    return most;
}

}  // namespace barewire::plan
