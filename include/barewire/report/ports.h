// SPDX-License-Identifier: BSD-3-Clause
// What `barewire ports` reports: its own key of the result, and the raw facts for --record.
#pragma once

#include "barewire/machine/survey.h"
#include "barewire/report/json.h"

namespace barewire::report {

/// The value of the key "ports": docs/result.md.
Json ports_json(const machine::Survey& survey);

/// The facts as read, before anything is concluded: what a test of another machine's ports needs.
Json record_json(const machine::Survey& survey);

}  // namespace barewire::report
