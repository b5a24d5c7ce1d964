// SPDX-License-Identifier: BSD-3-Clause
// Every text that answers "how do I use this": pure functions, at most 80 columns.
#pragma once

#include <string>
#include <string_view>

#include "command.h"

namespace barewire::cli {

/// What bare `barewire` prints: five commands to try.
std::string first_steps();
/// What `barewire --help` prints: the commands by what they are for.
std::string overview();
/// What `barewire COMMAND --help` prints.
std::string command_help(const CommandInfo& command);
/// docs/defaults.md: every option with its default, as Markdown.
std::string defaults_page();
/// One sentence for a word that is no command of this version.
std::string unknown_command(std::string_view typed);

}  // namespace barewire::cli
