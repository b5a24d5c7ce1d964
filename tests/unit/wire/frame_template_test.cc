// SPDX-License-Identifier: BSD-3-Clause
// Probe frames against golden bytes, and every stamp against a frame rebuilt naively.
#include "barewire/wire/frame_template.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

#include "naive_sums.h"

namespace barewire::wire {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr ProbeAddresses kAddresses{.src_mac = {2, 0, 0, 0, 0, 1},
                                    .dst_mac = {2, 0, 0, 0, 0, 2},
                                    .src_ip = 0xC6120001,
                                    .dst_ip = 0xC6130001,
                                    .src_port = 49152,
                                    .dst_port = 49184};
constexpr ProbeIdentity kIdentity{.run = 0x7F3A91C2, .trial = 3, .stream = 17};

/// The flow, sequence and departure of one stamp.
struct Stamp {
    uint32_t flow = 0, sequence = 0, departure = 0;
};

Bytes stamped(const FrameTemplate& frame, const Stamp& stamp) {
    Bytes bytes(frame.bytes().begin(), frame.bytes().end());
    const FlowStamp flow = frame.flow_stamp(stamp.flow);
    if (frame.with_crc()) {
        frame.stamp<true, true>(bytes.data(), flow, stamp.sequence, stamp.departure);
    } else {
        frame.stamp<false, true>(bytes.data(), flow, stamp.sequence, stamp.departure);
    }
    return bytes;
}

Bytes from_hex(const std::string& hex) {
    Bytes bytes;
    for (size_t i = 0; i + 1 < hex.size(); ++i) {
        if (hex[i] == ' ') continue;
        bytes.push_back(static_cast<uint8_t>(std::stoi(hex.substr(i++, 2), nullptr, 16)));
    }
    return bytes;
}

/// Field by field from RFC 791, RFC 768 and the layout of the signature.
Bytes rebuilt(uint32_t frame_size, const ProbeAddresses& a, bool with_crc, const Stamp& stamp) {
    const auto length = frame_size - 4;
    Bytes f(length, 0);
    std::copy(a.dst_mac.begin(), a.dst_mac.end(), f.begin());
    std::copy(a.src_mac.begin(), a.src_mac.end(), f.begin() + 6);
    naive::put_u16(f, 12, 0x0800);
    naive::put_u16(f, 14, 0x4500);
    naive::put_u16(f, 16, static_cast<uint16_t>(length - 14));
    naive::put_u16(f, 20, 0x4000);
    naive::put_u16(f, 22, 64 << 8 | 17);
    const uint32_t ports = 16384;
    naive::put_u32(f, 26, a.src_ip + stamp.flow / ports);
    naive::put_u32(f, 30, a.dst_ip);
    naive::put_u16(f, 24, naive::checksum(std::span(f).subspan(14, 20)));
    naive::put_u16(f, 34, static_cast<uint16_t>(a.src_port + stamp.flow % ports));
    naive::put_u16(f, 36, a.dst_port);
    naive::put_u16(f, 38, static_cast<uint16_t>(length - 34));
    naive::put_u32(f, 42, 0xBA4E317E);
    naive::put_u32(f, 46, kIdentity.run);
    naive::put_u32(f, 50, stamp.sequence);
    naive::put_u32(f, 54, stamp.departure);
    f[58] = kIdentity.trial;
    f[59] = kIdentity.stream;
    for (size_t i = 60; i < length; ++i) f[i] = static_cast<uint8_t>(i - 42);
    if (with_crc) {
        const auto covered = std::span(f).subspan(42, length - 42 - 4);
        naive::put_u32(f, length - 4, naive::crc32c(covered));
    }
    naive::put_u16(f, 40, naive::udp_checksum(std::span(f).subspan(14)));
    return f;
}

// The golden frames were computed by a script of their own from the RFCs.
constexpr const char* kEthernet = "02 00 00 00 00 02 02 00 00 00 00 01 08 00";

TEST(FrameTemplate, IsTheGolden64ByteFrame) {
    const FrameTemplate frame(64, kAddresses, kIdentity, false);
    const Bytes golden = from_hex(std::string(kEthernet) +
                                  "45 00 00 2e 00 00 40 00 40 11 ae 97 c6 12 00 01 c6 13 00 01"
                                  "c0 00 c0 20 00 1a f3 95"
                                  "ba 4e 31 7e 7f 3a 91 c2 00 00 00 00 00 00 00 00 03 11");
    EXPECT_EQ(Bytes(frame.bytes().begin(), frame.bytes().end()), golden);
    EXPECT_EQ(frame.length(), 60U);
}

TEST(FrameTemplate, StampsTheGolden64ByteFrame) {
    const FrameTemplate frame(64, kAddresses, kIdentity, false);
    EXPECT_EQ(stamped(frame, {.sequence = 0x01020304, .departure = 0xA1B2C3D4}),
              from_hex(std::string(kEthernet) +
                       "45 00 00 2e 00 00 40 00 40 11 ae 97 c6 12 00 01 c6 13 00 01"
                       "c0 00 c0 20 00 1a 8a 08"
                       "ba 4e 31 7e 7f 3a 91 c2 01 02 03 04 a1 b2 c3 d4 03 11"));
}

/// Flow 16,385 is the second port of the second address; the CRC stands at an odd offset.
TEST(FrameTemplate, StampsTheGoldenFrameOfAFlowWithCrc) {
    const FrameTemplate frame(71, kAddresses, kIdentity, true);
    EXPECT_EQ(stamped(frame, {.flow = 16385, .sequence = 0xFFFFFFFF, .departure = 1}),
              from_hex(std::string(kEthernet) +
                       "45 00 00 35 00 00 40 00 40 11 ae 8f c6 12 00 02 c6 13 00 01"
                       "c0 01 c0 20 00 21 5d b5"
                       "ba 4e 31 7e 7f 3a 91 c2 ff ff ff ff 00 00 00 01 03 11 12 13 14"
                       "9f 15 1d 5a"));
}

class EverySize : public testing::TestWithParam<bool> {
  protected:
    static void expect_rebuilt(uint32_t size, std::mt19937& random) {
        const bool with_crc = GetParam();
        const FrameTemplate frame(size, kAddresses, kIdentity, with_crc);
        ASSERT_EQ(Bytes(frame.bytes().begin(), frame.bytes().end()),
                  rebuilt(size, kAddresses, with_crc, {}))
            << size;
        const Stamp stamp{static_cast<uint32_t>(random() % 1'000'000),
                          static_cast<uint32_t>(random()), static_cast<uint32_t>(random())};
        ASSERT_EQ(stamped(frame, stamp), rebuilt(size, kAddresses, with_crc, stamp)) << size;
    }
};

TEST_P(EverySize, To1600EqualsTheNaiveRebuild) {
    std::mt19937 random(1);
    for (uint32_t size = GetParam() ? 68 : 64; size <= 1600; ++size) expect_rebuilt(size, random);
}

TEST_P(EverySize, DrawnAtRandomEqualsTheNaiveRebuild) {
    std::mt19937 random(2);
    for (const uint32_t size : {9018U, 16000U, 65000U, 65534U, 65535U}) {
        expect_rebuilt(size, random);
    }
    for (int i = 0; i < 25; ++i) {
        expect_rebuilt(static_cast<uint32_t>(1601 + random() % (65535 - 1600)), random);
    }
}

TEST_P(EverySize, StampsEverySequenceAndDepartureAroundTheirWraps) {
    const uint32_t edges[] = {0,          1,          0xFF,       0x100,      0xFFFF,    0x10000,
                              0x7FFFFFFF, 0x80000000, 0xFFFEFFFF, 0xFFFFFFFE, 0xFFFFFFFF};
    for (const uint32_t size : {68U, 69U}) {
        const FrameTemplate frame(size, kAddresses, kIdentity, GetParam());
        for (const uint32_t sequence : edges) {
            for (const uint32_t departure : edges) {
                const Stamp stamp{5, sequence, departure};
                ASSERT_EQ(stamped(frame, stamp), rebuilt(size, kAddresses, GetParam(), stamp));
            }
        }
    }
}

/// A frame is stamped again and again in its buffer: nothing of the stamp before may remain.
TEST_P(EverySize, StampsOverAnEarlierStamp) {
    std::mt19937 random(3);
    const FrameTemplate frame(101, kAddresses, kIdentity, GetParam());
    const FlowStamp flow = frame.flow_stamp(0);
    Bytes buffer(frame.bytes().begin(), frame.bytes().end());
    for (int i = 0; i < 20'000; ++i) {
        const Stamp stamp{0, static_cast<uint32_t>(random()), static_cast<uint32_t>(random())};
        if (GetParam()) {
            frame.stamp<true, false>(buffer.data(), flow, stamp.sequence, stamp.departure);
        } else {
            frame.stamp<false, false>(buffer.data(), flow, stamp.sequence, stamp.departure);
        }
        ASSERT_EQ(buffer, rebuilt(101, kAddresses, GetParam(), stamp));
    }
}

INSTANTIATE_TEST_SUITE_P(FrameTemplate, EverySize, testing::Bool(), [](const auto& with_crc) {
    return with_crc.param ? "WithCrc" : "WithoutCrc";
});

/// A sum of 0xFFFF would be sent as checksum 0, which means none (RFC 768).
TEST(FrameTemplate, SendsAZeroChecksumAsOnes) {
    const FrameTemplate frame(64, kAddresses, kIdentity, false);
    const uint16_t at_zero = naive::u16(frame.bytes(), 40);
    const Bytes bytes = stamped(frame, {.sequence = at_zero});  // fills the sum up to 0xFFFF
    EXPECT_EQ(naive::u16(bytes, 40), 0xFFFF);
}

TEST(FrameTemplate, CopiesKeepTheirTable) {
    std::vector<FrameTemplate> frames;
    frames.emplace_back(128, kAddresses, kIdentity, true);
    frames.push_back(FrameTemplate(frames[0]));
    frames.erase(frames.begin());
    const Stamp stamp{1, 2, 3};
    EXPECT_EQ(stamped(frames[0], stamp), rebuilt(128, kAddresses, true, stamp));
}

TEST(FrameTemplateDeathTest, RefusesSizesThatNothingCarries) {
    const auto build = [](uint32_t size, bool with_crc) {
        const FrameTemplate frame(size, kAddresses, kIdentity, with_crc);
    };
    EXPECT_DEATH(build(63, false), "does not hold");
    EXPECT_DEATH(build(67, true), "does not hold");
    EXPECT_DEATH(build(65536, false), "does not hold");
}

TEST(FlowAddresses, UsePortsFirst) {
    EXPECT_EQ(flow_addresses(kAddresses, 0), kAddresses);
    EXPECT_EQ(flow_addresses(kAddresses, 16383).src_port, 65535);
    EXPECT_EQ(flow_addresses(kAddresses, 16384).src_port, 49152);
    EXPECT_EQ(flow_addresses(kAddresses, 16384).src_ip, 0xC6120002);
    EXPECT_EQ(flow_addresses(kAddresses, 16384).dst_ip, kAddresses.dst_ip);
}

TEST(FlowAddresses, UseAsManyPortsAsFit) {
    EXPECT_EQ(flow_ports(0), 16384U);
    EXPECT_EQ(flow_ports(49152), 16384U);
    EXPECT_EQ(flow_ports(49153), 8192U);
    EXPECT_EQ(flow_ports(65534), 2U);
    EXPECT_EQ(flow_ports(65535), 1U);
    ProbeAddresses last = kAddresses;
    last.src_port = 65535;
    EXPECT_EQ(flow_addresses(last, 3).src_port, 65535);
    EXPECT_EQ(flow_addresses(last, 3).src_ip, 0xC6120004);
}

}  // namespace
}  // namespace barewire::wire
