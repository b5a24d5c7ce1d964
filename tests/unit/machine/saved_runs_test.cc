// SPDX-License-Identifier: BSD-3-Clause
// Saving, loading and forgetting runs, in a folder of the test's own.
#include "barewire/machine/saved_runs.h"

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sys/stat.h>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace barewire::machine {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class SavedRunsTest : public testing::Test {
  protected:
    SavedRunsTest() {
        std::string name = (fs::temp_directory_path() / "barewire-test-XXXXXX").string();
        root_ = mkdtemp(name.data());
    }
    ~SavedRunsTest() override { fs::remove_all(root_); }
    static unsigned mode(const fs::path& path) {
        struct stat now {};
        return ::stat(path.c_str(), &now) == 0 ? now.st_mode & 07777U : 0;
    }
    fs::path root_;
};

TEST_F(SavedRunsTest, KeepsARunForItsUserAlone) {
    const SavedRuns runs(root_ / "state/barewire/runs");
    EXPECT_EQ(runs.save("7f3a91c2", "{\"a\": 1}\n"), std::nullopt);
    std::string why;
    EXPECT_EQ(runs.load("7f3a91c2", why), "{\"a\": 1}\n");
    EXPECT_EQ(mode(root_ / "state"), 0700U);
    EXPECT_EQ(mode(root_ / "state/barewire/runs"), 0700U);
    EXPECT_EQ(mode(root_ / "state/barewire/runs/7f3a91c2.json"), 0600U);
    EXPECT_EQ(runs.save("7f3a91c2", "again"), std::nullopt);
    EXPECT_EQ(runs.load("7f3a91c2", why), "again");
    EXPECT_THAT(runs.ids(), ElementsAre("7f3a91c2"));
}

TEST_F(SavedRunsTest, ForgetsTheOldestOnly) {
    const SavedRuns runs(root_);
    std::ofstream(root_ / "notes.json") << "the user's own";
    for (size_t i = 0; i < kMostSavedRuns + 10; ++i) {
        const std::string id = fmt::format("{:08x}", i + 1);
        ASSERT_EQ(runs.save(id, "x"), std::nullopt);
        // An hour apart, the first the oldest.
        fs::last_write_time(root_ / (id + ".json"),
                            fs::file_time_type::clock::now() - std::chrono::hours(1000 - i));
    }
    ASSERT_EQ(runs.save("ffffffff", "x"), std::nullopt);
    const auto ids = runs.ids();
    ASSERT_EQ(ids.size(), kMostSavedRuns);
    EXPECT_EQ(ids.front(), "ffffffff");
    EXPECT_EQ(ids.back(), fmt::format("{:08x}", 12));
    EXPECT_TRUE(fs::exists(root_ / "notes.json"));
}

TEST_F(SavedRunsTest, SaysWhyItCannotSave) {
    std::ofstream(root_ / "file") << "in the way";
    const auto why = SavedRuns(root_ / "file/runs").save("7f3a91c2", "x");
    EXPECT_THAT(why.value_or(""), HasSubstr("the run is not saved: "));
    EXPECT_THAT(why.value_or(""), HasSubstr("Not a directory"));
    EXPECT_THAT(SavedRuns(fs::path()).save("7f3a91c2", "x").value_or(""),
                HasSubstr("XDG_STATE_HOME"));
    EXPECT_THAT(SavedRuns(root_).save("../evil", "x").value_or(""), HasSubstr("no run id"));
}

TEST_F(SavedRunsTest, SaysWhyItCannotLoad) {
    std::string why;
    EXPECT_EQ(SavedRuns(root_).load("7f3a91c2", why), std::nullopt);
    EXPECT_THAT(why, HasSubstr("no saved run 7f3a91c2"));
    EXPECT_EQ(SavedRuns(root_).load("../../etc", why), std::nullopt);
    EXPECT_THAT(why, HasSubstr("no run id"));
}

TEST_F(SavedRunsTest, FolderFollowsTheEnvironment) {
    ::setenv("XDG_STATE_HOME", "/state", 1);
    EXPECT_EQ(saved_runs_folder(), "/state/barewire/runs");
    ::setenv("HOME", "/home-of-one", 1);
    for (const char* ignored : {"", "relative/state"}) {
        ::setenv("XDG_STATE_HOME", ignored, 1);
        EXPECT_EQ(saved_runs_folder(), "/home-of-one/.local/state/barewire/runs");
    }
    ::unsetenv("XDG_STATE_HOME");
    ::unsetenv("HOME");
    EXPECT_THAT(saved_runs_folder().string(), testing::EndsWith(".local/state/barewire/runs"));
}

TEST(RunId, IsEightDigitsAndDiffers) {
    std::set<std::string> ids;
    for (int i = 0; i < 100; ++i) {
        const std::string id = new_run_id();
        EXPECT_TRUE(valid_run_id(id)) << id;
        ids.insert(id);
    }
    EXPECT_GE(ids.size(), 99U);
    for (const char* bad : {"", "7f3a91c", "7f3a91c2a", "7F3A91C2", "7f3a91c/"}) {
        EXPECT_FALSE(valid_run_id(bad)) << bad;
    }
}

}  // namespace
}  // namespace barewire::machine
