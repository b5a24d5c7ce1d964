// SPDX-License-Identifier: BSD-3-Clause
// What a subcommand is: its texts and the judgement of its own options. Each has one file,
// cmd_NAME.cc.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "barewire/plan/plan.h"
#include "barewire/plan/result.h"

#include "options.h"
#include "request.h"

namespace barewire::cli {

struct Host;

struct Example {
    std::string_view command_line;  ///< without "barewire "
    std::string_view meaning;
};

struct CommandInfo {
    CommandBit bit;
    std::string_view name;
    std::string_view group;    ///< heading in the list of commands, one of command_groups()
    std::string_view summary;  ///< one line, for the list of commands
    std::string_view about;    ///< a paragraph, for the command's own help
    std::span<const Example> examples;
    /// Reads the options that only this command has (its ports) into the plan; appends a sentence
    /// to `problems` for each thing wrong. Null where `answer` is not.
    void (*judge)(const Request& request, plan::Plan& plan,
                  std::vector<std::string>& problems) = nullptr;
    /// The whole of a command that runs no plan: from a sound request, and a result that has what
    /// the command line knows, to the exit status.
    int (*answer)(const Request& request, const plan::RunResult& result,
                  const Host& host) = nullptr;
};

extern const CommandInfo kStressCommand;
extern const CommandInfo kGenerateCommand;
extern const CommandInfo kSinkCommand;
extern const CommandInfo kReflectCommand;
extern const CommandInfo kFarCommand;
extern const CommandInfo kPortsCommand;

/// Headings of the list of commands, in its order.
std::span<const std::string_view> command_groups();

/// Every command of this version, in the order of the help.
std::span<const CommandInfo* const> commands();
const CommandInfo* find_command(std::string_view name);

}  // namespace barewire::cli
