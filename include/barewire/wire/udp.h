// SPDX-License-Identifier: BSD-3-Clause
// The UDP header and the pseudo header that its checksum covers over IPv4 (RFC 768).
#pragma once

#include <cstddef>
#include <cstdint>

#include "barewire/wire/big_endian.h"

namespace barewire::wire {

struct UdpHeader {
    be16_t src_port;
    be16_t dst_port;
    be16_t length;    ///< bytes, this header included
    be16_t checksum;  ///< 0: none
};
static_assert(sizeof(UdpHeader) == 8 && alignof(UdpHeader) == 1);
static_assert(offsetof(UdpHeader, checksum) == 6);

/// Summed in front of the datagram, never sent.
struct UdpPseudoHeader {
    be32_t src;
    be32_t dst;
    uint8_t zero;
    uint8_t protocol;
    be16_t length;
};
static_assert(sizeof(UdpPseudoHeader) == 12 && alignof(UdpPseudoHeader) == 1);

}  // namespace barewire::wire
