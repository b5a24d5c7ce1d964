// SPDX-License-Identifier: BSD-3-Clause
// What is answered, with which bytes, and what is not.
#include "barewire/host/responder.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "barewire/wire/control_frame.h"
#include "barewire/wire/frame_template.h"
#include "barewire/wire/learning.h"

#include "../wire/naive_sums.h"

namespace barewire::host {
namespace {

namespace naive = wire::naive;
using Bytes = std::vector<uint8_t>;

constexpr wire::MacAddress kOwn{2, 0, 0, 0, 0, 2};
constexpr wire::MacAddress kOther{2, 0, 0, 0, 0, 1};
constexpr uint32_t kOwnIp = 0xC0A80002;    // 192.168.0.2
constexpr uint32_t kOtherIp = 0xC0A80001;  // 192.168.0.1

Bytes answer(Responder& responder, const Bytes& frame) {
    Bytes reply(std::max(frame.size(), size_t{60}), 0xEE);
    reply.resize(responder.answer(frame, reply));
    return reply;
}

Responder with_address() {
    return Responder({.mac = kOwn, .ip = kOwnIp, .udp_echo = true});
}
Responder without_address() {
    return Responder({.mac = kOwn, .ip = std::nullopt, .udp_echo = true});
}

Bytes ethernet(uint16_t type, const wire::MacAddress& dst = kOwn) {
    Bytes frame(dst.begin(), dst.end());
    frame.insert(frame.end(), kOther.begin(), kOther.end());
    frame.push_back(static_cast<uint8_t>(type >> 8));
    frame.push_back(static_cast<uint8_t>(type));
    return frame;
}

/// The example of RFC 826: Y is asked for by X. Padded as Ethernet does.
Bytes arp_request(uint32_t sender = kOtherIp, uint32_t target = kOwnIp,
                  const wire::MacAddress& dst = wire::kBroadcastMac) {
    Bytes frame = ethernet(0x0806, dst);
    const Bytes fixed{0, 1, 8, 0, 6, 4, 0, 1};
    frame.insert(frame.end(), fixed.begin(), fixed.end());
    frame.insert(frame.end(), kOther.begin(), kOther.end());
    frame.resize(42, 0);
    naive::put_u32(frame, 28, sender);
    naive::put_u32(frame, 38, target);
    frame.resize(60, 0xAB);
    return frame;
}

void put_ip_checksum(Bytes& frame, size_t at = 14) {
    naive::put_u16(frame, at + 10, 0);
    naive::put_u16(frame, at + 10, naive::checksum(std::span(frame).subspan(at, 20)));
}

/// An IPv4 packet of `protocol` with `payload`, padded to 60 bytes with something.
Bytes ipv4(uint8_t protocol, const Bytes& payload) {
    Bytes frame = ethernet(0x0800);
    const Bytes fixed{0x45, 0, 0, 0, 0x12, 0x34, 0x40, 0, 7, protocol, 0, 0};
    frame.insert(frame.end(), fixed.begin(), fixed.end());
    frame.resize(34, 0);
    naive::put_u16(frame, 16, static_cast<uint16_t>(20 + payload.size()));
    naive::put_u32(frame, 26, kOtherIp);
    naive::put_u32(frame, 30, kOwnIp);
    put_ip_checksum(frame);
    frame.insert(frame.end(), payload.begin(), payload.end());
    frame.resize(std::max(frame.size(), size_t{60}), 0xAB);
    return frame;
}

void put_icmp_checksum(Bytes& frame, size_t length) {
    naive::put_u16(frame, 36, 0);
    naive::put_u16(frame, 36, naive::checksum(std::span(frame).subspan(34, length)));
}

Bytes ping(size_t data) {
    Bytes message{8, 0, 0, 0, 0xAA, 0xBB, 0, 1};
    for (size_t i = 0; i < data; ++i) message.push_back(static_cast<uint8_t>(i));
    Bytes frame = ipv4(1, message);
    put_icmp_checksum(frame, message.size());
    return frame;
}

void put_udp_checksum(Bytes& frame) {
    const size_t length = naive::u16(frame, 16);
    naive::put_u16(frame, 40, naive::udp_checksum(std::span(frame).subspan(14, length)));
}

Bytes udp(size_t data) {
    Bytes datagram{0x30, 0x39, 0, 7, 0, static_cast<uint8_t>(8 + data), 0, 0};
    for (size_t i = 0; i < data; ++i) datagram.push_back(static_cast<uint8_t>(i * 3));
    Bytes frame = ipv4(17, datagram);
    put_udp_checksum(frame);
    return frame;
}

Bytes tagged(Bytes frame, size_t tags) {
    const Bytes tag{0x81, 0x00, 0x20, 0x05};
    for (; tags > 0; --tags) frame.insert(frame.begin() + 12, tag.begin(), tag.end());
    return frame;
}

/// One byte of a frame that would be answered otherwise.
struct Change {
    const char* what;
    size_t at;
    uint8_t value;
};

void expect_silence(const Bytes& frame, const std::string& what) {
    Responder own = with_address();
    Responder any = without_address();
    EXPECT_TRUE(answer(own, frame).empty()) << what;
    EXPECT_TRUE(answer(any, frame).empty()) << what << ", without an address";
}

TEST(ResponderArp, RepliesAsRfc826Says) {
    Bytes expected(kOther.begin(), kOther.end());
    expected.insert(expected.end(), kOwn.begin(), kOwn.end());
    const Bytes fixed{8, 6, 0, 1, 8, 0, 6, 4, 0, 2};
    expected.insert(expected.end(), fixed.begin(), fixed.end());
    expected.insert(expected.end(), kOwn.begin(), kOwn.end());
    expected.insert(expected.end(), {192, 168, 0, 2});
    expected.insert(expected.end(), kOther.begin(), kOther.end());
    expected.insert(expected.end(), {192, 168, 0, 1});
    expected.resize(60, 0);
    for (Responder responder : {with_address(), without_address()}) {
        EXPECT_EQ(answer(responder, arp_request()), expected);
        EXPECT_EQ(answer(responder, arp_request(kOtherIp, kOwnIp, kOwn)), expected) << "unicast";
        EXPECT_EQ(responder.counts().arp, 2U);
        EXPECT_TRUE(answer(responder, expected).empty()) << "a reply is not answered";
    }
}

TEST(ResponderArp, OfAnUnpaddedRequestIsPaddedAndOfALongOneIsNot) {
    Responder responder = with_address();
    Bytes request = arp_request();
    const Bytes usual = answer(responder, request);
    request.resize(42);
    EXPECT_EQ(answer(responder, request), usual);
    request.resize(100, 0xAB);
    EXPECT_EQ(answer(responder, request), usual);
}

TEST(ResponderArp, ForAnotherAddressIsAnsweredOnlyWithoutOneOfOurOwn) {
    const Bytes request = arp_request(kOtherIp, kOwnIp + 7);
    Responder own = with_address();
    EXPECT_TRUE(answer(own, request).empty());
    Responder any = without_address();
    const Bytes reply = answer(any, request);
    ASSERT_EQ(reply.size(), 60U);
    EXPECT_EQ(naive::u32(reply, 28), kOwnIp + 7);
}

/// RFC 5227: a host that looks for a duplicate of its address must hear of ours, and must not be
/// told that every address is taken.
TEST(ResponderArp, OfAProbeDefendsOurOwnAddressOnly) {
    Responder own = with_address();
    EXPECT_EQ(naive::u32(answer(own, arp_request(0, kOwnIp)), 38), 0U);
    EXPECT_TRUE(answer(own, arp_request(0, kOwnIp + 1)).empty());
    Responder any = without_address();
    EXPECT_TRUE(answer(any, arp_request(0, kOwnIp)).empty());
}

TEST(ResponderArp, LeavesAllElseUnanswered) {
    expect_silence(arp_request(kOwnIp, kOwnIp), "gratuitous");
    expect_silence(arp_request(kOtherIp, 0xE0000001), "for a group");
    expect_silence(arp_request(0xFFFFFFFF, kOwnIp), "from everybody");
    Bytes nobody = arp_request();
    std::fill_n(nobody.begin() + 22, 6, uint8_t{0});
    expect_silence(nobody, "a sender without address");
    for (const Change& change :
         {Change{"to another", 5, 9}, Change{"from a group", 6, 1}, Change{"from ourselves", 11, 2},
          Change{"other hardware", 15, 6}, Change{"other protocol", 16, 0x86},
          Change{"long hardware address", 18, 8}, Change{"long address", 19, 16},
          Change{"reply", 21, 2}, Change{"RARP", 21, 3}, Change{"sender is a group", 22, 1},
          Change{"sender is ourselves", 27, 2}}) {
        Bytes frame = arp_request(kOtherIp, kOwnIp, kOwn);
        frame[change.at] = change.value;
        expect_silence(frame, change.what);
    }
    const Bytes whole = arp_request();
    for (size_t length = 0; length < 42; ++length) {
        expect_silence(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)),
                       "cut");
    }
}

