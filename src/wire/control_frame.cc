// SPDX-License-Identifier: BSD-3-Clause
// Building and parsing of control frames.
#include "barewire/wire/control_frame.h"

#include <algorithm>

#include "barewire/base/check.h"
#include "barewire/wire/bytes.h"
#include "barewire/wire/frame_view.h"
#include "barewire/wire/ipv4.h"
#include "barewire/wire/udp.h"

namespace barewire::wire {
namespace {

constexpr size_t kIpOffset = sizeof(EthernetHeader);
constexpr size_t kUdpOffset = kIpOffset + sizeof(Ipv4Header);
constexpr size_t kPayloadSize = kControlLength - kProbeOffset;
constexpr size_t kTextOffset = kProbeOffset + sizeof(ControlHeader);
constexpr size_t kCrcOffset = kControlLength - kPayloadCrcSize;
constexpr size_t kAddresses = 2 * sizeof(MacAddress);
constexpr uint8_t kTimeToLive = 64;  // RFC 1700's default

/// Over both MAC addresses too: neither IP nor UDP covers them, and an end that took a damaged
/// source for a second sender would deliver a message twice.
uint32_t crc_of(std::span<const uint8_t> frame, std::span<const uint8_t> payload) noexcept {
    std::array<uint8_t, kAddresses + kPayloadSize - kPayloadCrcSize> covered{};
    std::copy_n(frame.begin(), kAddresses, covered.begin());
    std::copy_n(payload.begin(), kPayloadSize - kPayloadCrcSize, covered.begin() + kAddresses);
    return crc32c(covered);
}

Ipv4Header ip_header(const ControlPath& path) noexcept {
    Ipv4Header header{.version_length = kIpv4NoOptions,
                      .tos = 0,
                      .total_length = be16_t(kControlLength - kIpOffset),
                      .id = be16_t(0),  // an atomic datagram needs none (RFC 6864 section 4.1)
                      .fragment = be16_t(kIpv4DontFragment),
                      .ttl = kTimeToLive,
                      .protocol = kProtocolUdp,
                      .checksum = be16_t(0),
                      .src = be32_t(path.src_ip),
                      .dst = be32_t(path.dst_ip)};
    std::array<uint8_t, sizeof(Ipv4Header)> bytes{};
    store(bytes.data(), 0, header);
    header.checksum = be16_t::from_raw(internet_checksum(bytes));
    return header;
}

/// Of a datagram whose checksum field is still 0.
be16_t udp_checksum(const ControlPath& path, std::span<const uint8_t> datagram) noexcept {
    const UdpPseudoHeader pseudo{.src = be32_t(path.src_ip),
                                 .dst = be32_t(path.dst_ip),
                                 .zero = 0,
                                 .protocol = kProtocolUdp,
                                 .length = be16_t(static_cast<uint16_t>(datagram.size()))};
    std::array<uint8_t, sizeof(UdpPseudoHeader)> bytes{};
    store(bytes.data(), 0, pseudo);
    return be16_t::from_raw(udp_checksum_of_sum(internet_sum(bytes) + internet_sum(datagram)));
}

/// The payload of a control frame of any version; empty for any other frame.
std::span<const uint8_t> control_payload(std::span<const uint8_t> frame) noexcept {
    const FrameView view(frame);
    if (view.frame_class() != FrameClass::control) return {};
    const auto payload = view.payload();
    return payload.size() == kPayloadSize ? payload : std::span<const uint8_t>{};
}

bool crc_valid(std::span<const uint8_t> frame, std::span<const uint8_t> payload) noexcept {
    const auto crc = load<be32_t>(payload.data(), kPayloadSize - kPayloadCrcSize);
    return crc.value() == crc_of(frame, payload);
}

/// What the fields say fits together.
bool well_formed(const ControlHeader& header) noexcept {
    const size_t length = header.length.value();
    const unsigned segment = header.segment.value();
    const unsigned segments = header.segments.value();
    if (segment >= segments) return false;
    switch (static_cast<ControlKind>(header.kind)) {
        case ControlKind::segment:
        case ControlKind::announcement:
            if (segment + 1 < segments) return length == kControlText;
            return length <= kControlText && (length > 0 || segments == 1);
        case ControlKind::acknowledgement:
        case ControlKind::completion:
            return length == 0;
    }
    return false;
}

}  // namespace

std::array<uint8_t, kControlLength> build_control_frame(const ControlFrame& frame,
                                                        const ControlPath& path) noexcept {
    const ControlHeader header{.magic = be32_t(kControlMagic),
                               .version = kControlVersion,
                               .kind = static_cast<uint8_t>(frame.kind),
                               .length = be16_t(static_cast<uint16_t>(frame.text.size())),
                               .session = be32_t(frame.session),
                               .receipt = be32_t(frame.receipt),
                               .message = be32_t(frame.message),
                               .segment = be16_t(frame.segment),
                               .segments = be16_t(frame.segments)};
    BW_CHECK(frame.text.size() <= kControlText && well_formed(header));
    std::array<uint8_t, kControlLength> bytes{};
    const std::span<const uint8_t> all(bytes);
    store(bytes.data(), 0,
          EthernetHeader{.dst = frame.dst, .src = frame.src, .type = be16_t(kEtherTypeIpv4)});
    store(bytes.data(), kIpOffset, ip_header(path));
    UdpHeader udp{.src_port = be16_t(path.src_port),
                  .dst_port = be16_t(path.dst_port),
                  .length = be16_t(kControlLength - kUdpOffset),
                  .checksum = be16_t(0)};
    store(bytes.data(), kUdpOffset, udp);
    store(bytes.data(), kProbeOffset, header);
    std::copy(frame.text.begin(), frame.text.end(), bytes.begin() + kTextOffset);
    store(bytes.data(), kCrcOffset, be32_t(crc_of(all, all.subspan(kProbeOffset))));
    udp.checksum = udp_checksum(path, all.subspan(kUdpOffset));
    store(bytes.data(), kUdpOffset, udp);
    return bytes;
}

std::optional<uint8_t> control_version(std::span<const uint8_t> frame) noexcept {
    const auto payload = control_payload(frame);
    if (payload.empty() || !crc_valid(frame, payload)) return std::nullopt;
    return payload[offsetof(ControlHeader, version)];
}

std::optional<ControlFrame> parse_control_frame(std::span<const uint8_t> frame) noexcept {
    if (control_version(frame) != kControlVersion) return std::nullopt;
    const auto payload = control_payload(frame);
    const auto header = load<ControlHeader>(payload.data());
    if (!well_formed(header)) return std::nullopt;
    const auto ethernet = load<EthernetHeader>(frame.data());
    const auto* text = reinterpret_cast<const char*>(payload.data() + sizeof(ControlHeader));
    return ControlFrame{.dst = ethernet.dst,
                        .src = ethernet.src,
                        .kind = static_cast<ControlKind>(header.kind),
                        .session = header.session.value(),
                        .receipt = header.receipt.value(),
                        .message = header.message.value(),
                        .segment = header.segment.value(),
                        .segments = header.segments.value(),
                        .text = std::string_view(text, header.length.value())};
}

}  // namespace barewire::wire
