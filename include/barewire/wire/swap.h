// SPDX-License-Identifier: BSD-3-Clause
// A probe turned around in place by a reflecting worker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "barewire/wire/bytes.h"
#include "barewire/wire/ethernet.h"
#include "barewire/wire/ipv4.h"
#include "barewire/wire/signature.h"
#include "barewire/wire/udp.h"

namespace barewire::wire {

/// Exchanges MAC addresses, IP addresses and ports of an untagged IPv4/UDP frame (no options, no
/// fragment) sent to `own` by a unicast address; its checksums hold as before, since a sum does
/// not depend on the order of its words. False, and nothing is changed, for any other frame and
/// for control frames, which are the control thread's. Checksums and lengths are not looked at.
inline bool swap_ends(uint8_t* frame, uint32_t length, const MacAddress& own) noexcept {
    constexpr size_t kIp = sizeof(EthernetHeader);
    constexpr size_t kUdp = kIp + sizeof(Ipv4Header);
    if (length < kUdp + sizeof(UdpHeader)) return false;
    auto ethernet = load<EthernetHeader>(frame);
    auto ip = load<Ipv4Header>(frame, kIp);
    const bool ours = ethernet.dst == own && !is_group(ethernet.src) &&
                      ethernet.type == be16_t(kEtherTypeIpv4) &&
                      ip.version_length == kIpv4NoOptions && ip.protocol == kProtocolUdp &&
                      (ip.fragment.value() & kIpv4FragmentMask) == 0;
    if (!ours) return false;
    if (length >= kProbeOffset + sizeof(be32_t) &&
        load<be32_t>(frame, kProbeOffset) == be32_t(kControlMagic)) {
        return false;
    }
    auto udp = load<UdpHeader>(frame, kUdp);
    std::swap(ethernet.dst, ethernet.src);
    std::swap(ip.src, ip.dst);
    std::swap(udp.src_port, udp.dst_port);
    store(frame, 0, ethernet);
    store(frame, kIp, ip);
    store(frame, kUdp, udp);
    return true;
}

}  // namespace barewire::wire
