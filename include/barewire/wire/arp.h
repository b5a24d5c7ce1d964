// SPDX-License-Identifier: BSD-3-Clause
// The ARP packet for IPv4 over Ethernet as it stands in a frame (RFC 826).
#pragma once

#include <cstddef>
#include <cstdint>

#include "barewire/wire/big_endian.h"
#include "barewire/wire/ethernet.h"

namespace barewire::wire {

struct ArpPacket {
    be16_t hardware;          ///< kArpEthernet
    be16_t protocol;          ///< kEtherTypeIpv4
    uint8_t hardware_length;  ///< bytes of a hardware address: 6
    uint8_t protocol_length;  ///< bytes of a protocol address: 4
    be16_t operation;
    MacAddress sender_mac;
    be32_t sender_ip;  ///< 0 in a probe, by which a host looks for a duplicate (RFC 5227)
    MacAddress target_mac;
    be32_t target_ip;
};
static_assert(sizeof(ArpPacket) == 28 && alignof(ArpPacket) == 1);
static_assert(offsetof(ArpPacket, sender_ip) == 14 && offsetof(ArpPacket, target_ip) == 24);

inline constexpr uint16_t kArpEthernet = 1;  ///< "ares_hrd$Ethernet"
inline constexpr uint16_t kArpRequest = 1;
inline constexpr uint16_t kArpReply = 2;

}  // namespace barewire::wire
