// SPDX-License-Identifier: BSD-3-Clause
// --expect: comparisons that must hold in every trial, or the run fails.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "barewire/plan/plan.h"
#include "barewire/plan/result.h"

namespace barewire::plan {

/// Names that an expectation may compare:
/// - frames: lost, intended, offered, unsent, received, surplus, duplicated, reordered, corrupted,
///   foreign, stale; and stalls (their number)
/// - shares ("0.1%", "1e-3"): loss (lost of offered), line-rate (received, else sent, L1 rate over
///   the line's speed)
/// - frames a second ("14Mpps", "14M"): fps; bits a second ("9Gbps"): l1, l2; all received, else
///   sent. l1 with a share ("l1>=99.9%") is line-rate
/// - durations ("20us") of latency: min, mean, p50, p90, p99, p999, max; jitter; lateness-p99
std::vector<std::string_view> expectation_figures();

/// "loss=0,l1>=99.9%,p99<=20us": comma separated, with = < > <= >=, blanks allowed around each
/// part. Appends one sentence to `problems` for each that is wrong, 16 at most; it begins with the
/// expectation as typed.
std::vector<Expectation> parse_expect(std::string_view text, std::vector<std::string>& problems);

/// Empty if the trial meets the expectation, else one sentence that says how it does not. A figure
/// that could not be known is not met.
std::optional<std::string> evaluate_expectation(const Expectation& expectation,
                                                const TrialResult& trial);

}  // namespace barewire::plan
