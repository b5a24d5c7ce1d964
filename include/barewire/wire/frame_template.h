// SPDX-License-Identifier: BSD-3-Clause
// Probe frames built once and stamped for each departure. The stamp writes sequence, departure,
// checksum (and CRC) from sums prepared here: it reads nothing of the frame.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "barewire/base/knobs.h"
#include "barewire/wire/bytes.h"
#include "barewire/wire/checksum.h"
#include "barewire/wire/ethernet.h"
#include "barewire/wire/ipv4.h"
#include "barewire/wire/signature.h"
#include "barewire/wire/udp.h"

namespace barewire::wire {

static_assert(std::endian::native == std::endian::little,
              "the stamp shifts words that were loaded as they stand in the frame");

/// All that a run's frames have in common but their size. Addresses in host order.
struct ProbeAddresses {
    MacAddress src_mac{}, dst_mac{};
    uint32_t src_ip = 0, dst_ip = 0;
    uint16_t src_port = 0, dst_port = 0;
    friend bool operator==(const ProbeAddresses&, const ProbeAddresses&) = default;
};

struct ProbeIdentity {
    uint32_t run = 0;
    uint8_t trial = 0;
    uint8_t stream = 0;
};

/// What differs between the flows of one stream, as it stands in the frame.
struct FlowStamp {
    be32_t src_ip;
    be16_t src_port;
    be16_t ip_checksum;
    uint32_t udp_sum = 0;  ///< of the pseudo header and all fields but the stamped ones, in memory
                           ///< order, not folded
};
static_assert(sizeof(FlowStamp) <= 16, "kMaxFlows says what a flow costs");

/// Source ports that flows use before the next source address: the largest power of two that fits
/// above `src_port`, at most 16,384 (the dynamic ports, RFC 6335).
constexpr uint32_t flow_ports(uint16_t src_port) noexcept {
    const uint32_t room = 65536U - src_port;
    return std::bit_floor(room < 16384U ? room : 16384U);
}

/// Source address and port of flow `flow`: ports first, then the next address. Source addresses
/// wrap at 2^32.
ProbeAddresses flow_addresses(const ProbeAddresses& first, uint32_t flow) noexcept;

/// Byte `i` of the payload, where neither signature nor CRC stands: no two neighbours are equal,
/// so a byte lost or doubled shows.
constexpr uint8_t payload_byte(size_t i) noexcept {
    return static_cast<uint8_t>(i);
}

/// One frame size and one stream.
class FrameTemplate {
  public:
    /// `frame_size` in [kMinFrameSize, kMaxFrameSize]; `with_crc`: CRC32C in the last four payload
    /// bytes (needs kMinCrcFrameSize). The payload between signature and CRC is a fixed pattern.
    FrameTemplate(uint32_t frame_size, const ProbeAddresses& addresses,
                  const ProbeIdentity& identity, bool with_crc);

    /// Buffer length: frame size less the FCS.
    [[nodiscard]] uint32_t length() const noexcept { return length_; }
    /// The whole frame with sequence 0 and departure 0, valid checksums. `length()` bytes.
    [[nodiscard]] std::span<const uint8_t> bytes() const noexcept { return bytes_; }
    [[nodiscard]] bool with_crc() const noexcept { return with_crc_; }

    /// For a flow of this template: same bytes but source address and port. Flow 0 is bytes().
    [[nodiscard]] FlowStamp flow_stamp(uint32_t flow) const noexcept;

    /// Writes the stamp into `frame`, which holds bytes(); kCrc is with_crc(). With kFlows also
    /// the flow's source and the IP checksum; without, `flow` is flow_stamp(0).
    template <bool kCrc, bool kFlows>
    void stamp(uint8_t* frame, const FlowStamp& flow, uint32_t sequence,
               uint32_t departure) const noexcept;

  private:
    /// Change of the CRC by byte `i` of (sequence, departure), as they stand in the frame.
    using CrcTable = std::array<std::array<uint32_t, 256>, 8>;

    void write_headers(const ProbeIdentity& identity) noexcept;
    void prepare_sums() noexcept;
    void prepare_crc();

    uint32_t length_;
    bool with_crc_;
    bool crc_odd_;           // the CRC starts at an odd payload offset: its sum is byte-swapped
    uint32_t crc_zero_ = 0;  // CRC32C with sequence and departure 0
    ProbeAddresses addresses_;
    uint64_t ip_sum_ = 0;   // of the IPv4 header but its source and checksum
    uint64_t udp_sum_ = 0;  // as FlowStamp::udp_sum, without the flow's source
    std::vector<uint8_t> bytes_;
    std::vector<CrcTable> crc_table_;  // one, or none without CRC
};

template <bool kCrc, bool kFlows>
inline void FrameTemplate::stamp(uint8_t* frame, const FlowStamp& flow, uint32_t sequence,
                                 uint32_t departure) const noexcept {
    static_assert(offsetof(Signature, departure) == offsetof(Signature, sequence) + 4);
    constexpr size_t kIp = sizeof(EthernetHeader);
    constexpr size_t kUdp = kIp + sizeof(Ipv4Header);
    const uint64_t stamped = be32_t(sequence).raw() | uint64_t{be32_t(departure).raw()} << 32;
    store(frame, kProbeOffset + offsetof(Signature, sequence), stamped);
    uint64_t sum = flow.udp_sum + (stamped & 0xFFFF'FFFF) + (stamped >> 32);
    if constexpr (kCrc) {
        const CrcTable& table = *crc_table_.data();
        uint32_t crc = crc_zero_;
        for (size_t i = 0; i < 8; ++i) crc ^= table[i][(stamped >> (8 * i)) & 0xFF];
        const uint32_t stored = be32_t(crc).raw();
        store(frame, length_ - kPayloadCrcSize, stored);
        // At an odd offset the words straddle: sum the byte-swapped value (RFC 1071 section 2 B).
        sum += crc_odd_ ? uint64_t{stored} << 8 : uint64_t{stored};
    }
    if constexpr (kFlows) {
        store(frame, kIp + offsetof(Ipv4Header, checksum), flow.ip_checksum);
        store(frame, kIp + offsetof(Ipv4Header, src), flow.src_ip);
        store(frame, kUdp + offsetof(UdpHeader, src_port), flow.src_port);
    }
    store(frame, kUdp + offsetof(UdpHeader, checksum), udp_checksum_of_sum(sum));
}

}  // namespace barewire::wire
