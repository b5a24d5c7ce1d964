// SPDX-License-Identifier: BSD-3-Clause
// The end of a command: the result to every place that was asked for, and the exit status.
#pragma once

#include "barewire/plan/result.h"

#include "host.h"
#include "request.h"

namespace barewire::cli {

/// A request that was refused: one line a problem on standard error, the result as JSON if a file
/// for it was named. Nothing is saved.
int finish_refused(const plan::RunResult& result, const Request& request, const Host& host);

/// A run that took place: saved, written as JSON and CSV, shown as a page. A run whose report
/// could not be written has failed.
int finish_run(const plan::RunResult& result, const Request& request, const Host& host);

}  // namespace barewire::cli
