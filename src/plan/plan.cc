// SPDX-License-Identifier: BSD-3-Clause
// Conversion of a requested rate to frames per second.
#include "barewire/plan/plan.h"

#include "barewire/base/knobs.h"

namespace barewire::plan {

std::optional<double> RateSpec::frames_per_second(uint32_t frame_size,
                                                  std::optional<double> line_bps) const {
    const double l1_bits = 8.0 * (static_cast<double>(frame_size) + kL1Overhead);
    const double l2_bits = 8.0 * static_cast<double>(frame_size);
    switch (kind) {
        case RateKind::frames:
            return value;
        case RateKind::l1:
            return value / l1_bits;
        case RateKind::l2:
            return value / l2_bits;
        case RateKind::percent:
            if (line_bps) return *line_bps * value / 100 / l1_bits;
            return std::nullopt;
        case RateKind::max:
            break;
    }
    return std::nullopt;
}

}  // namespace barewire::plan
