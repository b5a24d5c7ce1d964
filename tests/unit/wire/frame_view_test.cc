// SPDX-License-Identifier: BSD-3-Clause
// What a sink makes of whole, tagged, damaged, truncated and foreign frames.
#include "barewire/wire/frame_view.h"

#include <random>

#include <gtest/gtest.h>

#include "barewire/wire/checksum.h"
#include "barewire/wire/frame_template.h"

#include "naive_sums.h"

namespace barewire::wire {
namespace {

using Bytes = std::vector<uint8_t>;

Bytes probe(uint32_t frame_size, bool with_crc = false) {
    const FrameTemplate frame(frame_size,
                              {.src_mac = {2, 0, 0, 0, 0, 1},
                               .dst_mac = {2, 0, 0, 0, 0, 2},
                               .src_ip = 0xC6120001,
                               .dst_ip = 0xC6130001,
                               .src_port = 49152,
                               .dst_port = 49184},
                              {.run = 0x11223344, .trial = 5, .stream = 6}, with_crc);
    return {frame.bytes().begin(), frame.bytes().end()};
}

Bytes tagged(Bytes frame, std::initializer_list<uint16_t> types) {
    size_t at = 12;
    for (const uint16_t type : types) {
        const Bytes tag{static_cast<uint8_t>(type >> 8), static_cast<uint8_t>(type), 0x00, 0x05};
        frame.insert(frame.begin() + static_cast<std::ptrdiff_t>(at), tag.begin(), tag.end());
        at += 4;
    }
    return frame;
}

/// `rest` follows the two addresses.
Bytes foreign(Bytes rest) {
    rest.insert(rest.begin(), {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1});
    return rest;
}

void expect_whole_probe(const Bytes& frame, uint32_t l3_offset) {
    const FrameView view(frame);
    ASSERT_TRUE(view.signature());
    EXPECT_EQ(view.signature()->run.value(), 0x11223344U);
    EXPECT_EQ(view.signature()->trial, 5);
    EXPECT_EQ(view.signature()->stream, 6);
    EXPECT_EQ(view.l3_offset(), l3_offset);
    EXPECT_EQ(view.l3_length(), frame.size() - l3_offset);
    EXPECT_EQ(l3_length(frame), frame.size() - l3_offset);
    EXPECT_TRUE(view.ipv4_udp());
    EXPECT_TRUE(view.lengths_agree());
    EXPECT_TRUE(view.ip_checksum_valid());
    EXPECT_TRUE(view.udp_checksum_valid());
    EXPECT_EQ(view.payload().size(), frame.size() - l3_offset - 28);
    EXPECT_EQ(view.frame_class(), FrameClass::other_run);
}

TEST(FrameView, FindsTheProbeThroughUpToTwoTags) {
    for (const uint32_t size : {64U, 65U, 1518U, 9018U, 65535U}) {
        expect_whole_probe(probe(size), 14);
        expect_whole_probe(tagged(probe(size), {0x8100}), 18);
        expect_whole_probe(tagged(probe(size), {0x88A8, 0x8100}), 22);
        expect_whole_probe(tagged(probe(size), {0x9100, 0x8100}), 22);
    }
}

TEST(FrameView, StopsAtAThirdTag) {
    const Bytes frame = tagged(probe(64), {0x88A8, 0x8100, 0x8100});
    const FrameView view(frame);
    EXPECT_FALSE(view.signature());
    EXPECT_EQ(view.l3_offset(), 22U);
    EXPECT_EQ(view.ethertype(), 0x8100);
    EXPECT_EQ(view.frame_class(), FrameClass::vlan);
}

TEST(FrameView, SeesAPayloadCrc) {
    Bytes frame = tagged(probe(100, true), {0x8100});
    EXPECT_TRUE(payload_crc_valid(FrameView(frame).payload()));
    frame[90] ^= 4;
    EXPECT_FALSE(payload_crc_valid(FrameView(frame).payload()));
}

/// Cut anywhere, read within what is left (the sanitizer watches), and never called whole.
TEST(FrameView, OfATruncatedProbeHasNoAgreeingLength) {
    const Bytes whole = tagged(probe(100, true), {0x88A8, 0x8100});
    for (size_t length = 0; length < whole.size(); ++length) {
        const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
        const FrameView view(cut);
        EXPECT_EQ(view.signature().has_value(), length >= 22 + 28 + 18) << length;
        EXPECT_FALSE(view.lengths_agree()) << length;
        EXPECT_FALSE(view.udp_checksum_valid()) << length;
        EXPECT_FALSE(payload_crc_valid(view.payload())) << length;
        EXPECT_LE(view.l3_offset(), length);
    }
}

TEST(FrameView, OfALengthenedProbeHasNoAgreeingLength) {
    Bytes frame = probe(100);
    frame.push_back(0);
    EXPECT_TRUE(FrameView(frame).signature());
    EXPECT_FALSE(FrameView(frame).lengths_agree());
    EXPECT_TRUE(FrameView(frame).udp_checksum_valid());
}

/// Each header's length by itself, whatever the checksums say.
TEST(FrameView, ComparesBothLengthsWithTheBytes) {
    for (const size_t field : {16U, 38U}) {
        Bytes frame = probe(100);
        const uint16_t right = naive::u16(frame, field);
        for (const int off : {-1, 1, -2, 40}) {
            naive::put_u16(frame, field, static_cast<uint16_t>(right + off));
            EXPECT_FALSE(FrameView(frame).lengths_agree()) << field << ": " << off;
        }
        naive::put_u16(frame, field, right);
        EXPECT_TRUE(FrameView(frame).lengths_agree());
    }
}

/// Every single flipped bit of a frame is noticed by at least one check, and one outside the
/// signature's magic leaves the signature to be found.
TEST(FrameView, NoticesEveryFlippedBit) {
    const Bytes whole = probe(72, true);
    for (size_t bit = size_t{12} * 8; bit < whole.size() * 8; ++bit) {
        Bytes frame = whole;
        frame[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
        const FrameView view(frame);
        const bool in_magic = bit / 8 >= 42 && bit / 8 < 46;
        EXPECT_EQ(view.signature().has_value(), !in_magic) << bit;
        EXPECT_FALSE(view.ipv4_udp() && view.lengths_agree() && view.ip_checksum_valid() &&
                     view.udp_checksum_valid())
            << bit;
    }
}

struct Case {
    Bytes frame;
    FrameClass expected;
};

TEST(FrameClass, OfForeignFrames) {
    Bytes control = probe(128);
    naive::put_u32(control, 42, kControlMagic);
    Bytes other_udp = probe(128);
    naive::put_u32(other_udp, 42, 0xDEADBEEF);
    Bytes tcp = probe(64);
    tcp[23] = 6;
    Bytes fragment = probe(64);
    fragment[20] = 0x20;
    const Case cases[] = {
        {{}, FrameClass::runt},
        {Bytes(13, 0), FrameClass::runt},
        {foreign({0x08, 0x00}), FrameClass::ipv4},
        {other_udp, FrameClass::ipv4},
        {tcp, FrameClass::ipv4},
        {fragment, FrameClass::ipv4},
        {foreign({0x08, 0x06, 0, 1}), FrameClass::arp},
        {tagged(foreign({0x08, 0x06, 0, 1}), {0x8100}), FrameClass::arp},
        {foreign({0x86, 0xDD, 0x60}), FrameClass::ipv6},
        {foreign({0x81, 0x00, 0x00}), FrameClass::vlan},
        {foreign({0x88, 0x47, 0}), FrameClass::mpls},
        {foreign({0x88, 0x48, 0}), FrameClass::mpls},
        {foreign({0x88, 0xCC, 2}), FrameClass::lldp},
        {foreign({0x00, 0x26, 0x42, 0x42, 0x03}), FrameClass::stp},
        {foreign({0x00, 0x26, 0xAA, 0xAA, 0x03}), FrameClass::llc},
        {foreign({0x00, 0x26, 0x42}), FrameClass::llc},
        {foreign({0x05, 0xDC, 0x42, 0x42}), FrameClass::stp},
        {foreign({0x05, 0xDD, 0x42, 0x42}), FrameClass::unnamed},
        {foreign({0x88, 0x09, 0x01}), FrameClass::lacp},
        {foreign({0x88, 0x09, 0x0A}), FrameClass::unnamed},
        {foreign({0x88, 0x09}), FrameClass::unnamed},
        {foreign({0x88, 0x08, 0, 1}), FrameClass::pause},
        {foreign({0x88, 0xF7, 0}), FrameClass::ptp},
        {foreign({0x88, 0x8E, 1}), FrameClass::eapol},
        {foreign({0x90, 0x00, 0}), FrameClass::loopback},
        {control, FrameClass::control},
        {probe(64), FrameClass::other_run},
        {foreign({0x88, 0xB5, 0}), FrameClass::unnamed},
    };
    for (const Case& one : cases) {
        EXPECT_EQ(FrameView(one.frame).frame_class(), one.expected)
            << frame_class_name(one.expected) << ", " << one.frame.size() << " bytes";
    }
}

TEST(FrameClass, OfAMagicWordByAccidentIsNotOurs) {
    Bytes ipv6 = probe(128);
    naive::put_u16(ipv6, 12, 0x86DD);
    EXPECT_EQ(FrameView(ipv6).frame_class(), FrameClass::ipv6);
    naive::put_u32(ipv6, 42, kControlMagic);
    EXPECT_EQ(FrameView(ipv6).frame_class(), FrameClass::ipv6);
}

TEST(FrameClass, OfAnyBytesIsOneOfTheClasses) {
    std::mt19937 random(1);
    for (int i = 0; i < 50'000; ++i) {
        Bytes frame(random() % 96);
        for (uint8_t& byte : frame)
            byte = static_cast<uint8_t>(random() % 3 == 0 ? random() : 0x81);
        const FrameView view(frame);
        ASSERT_LT(static_cast<size_t>(view.frame_class()), kFrameClasses);
        ASSERT_EQ(view.l3_length() + view.l3_offset(), frame.size());
        ASSERT_EQ(l3_length(frame), view.l3_length());
    }
}

TEST(ForeignTally, CountsByName) {
    ForeignTally tally;
    tally.add(FrameClass::arp, 0x0806);
    tally.add(FrameClass::arp, 0x0806);
    tally.add(FrameClass::other_run, 0x0800);
    tally.add(FrameClass::unnamed, 0x88B5);
    const std::map<std::string, uint64_t> expected{{"ARP", 2}, {"other-run", 1}, {"0x88b5", 1}};
    EXPECT_EQ(tally.by_name(), expected);
    EXPECT_EQ(tally.total(), 4U);
}

TEST(ForeignTally, KeepsSixteenUnnamedTypesAndTheRestTogether) {
    ForeignTally tally;
    for (uint32_t round = 0; round < 3; ++round) {
        for (uint32_t i = 0; i < 40; ++i) {
            tally.add(FrameClass::unnamed, static_cast<uint16_t>(0x7000 + i));
        }
    }
    const auto names = tally.by_name();
    EXPECT_EQ(names.size(), ForeignTally::kUnnamedSlots + 1);
    EXPECT_EQ(names.at("0x7000"), 3U);
    EXPECT_EQ(names.at("0x700f"), 3U);
    EXPECT_EQ(names.at("other"), 72U);
    EXPECT_EQ(tally.total(), 120U);
}

TEST(ForeignTally, MergesWithoutLosingAny) {
    ForeignTally a;
    ForeignTally b;
    for (uint32_t i = 0; i < 20; ++i) {
        a.add(FrameClass::unnamed, static_cast<uint16_t>(0x7000 + i));
        b.add(FrameClass::unnamed, static_cast<uint16_t>(0x7008 + i));
        b.add(FrameClass::stp, 0x26);
    }
    a.merge(b);
    EXPECT_EQ(a.total(), 60U);
    EXPECT_EQ(a.by_name().at("STP"), 20U);
    EXPECT_EQ(a.by_name().at("0x7008"), 2U);
}

TEST(SignatureKey, NamesOneRunOnly) {
    Bytes frame = probe(64);
    EXPECT_TRUE(SignatureKey(0x11223344).names(frame.data()));
    EXPECT_FALSE(SignatureKey(0x11223345).names(frame.data()));
    for (size_t bit = size_t{42} * 8; bit < size_t{50} * 8; ++bit) {
        frame[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
        EXPECT_FALSE(SignatureKey(0x11223344).names(frame.data())) << bit;
        frame[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
    }
    EXPECT_EQ(signature_of(frame.data()).stream, 6);
}

}  // namespace
}  // namespace barewire::wire
