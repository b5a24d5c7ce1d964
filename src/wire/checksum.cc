// SPDX-License-Identifier: BSD-3-Clause
// Internet checksum over 64-bit words, and CRC32C by ISA-L.
#include "barewire/wire/checksum.h"

#include <climits>

#include <isa-l/crc.h>

#include "barewire/base/check.h"
#include "barewire/wire/bytes.h"
#include "barewire/wire/ipv4.h"
#include "barewire/wire/udp.h"

namespace barewire::wire {
namespace {

/// One's complement accumulation: 2^64 is 1 modulo 0xFFFF, so a carry counts as one.
struct Accumulator {
    uint64_t sum = 0;
    uint64_t carries = 0;

    void add(uint64_t word) noexcept {
        carries += static_cast<uint64_t>(__builtin_add_overflow(sum, word, &sum));
    }
    [[nodiscard]] uint64_t total() const noexcept {
        return (sum & 0xFFFF'FFFF) + (sum >> 32) + carries;
    }
};

}  // namespace

uint64_t internet_sum(std::span<const uint8_t> bytes) noexcept {
    const uint8_t* at = bytes.data();
    size_t left = bytes.size();
    Accumulator even;
    Accumulator odd;  // a second chain: additions of one wait for each other's carry
    for (; left >= 32; left -= 32, at += 32) {
        even.add(load<uint64_t>(at, 0));
        odd.add(load<uint64_t>(at, 8));
        even.add(load<uint64_t>(at, 16));
        odd.add(load<uint64_t>(at, 24));
    }
    for (; left >= 8; left -= 8, at += 8) even.add(load<uint64_t>(at));
    if (left > 0) {
        uint64_t tail = 0;
        std::memcpy(&tail, at, left);
        even.add(tail);
    }
    return even.total() + odd.total();
}

uint16_t internet_checksum(std::span<const uint8_t> bytes) noexcept {
    return static_cast<uint16_t>(~fold_sum(internet_sum(bytes)));
}

bool ipv4_header_valid(std::span<const uint8_t> header) noexcept {
    return header.size() >= sizeof(Ipv4Header) && fold_sum(internet_sum(header)) == 0xFFFF;
}

bool finish_udp_checksum(std::span<uint8_t> packet) noexcept {
    const auto ip = read_at<Ipv4Header>(packet, 0);
    auto udp = read_at<UdpHeader>(packet, sizeof(Ipv4Header));
    if (!ip || !udp) return false;
    const size_t length = udp->length.value();
    if (length < sizeof(UdpHeader) || length > packet.size() - sizeof(Ipv4Header)) return false;
    const uint64_t pseudo =
        uint64_t{ip->src.raw()} + ip->dst.raw() + be16_t(kProtocolUdp).raw() + udp->length.raw();
    if (udp->checksum.raw() != fold_sum(pseudo)) return false;
    udp->checksum = be16_t::from_raw(0);
    store(packet.data(), sizeof(Ipv4Header), *udp);
    const uint64_t sum = pseudo + internet_sum(packet.subspan(sizeof(Ipv4Header), length));
    udp->checksum = be16_t::from_raw(udp_checksum_of_sum(sum));
    store(packet.data(), sizeof(Ipv4Header), *udp);
    return true;
}

bool ipv4_udp_valid(std::span<const uint8_t> packet) noexcept {
    const auto ip = read_at<Ipv4Header>(packet, 0);
    const auto udp = read_at<UdpHeader>(packet, sizeof(Ipv4Header));
    if (!ip || !udp) return false;
    const size_t length = udp->length.value();
    if (length < sizeof(UdpHeader) || length > packet.size() - sizeof(Ipv4Header)) return false;
    if (udp->checksum.raw() == 0) return false;
    const uint64_t pseudo =
        uint64_t{ip->src.raw()} + ip->dst.raw() + be16_t(kProtocolUdp).raw() + udp->length.raw();
    return fold_sum(pseudo + internet_sum(packet.subspan(sizeof(Ipv4Header), length))) == 0xFFFF;
}

uint32_t crc32c(std::span<const uint8_t> bytes) noexcept {
    BW_CHECK(bytes.size() <= INT_MAX);
    // ISA-L only reads, though it declares the buffer writable; it inverts nothing by itself.
    auto* data = const_cast<unsigned char*>(bytes.data());
    return ~crc32_iscsi(data, static_cast<int>(bytes.size()), 0xFFFF'FFFF);
}

bool payload_crc_valid(std::span<const uint8_t> payload) noexcept {
    if (payload.size() < kPayloadCrcSize) return false;
    const size_t covered = payload.size() - kPayloadCrcSize;
    return load<be32_t>(payload.data(), covered).value() == crc32c(payload.first(covered));
}

}  // namespace barewire::wire
