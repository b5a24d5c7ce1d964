// SPDX-License-Identifier: BSD-3-Clause
// A frame that teaches a switch behind which of its ports a MAC address is, so that it does not
// flood what is sent there. Of an experimental EtherType and not ARP: no host shall learn anything.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "barewire/base/knobs.h"
#include "barewire/wire/bytes.h"
#include "barewire/wire/ethernet.h"
#include "barewire/wire/signature.h"

namespace barewire::wire {

inline constexpr size_t kLearningLength = kMinFrameSize - kFcsSize;

/// Broadcast from `port`; send it before traffic, again every few minutes (IEEE 802.1Q 8.8.3: a
/// bridge forgets an address after 300 s).
[[nodiscard]] inline std::array<uint8_t, kLearningLength> learning_frame(
    const MacAddress& port) noexcept {
    std::array<uint8_t, kLearningLength> frame{};
    store(
        frame.data(), 0,
        EthernetHeader{.dst = kBroadcastMac, .src = port, .type = be16_t(kEtherTypeExperimental)});
    store(frame.data(), sizeof(EthernetHeader), be32_t(kLearningMagic));
    return frame;
}

}  // namespace barewire::wire
