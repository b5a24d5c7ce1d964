// SPDX-License-Identifier: BSD-3-Clause
// Replies to ARP, ICMP echo and UDP: the request's bytes with its ends exchanged.
#include "barewire/host/responder.h"

#include <algorithm>
#include <utility>

#include "barewire/base/knobs.h"
#include "barewire/wire/arp.h"
#include "barewire/wire/bytes.h"
#include "barewire/wire/checksum.h"
#include "barewire/wire/frame_view.h"
#include "barewire/wire/icmp.h"
#include "barewire/wire/ipv4.h"
#include "barewire/wire/udp.h"

namespace barewire::host {
namespace {

using namespace wire;

constexpr size_t kMinLength = kMinFrameSize - kFcsSize;
constexpr uint8_t kTimeToLive = 64;  // RFC 1700's default

/// `reply` becomes the request to its end, with the MAC addresses that a reply has.
void begin_reply(std::span<const uint8_t> request, const MacAddress& to, const MacAddress& from,
                 std::span<uint8_t> reply) noexcept {
    std::copy(request.begin(), request.end(), reply.begin());
    auto ethernet = load<EthernetHeader>(reply.data());
    ethernet.dst = to;
    ethernet.src = from;
    store(reply.data(), 0, ethernet);
}

/// A request of the only kind that RFC 826 is used for today, by a host that may be answered.
bool well_formed(const ArpPacket& arp) noexcept {
    return arp.hardware.value() == kArpEthernet && arp.protocol.value() == kEtherTypeIpv4 &&
           arp.hardware_length == sizeof(MacAddress) && arp.protocol_length == sizeof(be32_t) &&
           arp.operation.value() == kArpRequest && !is_group(arp.sender_mac) &&
           arp.sender_mac != MacAddress{} && is_host_address(arp.target_ip.value());
}

/// The packet without padding of an IPv4 datagram (no options, no fragment) whose header holds and
/// whose addresses both are a host's; empty for any other.
std::span<const uint8_t> ipv4_packet(std::span<const uint8_t> l3) noexcept {
    const auto ip = read_at<Ipv4Header>(l3, 0);
    if (!ip || ip->version_length != kIpv4NoOptions) return {};
    const size_t length = ip->total_length.value();
    const bool sound = length >= sizeof(Ipv4Header) && length <= l3.size() &&
                       (ip->fragment.value() & kIpv4FragmentMask) == 0 &&
                       ipv4_header_valid(l3.first(sizeof(Ipv4Header)));
    const bool hosts = is_host_address(ip->src.value()) && is_host_address(ip->dst.value());
    return sound && hosts ? l3.first(length) : std::span<const uint8_t>{};
}

bool is_echo_request(std::span<const uint8_t> message) noexcept {
    const auto echo = read_at<IcmpEcho>(message, 0);
    return echo && echo->type == kIcmpEchoRequest && echo->code == 0 &&
           internet_checksum(message) == 0;
}

/// Its length fits, and it has a port to answer to (RFC 768: 0 if there is none).
bool can_be_echoed(std::span<const uint8_t> packet) noexcept {
    const auto udp = read_at<UdpHeader>(packet, sizeof(Ipv4Header));
    if (!udp || udp->src_port.value() == 0) return false;
    const size_t length = udp->length.value();
    if (length < sizeof(UdpHeader) || length > packet.size() - sizeof(Ipv4Header)) return false;
    return true;
}

/// Without a checksum, or with a valid one; one that the sending kernel left to a NIC is finished.
bool has_good_checksum(std::span<uint8_t> packet) noexcept {
    const auto udp = load<UdpHeader>(packet.data(), sizeof(Ipv4Header));
    return udp.checksum.value() == 0 || finish_udp_checksum(packet) || ipv4_udp_valid(packet);
}

/// At the start of `l3`.
void exchange_addresses(uint8_t* l3) noexcept {
    auto ip = load<Ipv4Header>(l3);
    std::swap(ip.src, ip.dst);
    store(l3, 0, ip);
}

/// `packet`: header and message. A reply is a datagram of our own: with a time to live of its own.
void turn_echo(std::span<uint8_t> packet) noexcept {
    exchange_addresses(packet.data());
    auto ip = load<Ipv4Header>(packet.data());
    ip.ttl = kTimeToLive;
    ip.checksum = be16_t(0);
    store(packet.data(), 0, ip);
    ip.checksum = be16_t::from_raw(internet_checksum(packet.first(sizeof(Ipv4Header))));
    store(packet.data(), 0, ip);
    const auto message = packet.subspan(sizeof(Ipv4Header));
    auto echo = load<IcmpEcho>(message.data());
    echo.type = kIcmpEchoReply;
    echo.checksum = be16_t(0);
    store(message.data(), 0, echo);
    echo.checksum = be16_t::from_raw(internet_checksum(message));
    store(message.data(), 0, echo);
}

void turn_udp(std::span<uint8_t> packet) noexcept {
    exchange_addresses(packet.data());
    auto udp = load<UdpHeader>(packet.data(), sizeof(Ipv4Header));
    std::swap(udp.src_port, udp.dst_port);
    store(packet.data(), sizeof(Ipv4Header), udp);
}

}  // namespace

size_t Responder::answer(std::span<const uint8_t> frame, std::span<uint8_t> reply) noexcept {
    const FrameView view(frame);
    const FrameClass kind = view.frame_class();
    if (kind != FrameClass::arp && kind != FrameClass::ipv4) return 0;
    const auto ethernet = load<EthernetHeader>(frame.data());
    if (is_group(ethernet.src) || ethernet.src == config_.mac) return 0;
    if (reply.size() < std::max(frame.size(), kMinLength)) return 0;
    if (kind == FrameClass::arp) return answer_arp(view, frame, reply);
    return ethernet.dst == config_.mac ? answer_ipv4(view, frame, reply) : 0;
}

size_t Responder::answer_arp(const FrameView& view, std::span<const uint8_t> frame,
                             std::span<uint8_t> reply) noexcept {
    const auto dst = load<EthernetHeader>(frame.data()).dst;
    if (dst != config_.mac && dst != kBroadcastMac) return 0;
    auto arp = read_at<ArpPacket>(frame, view.l3_offset());
    if (!arp || !well_formed(*arp) || arp->sender_mac == config_.mac) return 0;
    const uint32_t sender = arp->sender_ip.value();
    const uint32_t target = arp->target_ip.value();
    if (sender == target || (sender != 0 && !is_host_address(sender))) return 0;
    if (config_.ip ? target != *config_.ip : sender == 0) return 0;
    const size_t end = view.l3_offset() + sizeof(ArpPacket);
    begin_reply(frame.first(end), arp->sender_mac, config_.mac, reply);
    arp->operation = be16_t(kArpReply);
    arp->target_mac = arp->sender_mac;
    arp->sender_mac = config_.mac;
    std::swap(arp->target_ip, arp->sender_ip);
    store(reply.data(), view.l3_offset(), *arp);
    const size_t length = std::max(end, kMinLength);
    std::fill(reply.begin() + static_cast<std::ptrdiff_t>(end),
              reply.begin() + static_cast<std::ptrdiff_t>(length), uint8_t{0});
    ++counts_.arp;
    return length;
}

size_t Responder::answer_ipv4(const FrameView& view, std::span<const uint8_t> frame,
                              std::span<uint8_t> reply) noexcept {
    const auto ethernet = load<EthernetHeader>(frame.data());
    const auto packet = ipv4_packet(frame.subspan(view.l3_offset()));
    if (packet.empty()) return 0;
    const auto ip = load<Ipv4Header>(packet.data());
    const bool to_us = !config_.ip || ip.dst.value() == *config_.ip;
    if (!to_us || ip.src == ip.dst) return 0;
    const bool echo =
        ip.protocol == kProtocolIcmp && is_echo_request(packet.subspan(sizeof(Ipv4Header)));
    const bool udp = config_.udp_echo && ip.protocol == kProtocolUdp && can_be_echoed(packet);
    if (!echo && !udp) return 0;
    begin_reply(frame, ethernet.src, config_.mac, reply);
    const auto answer = reply.subspan(view.l3_offset(), packet.size());
    if (udp && !has_good_checksum(answer)) return 0;
    echo ? turn_echo(answer) : turn_udp(answer);
    ++(echo ? counts_.icmp : counts_.udp);
    return frame.size();
}

}  // namespace barewire::host
