// SPDX-License-Identifier: BSD-3-Clause
// The ICMP echo header as it stands in a packet (RFC 792, "Echo or Echo Reply Message").
#pragma once

#include <cstddef>
#include <cstdint>

#include "barewire/wire/big_endian.h"

namespace barewire::wire {

struct IcmpEcho {
    uint8_t type;
    uint8_t code;     ///< 0
    be16_t checksum;  ///< over header and data
    be16_t id;
    be16_t sequence;
};
static_assert(sizeof(IcmpEcho) == 8 && alignof(IcmpEcho) == 1);
static_assert(offsetof(IcmpEcho, checksum) == 2);

inline constexpr uint8_t kProtocolIcmp = 1;
inline constexpr uint8_t kIcmpEchoReply = 0;
inline constexpr uint8_t kIcmpEchoRequest = 8;

}  // namespace barewire::wire
