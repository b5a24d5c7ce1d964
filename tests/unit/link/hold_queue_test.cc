// SPDX-License-Identifier: BSD-3-Clause
// When held frames are let go, in which order, and what a full queue does.
#include "barewire/link/hold_queue.h"

#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace barewire::link {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Released = std::tuple<uint32_t, uint64_t, int>;

struct Sink {
    std::vector<Released> released;
    void operator()(uint32_t stream, uint64_t sequence, int frame) {
        released.emplace_back(stream, sequence, frame);
    }
    std::vector<Released> take() { return std::exchange(released, {}); }
};

TEST(HoldQueue, ReleasesAfterThatManyFramesOfTheStream) {
    HoldQueue<int> queue(8, 3);
    Sink sink;
    queue.hold(2, 100, 7, sink);
    queue.overtaken(2, sink);
    queue.overtaken(1, sink);  // another stream
    queue.overtaken(1, sink);
    queue.overtaken(2, sink);
    EXPECT_THAT(sink.take(), IsEmpty());
    EXPECT_EQ(queue.size(), 1U);
    queue.overtaken(2, sink);
    EXPECT_THAT(sink.take(), ElementsAre(Released{2, 100, 7}));
    EXPECT_EQ(queue.size(), 0U);
}

TEST(HoldQueue, EachHeldFrameCountsFromItsOwnHold) {
    HoldQueue<int> queue(8, 2);
    Sink sink;
    queue.hold(0, 1, 1, sink);
    queue.overtaken(0, sink);
    queue.hold(0, 3, 3, sink);
    queue.hold(0, 4, 4, sink);
    queue.overtaken(0, sink);
    EXPECT_THAT(sink.take(), ElementsAre(Released{0, 1, 1}));
    queue.overtaken(0, sink);
    EXPECT_THAT(sink.take(), ElementsAre(Released{0, 3, 3}, Released{0, 4, 4}));
}

TEST(HoldQueue, FramesThatPassedBeforeDoNotCount) {
    HoldQueue<int> queue(2, 1);
    Sink sink;
    for (int i = 0; i < 10; ++i) queue.overtaken(0, sink);
    queue.hold(0, 10, 10, sink);
    EXPECT_THAT(sink.take(), IsEmpty());
    queue.overtaken(0, sink);
    EXPECT_THAT(sink.take(), ElementsAre(Released{0, 10, 10}));
}

TEST(HoldQueue, WhenFullTheOldestOfAllGoesFirst) {
    HoldQueue<int> queue(3, 1);
    Sink sink;
    queue.hold(5, 0, 50, sink);
    queue.hold(6, 0, 60, sink);
    queue.hold(5, 1, 51, sink);
    EXPECT_THAT(sink.take(), IsEmpty());
    queue.hold(6, 1, 61, sink);
    EXPECT_THAT(sink.take(), ElementsAre(Released{5, 0, 50}));
    queue.overtaken(6, sink);
    EXPECT_THAT(sink.take(), ElementsAre(Released{6, 0, 60}, Released{6, 1, 61}));
    EXPECT_EQ(queue.size(), 1U);
    queue.hold(6, 5, 65, sink);
    queue.flush(sink);
    EXPECT_THAT(sink.take(), ElementsAre(Released{5, 1, 51}, Released{6, 5, 65}));
}

TEST(HoldQueue, CapacityOfOne) {
    HoldQueue<int> queue(1, 1);
    Sink sink;
    for (uint64_t i = 0; i < 4; ++i) queue.hold(i % 2 != 0, i, static_cast<int>(i), sink);
    EXPECT_THAT(sink.take(), ElementsAre(Released{0, 0, 0}, Released{1, 1, 1}, Released{0, 2, 2}));
    queue.flush(sink);
    EXPECT_THAT(sink.take(), ElementsAre(Released{1, 3, 3}));
    queue.flush(sink);
    EXPECT_THAT(sink.take(), IsEmpty());
}

TEST(HoldQueue, IsUsableAgainAfterFlush) {
    HoldQueue<int> queue(2, 1);
    Sink sink;
    for (int round = 0; round < 5; ++round) {
        queue.hold(255, 0, 1, sink);
        queue.hold(0, 0, 2, sink);
        queue.flush(sink);
        EXPECT_THAT(sink.take(), ElementsAre(Released{255, 0, 1}, Released{0, 0, 2}));
    }
}

}  // namespace
}  // namespace barewire::link
