// SPDX-License-Identifier: BSD-3-Clause
// A reader beside a writer never sees half of a publication, nor goes back.
#include "barewire/stats/snapshot.h"

#include <thread>

#include <gtest/gtest.h>

namespace barewire::stats {
namespace {

TEST(Snapshot, IsZeroBeforeTheFirstAndThenTheLatest) {
    Snapshot snapshot;
    EXPECT_EQ(snapshot.read(), Progress{});
    snapshot.publish({-5, 1, 2});
    snapshot.publish({7, 3, ~uint64_t{0}});
    EXPECT_EQ(snapshot.read(), (Progress{7, 3, ~uint64_t{0}}));
}

TEST(Snapshot, IsNeverTorn) {
    constexpr uint64_t kLast = 20'000'000;
    Snapshot snapshot;
    std::thread writer([&snapshot] {
        for (uint64_t i = 1; i <= kLast; ++i) snapshot.publish({static_cast<Ns>(i), 3 * i, ~i});
    });
    uint64_t torn = 0;
    uint64_t backward = 0;
    uint64_t latest = 0;
    while (latest < kLast) {
        const Progress seen = snapshot.read();
        const auto i = static_cast<uint64_t>(seen.time);
        torn += i > 0 && (seen.frames != 3 * i || seen.bytes != ~i) ? 1 : 0;
        backward += i < latest ? 1 : 0;
        latest = i;
    }
    writer.join();
    EXPECT_EQ(torn, 0U);
    EXPECT_EQ(backward, 0U);
}

}  // namespace
}  // namespace barewire::stats
