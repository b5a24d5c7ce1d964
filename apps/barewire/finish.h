// SPDX-License-Identifier: BSD-3-Clause
// The end of a command: the result to every place that was asked for, and the exit status.
#pragma once

#include <string>
#include <string_view>

#include "barewire/plan/result.h"
#include "barewire/report/json.h"

#include "host.h"
#include "request.h"

namespace barewire::cli {

/// A request that was refused: one line a problem on standard error, the result as JSON if a file
/// for it was named. Nothing is saved.
int finish_refused(const plan::RunResult& result, const Request& request, const Host& host);

/// What a command without a plan found: written as JSON and shown as a page, not saved. `json` is
/// its whole result.
int finish_answer(const report::Json& json, const Request& request, const Host& host);

/// Writes one report to the file or stream that `option` names, if it names one. Returns false
/// and says so where that failed.
bool deliver(std::string_view option, const std::string& text, const Request& request,
             const Host& host);

/// A run that took place: saved, written as JSON and CSV, shown as a page. A run whose report
/// could not be written has failed.
int finish_run(const plan::RunResult& result, const Request& request, const Host& host);

}  // namespace barewire::cli
