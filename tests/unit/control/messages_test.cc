// SPDX-License-Identifier: BSD-3-Clause
// Messages of the two ends: each comes back as it was, and what is wrong in any way is none.
#include "barewire/control/messages.h"

#include <gtest/gtest.h>

namespace barewire::control {
namespace {

Order sample_order() {
    Order order;
    order.run = 0x7F3A91C2;
    order.trial = 3;
    order.frame_size = 9018;
    order.to_far_streams = 4;
    order.from_far_streams = 1;
    order.flows = 1000;
    order.payload_check = true;
    order.seed = ~uint64_t{0};
    order.window_ns = 5'000'000'000;
    order.fps = 812'743.8;
    order.late = {plan::LatePolicy::Kind::skip, 1'000'000};
    order.src_mac = plan::Addressing::Mac{2, 0, 0, 0, 0, 1};
    order.src_ip = 0xC6120001;
    order.dst_ip = 0xC6130001;
    order.src_port = 49152;
    order.dst_port = 65535;
    return order;
}

/// What reading what was written gives; fails the test where that is no message.
template <class T>
T back(const T& message) {
    const auto content = read(write(message));
    if (!content || !std::holds_alternative<T>(*content)) {
        ADD_FAILURE() << write(message);
        return {};
    }
    return std::get<T>(*content);
}

TEST(Messages, AnOrderComesBackAsItWas) {
    const Order order = sample_order();
    const Order read = back(order);
    EXPECT_EQ(write(read), write(order));
    EXPECT_EQ(read.seed, order.seed);
    EXPECT_EQ(read.fps, order.fps);
    EXPECT_EQ(read.src_mac, order.src_mac);
    EXPECT_EQ(read.dst_mac, std::nullopt);
    EXPECT_EQ(read.late.kind, plan::LatePolicy::Kind::skip);
    EXPECT_EQ(read.late.limit_ns, 1'000'000);
    EXPECT_EQ(read.frame_size, 9018U);
}

TEST(Messages, EveryOtherKindComesBackAsItWas) {
    const Json environment = {{"cpu", "a"}, {"ports", Json::array()}};
    EXPECT_EQ(back(Hello{.version = "0.1.0", .run = 7}).run, 7U);
    const Here here = back(Here{.version = "0.1.0",
                                .role = "far",
                                .max_frame = 1518,
                                .generators = 2,
                                .sinks = 3,
                                .machine = "a",
                                .environment = environment});
    EXPECT_EQ(here.environment, environment);
    EXPECT_EQ(here.sinks, 3U);
    EXPECT_EQ(back(Ready{.run = 7, .trial = 300}).trial, 300U);
    EXPECT_EQ(back(Refused{"too large"}).why, "too large");
    const End end = back(End{.run = 7, .trial = 1, .intended = 10, .unsent = 3, .offered = {4, 3}});
    EXPECT_EQ(end.offered, (std::vector<uint64_t>{4, 3}));
    EXPECT_EQ(end.unsent, 3U);
    EXPECT_EQ(back(Outcomes{.run = 7, .trial = 1, .trials = Json::array({1})}).trials.size(), 1U);
    EXPECT_EQ(back(Alive{9}).run, 9U);
    EXPECT_EQ(back(Bye{9}).run, 9U);
}

TEST(Messages, WithOneMemberMissingOrWrongThereIsNone) {
    const Json good = Json::parse(write(sample_order()));
    for (const auto& [key, value] : good.items()) {
        Json missing = good;
        missing.erase(key);
        EXPECT_FALSE(read(missing.dump())) << "without " << key;
        Json wrong = good;
        wrong[key] = Json::object();
        EXPECT_FALSE(read(wrong.dump())) << key << " an object";
    }
}

TEST(Messages, NumbersKeepTheirLimits) {
    const auto with = [](const char* key, const Json& value) {
        Json json = Json::parse(write(sample_order()));
        json[key] = value;
        return read(json.dump()).has_value();
    };
    EXPECT_TRUE(with("frame_size", 64));
    EXPECT_FALSE(with("frame_size", 63));
    EXPECT_FALSE(with("frame_size", 65536));
    EXPECT_TRUE(with("to_far_streams", 256));
    EXPECT_FALSE(with("to_far_streams", 257));
    EXPECT_FALSE(with("flows", 0));
    EXPECT_FALSE(with("dst_port", 0));
    EXPECT_FALSE(with("dst_port", 65536));
    EXPECT_FALSE(with("window_ns", -1));
    EXPECT_FALSE(with("fps", 0.0));
    EXPECT_FALSE(with("fps", 2e9));
    EXPECT_FALSE(with("src_mac", Json::array({1, 2, 3})));
    EXPECT_FALSE(with("src_mac", Json::array({1, 2, 3, 4, 5, 256})));
}

TEST(Messages, AnEndNamesOneTo256Streams) {
    EXPECT_FALSE(read(R"({"type":"end","run":1,"trial":1,"intended":0,"unsent":0,"offered":[]})"));
    const End most{.run = 1, .trial = 1, .offered = std::vector<uint64_t>(256, 1)};
    EXPECT_TRUE(read(write(most)));
    const End more{.run = 1, .trial = 1, .offered = std::vector<uint64_t>(257, 1)};
    EXPECT_FALSE(read(write(more)));
}

TEST(Messages, WhatIsNoObjectOfAKnownTypeIsNone) {
    for (const char* text : {"", "[]", "1", "{", "{}", R"({"type":1})", R"({"type":"order"})",
                             R"({"type":"hullo","run":1})", "\xff\xfe"}) {
        EXPECT_FALSE(read(text)) << text;
    }
    std::string deep = R"({"type":"outcomes","run":1,"trial":1,"trials":)";
    EXPECT_FALSE(read(deep + std::string(100'000, '[') + std::string(100'000, ']') + "}"));
}

TEST(Messages, TextOfTheOtherEndIsFitForATerminal) {
    EXPECT_EQ(back(Refused{"a\x1b[2Jb"}).why, "a?[2Jb");
    EXPECT_FALSE(read(write(Refused{std::string(10'000, 'a')})));
}

}  // namespace
}  // namespace barewire::control
