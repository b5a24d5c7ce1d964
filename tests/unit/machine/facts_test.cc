// SPDX-License-Identifier: BSD-3-Clause
// Facts read from made-up /proc and /sys.
#include "barewire/machine/facts.h"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace barewire::machine {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

class Facts : public testing::Test {
  protected:
    Facts() {
        std::string name = (fs::temp_directory_path() / "barewire-test-XXXXXX").string();
        root_ = mkdtemp(name.data());
        files_ = {.sys = root_ / "sys", .proc = root_ / "proc"};
    }
    ~Facts() override { fs::remove_all(root_); }
    void put(const std::string& path, const std::string& text) {
        fs::create_directories((root_ / path).parent_path());
        std::ofstream(root_ / path) << text;
    }
    fs::path root_;
    SystemFiles files_;
};

TEST_F(Facts, CpuModelIsTheFirstOne) {
    put("proc/cpuinfo",
        "processor\t: 0\nmodel\t\t: 49\nmodel name\t: AMD EPYC: 7B12\n\n"
        "model name\t: other\n");
    EXPECT_EQ(cpu_model(files_), "AMD EPYC: 7B12");
}

TEST_F(Facts, MemoryAvailableIsInBytes) {
    put("proc/meminfo", "MemTotal:  4000000 kB\nMemFree: 1 kB\nMemAvailable:    2000000 kB\n");
    EXPECT_EQ(memory_available(files_), 2'000'000ULL * 1024);
}

TEST_F(Facts, GovernorsOfTheCoresAskedFor) {
    put("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
    put("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
    EXPECT_EQ(governor({0}, files_), "performance");
    EXPECT_EQ(governor({0, 1, 2}, files_), "performance,powersave");
    EXPECT_EQ(governor({2}, files_), std::nullopt);
}

TEST_F(Facts, TopologyHasSiblingsAndNodes) {
    put("sys/devices/system/cpu/cpu2/topology/thread_siblings_list", "2,6\n");
    fs::create_directories(root_ / "sys/devices/system/cpu/cpu2/node1");
    fs::create_directories(root_ / "sys/devices/system/cpu/cpu2/nodes");
    const Topology topology = read_topology({2, 3}, files_);
    ASSERT_EQ(topology.size(), 2U);
    EXPECT_THAT(topology[0].siblings, ElementsAre(2, 6));
    EXPECT_EQ(topology[0].numa_node, 1);
    EXPECT_THAT(topology[1].siblings, IsEmpty());
    EXPECT_EQ(topology[1].numa_node, std::nullopt);
}

TEST_F(Facts, HugePagesBySize) {
    put("sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "128\n");
    put("sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "100\n");
    put("sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages", "0\n");
    const auto pages = huge_pages(files_);
    ASSERT_EQ(pages.size(), 2U);
    EXPECT_EQ(pages.at(2U << 20).total, 128U);
    EXPECT_EQ(pages.at(2U << 20).free, 100U);
    EXPECT_EQ(pages.at(1U << 30).free, 0U);
}

TEST_F(Facts, AMachineThatTellsNothing) {
    EXPECT_EQ(cpu_model(files_), std::nullopt);
    EXPECT_EQ(memory_available(files_), 0U);
    EXPECT_TRUE(huge_pages(files_).empty());
    put("proc/cpuinfo", "processor : 0\nHardware : x\n");
    EXPECT_EQ(cpu_model(files_), std::nullopt);
}

TEST_F(Facts, ThisProcessMayRunSomewhere) {
    const auto cores = allowed_cores();
    EXPECT_THAT(cores, Contains(testing::Ge(0)));
    EXPECT_TRUE(std::is_sorted(cores.begin(), cores.end()));
    EXPECT_FALSE(kernel_release().empty());
}

TEST_F(Facts, PageSizesHaveNames) {
    EXPECT_EQ(page_size_name(4096), "4 KiB");
    EXPECT_EQ(page_size_name(2U << 20), "2 MiB");
    EXPECT_EQ(page_size_name(1U << 30), "1 GiB");
}

}  // namespace
}  // namespace barewire::machine
