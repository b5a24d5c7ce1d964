// SPDX-License-Identifier: BSD-3-Clause
// Cores for workers: a pure function, tested on made-up machines.
#include "barewire/engine/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace barewire::engine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

plan::Plan stress() {
    plan::Plan plan;
    plan.command = "stress";
    plan.tx = plan::PortSpec{plan::PortKind::wire_a, "wire:a", "", ""};
    plan.rx = plan::PortSpec{plan::PortKind::wire_b, "wire:b", "", ""};
    return plan;
}

TEST(Layout, GivesEachWorkerACoreAndTheControlThreadAnother) {
    const plan::Plan plan = stress();
    const Layout layout = lay_out(plan, {4, 6, 5, 7});
    ASSERT_EQ(layout.ways.size(), 1U);
    EXPECT_THAT(layout.ways[0].generator_cores, ElementsAre(4));
    EXPECT_THAT(layout.ways[0].sink_cores, ElementsAre(6));
    EXPECT_THAT(layout.control_cores, ElementsAre(5, 7));
    EXPECT_THAT(layout.warnings, IsEmpty());
    EXPECT_EQ(layout.workers, 2U);
}

TEST(Layout, OnTwoCoresTheControlThreadSharesWithoutAWarning) {
    const plan::Plan plan = stress();
    const Layout layout = lay_out(plan, {0, 1});
    EXPECT_THAT(layout.control_cores, ElementsAre(0, 1));
    EXPECT_THAT(layout.warnings, IsEmpty());
    EXPECT_THAT(layout.crowded_cores, IsEmpty());
}

TEST(Layout, WarnsWhereWorkersShareACore) {
    const plan::Plan plan = stress();
    const Layout layout = lay_out(plan, {3});
    EXPECT_THAT(layout.crowded_cores, ElementsAre(3));
    ASSERT_EQ(layout.warnings.size(), 1U);
    EXPECT_THAT(layout.warnings[0], testing::HasSubstr("2 workers share 1 core"));
}

TEST(Layout, TakesTheUsersCores) {
    plan::Plan plan = stress();
    plan.cores = {{0, 0, 0, 0}, {1, 1, 1, 1}};
    const Layout layout = lay_out(plan, {0, 1, 2});
    EXPECT_THAT(layout.ways[0].generator_cores, ElementsAre(0, 0, 0, 0));
    EXPECT_THAT(layout.ways[0].sink_cores, ElementsAre(1, 1, 1, 1));
    EXPECT_THAT(layout.control_cores, ElementsAre(2));
    EXPECT_EQ(layout.workers, 8U);
}

TEST(Layout, BothWaysShareTheUsersCoresEvenly) {
    plan::Plan plan = stress();
    plan.both_ways = true;
    plan.cores = {{0, 1, 2, 3}, {4, 5, 6, 7}};
    const Layout layout = lay_out(plan, {0, 1, 2, 3, 4, 5, 6, 7});
    ASSERT_EQ(layout.ways.size(), 2U);
    EXPECT_EQ(layout.ways[0].name, "a-to-b");
    EXPECT_THAT(layout.ways[0].generator_cores, ElementsAre(0, 2));
    EXPECT_EQ(layout.ways[1].name, "b-to-a");
    EXPECT_THAT(layout.ways[1].generator_cores, ElementsAre(1, 3));
    EXPECT_THAT(layout.ways[1].sink_cores, ElementsAre(5, 7));
    EXPECT_EQ(layout.ways[1].tx, &*plan.rx);
}

TEST(Layout, NamesTheWayByTheSendingEnd) {
    plan::Plan plan = stress();
    std::swap(plan.tx, plan.rx);
    EXPECT_EQ(lay_out(plan, {0, 1}).ways[0].name, "b-to-a");
}

TEST(Layout, ASinkAloneHasNoGenerator) {
    plan::Plan plan = stress();
    plan.tx.reset();
    const Layout layout = lay_out(plan, {0, 1});
    EXPECT_THAT(layout.ways[0].generator_cores, IsEmpty());
    EXPECT_THAT(layout.ways[0].sink_cores, ElementsAre(0));
    EXPECT_THAT(layout.control_cores, ElementsAre(1));
}

}  // namespace
}  // namespace barewire::engine
