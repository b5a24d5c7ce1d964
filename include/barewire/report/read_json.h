// SPDX-License-Identifier: BSD-3-Clause
// Parts of a result back from JSON: what the far end of a run tells. Outside bytes, so nothing is
// believed: what is missing or of the wrong kind reads as not known.
#pragma once

#include "barewire/plan/result.h"
#include "barewire/report/json.h"

namespace barewire::report {

/// Most elements of a list that are read; more are left out.
inline constexpr size_t kMostElements = 4096;

/// What to_json() wrote. Text is cut at 256 bytes and made printable; never throws.
plan::TrialResult read_trial(const Json& json) noexcept;
plan::Environment read_environment(const Json& json) noexcept;

}  // namespace barewire::report
