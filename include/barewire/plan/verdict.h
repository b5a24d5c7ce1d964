// SPDX-License-Identifier: BSD-3-Clause
// What limited a run, how that shows, and which command to try next.
#pragma once

#include "barewire/plan/result.h"

namespace barewire::plan {

/// Judged by the figures of `result` alone; `limit` is "unknown" wherever they do not decide it.
/// An entry of `next` is a command that this version understands, "  # " and what it would answer:
/// it can be pasted into a shell as it is.
VerdictResult judge_run(const RunResult& result);

}  // namespace barewire::plan
