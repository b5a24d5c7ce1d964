// SPDX-License-Identifier: BSD-3-Clause
// One file a run: <folder>/<run id>.json.
#include "barewire/machine/saved_runs.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <sys/random.h>
#include <sys/stat.h>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

namespace barewire::machine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExtension = ".json";
constexpr size_t kIdLength = 8;

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

fs::path home_folder() {
    if (std::string home = environment("HOME"); !home.empty()) return home;
    passwd entry{};
    passwd* found = nullptr;
    std::vector<char> room(16384);
    getpwuid_r(geteuid(), &entry, room.data(), room.size(), &found);
    return found == nullptr || found->pw_dir == nullptr ? "" : found->pw_dir;
}

/// Makes `folder` and those above it that are missing, 0700. Zero or the error's number.
int make_folders(const fs::path& folder) {
    constexpr mode_t kOwnerOnly = 0700;
    fs::path at;
    for (const fs::path& step : folder) {
        at /= step;
        if (::mkdir(at.c_str(), kOwnerOnly) != 0 && errno != EEXIST) {
            // A parent that exists may refuse for another reason (read-only): try the next.
            const int error = errno;
            std::error_code none;
            if (!fs::is_directory(at, none)) return error;
        }
    }
    return 0;
}

/// Writes all of `text` to a new file of the user's alone. Zero or the error's number.
int write_new(const fs::path& path, std::string_view text) {
    constexpr mode_t kOwnerOnly = 0600;
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kOwnerOnly);
    if (fd < 0) return errno;
    int error = 0;
    while (error == 0 && !text.empty()) {
        const ssize_t done = ::write(fd, text.data(), text.size());
        if (done >= 0) {
            text.remove_prefix(static_cast<size_t>(done));
        } else if (errno != EINTR) {
            error = errno;
        }
    }
    if (::close(fd) != 0 && error == 0) error = errno;
    return error;
}

struct Saved {
    fs::file_time_type time;
    std::string id;
};

/// The runs of a folder, the newest first. What vanishes meanwhile is left out.
std::vector<Saved> list(const fs::path& folder) {
    std::vector<Saved> runs;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (at->path().extension() != kExtension) continue;
        const std::string id = at->path().stem().string();
        std::error_code gone;
        const auto time = fs::last_write_time(at->path(), gone);
        if (valid_run_id(id) && !gone) runs.push_back({time, id});
    }
    std::sort(runs.begin(), runs.end(), [](const Saved& a, const Saved& b) {
        return std::tie(b.time, b.id) < std::tie(a.time, a.id);
    });
    return runs;
}

fs::path file_of(const fs::path& folder, std::string_view id) {
    return folder / fmt::format("{}{}", id, kExtension);
}

std::string not_saved(const fs::path& path, int error) {
    return fmt::format("the run is not saved: {}: {}", path.string(), std::strerror(error));
}

}  // namespace

fs::path saved_runs_folder() {
    const fs::path state = environment("XDG_STATE_HOME");
    if (state.is_absolute()) return state / "barewire/runs";
    const fs::path home = home_folder();
    return home.is_absolute() ? home / ".local/state/barewire/runs" : fs::path();
}

std::string new_run_id() {
    uint32_t id = 0;
    while (id == 0) {
        if (::getrandom(&id, sizeof id, 0) != static_cast<ssize_t>(sizeof id)) {
            id = std::random_device{}();
        }
    }
    return fmt::format("{:08x}", id);
}

bool valid_run_id(std::string_view id) {
    return id.size() == kIdLength &&
           id.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::optional<std::string> SavedRuns::save(std::string_view id, std::string_view text) const {
    if (!valid_run_id(id)) return fmt::format("the run is not saved: '{}' is no run id", id);
    if (folder_.empty()) {
        return "the run is not saved: no home folder; set XDG_STATE_HOME to a folder of yours";
    }
    if (const int error = make_folders(folder_); error != 0) return not_saved(folder_, error);
    const fs::path part = folder_ / fmt::format("{}.{}.part", id, ::getpid());
    int error = write_new(part, text);
    if (error == 0 && ::rename(part.c_str(), file_of(folder_, id).c_str()) != 0) error = errno;
    if (error != 0) {
        ::unlink(part.c_str());
        return not_saved(part, error);
    }
    const std::vector<Saved> runs = list(folder_);
    for (size_t i = kMostSavedRuns; i < runs.size(); ++i) {
        ::unlink(file_of(folder_, runs[i].id).c_str());
    }
    return std::nullopt;
}

std::optional<std::string> SavedRuns::load(std::string_view id, std::string& why) const {
    if (!valid_run_id(id)) {
        why = fmt::format("'{}' is no run id: those are {} digits of 0-9 and a-f", id, kIdLength);
        return std::nullopt;
    }
    const fs::path path = file_of(folder_, id);
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file.good() && !file.eof()) text.clear();
    if (text.empty()) {
        why = fmt::format("no saved run {} in {}", id, folder_.string());
        return std::nullopt;
    }
    return text;
}

std::vector<std::string> SavedRuns::ids() const {
    std::vector<std::string> ids;
    for (Saved& run : list(folder_)) ids.push_back(std::move(run.id));
    return ids;
}

}  // namespace barewire::machine
