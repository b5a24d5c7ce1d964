// SPDX-License-Identifier: BSD-3-Clause
// Judging files leaves them as they are.
#include "files.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/stat.h>

#include <gtest/gtest.h>
#include <unistd.h>

namespace barewire::cli {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
  protected:
    Files() {
        std::string name = testing::TempDir() + "barewire-files-XXXXXX";
        folder_ = mkdtemp(name.data());
    }
    ~Files() override { fs::remove_all(folder_); }
    std::string at(const std::string& name) { return folder_ + "/" + name; }
    static std::string text_of(const std::string& path) {
        std::ostringstream text;
        text << std::ifstream(path).rdbuf();
        return text.str();
    }
    std::string folder_;
};

TEST_F(Files, JudgingAPathToWriteNeitherMakesNorTruncates) {
    EXPECT_EQ(why_unwritable(at("new")), std::nullopt);
    EXPECT_FALSE(fs::exists(at("new")));
    std::ofstream(at("old")) << "kept";
    EXPECT_EQ(why_unwritable(at("old")), std::nullopt);
    EXPECT_EQ(text_of(at("old")), "kept");
}

TEST_F(Files, WhatCannotBeWrittenIsSaid) {
    EXPECT_EQ(why_unwritable(folder_), "a folder, not a file");
    EXPECT_NE(why_unwritable(at("no/such/x")), std::nullopt);
    std::ofstream(at("file")) << "x";
    EXPECT_NE(why_unwritable(at("file/x")), std::nullopt);
    EXPECT_NE(why_unwritable(at("new/")), std::nullopt);
    EXPECT_NE(why_unwritable("/proc/barewire-cannot-be-here"), std::nullopt);
    EXPECT_NE(why_unwritable(at(std::string(300, 'n'))), std::nullopt);
    EXPECT_NE(why_unwritable(""), std::nullopt);
}

TEST_F(Files, WhatCannotBeReadIsSaid) {
    EXPECT_NE(why_unreadable(at("none")), std::nullopt);
    EXPECT_EQ(why_unreadable(folder_), "a folder, not a file");
    std::ofstream(at("file")) << "x";
    EXPECT_EQ(why_unreadable(at("file")), std::nullopt);
}

TEST_F(Files, OneFileUnderTwoNamesIsFound) {
    std::ofstream(at("a")) << "x";
    fs::create_symlink(at("a"), at("b"));
    EXPECT_TRUE(same_file(at("a"), at("b")));
    EXPECT_TRUE(same_file(at("new"), at("new")));
    EXPECT_FALSE(same_file(at("a"), at("new")));
}

}  // namespace
}  // namespace barewire::cli
