// SPDX-License-Identifier: BSD-3-Clause
// Checksums written down word by word and bit by bit from their RFCs: slow, and shares no code
// with what it judges.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace barewire::wire::naive {

/// RFC 1071: 16-bit big-endian words, end-around carry, inverted. In host order.
inline uint16_t checksum(std::span<const uint8_t> bytes) {
    uint32_t sum = 0;
    for (size_t i = 0; i < bytes.size(); i += 2) {
        sum += uint32_t{bytes[i]} * 256 + (i + 1 < bytes.size() ? bytes[i + 1] : 0);
        if (sum > 0xFFFF) sum = (sum & 0xFFFF) + 1;
    }
    return static_cast<uint16_t>(0xFFFF - sum);
}

/// RFC 768: pseudo header and datagram of an IPv4 packet without options, its checksum field
/// taken as 0. In host order; never 0.
inline uint16_t udp_checksum(std::span<const uint8_t> packet) {
    std::vector<uint8_t> covered(12 + packet.size() - 20);
    std::copy(packet.begin() + 12, packet.begin() + 20, covered.begin());
    covered[9] = 17;
    std::copy(packet.begin() + 24, packet.begin() + 26, covered.begin() + 10);
    std::copy(packet.begin() + 20, packet.end(), covered.begin() + 12);
    std::fill_n(covered.begin() + 12 + 6, 2, uint8_t{0});
    const uint16_t sum = checksum(covered);
    return sum == 0 ? uint16_t{0xFFFF} : sum;
}

/// RFC 3720 section 12.1: polynomial 0x1EDC6F41, here bit-reversed.
inline uint32_t crc32c(std::span<const uint8_t> bytes) {
    uint32_t crc = 0xFFFF'FFFF;
    for (const uint8_t byte : bytes) {
        crc ^= byte;
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F6'3B78U : 0);
    }
    return ~crc;
}

inline uint16_t u16(std::span<const uint8_t> bytes, size_t at) {
    return static_cast<uint16_t>(bytes[at] << 8 | bytes[at + 1]);
}

inline uint32_t u32(std::span<const uint8_t> bytes, size_t at) {
    return uint32_t{u16(bytes, at)} << 16 | u16(bytes, at + 2);
}

inline void put_u16(std::vector<uint8_t>& bytes, size_t at, uint16_t value) {
    bytes[at] = static_cast<uint8_t>(value >> 8);
    bytes[at + 1] = static_cast<uint8_t>(value);
}

inline void put_u32(std::vector<uint8_t>& bytes, size_t at, uint32_t value) {
    put_u16(bytes, at, static_cast<uint16_t>(value >> 16));
    put_u16(bytes, at + 2, static_cast<uint16_t>(value));
}

}  // namespace barewire::wire::naive
