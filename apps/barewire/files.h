// SPDX-License-Identifier: BSD-3-Clause
// Files named by the user: judged before a run, without touching them.
#pragma once

#include <optional>
#include <string>

namespace barewire::cli {

/// Why a file at `path` could not be read; empty optional: it can. Opens nothing.
std::optional<std::string> why_unreadable(const std::string& path);

/// Why a file at `path` could not be written; empty optional: it can. Nothing is
/// truncated, and what had to be made to find out is gone again.
std::optional<std::string> why_unwritable(const std::string& path);

/// True if both names lead to the same existing file, or are the same name.
bool same_file(const std::string& a, const std::string& b);

}  // namespace barewire::cli
