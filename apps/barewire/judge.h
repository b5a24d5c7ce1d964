// SPDX-License-Identifier: BSD-3-Clause
// From option values to a Plan: each value parsed, each mistake a sentence with the option's name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "barewire/plan/plan.h"

#include "command.h"
#include "request.h"

namespace barewire::cli {

/// The port that option `name` says.
std::optional<plan::PortSpec> judge_port(const Request& request, std::string_view name,
                                         std::vector<std::string>& problems);

/// The character of the embedded wire that --wire says.
link::WireSpec judge_wire(const Request& request, std::vector<std::string>& problems);

/// The whole plan of a command. Appends to `problems` what cannot be read; what can be read but
/// not be done plan::validate finds. Appends to `notes` what the user may not have meant. Sets
/// `for` to none in `request` where --count replaces it.
plan::Plan judge(const CommandInfo& command, Request& request, std::vector<std::string>& problems,
                 std::vector<std::string>& notes);

/// Files that the request names for reports: they can be written, and are not the same.
std::vector<std::string> judge_reports(const Request& request);

/// Those, and the captures that the plan names.
std::vector<std::string> judge_files(const Request& request, const plan::Plan& plan);

}  // namespace barewire::cli
