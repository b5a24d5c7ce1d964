// SPDX-License-Identifier: BSD-3-Clause
// Writes a report where the user wants it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace barewire::report {

/// Puts `text` into the file `path`, "-" being standard output. A file is replaced as a whole, so
/// that a reader, or a full disk, never meets half of it; what cannot be replaced (a pipe, a
/// device, another user's file, a folder that is not ours) is written in place. A symbolic link
/// stays one. Returns why it failed, naming the path, or nothing.
std::optional<std::string> write_report(const std::string& path, std::string_view text);

}  // namespace barewire::report
