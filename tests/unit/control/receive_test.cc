// SPDX-License-Identifier: BSD-3-Clause
// What an end takes as its own, what it answers, and what it keeps of frames that no exchange sent.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "barewire/control/exchange.h"
#include "barewire/wire/learning.h"

#include "channel.h"

namespace barewire::control {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using wire::ControlFrame;
using wire::ControlKind;

/// One end, and what it sent.
class Receive : public testing::Test {
  protected:
    static ControlFrame segment(std::string_view text) {
        return {.dst = kMacs[1],
                .src = kMacs[0],
                .kind = ControlKind::segment,
                .session = 100,
                .message = 1,
                .text = text};
    }
    bool receive(const ControlFrame& frame) {
        return end.receive(wire::build_control_frame(frame), 0);
    }
    std::vector<std::string> texts() {
        std::vector<std::string> all;
        while (auto message = end.next_message()) all.push_back(message->text);
        return all;
    }
    ControlFrame answer() const { return *wire::parse_control_frame(sent.back()); }

    std::vector<Bytes> sent;
    Exchange end{{.mac = kMacs[1], .session = 200}, [this](std::span<const uint8_t> frame) {
                     sent.emplace_back(frame.begin(), frame.end());
                 }};
};

TEST_F(Receive, AnswersWithWhatItWasAsked) {
    ControlFrame first = segment(std::string_view());
    const std::string full(wire::kControlText, 'a');
    first.text = full;
    first.segments = 2;
    EXPECT_TRUE(receive(first));
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(answer().kind, ControlKind::acknowledgement);
    EXPECT_EQ(answer().dst, kMacs[0]);
    EXPECT_EQ(answer().src, kMacs[1]);
    EXPECT_EQ(answer().session, 100U);
    EXPECT_EQ(answer().receipt, 200U);
    EXPECT_EQ(answer().segments, 2);
    EXPECT_TRUE(receive(first));
    EXPECT_EQ(answer().receipt, 200U) << "the same assembly";
    ControlFrame second = segment("b");
    second.segment = 1;
    second.segments = 2;
    EXPECT_TRUE(receive(second));
    EXPECT_EQ(answer().kind, ControlKind::completion);
    EXPECT_TRUE(receive(first));
    EXPECT_EQ(answer().kind, ControlKind::completion) << "again, for the first may be lost";
    EXPECT_THAT(texts(), ElementsAre(full + "b"));
}

TEST_F(Receive, LeavesWhatIsNotForIt) {
    ControlFrame other = segment("x");
    other.dst = {2, 0, 0, 0, 0, 9};
    EXPECT_FALSE(receive(other));
    other.dst = {1, 0, 0x5E, 0, 0, 1};
    EXPECT_FALSE(receive(other));
    EXPECT_FALSE(end.receive(wire::learning_frame(kMacs[0]), 0));
    EXPECT_FALSE(end.receive({}, 0));
    EXPECT_THAT(texts(), IsEmpty());
    EXPECT_THAT(sent, IsEmpty());
}

TEST_F(Receive, ConsumesInSilenceWhatItCannotUse) {
    Bytes damaged(wire::kControlLength);
    std::ranges::copy(wire::build_control_frame(segment("x")), damaged.begin());
    damaged[70] ^= 1;
    EXPECT_TRUE(end.receive(damaged, 0));
    ControlFrame own = segment("x");
    own.session = 200;
    EXPECT_TRUE(receive(own)) << "our own session, reflected";
    own = segment("x");
    own.src = kMacs[1];
    EXPECT_TRUE(receive(own)) << "our own address, looped back";
    ControlFrame group = segment("x");
    group.src = {1, 0, 0x5E, 0, 0, 1};
    EXPECT_TRUE(receive(group));
    ControlFrame to_all = segment("x");
    to_all.dst = wire::kBroadcastMac;
    EXPECT_TRUE(receive(to_all)) << "only announcements go to all";
    ControlFrame stray = segment({});
    stray.kind = ControlKind::completion;
    EXPECT_TRUE(receive(stray));
    EXPECT_THAT(texts(), IsEmpty());
    EXPECT_THAT(sent, IsEmpty());
}

TEST_F(Receive, TakesATaggedFrame) {
    const auto frame = wire::build_control_frame(segment("x"));
    Bytes tagged(frame.begin(), frame.end());
    const Bytes tag{0x81, 0, 0, 5};
    tagged.insert(tagged.begin() + 12, tag.begin(), tag.end());
    EXPECT_TRUE(end.receive(tagged, 0));
    EXPECT_THAT(texts(), ElementsAre("x"));
}

TEST_F(Receive, RefusesAMessageThatIsTooLong) {
    const std::string full(wire::kControlText, 'a');
    ControlFrame frame = segment(full);
    for (const uint16_t segments : {uint16_t{4856}, uint16_t{65535}}) {
        frame.segments = segments;
        frame.message = segments;
        EXPECT_TRUE(receive(frame));
    }
    frame.segments = 4855;
    frame.segment = 4854;
    EXPECT_TRUE(receive(frame)) << "4855 full ones are 26 bytes too many";
    EXPECT_THAT(sent, IsEmpty());
    frame.text = std::string_view(full).substr(0, 28);
    EXPECT_TRUE(receive(frame));
    EXPECT_EQ(sent.size(), 1U);
}

TEST_F(Receive, IgnoresASegmentThatCountsOtherwise) {
    const std::string full(wire::kControlText, 'a');
    ControlFrame frame = segment(full);
    frame.segments = 3;
    EXPECT_TRUE(receive(frame));
    frame.segments = 2;
    EXPECT_TRUE(receive(frame));
    EXPECT_EQ(sent.size(), 1U);
}

TEST_F(Receive, GivesANewReceiptForWhatItHadToDrop) {
    const std::string full(wire::kControlText, 'a');
    ControlFrame frame = segment(full);
    frame.segments = 2;
    for (uint32_t message = 1; message <= kMaxPartial + 1; ++message) {
        frame.message = message;
        EXPECT_TRUE(receive(frame));
        EXPECT_EQ(answer().receipt, 199 + message);
    }
    frame.message = 2;
    EXPECT_TRUE(receive(frame));
    EXPECT_EQ(answer().receipt, 201U) << "kept";
    frame.message = 1;
    EXPECT_TRUE(receive(frame));
    EXPECT_EQ(answer().receipt, 200 + kMaxPartial + 1) << "dropped, begun anew";
}

/// Each sends the same message again: it is delivered again by one that was forgotten.
TEST_F(Receive, ForgetsTheSenderNotHeardForLongest) {
    const auto delivered_of = [&](uint32_t session) {
        ControlFrame frame = segment("x");
        frame.session = 1000 + session;
        EXPECT_TRUE(receive(frame));
        return texts().size();
    };
    for (uint32_t session = 1; session <= kMaxPeers; ++session) {
        EXPECT_EQ(delivered_of(session), 1U);
    }
    EXPECT_EQ(delivered_of(1), 0U);
    EXPECT_EQ(delivered_of(kMaxPeers + 1), 1U) << "in place of 2";
    for (const uint32_t session : {1U, 3U, 4U, 5U, 6U, 7U, 8U, 9U}) {
        EXPECT_EQ(delivered_of(session), 0U) << session;
    }
    EXPECT_EQ(delivered_of(2), 1U);
}

TEST_F(Receive, TellsSendersOfOneSessionByTheirAddresses) {
    ControlFrame frame = segment("x");
    EXPECT_TRUE(receive(frame));
    frame.src = {2, 0, 0, 0, 0, 9};
    EXPECT_TRUE(receive(frame));
    EXPECT_THAT(texts(), ElementsAre("x", "x"));
}

/// The window of numbers that can be told apart moves with the highest.
TEST_F(Receive, RemembersWhichNumbersItDelivered) {
    const auto delivered_of = [&](uint32_t number) {
        ControlFrame frame = segment("x");
        frame.message = number;
        EXPECT_TRUE(receive(frame));
        return texts().size();
    };
    for (const uint32_t number :
         {5U, 7U, 6U, 1030U, 1029U, 1031U, 8U, 5000U, 4999U, 4104U, 3977U}) {
        EXPECT_EQ(delivered_of(number), 1U) << number;
        EXPECT_EQ(delivered_of(number), 0U) << number;
    }
    const size_t answers = sent.size();
    EXPECT_EQ(delivered_of(3976), 0U) << "1024 below the highest";
    EXPECT_EQ(sent.size(), answers) << "whether it was delivered cannot be told";
}

TEST_F(Receive, GivesUpThoughTheSameSegmentIsAcknowledgedAgainAndAgain) {
    const uint32_t number = end.send(kMacs[0], std::string(100, 'x'), Delivery::confirmed, 0);
    ControlFrame acknowledgement = segment({});
    acknowledgement.kind = ControlKind::acknowledgement;
    acknowledgement.session = 200;
    acknowledgement.message = number;
    acknowledgement.segments = 2;
    const auto frame = wire::build_control_frame(acknowledgement);
    constexpr Ns kMs = 1'000'000;
    for (Ns now = kMs; now < kMs + kGiveUp; now += kMs) {
        EXPECT_TRUE(end.receive(frame, now));
        ASSERT_EQ(end.outcome(number), Outcome::sending) << now;
    }
    EXPECT_TRUE(end.receive(frame, kMs + kGiveUp));
    EXPECT_EQ(end.outcome(number), Outcome::failed);
}

TEST_F(Receive, TakesAnAnswerOnlyFromTheOneAsked) {
    const uint32_t number = end.send(kMacs[0], "x", Delivery::confirmed, 0);
    ControlFrame completion = segment({});
    completion.kind = ControlKind::completion;
    completion.session = 200;
    completion.message = number;
    completion.src = {2, 0, 0, 0, 0, 9};
    EXPECT_TRUE(receive(completion));
    EXPECT_EQ(end.outcome(number), Outcome::sending);
    completion.src = kMacs[0];
    completion.session = 199;
    EXPECT_TRUE(receive(completion));
    EXPECT_EQ(end.outcome(number), Outcome::sending) << "of our session before";
    completion.session = 200;
    EXPECT_TRUE(receive(completion));
    EXPECT_EQ(end.outcome(number), Outcome::delivered);
    EXPECT_EQ(end.outcome(number + 1), Outcome::failed) << "there was none";
}

TEST_F(Receive, NoticesAnotherVersion) {
    EXPECT_FALSE(end.other_version());
    const auto frame = wire::build_control_frame(segment("x"));
    Bytes other(frame.begin(), frame.end());
    other[46] = 9;
    EXPECT_TRUE(end.receive(other, 0));
    EXPECT_FALSE(end.other_version()) << "damaged";
    Bytes covered(other.begin(), other.begin() + 12);
    covered.insert(covered.end(), other.begin() + 42, other.begin() + 120);
    wire::store(other.data(), 120, wire::be32_t(wire::crc32c(covered)));
    EXPECT_TRUE(end.receive(other, 0));
    EXPECT_EQ(end.other_version(), 9);
    EXPECT_THAT(texts(), IsEmpty());
}

}  // namespace
}  // namespace barewire::control
