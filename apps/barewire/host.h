// SPDX-License-Identifier: BSD-3-Clause
// What the command line stands on: the engine, the machine, two streams. Tests put in their own.
#pragma once

#include <cstdio>
#include <functional>

#include "barewire/engine/run.h"
#include "barewire/machine/survey.h"
#include "barewire/plan/validate.h"

namespace barewire::cli {

/// Exit statuses: a contract (docs).
enum ExitStatus : int { kDone = 0, kFailed = 1, kBadRequest = 2, kInterrupted = 130 };

struct Host {
    std::function<plan::RunResult(const plan::Plan&, const engine::RunOptions&)> run;
    plan::MachineFacts machine;
    std::function<machine::Survey()> survey = [] { return machine::survey(); };
    FILE* out = stdout;
    FILE* err = stderr;
};

}  // namespace barewire::cli
