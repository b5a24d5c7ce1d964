// SPDX-License-Identifier: BSD-3-Clause
// The live line: what it says, and what it does to a terminal.
#include "barewire/report/live.h"

#include <cstdlib>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "random_result.h"

namespace barewire::report {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

plan::Interval interval(const char* direction, double end_s) {
    return {.trial = 2,
            .frame_size = 64,
            .direction = direction,
            .begin_s = end_s - 1,
            .end_s = end_s,
            .offered = 14'000'000,
            .received = 13'900'000,
            .tx_fps = 14e6,
            .rx_fps = 13.9e6,
            .tx_l1_bps = 9.408e9,
            .rx_l1_bps = 9.3408e9};
}

constexpr LivePosition kPosition = {.trial = 2, .trials = 3, .elapsed_s = 1, .duration_s = 5};

/// What a LiveLine wrote.
template <class Use>
std::string written(const LiveOptions& options, Use use) {
    char* text = nullptr;
    size_t size = 0;
    FILE* stream = open_memstream(&text, &size);
    {
        LiveLine line(stream, options);
        use(line);
    }
    std::fclose(stream);
    std::string copy(text, size);
    std::free(text);
    return copy;
}

TEST(LiveLine, SaysWhereTheRunStands) {
    EXPECT_EQ(render_live({interval("a-to-b", 1)}, kPosition, 80),
              "2/3  64 bytes  1.0 s of 5.0  a-to-b  sent 14.00 Mpps  got 13.90 Mpps  9.341 Gb/s");
    EXPECT_EQ(render_live({}, {.elapsed_s = 12.34}, 80), " 12.3 s");
}

TEST(LiveLine, BothDirectionsOfAMomentShareALine) {
    const std::string line = written({.redraw = true}, [](LiveLine& live) {
        live.show(interval("a-to-b", 1), kPosition);
        live.show(interval("b-to-a", 1), kPosition);
    });
    const std::string last = line.substr(line.rfind("\r2/3"));
    EXPECT_THAT(last, HasSubstr("a-to-b  got 13.90 Mpps"));
    EXPECT_THAT(last, HasSubstr("b-to-a  got 13.90 Mpps"));
}

TEST(LiveLine, ANewMomentReplacesTheOldOne) {
    const std::string line = written({.redraw = true}, [](LiveLine& live) {
        live.show(interval("a-to-b", 1), kPosition);
        live.show(interval("b-to-a", 2), kPosition);
    });
    EXPECT_THAT(line.substr(line.rfind("\r2/3")), Not(HasSubstr("a-to-b")));
}

TEST(LiveLine, OnATerminalItRedrawsAndLeavesAnEmptyLine) {
    const std::string line = written({.redraw = true}, [](LiveLine& live) {
        live.show(interval("a-to-b", 1), kPosition);
        live.show(interval("a-to-b", 2), kPosition);
    });
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_THAT(line, EndsWith("\x1b[K\r\x1b[K"));
}

TEST(LiveLine, InAPipeEachIntervalIsALine) {
    const std::string lines = written({.redraw = false}, [](LiveLine& live) {
        for (const double end : {1.0, 2.0}) {
            live.show(interval("a-to-b", end), kPosition);
            live.show(interval("b-to-a", end), kPosition);
        }
    });
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 4);
    EXPECT_EQ(lines.find_first_of("\r\x1b"), std::string::npos);
}

TEST(LiveLine, NothingShownLeavesTheTerminalAlone) {
    EXPECT_EQ(written({.redraw = true}, [](LiveLine& live) { live.finish(); }), "");
}

TEST(LiveLine, AnyIntervalFitsTheWidth) {
    samples::RandomResult random(5);
    for (int i = 0; i < 1000; ++i) {
        const LivePosition position = {.trials = static_cast<uint32_t>(random.below(1U << 30)),
                                       .elapsed_s = random.figure(),
                                       .duration_s = random.figure()};
        const size_t width = 20 + random.below(100);
        const std::string line =
            render_live({random.interval(), random.interval()}, position, width);
        ASSERT_LE(line.size(), width);
        for (const char c : line) ASSERT_TRUE(c >= ' ' && c <= '~') << line;
    }
}

}  // namespace
}  // namespace barewire::report
