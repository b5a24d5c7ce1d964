// SPDX-License-Identifier: BSD-3-Clause
// Lists of cores and the choice among them, on made-up machines.
#include "barewire/machine/cores.h"

#include <random>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace barewire::machine {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

TEST(Cpulist, ReadsTheKernelsFormat) {
    EXPECT_THAT(parse_cpulist("0\n"), Optional(ElementsAre(0)));
    EXPECT_THAT(parse_cpulist("0-3,8,10-11"), Optional(ElementsAre(0, 1, 2, 3, 8, 10, 11)));
    EXPECT_THAT(parse_cpulist("4,1,4"), Optional(ElementsAre(1, 4)));
    EXPECT_THAT(parse_cpulist("\n"), Optional(IsEmpty()));
}

TEST(Cpulist, RefusesWhatIsNone) {
    for (const char* text : {"a", "1,", ",1", "1-", "-1", "3-1", "1--2", "0x1", "1 2", "65536",
                             "99999999999999999999", "0-4294967295"}) {
        EXPECT_EQ(parse_cpulist(text), std::nullopt) << text;
    }
}

TEST(Cpulist, WritesWhatItReads) {
    for (const char* text : {"", "0", "0-3,8,10-11", "5-6"}) {
        EXPECT_EQ(format_cpulist(*parse_cpulist(text)), text);
    }
    EXPECT_EQ(format_cpulist({3, 1, 2, 1}), "1-3");
}

/// Linux numbers hyper-threads either side by side or in two rounds.
Topology two_rounds() {
    return {{0, {0, 4}, 0}, {1, {1, 5}, 0}, {2, {2, 6}, 1}, {3, {3, 7}, 1},
            {4, {0, 4}, 0}, {5, {1, 5}, 0}, {6, {2, 6}, 1}, {7, {3, 7}, 1}};
}
Topology side_by_side() {
    return {{0, {0, 1}, {}}, {1, {0, 1}, {}}, {2, {2, 3}, {}}, {3, {2, 3}, {}}};
}

TEST(ChooseCores, TakesPhysicalCoresBeforeSiblings) {
    EXPECT_THAT(choose_cores(two_rounds(), 5), ElementsAre(0, 1, 2, 3, 4));
    EXPECT_THAT(choose_cores(side_by_side(), 2), ElementsAre(0, 2));
    EXPECT_THAT(choose_cores(side_by_side(), 4), ElementsAre(0, 2, 1, 3));
}

TEST(ChooseCores, TakesNearOnesFirst) {
    EXPECT_THAT(choose_cores(two_rounds(), 3, 1), ElementsAre(2, 3, 0));
    EXPECT_THAT(choose_cores(side_by_side(), 2, 1), ElementsAre(0, 2));
}

TEST(ChooseCores, TakesOnlyWhatThereIs) {
    EXPECT_THAT(choose_cores(side_by_side(), 9).size(), 4U);
    EXPECT_THAT(choose_cores({}, 2), IsEmpty());
    EXPECT_THAT(choose_cores(two_rounds(), 0), IsEmpty());
    // Only one thread of core 0/4 is allowed: it is the physical core then.
    EXPECT_THAT(choose_cores({{4, {0, 4}, 0}, {1, {1, 5}, 0}, {5, {1, 5}, 0}}, 2),
                ElementsAre(1, 4));
}

TEST(ChooseCores, NoSiblingBeforeEveryPhysicalCoreIsTaken) {
    std::mt19937 random(1);
    for (int round = 0; round < 500; ++round) {
        const int physical = 1 + static_cast<int>(random() % 8);
        Topology topology;
        std::set<int> there;
        for (int id = 0; id < 2 * physical; ++id) {
            if (random() % 4 == 0) continue;
            const int mate = id < physical ? id + physical : id - physical;
            topology.push_back({id, {id, mate}, static_cast<int>(random() % 2)});
            there.insert(id % physical);
        }
        std::shuffle(topology.begin(), topology.end(), random);
        const size_t wanted = random() % (there.size() + 1);
        const auto chosen = choose_cores(topology, wanted, 0);
        ASSERT_EQ(chosen.size(), wanted);
        std::set<int> used;
        for (const int id : chosen) used.insert(id % physical);
        ASSERT_EQ(used.size(), wanted);
        ASSERT_EQ(share_physical_core(topology, chosen), false);
    }
}

TEST(SharePhysicalCore, KnowsOrSaysThatItDoesNot) {
    EXPECT_EQ(share_physical_core(side_by_side(), {0, 2}), false);
    EXPECT_EQ(share_physical_core(side_by_side(), {0, 1}), true);
    EXPECT_EQ(share_physical_core(side_by_side(), {2, 2}), true);
    EXPECT_EQ(share_physical_core({{0, {}, {}}, {1, {}, {}}}, {0, 1}), std::nullopt);
    EXPECT_EQ(share_physical_core(side_by_side(), {0, 9}), std::nullopt);
}

}  // namespace
}  // namespace barewire::machine