TEST(ResponderIcmp, RepliesWithTheSameData) {
    for (const size_t data : {0U, 1U, 10U, 11U, 56U, 1472U}) {
        const Bytes request = ping(data);
        Bytes expected = request;
        std::copy(kOther.begin(), kOther.end(), expected.begin());
        std::copy(kOwn.begin(), kOwn.end(), expected.begin() + 6);
        expected[22] = 64;
        naive::put_u32(expected, 26, kOwnIp);
        naive::put_u32(expected, 30, kOtherIp);
        put_ip_checksum(expected);
        expected[34] = 0;
        put_icmp_checksum(expected, 8 + data);
        for (Responder responder : {with_address(), without_address()}) {
            EXPECT_EQ(answer(responder, request), expected) << data;
            EXPECT_EQ(responder.counts().icmp, 1U);
            EXPECT_TRUE(answer(responder, expected).empty()) << "a reply is not answered";
        }
    }
}

TEST(ResponderUdp, EchoesWithTheEndsExchanged) {
    for (const size_t data : {0U, 1U, 18U, 100U}) {
        for (const bool checksum : {true, false}) {
            Bytes request = udp(data);
            if (!checksum) naive::put_u16(request, 40, 0);
            Bytes expected = request;
            std::copy(kOther.begin(), kOther.end(), expected.begin());
            std::copy(kOwn.begin(), kOwn.end(), expected.begin() + 6);
            naive::put_u32(expected, 26, kOwnIp);
            naive::put_u32(expected, 30, kOtherIp);
            put_ip_checksum(expected);
            naive::put_u16(expected, 34, 7);
            naive::put_u16(expected, 36, 0x3039);
            if (checksum) put_udp_checksum(expected);
            Responder responder = with_address();
            EXPECT_EQ(answer(responder, request), expected) << data;
            EXPECT_EQ(responder.counts().udp, 1U);
        }
    }
}

