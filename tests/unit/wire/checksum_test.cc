// SPDX-License-Identifier: BSD-3-Clause
// Checksums against the vectors of their RFCs and against naive ones.
#include "barewire/wire/checksum.h"

#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "barewire/wire/big_endian.h"
#include "barewire/wire/frame_template.h"

#include "naive_sums.h"

namespace barewire::wire {
namespace {

std::vector<uint8_t> random_bytes(std::mt19937& random, size_t count) {
    std::vector<uint8_t> bytes(count);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
    return bytes;
}

uint16_t in_host_order(uint16_t raw) {
    return be16_t::from_raw(raw).value();
}

TEST(InternetChecksum, OfTheRfc1071Example) {
    const std::vector<uint8_t> bytes{0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
    EXPECT_EQ(in_host_order(fold_sum(internet_sum(bytes))), 0xddf2);
    EXPECT_EQ(in_host_order(internet_checksum(bytes)), 0x220d);
}

TEST(InternetChecksum, EqualsTheNaiveOneAtEveryLengthAndAlignment) {
    std::mt19937 random(1);
    const std::vector<uint8_t> bytes = random_bytes(random, 400);
    for (size_t begin = 0; begin < 16; ++begin) {
        for (size_t length = 0; begin + length <= bytes.size(); ++length) {
            const auto part = std::span(bytes).subspan(begin, length);
            ASSERT_EQ(in_host_order(internet_checksum(part)), naive::checksum(part))
                << begin << "+" << length;
        }
    }
}

TEST(InternetChecksum, CarriesThroughLongRunsOfOnes) {
    for (const size_t length : {1U, 2U, 63U, 64U, 9000U, 65'535U}) {
        const std::vector<uint8_t> ones(length, 0xFF);
        EXPECT_EQ(in_host_order(internet_checksum(ones)), naive::checksum(ones)) << length;
    }
    EXPECT_EQ(internet_sum(std::vector<uint8_t>(9000, 0)), 0U);
}

TEST(InternetChecksum, FoldsAnySum) {
    std::mt19937_64 random(2);
    const auto expect_folded = [](uint64_t sum) {
        const uint64_t rest = sum % 0xFFFF;
        const uint64_t expected = rest == 0 && sum != 0 ? 0xFFFF : rest;
        ASSERT_EQ(fold_sum(sum), expected) << sum;
    };
    for (const uint64_t sum : {0ULL, 1ULL, 0xFFFFULL, 0x10000ULL, 0x1FFFFULL, 0xFFFF'FFFFULL,
                               0x1'0000'0000ULL, ~0ULL, ~0ULL - 1, 0xFFFF'FFFF'0000'0000ULL}) {
        expect_folded(sum);
    }
    for (int i = 0; i < 100'000; ++i) expect_folded(random() >> (random() % 64));
}

TEST(InternetChecksum, UdpNeverSaysNone) {
    EXPECT_EQ(udp_checksum_of_sum(0xFFFF), 0xFFFF);
    EXPECT_EQ(udp_checksum_of_sum(0xFFFE), 0x0001);
}

TEST(Ipv4Header, HoldsUntilAnyBitFlips) {
    // 192.168.0.1 to 192.168.0.199, checksum b861: computed by hand.
    std::vector<uint8_t> header{0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11,
                                0xb8, 0x61, 0xc0, 0xa8, 0x00, 0x01, 0xc0, 0xa8, 0x00, 0xc7};
    EXPECT_TRUE(ipv4_header_valid(header));
    EXPECT_FALSE(ipv4_header_valid(std::span(header).first(19)));
    for (size_t bit = 0; bit < header.size() * 8; ++bit) {
        header[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
        EXPECT_FALSE(ipv4_header_valid(header)) << bit;
        header[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
    }
}

std::vector<uint8_t> udp_packet(std::mt19937& random, size_t payload) {
    std::vector<uint8_t> packet = random_bytes(random, 28 + payload);
    packet[9] = 17;
    naive::put_u16(packet, 24, static_cast<uint16_t>(8 + payload));
    naive::put_u16(packet, 26, naive::udp_checksum(packet));
    return packet;
}

TEST(Ipv4Udp, HoldsForAnyPayloadAndFailsForAnyFlippedByte) {
    std::mt19937 random(3);
    for (size_t payload = 0; payload < 200; ++payload) {
        std::vector<uint8_t> packet = udp_packet(random, payload);
        ASSERT_TRUE(ipv4_udp_valid(packet)) << payload;
        const size_t at = 12 + random() % (packet.size() - 12);
        if (at == 24 || at == 25) continue;
        packet[at] ^= 0x10;
        EXPECT_FALSE(ipv4_udp_valid(packet)) << payload << " at " << at;
    }
}

TEST(Ipv4Udp, RefusesLengthsThatDoNotFitAndAnAbsentChecksum) {
    std::mt19937 random(4);
    const std::vector<uint8_t> packet = udp_packet(random, 50);
    for (size_t length = 0; length < packet.size(); ++length) {
        EXPECT_FALSE(ipv4_udp_valid(std::span(packet).first(length))) << length;
    }
    std::vector<uint8_t> padded = packet;
    padded.resize(packet.size() + 7, 0xAA);
    EXPECT_TRUE(ipv4_udp_valid(padded));
    std::vector<uint8_t> none = packet;
    none[26] = none[27] = 0;
    EXPECT_FALSE(ipv4_udp_valid(none));
    std::vector<uint8_t> short_length = packet;
    naive::put_u16(short_length, 24, 7);
    EXPECT_FALSE(ipv4_udp_valid(short_length));
}

/// RFC 3720 appendix B.4 prints the CRC's bytes as sent, least significant first.
TEST(Crc32c, OfTheRfc3720Examples) {
    std::vector<uint8_t> rising(32);
    std::iota(rising.begin(), rising.end(), uint8_t{0});
    const std::vector<uint8_t> falling(rising.rbegin(), rising.rend());
    std::vector<uint8_t> read_command(48, 0);
    read_command[0] = 0x01;
    read_command[1] = 0xc0;
    read_command[16] = 0x14;
    read_command[22] = 0x04;
    read_command[27] = 0x14;
    read_command[31] = 0x18;
    read_command[32] = 0x28;
    read_command[40] = 0x02;
    EXPECT_EQ(crc32c(std::vector<uint8_t>(32, 0x00)), 0x8A9136AAU);
    EXPECT_EQ(crc32c(std::vector<uint8_t>(32, 0xFF)), 0x62A8AB43U);
    EXPECT_EQ(crc32c(rising), 0x46DD794EU);
    EXPECT_EQ(crc32c(falling), 0x113FDB5CU);
    EXPECT_EQ(crc32c(read_command), 0xD9963A56U);
    EXPECT_EQ(crc32c({}), 0U);
}

TEST(Crc32c, EqualsTheNaiveOneAtEveryLength) {
    std::mt19937 random(5);
    const std::vector<uint8_t> bytes = random_bytes(random, 1100);
    for (size_t length = 0; length < bytes.size() - 9; ++length) {
        const auto part = std::span(bytes).subspan(length % 9, length);
        ASSERT_EQ(crc32c(part), naive::crc32c(part)) << length;
    }
}

TEST(PayloadCrc, StandsLastInNetworkOrder) {
    std::vector<uint8_t> payload{
        '1', '2', '3',  '4',  '5',  '6', '7',
        '8', '9', 0xE3, 0x06, 0x92, 0x83};  // the CRC's customary check value
    EXPECT_TRUE(payload_crc_valid(payload));
    payload[2] ^= 1;
    EXPECT_FALSE(payload_crc_valid(payload));
    EXPECT_FALSE(payload_crc_valid(std::span(payload).first(3)));
}

TEST(UdpChecksum, WhatAKernelLeftToANicIsFinished) {
    const FrameTemplate frame(
        128, {.src_ip = 0xC6120001, .dst_ip = 0xC6130001, .src_port = 1, .dst_port = 2}, {}, false);
    std::vector<uint8_t> whole(frame.bytes().begin() + sizeof(EthernetHeader), frame.bytes().end());
    const auto ip = load<Ipv4Header>(whole.data());
    std::vector<uint8_t> partial = whole;
    auto udp = load<UdpHeader>(partial.data(), sizeof(Ipv4Header));
    udp.checksum = be16_t::from_raw(
        fold_sum(uint64_t{ip.src.raw()} + ip.dst.raw() + be16_t(17).raw() + udp.length.raw()));
    store(partial.data(), sizeof(Ipv4Header), udp);
    EXPECT_FALSE(ipv4_udp_valid(partial));
    EXPECT_TRUE(finish_udp_checksum(partial));
    EXPECT_EQ(partial, whole);
    EXPECT_FALSE(finish_udp_checksum(partial));
    partial.back() ^= 1;  // damaged: nothing is made good
    EXPECT_FALSE(finish_udp_checksum(partial));
    EXPECT_FALSE(ipv4_udp_valid(partial));
    EXPECT_FALSE(finish_udp_checksum(std::span(whole).first(20)));
}

}  // namespace
}  // namespace barewire::wire
