// SPDX-License-Identifier: BSD-3-Clause
// Probes turned around in place, and frames from which a switch learns.
#include <vector>

#include <gtest/gtest.h>

#include "barewire/wire/control_frame.h"
#include "barewire/wire/frame_template.h"
#include "barewire/wire/frame_view.h"
#include "barewire/wire/learning.h"
#include "barewire/wire/swap.h"

#include "naive_sums.h"

namespace barewire::wire {
namespace {

using Bytes = std::vector<uint8_t>;

constexpr ProbeAddresses kThere{.src_mac = {2, 0, 0, 0, 0, 1},
                                .dst_mac = {2, 0, 0, 0, 0, 2},
                                .src_ip = 0xC6120001,
                                .dst_ip = 0xC6130001,
                                .src_port = 49152,
                                .dst_port = 49184};
constexpr ProbeAddresses kBack{.src_mac = kThere.dst_mac,
                               .dst_mac = kThere.src_mac,
                               .src_ip = kThere.dst_ip,
                               .dst_ip = kThere.src_ip,
                               .src_port = kThere.dst_port,
                               .dst_port = kThere.src_port};

Bytes probe(uint32_t size, const ProbeAddresses& addresses) {
    const FrameTemplate frame(size, addresses, {.run = 1, .trial = 2, .stream = 3},
                              size >= kMinCrcFrameSize);
    return {frame.bytes().begin(), frame.bytes().end()};
}

bool swapped(Bytes& frame, const MacAddress& own = kThere.dst_mac) {
    return swap_ends(frame.data(), static_cast<uint32_t>(frame.size()), own);
}

void expect_untouched(Bytes frame, const char* what) {
    const Bytes before = frame;
    EXPECT_FALSE(swapped(frame)) << what;
    EXPECT_EQ(frame, before) << what;
}

/// The frame that the other end would have built for the way back, checksums included.
TEST(SwapEnds, MakesTheProbeOfTheWayBack) {
    for (const uint32_t size : {64U, 65U, 512U, 1518U, 9018U}) {
        Bytes frame = probe(size, kThere);
        EXPECT_TRUE(swapped(frame));
        EXPECT_EQ(frame, probe(size, kBack)) << size;
        EXPECT_FALSE(swapped(frame)) << "it is not to us any more";
        EXPECT_TRUE(swapped(frame, kThere.src_mac));
        EXPECT_EQ(frame, probe(size, kThere)) << size;
    }
}

TEST(SwapEnds, LeavesEverythingElse) {
    const Bytes whole = probe(128, kThere);
    struct Change {
        const char* what;
        size_t at;
        uint8_t value;
    };
    for (const Change& change :
         {Change{"to another", 5, 9}, Change{"to all", 0, 0xFF}, Change{"from a group", 6, 1},
          Change{"a tag", 12, 0x81}, Change{"IPv6", 12, 0x86}, Change{"options", 14, 0x46},
          Change{"TCP", 23, 6}, Change{"a first fragment", 20, 0x20},
          Change{"a last fragment", 21, 1}}) {
        Bytes frame = whole;
        frame[change.at] = change.value;
        expect_untouched(frame, change.what);
    }
    Bytes control = whole;
    naive::put_u32(control, 42, kControlMagic);
    expect_untouched(control, "control");
    for (size_t length = 0; length < 42; ++length) {
        expect_untouched(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)),
                         "cut");
    }
    Bytes bare(whole.begin(), whole.begin() + 42);
    EXPECT_TRUE(swapped(bare)) << "headers alone are a datagram";
}

TEST(LearningFrame, IsABroadcastFromThePortThatNoHostKnows) {
    const auto frame = learning_frame({2, 0, 0, 0, 0, 7});
    Bytes expected{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2, 0, 0, 0, 0, 7, 0x88, 0xB5};
    expected.resize(60, 0);
    naive::put_u32(expected, 14, 0xBA4E1EA2);
    EXPECT_EQ(Bytes(frame.begin(), frame.end()), expected);
}

TEST(LearningFrame, HasAClassOfItsOwn) {
    const auto frame = learning_frame({2, 0, 0, 0, 0, 7});
    EXPECT_EQ(FrameView(frame).frame_class(), FrameClass::learning);
    EXPECT_EQ(frame_class_name(FrameClass::learning), "barewire-learning");
    EXPECT_EQ(frame_class_name(FrameClass::control), "barewire-control");
    const Bytes tag{0x81, 0, 0, 5};
    Bytes tagged(frame.begin(), frame.end());
    tagged.insert(tagged.begin() + 12, tag.begin(), tag.end());
    EXPECT_EQ(FrameView(tagged).frame_class(), FrameClass::learning);
    Bytes other(frame.begin(), frame.end());
    other[17] ^= 1;
    EXPECT_EQ(FrameView(other).frame_class(), FrameClass::unnamed);
    EXPECT_EQ(FrameView(std::span(frame).first(17)).frame_class(), FrameClass::unnamed);
}

}  // namespace
}  // namespace barewire::wire
