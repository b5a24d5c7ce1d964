// SPDX-License-Identifier: BSD-3-Clause
// Control frames against golden bytes, and whatever is not quite one.
#include "barewire/wire/control_frame.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "barewire/wire/frame_view.h"

#include "naive_sums.h"

namespace barewire::wire {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr MacAddress kSender{2, 0, 0, 0, 0, 1};
constexpr MacAddress kReceiver{2, 0, 0, 0, 0, 2};

ControlFrame last_segment() {
    return {.dst = kReceiver,
            .src = kSender,
            .kind = ControlKind::segment,
            .session = 0xA1B2C3D4,
            .message = 7,
            .segment = 2,
            .segments = 3,
            .text = "hello"};
}

Bytes built(const ControlFrame& frame) {
    const auto bytes = build_control_frame(frame);
    return {bytes.begin(), bytes.end()};
}

/// As docs/control.md says: over the addresses and the payload before it.
void put_crc(Bytes& frame, size_t tags = 0) {
    Bytes covered(frame.begin(), frame.begin() + 12);
    const auto payload = frame.begin() + 42 + static_cast<std::ptrdiff_t>(4 * tags);
    covered.insert(covered.end(), payload, payload + 78);
    naive::put_u32(frame, 120 + 4 * tags, naive::crc32c(covered));
}

/// Field by field from docs/control.md.
Bytes golden() {
    Bytes f(124, 0);
    std::copy(kReceiver.begin(), kReceiver.end(), f.begin());
    std::copy(kSender.begin(), kSender.end(), f.begin() + 6);
    naive::put_u16(f, 12, 0x0800);
    naive::put_u16(f, 14, 0x4500);
    naive::put_u16(f, 16, 110);
    naive::put_u16(f, 20, 0x4000);
    naive::put_u16(f, 22, 64 << 8 | 17);
    naive::put_u32(f, 26, 0xC6120001);
    naive::put_u32(f, 30, 0xC6130001);
    naive::put_u16(f, 24, naive::checksum(std::span(f).subspan(14, 20)));
    naive::put_u16(f, 34, 49152);
    naive::put_u16(f, 36, 49184);
    naive::put_u16(f, 38, 90);
    naive::put_u32(f, 42, 0xBA4EC791);
    naive::put_u16(f, 46, 0x0101);
    naive::put_u16(f, 48, 5);
    naive::put_u32(f, 50, 0xA1B2C3D4);
    naive::put_u32(f, 54, 0);
    naive::put_u32(f, 58, 7);
    naive::put_u16(f, 62, 2);
    naive::put_u16(f, 64, 3);
    const std::string text = "hello";
    std::copy(text.begin(), text.end(), f.begin() + 66);
    put_crc(f);
    naive::put_u16(f, 40, naive::udp_checksum(std::span(f).subspan(14)));
    return f;
}

Bytes tagged(Bytes frame, size_t tags) {
    const Bytes tag{0x81, 0x00, 0x00, 0x05};
    for (; tags > 0; --tags) frame.insert(frame.begin() + 12, tag.begin(), tag.end());
    return frame;
}

void expect_equal(const ControlFrame& a, const ControlFrame& b) {
    EXPECT_EQ(a.dst, b.dst);
    EXPECT_EQ(a.src, b.src);
    EXPECT_EQ(a.kind, b.kind);
    EXPECT_EQ(a.session, b.session);
    EXPECT_EQ(a.receipt, b.receipt);
    EXPECT_EQ(a.message, b.message);
    EXPECT_EQ(a.segment, b.segment);
    EXPECT_EQ(a.segments, b.segments);
    EXPECT_EQ(a.text, b.text);
}

TEST(ControlFrame, IsTheGoldenFrame) {
    EXPECT_EQ(built(last_segment()), golden());
    const Bytes frame = golden();
    const FrameView view(frame);
    EXPECT_TRUE(view.lengths_agree() && view.ip_checksum_valid() && view.udp_checksum_valid());
    EXPECT_EQ(view.frame_class(), FrameClass::control);
    EXPECT_EQ(frame.size() + 4, kControlFrameSize);
}

TEST(ControlFrame, HasTheAddressesGiven) {
    const auto bytes = build_control_frame(
        last_segment(), {.src_ip = 0x0A000001, .dst_ip = 0x0A000002, .src_port = 5, .dst_port = 6});
    const FrameView view(bytes);
    EXPECT_TRUE(view.ip_checksum_valid() && view.udp_checksum_valid());
    EXPECT_EQ(naive::u32(bytes, 26), 0x0A000001U);
    EXPECT_EQ(naive::u32(bytes, 30), 0x0A000002U);
    EXPECT_EQ(naive::u16(bytes, 34), 5);
    EXPECT_EQ(naive::u16(bytes, 36), 6);
}

TEST(ControlFrame, IsParsedAsItWasBuiltThroughUpToTwoTags) {
    const std::string full(kControlText, 'x');
    ControlFrame first = last_segment();
    first.segment = 0;
    first.text = full;
    ControlFrame answer = last_segment();
    answer.kind = ControlKind::acknowledgement;
    answer.receipt = 0xFFEEDDCC;
    answer.text = {};
    ControlFrame empty = last_segment();
    empty.segment = 0;
    empty.segments = 1;
    empty.text = {};
    for (const ControlFrame& frame : {last_segment(), first, answer, empty}) {
        for (size_t tags = 0; tags <= 2; ++tags) {
            const Bytes bytes = tagged(built(frame), tags);
            const auto parsed = parse_control_frame(bytes);
            ASSERT_TRUE(parsed) << tags;
            expect_equal(*parsed, frame);
        }
        EXPECT_FALSE(parse_control_frame(tagged(built(frame), 3)));
    }
}

TEST(ControlFrame, MayBePaddedButNotCut) {
    Bytes frame = tagged(golden(), 1);
    frame.resize(frame.size() + 3, 0xAA);
    EXPECT_TRUE(parse_control_frame(frame));
    for (size_t length = 0; length < 128; ++length) {
        const Bytes cut(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(length));
        EXPECT_FALSE(parse_control_frame(cut)) << length;
        EXPECT_FALSE(control_version(cut)) << length;
    }
}

/// But for fields of IP and UDP that nobody reads here: they may be wrong, the content is right.
TEST(ControlFrame, IsIgnoredWhenAnyBitThatMattersFlips) {
    const Bytes whole = golden();
    for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
        Bytes frame = whole;
        frame[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
        const auto parsed = parse_control_frame(frame);
        const bool matters = bit / 8 < 12 || bit / 8 >= 42;
        EXPECT_FALSE(matters && parsed) << bit;
        if (parsed) expect_equal(*parsed, last_segment());
    }
}

TEST(ControlFrame, OfAnotherVersionIsToldFromADamagedOne) {
    Bytes frame = golden();
    frame[46] = 2;
    EXPECT_FALSE(control_version(frame));
    put_crc(frame);
    EXPECT_EQ(control_version(frame), 2);
    EXPECT_FALSE(parse_control_frame(frame));
}

struct Field {
    size_t at;
    uint16_t value;
};

TEST(ControlFrame, OfFieldsThatDoNotFitTogetherIsIgnored) {
    for (const Field& field : {Field{46, 0x0100}, Field{46, 0x0105},            // kinds
                               Field{46, 0x0103}, Field{46, 0x0104},            // answers with text
                               Field{48, 0}, Field{48, 55}, Field{48, 0xFFFF},  // lengths
                               Field{62, 0}, Field{62, 3}, Field{62, 0xFFFF},   // segment
                               Field{64, 0}, Field{64, 2}, Field{64, 4}}) {     // segments
        Bytes frame = golden();
        naive::put_u16(frame, field.at, field.value);
        put_crc(frame);
        EXPECT_TRUE(control_version(frame));
        EXPECT_FALSE(parse_control_frame(frame)) << field.at << ": " << field.value;
    }
}

TEST(ControlFrame, IsNoOtherFrame) {
    Bytes probe = golden();
    naive::put_u32(probe, 42, kProbeMagic);
    put_crc(probe);
    EXPECT_FALSE(control_version(probe));
    Bytes tcp = golden();
    tcp[23] = 6;
    EXPECT_FALSE(control_version(tcp));
}

}  // namespace
}  // namespace barewire::wire
