// SPDX-License-Identifier: BSD-3-Clause
// One line a trial, for spreadsheets: columns as in docs/result.md.
#pragma once

#include <string>

#include "barewire/report/json.h"

namespace barewire::report {

/// A header and a line for each trial and direction (RFC 4180, but lines end in "\n"). What is
/// null in the JSON is empty here.
std::string to_csv(const Json& result);

}  // namespace barewire::report
