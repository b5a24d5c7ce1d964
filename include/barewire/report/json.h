// SPDX-License-Identifier: BSD-3-Clause
// A result as JSON, schema barewire.result/1: docs/result.md says what each key means,
// docs/result.schema.json what it may hold. Every other report is made from this.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "barewire/plan/result.h"

namespace barewire::report {

using Json = nlohmann::ordered_json;

/// Name and version of the format; it changes when a key changes its meaning or goes.
inline constexpr const char* kResultSchema = "barewire.result/1";

/// Keys in the order of docs/result.md. What could not be known, and what is not a finite number,
/// is null.
Json to_json(const plan::RunResult& result);

/// Parts of it, as the two ends of a run tell each other.
Json to_json(const plan::TrialResult& trial);
Json to_json(const plan::Environment& environment);

/// One object, indented by two, ending in a newline. Never throws for what a string holds: bytes
/// that are not UTF-8 (a file's name can have them) become U+FFFD.
std::string serialize(const Json& json);

}  // namespace barewire::report
