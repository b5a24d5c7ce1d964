// SPDX-License-Identifier: BSD-3-Clause
// The list of commands.
#include <algorithm>
#include <array>

#include "command.h"

namespace barewire::cli {

std::span<const CommandInfo* const> commands() {
    static constexpr std::array<const CommandInfo*, 6> kCommands = {
        &kStressCommand,  &kGenerateCommand, &kSinkCommand,
        &kReflectCommand, &kFarCommand,      &kPortsCommand};
    return kCommands;
}

std::span<const std::string_view> command_groups() {
    static constexpr std::array<std::string_view, 6> kGroups = {
        "Measure a path", "Find who is slow", "The other host",
        "Captures",       "Results",          "This machine"};
    return kGroups;
}

const CommandInfo* find_command(std::string_view name) {
    const auto all = commands();
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const CommandInfo* command) { return command->name == name; });
    return found == all.end() ? nullptr : *found;
}

}  // namespace barewire::cli
