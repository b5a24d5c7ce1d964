// SPDX-License-Identifier: BSD-3-Clause
// What users type for numbers: accepted exactly, or refused with what would be right.
#include "barewire/base/units.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "barewire/base/text.h"

namespace barewire {
namespace {

using testing::HasSubstr;

template <class T>
void expect_value(const Parsed<T>& parsed, T value, const char* text) {
    ASSERT_TRUE(parsed) << text << ": " << parsed.problem;
    EXPECT_EQ(*parsed, value) << text;
    EXPECT_EQ(parsed.problem, "") << text;
}

template <class T>
void expect_refused(const Parsed<T>& parsed, const std::string& text, const char* remedy) {
    EXPECT_FALSE(parsed) << text;
    EXPECT_THAT(parsed.problem, testing::StartsWith(printable(text) + ": "));
    EXPECT_THAT(parsed.problem, HasSubstr(remedy));
}

TEST(Units, Bytes) {
    const std::vector<std::pair<const char*, uint64_t>> good{{"0", 0},
                                                             {"65536", 65536},
                                                             {"512B", 512},
                                                             {"1MB", 1'000'000},
                                                             {"64KiB", 65536},
                                                             {"5GiB", 5'368'709'120},
                                                             {"1.5KiB", 1536},
                                                             {"1.1GB", 1'100'000'000},
                                                             {"1e6", 1'000'000},
                                                             {"18446744073709551615", ~0ULL},
                                                             {"15.5TiB", 17'042'430'230'528}};
    for (const auto& [text, value] : good) expect_value(parse_bytes(text), value, text);
    expect_refused(parse_bytes("64k"), "64k", "64KiB would be right");
    expect_refused(parse_bytes("1mb"), "1mb", "1MB would be right");
    expect_refused(parse_bytes("1.0001KiB"), "1.0001KiB", "whole number");
    expect_refused(parse_bytes("18446744073709551616"), "18446744073709551616", "held");
    expect_refused(parse_bytes("17000000TiB"), "17000000TiB", "under 2^64");
    expect_refused(parse_bytes("1e400"), "1e400", "under 2^64");
    expect_refused(parse_bytes("-1"), "-1", "negative");
    expect_refused(parse_bytes(""), "", "(nothing)");
    expect_refused(parse_bytes("1 MB"), "1 MB", "no unit");
    expect_refused(parse_bytes("0x10"), "0x10", "no unit");
    expect_refused(parse_bytes("1,000"), "1,000", "no unit");
}

TEST(Units, Durations) {
    const std::vector<std::pair<const char*, Ns>> good{{"10s", 10'000'000'000},
                                                       {"300ms", 300'000'000},
                                                       {"50us", 50'000},
                                                       {"1h", 3600'000'000'000},
                                                       {"1.5s", 1'500'000'000},
                                                       {"2min", 120'000'000'000},
                                                       {"1ns", 1},
                                                       {"0.1us", 100},
                                                       {"0s", 0},
                                                       {"366e0h", 1'317'600'000'000'000},
                                                       {"8784h", 31'622'400'000'000'000}};
    for (const auto& [text, value] : good) expect_value(parse_duration(text), value, text);
    expect_refused(parse_duration("10"), "10", "10 of what?");
    expect_refused(parse_duration("0"), "0", "of what?");
    expect_refused(parse_duration("10sec"), "10sec", "10s would be right");
    expect_refused(parse_duration("1m"), "1m", "1min would be right");
    expect_refused(parse_duration("1S"), "1S", "1s would be right");
    expect_refused(parse_duration("0.1ns"), "0.1ns", "whole number of ns");
    expect_refused(parse_duration("8785h"), "8785h", "366 days");
    expect_refused(parse_duration("1e30h"), "1e30h", "366 days");
    expect_refused(parse_duration("inf"), "inf", "number");
    expect_refused(parse_duration("nan"), "nan", "number");
}

TEST(Units, Counts) {
    expect_value<uint64_t>(parse_count("3000000"), 3'000'000, "3000000");
    expect_value<uint64_t>(parse_count("3M"), 3'000'000, "3M");
    expect_value<uint64_t>(parse_count("1.5k"), 1500, "1.5k");
    expect_value<uint64_t>(parse_count("2e9"), 2'000'000'000, "2e9");
    expect_refused(parse_count("3m"), "3m", "3M would be right");
    expect_refused(parse_count("0.5"), "0.5", "whole number");
}

TEST(Units, Integers) {
    expect_value<uint64_t>(parse_integer("64", 64, 65535), 64, "64");
    expect_value<uint64_t>(parse_integer("65535", 64, 65535), 65535, "65535");
    for (const char* text :
         {"63", "65536", "+64", "64.0", "1e3", "", " 64", "64 ", "99999999999999999999"}) {
        expect_refused(parse_integer(text, 64, 65535), text, "64 to 65,535");
    }
}

TEST(Units, SharesAndPercentagesAreTheNearestDouble) {
    expect_value(parse_share("1e-3"), 1e-3, "1e-3");
    expect_value(parse_share("0.1%"), 0.001, "0.1%");
    expect_value(parse_share("99.9%"), 0.999, "99.9%");
    expect_value(parse_share(".5"), 0.5, ".5");
    expect_value(parse_share("0"), 0.0, "0");
    expect_value(parse_share("1"), 1.0, "1");
    expect_value(parse_share("100%"), 1.0, "100%");
    expect_refused(parse_share("1.5"), "1.5", "0 to 1");
    expect_refused(parse_share("101%"), "101%", "0% to 100%");
    expect_refused(parse_share("-0.1"), "-0.1", "negative");
    expect_refused(parse_share("1e-400"), "1e-400", "0 to 1");
    expect_refused(parse_share("5."), "5.", "no unit");
    expect_value(parse_percent("50%"), 50.0, "50%");
    expect_refused(parse_percent("50"), "50", "of what?");
    expect_refused(parse_percent("0%"), "0%", "0.000001% to 100%");
    expect_refused(parse_percent("150%"), "150%", "100%");
}

TEST(Units, Rates) {
    expect_value(parse_bit_rate("10Gbps"), 10e9, "10Gbps");
    expect_value(parse_bit_rate("2.5Gbps"), 2.5e9, "2.5Gbps");
    expect_value(parse_bit_rate("64kbps"), 64e3, "64kbps");
    expect_refused(parse_bit_rate("10Gbits"), "10Gbits", "10Gbps would be right");
    expect_refused(parse_bit_rate("10gbps"), "10gbps", "10Gbps would be right");
    expect_refused(parse_bit_rate("10Gb/s"), "10Gb/s", "10Gbps would be right");
    expect_refused(parse_bit_rate("10G"), "10G", "10Gbps would be right");
    expect_refused(parse_bit_rate("10"), "10", "of what?");
    expect_refused(parse_bit_rate("0Gbps"), "0Gbps", "1bps to 10Tbps");
    expect_refused(parse_bit_rate("11Tbps"), "11Tbps", "1bps to 10Tbps");
    expect_value(parse_frame_rate("14.88Mpps"), 14.88e6, "14.88Mpps");
    expect_value(parse_frame_rate("100pps"), 100.0, "100pps");
    expect_refused(parse_frame_rate("5mpps"), "5mpps", "5Mpps would be right");
    expect_refused(parse_frame_rate("0pps"), "0pps", "0.001pps");
}

TEST(Units, BytesASecondAreNotTakenForBits) {
    const auto parsed = parse_bit_rate("10GBps");
    EXPECT_FALSE(parsed);
    EXPECT_THAT(parsed.problem, testing::Not(HasSubstr("would be right")));
}

TEST(Units, TheUnitIsWhatFollowsTheNumber) {
    EXPECT_EQ(unit_of("14.88Mpps"), "Mpps");
    EXPECT_EQ(unit_of("1e3pps"), "pps");
    EXPECT_EQ(unit_of("5e"), "e");
    EXPECT_EQ(unit_of("100"), "");
    EXPECT_EQ(unit_of("max"), std::nullopt);
}

TEST(Text, PrintableIsOneLineOfAscii) {
    EXPECT_EQ(printable("a\nb\xC3\xA4\x01"), "a?b???");
    EXPECT_EQ(printable(""), "(nothing)");
    EXPECT_EQ(printable(std::string(200, 'x')), std::string(77, 'x') + "...");
}

TEST(Text, SplitsAndJoins) {
    EXPECT_EQ(split("a,,b,", ','), (std::vector<std::string_view>{"a", "", "b", ""}));
    EXPECT_EQ(split("", ','), std::vector<std::string_view>{""});
    EXPECT_EQ(join({"a", "b"}), "a, b");
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1234567), "1,234,567");
    EXPECT_EQ(grouped(~0ULL), "18,446,744,073,709,551,615");
}

}  // namespace
}  // namespace barewire
