// SPDX-License-Identifier: BSD-3-Clause
// The way of every command: parse, judge, run, evaluate, report.
#pragma once

#include <string>
#include <vector>

#include "host.h"

namespace barewire::cli {

/// The whole program: `args` is argv as given, the program's name included. Returns the exit
/// status.
int run_program(const std::vector<std::string>& args, const Host& host);

}  // namespace barewire::cli
