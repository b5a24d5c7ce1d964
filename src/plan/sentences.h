// SPDX-License-Identifier: BSD-3-Clause
// How the parsers of this folder word a refusal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "barewire/base/text.h"

namespace barewire::plan {

/// Mistakes of one list that are listed; a reader mends these first.
inline constexpr size_t kMaxListed = 16;

/// Appends "typed: why".
inline void refuse(std::string_view typed, std::string_view why,
                   std::vector<std::string>& problems) {
    problems.push_back(fmt::format("{}: {}", printable(typed), why));
}

/// The same where `problem` is the refusal of a part of what was typed, and begins with that part.
inline void refuse_part(std::string_view typed, std::string_view part, std::string_view problem,
                        std::vector<std::string>& problems) {
    const std::string beginning = printable(part) + ": ";
    if (problem.starts_with(beginning)) problem.remove_prefix(beginning.size());
    refuse(typed, problem, problems);
}

}  // namespace barewire::plan
