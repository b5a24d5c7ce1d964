// SPDX-License-Identifier: BSD-3-Clause
// Results kept under their run ids, one file each, in the user's state folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace barewire::machine {

/// Runs that are kept; saving one more deletes the oldest.
inline constexpr size_t kMostSavedRuns = 200;

/// $XDG_STATE_HOME/barewire/runs; where that is unset, empty or relative (which the XDG base
/// directory specification says to ignore) ~/.local/state/barewire/runs, home being $HOME, else
/// the password database's. Empty where no home is known.
std::filesystem::path saved_runs_folder();

/// Eight hexadecimal digits, from the kernel's random numbers. Never "00000000".
std::string new_run_id();

/// Eight lower-case hexadecimal digits?
bool valid_run_id(std::string_view id);

/// The runs in one folder. No function throws.
class SavedRuns {
  public:
    explicit SavedRuns(std::filesystem::path folder = saved_runs_folder())
        : folder_(std::move(folder)) {}

    /// Writes `text` as the run `id`, whole or not at all; folders that it makes are the user's
    /// alone (0700), and so is the file. Then deletes the oldest beyond kMostSavedRuns. Returns a
    /// sentence that says why it could not, or nothing: a run never fails for it.
    std::optional<std::string> save(std::string_view id, std::string_view text) const;

    /// Text of the run `id`; on failure nothing, and `why` is a sentence.
    std::optional<std::string> load(std::string_view id, std::string& why) const;

    /// Ids of the runs, the newest first.
    [[nodiscard]] std::vector<std::string> ids() const;

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  private:
    std::filesystem::path folder_;
};

}  // namespace barewire::machine
