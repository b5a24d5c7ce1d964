// SPDX-License-Identifier: BSD-3-Clause
// Quoting, nearest names, wrapping.
#include "words.h"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace barewire::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Words, QuoteShowsNothingThatATerminalWouldObey) {
    EXPECT_EQ(quote("--size"), "'--size'");
    EXPECT_EQ(quote("a\x1b[2J\n\x7f"), "'a\\x1b[2J\\x0a\\x7f'");
    EXPECT_EQ(quote(std::string(1000, 'x')), "'" + std::string(60, 'x') + "...'");
}

TEST(Words, EditDistanceCountsEachKindOfEditOnce) {
    EXPECT_EQ(edit_distance("", ""), 0U);
    EXPECT_EQ(edit_distance("", "rate"), 4U);
    EXPECT_EQ(edit_distance("rate", "rat"), 1U);
    EXPECT_EQ(edit_distance("rate", "raate"), 1U);
    EXPECT_EQ(edit_distance("rate", "rite"), 1U);
    EXPECT_EQ(edit_distance("rate", "raet"), 1U);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(Words, EditDistanceIsSymmetricAndBounded) {
    std::mt19937 random(7);
    for (int i = 0; i < 500; ++i) {
        std::string a(random() % 9, 'a');
        std::string b(random() % 9, 'a');
        for (auto* s : {&a, &b}) {
            for (char& c : *s) c = static_cast<char>('a' + random() % 3);
        }
        const size_t d = edit_distance(a, b);
        EXPECT_EQ(d, edit_distance(b, a)) << a << " " << b;
        EXPECT_LE(d, std::max(a.size(), b.size()));
        EXPECT_EQ(d == 0, a == b);
    }
}

TEST(Words, NearestPrefersTheStartOfAName) {
    const std::vector<std::string_view> names = {"size", "seed", "src-ip", "src-port", "rate"};
    EXPECT_THAT(nearest("src", names), ElementsAre("src-ip", "src-port"));
    EXPECT_THAT(nearest("sise", names), ElementsAre("size"));
    EXPECT_THAT(nearest("raet", names), ElementsAre("rate"));
    EXPECT_THAT(nearest("wibble", names), IsEmpty());
    EXPECT_THAT(nearest("", names), IsEmpty());
    EXPECT_THAT(nearest(std::string(100000, 's'), names), IsEmpty());
}

TEST(Words, EitherJoinsAsInASentence) {
    EXPECT_EQ(either({"a"}), "a");
    EXPECT_EQ(either({"a", "b"}), "a or b");
    EXPECT_EQ(either({"a", "b", "c"}), "a, b or c");
}

TEST(Words, WrapKeepsToTheWidthAndLosesNoWord) {
    EXPECT_THAT(wrap("one two  three", 7), ElementsAre("one two", "three"));
    EXPECT_THAT(wrap("a\nb", 80), ElementsAre("a", "b"));
    EXPECT_THAT(wrap("overlong x", 3), ElementsAre("overlong", "x"));
}

}  // namespace
}  // namespace barewire::cli
