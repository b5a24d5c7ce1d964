// SPDX-License-Identifier: BSD-3-Clause
// The answering ends: `sink`, `reflect` and `far` on a port that others are behind.
#pragma once

#include "barewire/engine/run.h"

namespace barewire::engine {

/// A sink accounts for what comes and ends with the run that it served, a far end takes run after
/// run, a reflector sends messages back; each ends at --for, or when it is stopped. As run().
plan::RunResult answer(const plan::Plan& plan, const RunOptions& options);

}  // namespace barewire::engine
