// SPDX-License-Identifier: BSD-3-Clause
// Files named by the user.
#include "files.h"

#include <cerrno>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace barewire::cli {
namespace {

std::string error_text(int code) {
    return std::generic_category().message(code);
}

/// Access by the effective user: a set-uid copy is judged by what it may do.
bool may(const std::string& path, int mode) {
    return faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) == 0;
}

/// A file that is yet to be made. Only making it tells: root passes every check of permissions,
/// also where nothing can be made (/proc).
std::optional<std::string> why_not_creatable(const std::string& path) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return errno == EEXIST ? "a symbolic link to nowhere" : error_text(errno);
    close(file);
    unlink(path.c_str());
    return std::nullopt;
}

}  // namespace

std::optional<std::string> why_unreadable(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return error_text(errno);
    if (S_ISDIR(status.st_mode)) return "a folder, not a file";
    if (!may(path, R_OK)) return error_text(errno);
    return std::nullopt;
}

std::optional<std::string> why_unwritable(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) {
        return errno == ENOENT ? why_not_creatable(path) : error_text(errno);
    }
    if (S_ISDIR(status.st_mode)) return "a folder, not a file";
    if (!may(path, W_OK)) return error_text(errno);
    if (!S_ISREG(status.st_mode)) return std::nullopt;  // opening a FIFO would wait for its reader
    const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (file < 0) return error_text(errno);
    close(file);
    return std::nullopt;
}

bool same_file(const std::string& a, const std::string& b) {
    if (a == b) return true;
    std::error_code error;
    return std::filesystem::equivalent(a, b, error);
}

}  // namespace barewire::cli