TEST(ResponderUdp, IsSilentUnlessAskedToEcho) {
    Responder responder({.mac = kOwn, .ip = kOwnIp});
    EXPECT_TRUE(answer(responder, udp(18)).empty());
    EXPECT_FALSE(answer(responder, ping(18)).empty());
}

TEST(Responder, RepliesWithTheTagsOfTheRequest) {
    Responder responder = with_address();
    for (const Bytes& request : {arp_request(), ping(30), udp(30)}) {
        Bytes plain = answer(responder, request);
        for (size_t tags = 1; tags <= 2; ++tags) {
            Bytes expected = tagged(plain, tags);
            const Bytes reply = answer(responder, tagged(request, tags));
            if (request[12] == 8 && request[13] == 6) expected.resize(60);  // less padding
            EXPECT_EQ(reply, expected) << tags;
        }
        EXPECT_TRUE(answer(responder, tagged(request, 3)).empty());
    }
}

TEST(Responder, LeavesDatagramsForOthersUnanswered) {
    Bytes other = ping(10);
    naive::put_u32(other, 30, kOwnIp + 1);
    put_ip_checksum(other);
    Responder own = with_address();
    EXPECT_TRUE(answer(own, other).empty());
    Responder any = without_address();
    EXPECT_FALSE(answer(any, other).empty());
}

