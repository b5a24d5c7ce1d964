// SPDX-License-Identifier: BSD-3-Clause
// The IPv4 header without options as it stands in a packet (RFC 791 section 3.1).
#pragma once

#include <cstddef>
#include <cstdint>

#include "barewire/wire/big_endian.h"

namespace barewire::wire {

struct Ipv4Header {
    uint8_t version_length;  ///< version in the high half, header length in 32-bit words
    uint8_t tos;
    be16_t total_length;  ///< bytes, this header included
    be16_t id;
    be16_t fragment;  ///< flags, and the offset in units of eight bytes
    uint8_t ttl;
    uint8_t protocol;
    be16_t checksum;
    be32_t src;
    be32_t dst;
};
static_assert(sizeof(Ipv4Header) == 20 && alignof(Ipv4Header) == 1);
static_assert(offsetof(Ipv4Header, checksum) == 10 && offsetof(Ipv4Header, src) == 12);

inline constexpr uint8_t kIpv4NoOptions = 0x45;  ///< version 4, five words
inline constexpr uint16_t kIpv4DontFragment = 0x4000;
inline constexpr uint16_t kIpv4FragmentMask = 0x3FFF;  ///< more fragments, or an offset
inline constexpr uint8_t kProtocolUdp = 17;

/// 1.0.0.0 to 223.255.255.255, `ip` in host order: what may be a source (RFC 1122 section 3.2.1.3).
constexpr bool is_host_address(uint32_t ip) noexcept {
    return ip >= 0x0100'0000 && ip < 0xE000'0000;
}

}  // namespace barewire::wire
