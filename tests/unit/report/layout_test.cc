// SPDX-License-Identifier: BSD-3-Clause
// Numbers and lines as people read them.
#include "report/layout.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/table.h"

namespace barewire::report {
namespace {

using testing::ElementsAre;

TEST(Layout, GroupsDigits) {
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1000), "1,000");
    EXPECT_EQ(grouped(~0ULL), "18,446,744,073,709,551,615");
}

TEST(Layout, LossIsNeverRoundedToNoneOrAll) {
    EXPECT_EQ(loss_share(0, 100), "0");
    EXPECT_EQ(loss_share(0, 0), "0");
    EXPECT_EQ(loss_share(1, 1'000'000'000), "<0.001%");
    EXPECT_EQ(loss_share(1'204'331, 148'809'520), "0.809%");
    EXPECT_EQ(loss_share(999'999'999, 1'000'000'000), ">99.999%");
    EXPECT_EQ(loss_share(7, 7), "100%");
}

TEST(Layout, FormatsFigures) {
    EXPECT_EQ(fixed(12345.678, 1), "12,345.7");
    EXPECT_EQ(fixed(-1234.5, 0), "-1,234");
    EXPECT_EQ(fixed(9.9996, 3), "10.000");
    EXPECT_EQ(fixed(1e18, 0), "1.000e+18");
    EXPECT_EQ(short_time(0), "0 ns");
    EXPECT_EQ(short_time(900'000), "900 us");
    EXPECT_EQ(short_time(4'300'000), "4.3 ms");
    EXPECT_EQ(short_time(12.34e9), "12.3 s");
    EXPECT_EQ(frame_rate(14'880'952), "14.88 Mpps");
    EXPECT_EQ(frame_rate(1000), "1.000 kpps");
    EXPECT_EQ(bit_rate(9.919e9), "9.919 Gb/s");
    EXPECT_EQ(bit_rate(105.723e9), "105.7 Gb/s");
}

TEST(Layout, ListsAsInASentence) {
    EXPECT_EQ(listed({}), "");
    EXPECT_EQ(listed({"64"}), "64");
    EXPECT_EQ(listed({"64", "1518"}), "64 and 1518");
    EXPECT_EQ(listed({"64", "1518", "9018"}), "64, 1518 and 9018");
}

TEST(Layout, OneMarkForEachForeignCharacter) {
    EXPECT_EQ(ascii("Z\xC3\xBCrich \xE2\x82\xAC"), "Z?rich ?");
    EXPECT_EQ(ascii("\x1b[31m\t\n"), "?[31m??");
    EXPECT_EQ(ascii("\xBF\xBF"), "??");
}

TEST(Layout, WrapsAtSpacesAndCutsLongWords) {
    EXPECT_THAT(wrapped("one two three", 7), ElementsAre("one two", "three"));
    EXPECT_THAT(wrapped("abcdefghij k", 4), ElementsAre("abcd", "efgh", "ij k"));
    EXPECT_THAT(wrapped("", 4), ElementsAre(""));
    EXPECT_THAT(wrapped("ab   cd", 3), ElementsAre("ab", "cd"));
}

TEST(Layout, APageWrapsUnderItsText) {
    Page page(20);
    page.section("WHY", "one two three four five");
    page.gap();
    page.gap();
    EXPECT_EQ(page.text(), "WHY    one two three\n       four five\n");
}

std::string table(size_t width, const std::vector<Column>& columns) {
    Page page(width);
    put_table(page, columns);
    return page.text();
}

TEST(Layout, ATableGivesUpWhatItNeedsLeast) {
    const std::vector<Column> columns = {{"size", 0, {"64", "1518"}},
                                         {"sent", 0, {"1,000,000", "20"}},
                                         {"p99", 4, {"7.2", "7.3"}},
                                         {"Mpps", kRankOfExtras, {"1.000", "2.000"}}};
    EXPECT_EQ(table(40, columns),
              " size       sent  p99   Mpps\n"
              "   64  1,000,000  7.2  1.000\n"
              " 1518         20  7.3  2.000\n");
    EXPECT_EQ(table(24, columns),
              " size       sent  p99\n"
              "   64  1,000,000  7.2\n"
              " 1518         20  7.3\n");
    EXPECT_EQ(table(19, columns),
              " size      sent p99\n"
              "   64 1,000,000 7.2\n"
              " 1518        20 7.3\n");
    EXPECT_EQ(table(13, columns),
              " size    sent\n"
              "   64 1000000\n"
              " 1518      20\n");
}

}  // namespace
}  // namespace barewire::report