/// Bytes of the IPv4 header, with a checksum that holds, for both kinds.
TEST(Responder, AnswersOnlyWholeDatagramsBetweenHosts) {
    for (const Change& change :
         {Change{"options", 14, 0x46}, Change{"version 6", 14, 0x65}, Change{"too long", 16, 1},
          Change{"shorter than its header", 17, 19}, Change{"shorter than the next", 17, 27},
          Change{"more fragments", 20, 0x20}, Change{"a fragment's offset", 21, 1},
          Change{"another protocol", 23, 6}, Change{"from this network", 26, 0},
          Change{"from a group", 26, 0xE0}, Change{"to a group", 30, 0xE0},
          Change{"to everybody", 30, 0xFF}, Change{"from ourselves", 29, 2}}) {
        for (Bytes frame : {ping(10), udp(10)}) {
            frame[change.at] = change.value;
            put_ip_checksum(frame);
            expect_silence(frame, change.what);
        }
    }
    for (const Change& change :
         {Change{"to all", 0, 0xFF}, Change{"to a group", 0, 1}, Change{"to another", 5, 9},
          Change{"from a group", 6, 1}, Change{"from our own address", 11, 2}}) {
        for (Bytes frame : {ping(10), udp(10)}) {
            frame[change.at] = change.value;
            expect_silence(frame, change.what);
        }
    }
}

TEST(Responder, AnswersOnlyWhatIsUndamaged) {
    for (const Bytes& whole : {ping(30), udp(30)}) {
        for (size_t bit = size_t{14} * 8; bit < size_t{14 + 20 + 8 + 30} * 8; ++bit) {
            Bytes frame = whole;
            frame[bit / 8] ^= static_cast<uint8_t>(1U << bit % 8);
            expect_silence(frame, std::to_string(bit));
        }
        for (size_t length = 0; length < 72; ++length) {
            expect_silence(
                Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)), "cut");
        }
    }
    Bytes other_code = ping(10);
    other_code[35] = 1;
    put_icmp_checksum(other_code, 18);
    expect_silence(other_code, "a code that no echo has");
    Bytes no_port = udp(10);
    naive::put_u16(no_port, 34, 0);
    put_udp_checksum(no_port);
    expect_silence(no_port, "nowhere to answer to");
    for (const uint8_t length : {uint8_t{7}, uint8_t{19}}) {
        Bytes wrong = udp(10);
        wrong[39] = length;
        naive::put_u16(wrong, 40, 0);
        expect_silence(wrong, "UDP length " + std::to_string(length));
    }
}

TEST(Responder, LeavesOurOwnFramesToTheSinks) {
    const wire::FrameTemplate probe(128,
                                    {.src_mac = kOther,
                                     .dst_mac = kOwn,
                                     .src_ip = kOtherIp,
                                     .dst_ip = kOwnIp,
                                     .src_port = 1,
                                     .dst_port = 2},
                                    {.run = 1, .trial = 1, .stream = 0}, false);
    expect_silence({probe.bytes().begin(), probe.bytes().end()}, "a probe");
    const auto control = wire::build_control_frame({.dst = kOwn, .src = kOther, .text = "x"},
                                                   {.src_ip = kOtherIp, .dst_ip = kOwnIp});
    expect_silence({control.begin(), control.end()}, "a control frame");
    const auto learning = wire::learning_frame(kOther);
    expect_silence({learning.begin(), learning.end()}, "a learning frame");
}

TEST(Responder, WritesNothingIntoABufferThatIsTooShort) {
    Responder responder = with_address();
    Bytes reply(59, 0xEE);
    EXPECT_EQ(responder.answer(arp_request(), reply), 0U);
    EXPECT_EQ(responder.answer(ping(100), reply), 0U);
    EXPECT_EQ(reply, Bytes(59, 0xEE));
    EXPECT_EQ(responder.counts().arp + responder.counts().icmp, 0U);
}

}  // namespace
}  // namespace barewire::host
