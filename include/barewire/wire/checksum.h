// SPDX-License-Identifier: BSD-3-Clause
// Internet checksum (RFC 1071), IPv4 and UDP checks, CRC32C.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace barewire::wire {

static_assert(std::endian::native == std::endian::little,
              "sums are kept in memory order, of words loaded as little-endian");

/// A sum of 16-bit words in memory order (an odd last byte padded with 0), up to multiples of
/// 0xFFFF, which the fold takes out: below 2^40 for any span below 2^40 bytes, so that thousands
/// may be added before folding. 0 only if every byte is 0.
uint64_t internet_sum(std::span<const uint8_t> bytes) noexcept;

/// The one's complement sum in 16 bits (RFC 1071 section 1); 0 only for 0. Adding a word to
/// itself rotated by half leaves the sum of both halves, carry included, in the high half.
constexpr uint16_t fold_sum(uint64_t sum) noexcept {
    auto half = static_cast<uint32_t>((sum + std::rotl(sum, 32)) >> 32);
    half += std::rotl(half, 16);
    return static_cast<uint16_t>(half >> 16);
}

/// Inverted fold of a sum that covers a UDP datagram and its pseudo header; 0 becomes 0xFFFF
/// (RFC 768: 0 means none).
constexpr uint16_t udp_checksum_of_sum(uint64_t sum) noexcept {
    const auto checksum = static_cast<uint16_t>(~fold_sum(sum));
    return checksum == 0 ? uint16_t{0xFFFF} : checksum;
}

/// Folded and inverted: what a header's checksum field holds, in memory order.
uint16_t internet_checksum(std::span<const uint8_t> bytes) noexcept;

/// The IPv4 header's own checksum holds. `header`: exactly the header, 20 bytes or longer.
bool ipv4_header_valid(std::span<const uint8_t> header) noexcept;

/// The UDP checksum of an IPv4 packet (header without options, then UDP) holds over the UDP
/// length that it states, which must fit; a checksum of 0 (none, RFC 768) counts as invalid:
/// probe frames always have one.
bool ipv4_udp_valid(std::span<const uint8_t> packet) noexcept;

/// A kernel that means a NIC to finish its UDP checksum leaves the pseudo header's sum in its
/// place, and a packet that never meets a NIC (veth, tap) arrives so. Finishes it in such an IPv4
/// packet (header without options, then UDP, whose stated length fits); true if there was one to
/// finish. One in 65,536 sound checksums looks like it, and is then what it was.
bool finish_udp_checksum(std::span<uint8_t> packet) noexcept;

/// CRC32C (Castagnoli) with the initial value and final inversion of iSCSI (RFC 3720 section
/// 12.1), as a number: 0x8A9136AA for 32 bytes of zero.
uint32_t crc32c(std::span<const uint8_t> bytes) noexcept;

/// Bytes of CRC32C, in network order, that end the payload of a frame with payload check.
inline constexpr size_t kPayloadCrcSize = 4;

/// The last four bytes of `payload` are the CRC32C of those before them.
bool payload_crc_valid(std::span<const uint8_t> payload) noexcept;

}  // namespace barewire::wire
