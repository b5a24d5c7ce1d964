// SPDX-License-Identifier: BSD-3-Clause
// Help fits a terminal, says everything once, and stands as agreed in golden/.
#include "help.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "words.h"

namespace barewire::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string file(const std::string& path) {
    std::ifstream stream(std::string(BAREWIRE_SOURCE) + "/" + path);
    EXPECT_TRUE(stream.is_open()) << path;
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}
std::string golden(const std::string& name) {
    return file("tests/unit/cli/golden/" + name);
}

void expect_fits(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), kColumns) << line;
        EXPECT_FALSE(line.ends_with(' ')) << line;
        for (const char c : line) EXPECT_TRUE(c >= 0x20 && c < 0x7F) << line;
    }
}

TEST(Help, StandsAsAgreed) {
    EXPECT_EQ(first_steps(), golden("first_steps.txt"));
    EXPECT_EQ(overview(), golden("overview.txt"));
    for (const CommandInfo* command : commands()) {
        EXPECT_EQ(command_help(*command), golden(std::string(command->name) + ".txt"));
    }
}

TEST(Help, FitsATerminal) {
    expect_fits(first_steps());
    expect_fits(overview());
    for (const CommandInfo* command : commands()) expect_fits(command_help(*command));
}

TEST(Help, NamesEveryOptionItsDefaultAndThreeExamples) {
    for (const CommandInfo* command : commands()) {
        const std::string text = command_help(*command);
        for (const OptionInfo& option : options_of(command->bit)) {
            EXPECT_FALSE(option.help.empty()) << option.name;
            EXPECT_THAT(text, HasSubstr("  --" + std::string(option.name))) << command->name;
            if (!option.fallback.empty()) {
                EXPECT_THAT(text, HasSubstr("[" + std::string(option.fallback) + "]"));
            }
        }
        EXPECT_GE(command->examples.size(), 3U) << command->name;
    }
}

TEST(Help, EveryExampleIsARightCommandLine) {
    std::vector<Example> all;
    for (const CommandInfo* command : commands()) {
        all.insert(all.end(), command->examples.begin(), command->examples.end());
    }
    for (const Example& example : all) {
        std::istringstream stream{std::string(example.command_line)};
        std::vector<std::string> words;
        for (std::string word; stream >> word;) {
            std::erase(word, '\'');
            words.push_back(word);
        }
        const CommandInfo* command = find_command(words.at(0));
        ASSERT_NE(command, nullptr) << example.command_line;
        const Request request = parse_request(words[0], command->bit,
                                              {words.begin() + 1, words.end()}, read_config_file);
        EXPECT_THAT(request.problems, testing::IsEmpty()) << example.command_line;
    }
}

TEST(Help, DefaultsPageIsTheOneInTheDocumentation) {
    EXPECT_EQ(defaults_page(), file("docs/defaults.md"));
}

TEST(Help, AWordThatIsNoCommandLeadsToOne) {
    EXPECT_EQ(unknown_command("strss"), "unknown command 'strss': did you mean stress?");
    EXPECT_EQ(unknown_command("str"), "unknown command 'str': did you mean stress?");
    EXPECT_EQ(unknown_command("nfs"),
              "nfs is not in this version yet: it has stress, generate, sink, reflect, far, ports");
    EXPECT_EQ(unknown_command("ping rfc2544"),
              "unknown command 'ping rfc2544': there are stress, generate, sink, reflect, far, "
              "ports");
    EXPECT_THAT(unknown_command("\x1b[2J"), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace barewire::cli
