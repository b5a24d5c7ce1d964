// SPDX-License-Identifier: BSD-3-Clause
// The Ethernet header and the VLAN tag as they stand in a frame (IEEE 802.3 3.1, 802.1Q 9.3).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "barewire/wire/big_endian.h"

namespace barewire::wire {

using MacAddress = std::array<uint8_t, 6>;
inline constexpr MacAddress kBroadcastMac{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};

/// Multicast or broadcast (IEEE 802.3 3.2.3): the bit that is sent first. Never a sender's.
constexpr bool is_group(const MacAddress& mac) noexcept {
    return (mac[0] & 1) != 0;
}

struct EthernetHeader {
    MacAddress dst;
    MacAddress src;
    be16_t type;  ///< EtherType, or the length of an 802.3 frame (up to kMaxLlcLength)
};
static_assert(sizeof(EthernetHeader) == 14 && alignof(EthernetHeader) == 1);
static_assert(offsetof(EthernetHeader, type) == 12);

/// Follows a tag EtherType: its own content and the type of what comes after it.
struct VlanTag {
    be16_t control;
    be16_t type;
};
static_assert(sizeof(VlanTag) == 4 && alignof(VlanTag) == 1);

/// Tags that are looked through: a service and a customer tag (802.1ad).
inline constexpr unsigned kMaxTags = 2;

/// A type field up to this is the length of an LLC frame (IEEE 802.3 3.2.6).
inline constexpr uint16_t kMaxLlcLength = 1500;

// EtherTypes: the IEEE registration authority's list.
inline constexpr uint16_t kEtherTypeIpv4 = 0x0800;
inline constexpr uint16_t kEtherTypeArp = 0x0806;
inline constexpr uint16_t kEtherTypeVlan = 0x8100;
inline constexpr uint16_t kEtherTypeIpv6 = 0x86DD;
inline constexpr uint16_t kEtherTypeMacControl = 0x8808;  ///< pause and priority pause (802.3 31)
inline constexpr uint16_t kEtherTypeSlow = 0x8809;        ///< LACP is its subtype 1 (802.3 57A)
inline constexpr uint16_t kEtherTypeMpls = 0x8847;
inline constexpr uint16_t kEtherTypeMplsUpstream = 0x8848;
inline constexpr uint16_t kEtherTypeEapol = 0x888E;
inline constexpr uint16_t kEtherTypeServiceVlan = 0x88A8;   ///< 802.1ad
inline constexpr uint16_t kEtherTypeExperimental = 0x88B5;  ///< local experimental 1 (802 9.2.3)
inline constexpr uint16_t kEtherTypeLldp = 0x88CC;
inline constexpr uint16_t kEtherTypePtp = 0x88F7;
inline constexpr uint16_t kEtherTypeLoopback = 0x9000;  ///< a Cisco switch's keepalive
inline constexpr uint16_t kEtherTypeOldQinQ = 0x9100;   ///< stacked tags before 802.1ad

constexpr bool is_vlan(uint16_t type) noexcept {
    return type == kEtherTypeVlan || type == kEtherTypeServiceVlan || type == kEtherTypeOldQinQ;
}

}  // namespace barewire::wire
