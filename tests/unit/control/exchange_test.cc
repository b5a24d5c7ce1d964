// SPDX-License-Identifier: BSD-3-Clause
// Messages over a good channel and over bad ones: whole, once, and never called delivered when they
// are not.
#include "barewire/control/exchange.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "channel.h"

namespace barewire::control {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAreArray;
using wire::ControlKind;

TEST(Exchange, DeliversMessagesOfAnySize) {
    for (const size_t size : {size_t{0}, size_t{1}, size_t{53}, size_t{54}, size_t{55}, size_t{108},
                              size_t{109}, 54 * kWindow, 54 * kWindow + 1, kMaxMessage}) {
        Channel channel(1);
        const std::string text = text_of(size);
        const uint32_t number = channel.send(0, text);
        EXPECT_EQ(channel.end(0).outcome(number), Outcome::sending);
        ASSERT_TRUE(channel.run_until_settled(0, number)) << size;
        EXPECT_EQ(channel.end(0).outcome(number), Outcome::delivered) << size;
        const auto message = channel.end(1).next_message();
        ASSERT_TRUE(message) << size;
        EXPECT_TRUE(message->text == text) << size;
        EXPECT_EQ(message->from, kMacs[0]);
        EXPECT_EQ(message->session, 100U);
        EXPECT_FALSE(channel.end(1).next_message());
    }
}

TEST(Exchange, SendsNothingTwiceOverAGoodChannel) {
    Channel channel(1);
    const uint32_t number = channel.send(0, text_of(54 * 40));
    ASSERT_TRUE(channel.run_until_settled(0, number));
    EXPECT_EQ(channel.carried(), 80U) << "40 segments, 40 answers";
    EXPECT_FALSE(channel.end(0).next_deadline());
}

TEST(Exchange, KeepsAWindowUnderWayUntilItIsAnswered) {
    Channel channel(1);
    channel.stop(1);
    channel.send(0, text_of(54 * 40));
    EXPECT_EQ(channel.carried(), kWindow);
    EXPECT_EQ(channel.end(0).next_deadline(), kFirstResend);
    for (int ms = 0; ms < 4; ++ms) channel.turn();
    EXPECT_EQ(channel.carried(), kWindow);
    channel.turn();
    EXPECT_EQ(channel.carried(), 2 * kWindow);
    EXPECT_EQ(channel.end(0).next_deadline(), 3 * kFirstResend);
}

/// Both ends send at once; every message arrives whole and once, whatever the channel does.
void expect_all_once(uint32_t seed) {
    std::mt19937 random(seed);
    const auto share = [&](double most) {
        return most * static_cast<double>(random() % 100) / 100;
    };
    Channel channel(seed, {.loss = share(0.4),
                           .duplicate = share(0.5),
                           .damage = share(0.3),
                           .longest = static_cast<Ns>(random() % 30'000'000)});
    std::array<std::vector<std::string>, 2> sent;
    std::array<std::vector<uint32_t>, 2> numbers;
    for (size_t i = 0; i < 6; ++i) {
        const size_t from = random() % 2;
        const std::string text =
            text_of(random() % (i == 0 ? 5'000 : 300), static_cast<uint32_t>(random()));
        sent[from].push_back(text);
        numbers[from].push_back(channel.send(from, text));
        for (auto turns = random() % 10; turns > 0; --turns) channel.turn();
    }
    ASSERT_TRUE(channel.run_until_quiet()) << seed;
    for (size_t from = 0; from < 2; ++from) {
        EXPECT_THAT(channel.texts(1 - from), UnorderedElementsAreArray(sent[from])) << seed;
        for (const uint32_t number : numbers[from]) {
            EXPECT_EQ(channel.end(from).outcome(number), Outcome::delivered) << seed;
        }
    }
}

TEST(Exchange, DeliversEachMessageOnceOverBadChannels) {
    for (uint32_t seed = 0; seed < 1000 && !HasFailure(); ++seed) expect_all_once(seed);
}

/// Over a channel that loses nine frames of ten some messages fail; none is called delivered that
/// was not, or arrives twice.
TEST(Exchange, NeverCallsDeliveredWhatWasNot) {
    unsigned failed = 0;
    for (uint32_t seed = 0; seed < 200; ++seed) {
        Channel channel(seed, {.loss = 0.9, .duplicate = 0.2, .longest = 20'000'000});
        const std::string text = text_of(54 * 6, seed);
        const uint32_t number = channel.send(0, text);
        ASSERT_TRUE(channel.run_until_quiet());
        const auto texts = channel.texts(1);
        const Outcome outcome = channel.end(0).outcome(number);
        ASSERT_LE(texts.size(), 1U) << seed;
        if (outcome == Outcome::delivered) {
            EXPECT_THAT(texts, ElementsAre(text)) << seed;
        }
        failed += outcome == Outcome::failed;
    }
    EXPECT_GT(failed, 0U);
}

TEST(Exchange, FailsWhenTheFarEndIsGone) {
    Channel channel(1);
    channel.stop(1);
    const uint32_t number = channel.send(0, "anybody?");
    ASSERT_TRUE(channel.run_until_settled(0, number));
    EXPECT_EQ(channel.end(0).outcome(number), Outcome::failed);
    EXPECT_EQ(channel.now(), kGiveUp);
    EXPECT_FALSE(channel.end(0).next_deadline());
    // 5, 10, 20, 40, 80 and then every 100 ms.
    EXPECT_GE(channel.carried(), 33U);
    EXPECT_LE(channel.carried(), 36U);
}

TEST(Exchange, GivesUpThreeSecondsAfterTheLastProgress) {
    Channel channel(1, {.longest = 1'000'000});
    const uint32_t number = channel.send(0, text_of(kMaxMessage));
    for (int ms = 0; ms < 100; ++ms) channel.turn();
    channel.stop(1);
    ASSERT_TRUE(channel.run_until_settled(0, number));
    EXPECT_EQ(channel.end(0).outcome(number), Outcome::failed);
    EXPECT_GE(channel.now(), kGiveUp + 98'000'000);
    EXPECT_LE(channel.now(), kGiveUp + 102'000'000);
}

TEST(Exchange, IsNotFooledByAReceiverThatRestarted) {
    for (int after_ms = 1; after_ms < 8; ++after_ms) {
        Channel channel(1, {.longest = 2'000'000});
        const std::string text = text_of(54 * 100);
        const uint32_t number = channel.send(0, text);
        for (int ms = 0; ms < after_ms; ++ms) channel.turn();
        ASSERT_EQ(channel.end(0).outcome(number), Outcome::sending) << after_ms;
        channel.start(1, 777);
        ASSERT_TRUE(channel.run_until_settled(0, number));
        EXPECT_EQ(channel.end(0).outcome(number), Outcome::delivered) << after_ms;
        EXPECT_THAT(channel.texts(1), ElementsAre(text)) << after_ms;
    }
}

TEST(Exchange, TellsARestartedSenderFromTheOneBefore) {
    Channel channel(1);
    const uint32_t before = channel.send(0, "before");
    ASSERT_TRUE(channel.run_until_settled(0, before));
    channel.start(0, 555);
    const uint32_t after = channel.send(0, "after");
    EXPECT_EQ(after, before) << "numbers begin anew";
    ASSERT_TRUE(channel.run_until_settled(0, after));
    EXPECT_EQ(channel.end(1).next_message()->session, 100U);
    const auto message = channel.end(1).next_message();
    ASSERT_TRUE(message);
    EXPECT_EQ(message->text, "after");
    EXPECT_EQ(message->session, 555U);
}

/// More at once than a receiver puts together: the later ones wait.
TEST(Exchange, DeliversMoreMessagesThanFitAtATime) {
    Channel channel(1, {.loss = 0.1, .longest = 10'000'000});
    std::vector<std::string> sent;
    for (uint32_t i = 0; i < 6 * kMaxPartial; ++i) {
        sent.push_back(text_of(54 * 60, i));
        channel.send(0, sent.back());
    }
    EXPECT_EQ(channel.carried(), kMaxPartial * kWindow);
    ASSERT_TRUE(channel.run_until_quiet());
    EXPECT_THAT(channel.texts(1), UnorderedElementsAreArray(sent));
}

TEST(Exchange, LeavesMessagesUnansweredWhileTooManyWait) {
    Channel channel(1);
    std::vector<uint32_t> numbers;
    for (size_t i = 0; i < kMaxWaiting + 1; ++i) numbers.push_back(channel.send(0, "x"));
    for (int ms = 0; ms < 500; ++ms) channel.turn();
    EXPECT_EQ(channel.end(0).outcome(numbers.front()), Outcome::delivered);
    EXPECT_EQ(channel.end(0).outcome(numbers.back()), Outcome::sending);
    EXPECT_EQ(channel.texts(1).size(), kMaxWaiting);
    ASSERT_TRUE(channel.run_until_settled(0, numbers.back()));
    EXPECT_EQ(channel.end(0).outcome(numbers.back()), Outcome::delivered);
}

TEST(Exchange, AnnouncesThroughALinkThatLosesOneCopyOfThree) {
    for (unsigned lost = 0; lost < kCopies; ++lost) {
        Channel channel(1);
        std::map<uint16_t, unsigned> copies;
        channel.drop_if([&](size_t, std::span<const uint8_t> frame) {
            const auto control = wire::parse_control_frame(frame);
            EXPECT_TRUE(control && control->kind == ControlKind::announcement);
            return copies[control->segment]++ == (lost + control->segment) % kCopies;
        });
        const std::string text = text_of(54 * 50);
        const uint32_t number =
            channel.end(0).send(wire::kBroadcastMac, text, Delivery::announced, channel.now());
        ASSERT_TRUE(channel.run_until_quiet());
        EXPECT_EQ(channel.end(0).outcome(number), Outcome::delivered);
        EXPECT_THAT(channel.texts(1), ElementsAre(text));
        EXPECT_EQ(copies.size(), 50U);
        EXPECT_EQ(channel.carried(), 50 * kCopies) << "and nobody answered";
    }
}

TEST(Exchange, SpacesTheCopiesOfAnAnnouncement) {
    Channel channel(1);
    channel.send(0, text_of(54 * (kWindow + 1)), Delivery::announced);
    EXPECT_EQ(channel.carried(), kWindow);
    EXPECT_EQ(channel.end(0).next_deadline(), kWindowGap);
    channel.turn();
    EXPECT_EQ(channel.carried(), kWindow + 1);
    EXPECT_EQ(channel.end(0).next_deadline(), kWindowGap + kCopyGap);
}

TEST(Exchange, AnnouncesToNobodyToo) {
    Channel channel(1);
    channel.stop(1);
    const uint32_t number = channel.send(0, "hello", Delivery::announced);
    ASSERT_TRUE(channel.run_until_settled(0, number));
    EXPECT_EQ(channel.end(0).outcome(number), Outcome::delivered);
    EXPECT_EQ(channel.carried(), kCopies);
    EXPECT_EQ(channel.now(), 2 * kCopyGap);
}

TEST(Exchange, DeliversALateDuplicateNoMore) {
    Channel channel(1);
    std::vector<Bytes> frames;
    channel.drop_if([&](size_t to, std::span<const uint8_t> frame) {
        if (to == 1) frames.emplace_back(frame.begin(), frame.end());
        return false;
    });
    for (int i = 0; i < 1100; ++i) {
        channel.send(0, "x");
        ASSERT_TRUE(channel.run_until_quiet());
        EXPECT_EQ(channel.texts(1).size(), 1U);
    }
    for (const Bytes& frame : frames) EXPECT_TRUE(channel.end(1).receive(frame, channel.now()));
    EXPECT_THAT(channel.texts(1), IsEmpty());
}

}  // namespace
}  // namespace barewire::control
