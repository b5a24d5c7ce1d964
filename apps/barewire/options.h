// SPDX-License-Identifier: BSD-3-Clause
// The one table of options: name, argument, default, group, commands that take it, help text.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace barewire::cli {

/// Bits of OptionInfo::commands.
enum CommandBit : unsigned {
    kStress = 1,
    kGenerate = 2,
    kSink = 4,
    kReflect = 8,
    kFar = 16,
    kPorts = 32,
};

/// Their names, as typed.
inline constexpr std::array<std::pair<CommandBit, std::string_view>, 6> kCommandNames = {
    {{kStress, "stress"},
     {kGenerate, "generate"},
     {kSink, "sink"},
     {kReflect, "reflect"},
     {kFar, "far"},
     {kPorts, "ports"}}};

/// Headings of a command's help, in this order.
enum class OptionGroup : uint8_t { ports, frames, run, report };

struct OptionInfo {
    std::string_view name;
    std::string_view argument;  ///< what the help calls its value; empty: a flag
    /// Default as one would type it. Empty: none, the option does nothing unless given.
    std::string_view fallback;
    OptionGroup group;
    unsigned commands;  ///< bits; a name may stand in several rows for different commands
    std::string_view help;
    /// Value where it stands alone, for an option whose argument may be left out.
    std::string_view alone = {};

    [[nodiscard]] bool flag() const { return argument.empty(); }
};

/// All rows, in the order of the help.
std::span<const OptionInfo> all_options();

/// The rows of the commands in `bits`, each name once.
std::vector<OptionInfo> options_of(unsigned bits);

/// The row of `name` for a command, or nullptr.
const OptionInfo* find_option(std::string_view name, unsigned bits);

/// Heading of a group.
std::string_view group_title(OptionGroup group);

}  // namespace barewire::cli
