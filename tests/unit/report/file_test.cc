// SPDX-License-Identifier: BSD-3-Clause
// Writing a report, in a folder of the test's own.
#include "barewire/report/file.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sys/stat.h>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace barewire::report {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class WriteReport : public testing::Test {
  protected:
    WriteReport() {
        std::string name = (fs::temp_directory_path() / "barewire-test-XXXXXX").string();
        folder_ = mkdtemp(name.data());
    }
    ~WriteReport() override { fs::remove_all(folder_); }
    [[nodiscard]] std::string path(const char* name) const { return (folder_ / name).string(); }
    static std::string read(const std::string& name) {
        std::ifstream file(name);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }
    [[nodiscard]] size_t entries() const {
        return static_cast<size_t>(
            std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
    }
    fs::path folder_;
};

TEST_F(WriteReport, MakesAndReplacesAFile) {
    const std::string file = path("result.json");
    EXPECT_EQ(write_report(file, "first and longer"), std::nullopt);
    EXPECT_EQ(write_report(file, "second"), std::nullopt);
    EXPECT_EQ(read(file), "second");
    EXPECT_EQ(entries(), 1U);
}

TEST_F(WriteReport, KeepsTheFilesMode) {
    const std::string file = path("result.json");
    std::ofstream(file) << "old";
    ASSERT_EQ(::chmod(file.c_str(), 0640), 0);
    EXPECT_EQ(write_report(file, "new"), std::nullopt);
    struct stat now {};
    ASSERT_EQ(::stat(file.c_str(), &now), 0);
    EXPECT_EQ(now.st_mode & 07777U, 0640U);
}

TEST_F(WriteReport, AnOldReaderKeepsTheOldFile) {
    const std::string file = path("result.json");
    std::ofstream(file) << "old";
    std::ifstream reader(file);
    EXPECT_EQ(write_report(file, "new"), std::nullopt);
    std::string seen;
    reader >> seen;
    EXPECT_EQ(seen, "old");
}

TEST_F(WriteReport, WritesThroughLinks) {
    const std::string target = path("target");
    std::ofstream(target) << "old";
    for (const auto& [link, to] : {std::pair("link", "target"), std::pair("dangling", "later")}) {
        fs::create_symlink(to, path(link));
        EXPECT_EQ(write_report(path(link), "new"), std::nullopt);
        EXPECT_TRUE(fs::is_symlink(path(link)));
        EXPECT_EQ(read(path(to)), "new");
    }
}

TEST_F(WriteReport, ChangesBothNamesOfAFile) {
    std::ofstream(path("a")) << "old";
    fs::create_hard_link(path("a"), path("b"));
    EXPECT_EQ(write_report(path("a"), "new"), std::nullopt);
    EXPECT_EQ(read(path("b")), "new");
}

TEST_F(WriteReport, WritesIntoAPipe) {
    const std::string pipe = path("pipe");
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    ASSERT_GE(reader, 0);
    EXPECT_EQ(write_report(pipe, "through"), std::nullopt);
    char seen[16] = {};
    EXPECT_EQ(::read(reader, seen, sizeof seen), 7);
    ::close(reader);
    EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST_F(WriteReport, SaysWhyItCannot) {
    EXPECT_THAT(write_report(path("no/such/folder"), "x").value_or(""),
                testing::AllOf(HasSubstr("no/such/folder"), HasSubstr("No such file")));
    EXPECT_THAT(write_report(folder_.string(), "x").value_or(""), HasSubstr("directory"));
    EXPECT_THAT(write_report("/dev/full", "x").value_or(""), HasSubstr("No space"));
    EXPECT_EQ(entries(), 0U);
}

}  // namespace
}  // namespace barewire::report
