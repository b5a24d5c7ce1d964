// SPDX-License-Identifier: BSD-3-Clause
// Building of a probe frame, and of the sums and tables from which it is stamped.
#include "barewire/wire/frame_template.h"

#include "barewire/base/check.h"

namespace barewire::wire {
namespace {

constexpr size_t kIpOffset = sizeof(EthernetHeader);
constexpr size_t kUdpOffset = kIpOffset + sizeof(Ipv4Header);
static_assert(kUdpOffset + sizeof(UdpHeader) == kProbeOffset);
static_assert(kProbeOffset + kSignatureSize + kFcsSize == kMinFrameSize);
static_assert(kMinFrameSize + kPayloadCrcSize == kMinCrcFrameSize);
static_assert(kProbeOffset % 2 == 0, "sums are of words that start at even payload offsets");

constexpr uint8_t kTimeToLive = 64;  // RFC 1700's default

/// In 32 bits, the same modulo 0xFFFF.
uint64_t half_folded(uint64_t sum) noexcept {
    return (sum + std::rotl(sum, 32)) >> 32;
}

}  // namespace

ProbeAddresses flow_addresses(const ProbeAddresses& first, uint32_t flow) noexcept {
    const uint32_t ports = flow_ports(first.src_port);
    ProbeAddresses addresses = first;
    addresses.src_port = static_cast<uint16_t>(first.src_port + (flow & (ports - 1)));
    addresses.src_ip = first.src_ip + (flow >> std::countr_zero(ports));
    return addresses;
}

FrameTemplate::FrameTemplate(uint32_t frame_size, const ProbeAddresses& addresses,
                             const ProbeIdentity& identity, bool with_crc)
    : length_(frame_size - kFcsSize),
      with_crc_(with_crc),
      crc_odd_(length_ % 2 != 0),
      addresses_(addresses) {
    BW_CHECK(frame_size >= (with_crc ? kMinCrcFrameSize : kMinFrameSize));
    BW_CHECK(frame_size <= kMaxFrameSize);
    bytes_.resize(length_);
    write_headers(identity);
    const size_t pattern_end = length_ - (with_crc ? kPayloadCrcSize : 0);
    for (size_t i = kProbeOffset + kSignatureSize; i < pattern_end; ++i) {
        bytes_[i] = payload_byte(i - kProbeOffset);
    }
    prepare_sums();
    if (with_crc) {
        prepare_crc();
        stamp<true, true>(bytes_.data(), flow_stamp(0), 0, 0);
    } else {
        stamp<false, true>(bytes_.data(), flow_stamp(0), 0, 0);
    }
}

void FrameTemplate::write_headers(const ProbeIdentity& identity) noexcept {
    const auto udp_length = static_cast<uint16_t>(length_ - kUdpOffset);
    store(
        bytes_.data(), 0,
        EthernetHeader{
            .dst = addresses_.dst_mac, .src = addresses_.src_mac, .type = be16_t(kEtherTypeIpv4)});
    store(bytes_.data(), kIpOffset,
          Ipv4Header{.version_length = kIpv4NoOptions,
                     .tos = 0,
                     .total_length = be16_t(static_cast<uint16_t>(length_ - kIpOffset)),
                     .id = be16_t(0),  // an atomic datagram needs none (RFC 6864 section 4.1)
                     .fragment = be16_t(kIpv4DontFragment),
                     .ttl = kTimeToLive,
                     .protocol = kProtocolUdp,
                     .checksum = be16_t(0),
                     .src = be32_t(0),
                     .dst = be32_t(addresses_.dst_ip)});
    store(bytes_.data(), kUdpOffset,
          UdpHeader{.src_port = be16_t(0),
                    .dst_port = be16_t(addresses_.dst_port),
                    .length = be16_t(udp_length),
                    .checksum = be16_t(0)});
    store(bytes_.data(), kProbeOffset,
          Signature{.magic = be32_t(kProbeMagic),
                    .run = be32_t(identity.run),
                    .sequence = be32_t(0),
                    .departure = be32_t(0),
                    .trial = identity.trial,
                    .stream = identity.stream});
}

/// All that a stamp writes is still 0 here, so it adds nothing.
void FrameTemplate::prepare_sums() noexcept {
    const std::span<const uint8_t> all(bytes_);
    ip_sum_ = internet_sum(all.subspan(kIpOffset, sizeof(Ipv4Header)));
    const UdpPseudoHeader pseudo{.src = be32_t(0),
                                 .dst = be32_t(addresses_.dst_ip),
                                 .zero = 0,
                                 .protocol = kProtocolUdp,
                                 .length = be16_t(static_cast<uint16_t>(length_ - kUdpOffset))};
    std::array<uint8_t, sizeof(UdpPseudoHeader)> pseudo_bytes{};
    store(pseudo_bytes.data(), 0, pseudo);
    udp_sum_ = internet_sum(pseudo_bytes) + internet_sum(all.subspan(kUdpOffset));
}

/// A CRC is affine in the bits it covers: each flips a fixed set of the CRC's bits.
void FrameTemplate::prepare_crc() {
    constexpr size_t kStampOffset = kProbeOffset + offsetof(Signature, sequence);
    const auto covered = std::span<const uint8_t>(bytes_).subspan(
        kProbeOffset, length_ - kProbeOffset - kPayloadCrcSize);
    crc_zero_ = crc32c(covered);
    CrcTable& table = crc_table_.emplace_back();
    for (size_t i = 0; i < table.size(); ++i) {
        for (size_t bit = 1; bit < 256; bit *= 2) {
            bytes_[kStampOffset + i] = static_cast<uint8_t>(bit);
            const uint32_t change = crc32c(covered) ^ crc_zero_;
            for (size_t below = 0; below < bit; ++below) {
                table[i][bit + below] = table[i][below] ^ change;
            }
        }
        bytes_[kStampOffset + i] = 0;
    }
}

FlowStamp FrameTemplate::flow_stamp(uint32_t flow) const noexcept {
    const ProbeAddresses source = flow_addresses(addresses_, flow);
    FlowStamp stamp{.src_ip = be32_t(source.src_ip),
                    .src_port = be16_t(source.src_port),
                    .ip_checksum = be16_t(0)};
    const uint64_t ip_sum = ip_sum_ + stamp.src_ip.raw();
    stamp.ip_checksum = be16_t::from_raw(static_cast<uint16_t>(~fold_sum(ip_sum)));
    const uint64_t udp_sum = udp_sum_ + stamp.src_ip.raw() + stamp.src_port.raw();
    stamp.udp_sum = static_cast<uint32_t>(half_folded(udp_sum));
    return stamp;
}

}  // namespace barewire::wire
