// SPDX-License-Identifier: BSD-3-Clause
// Replaces a file as a whole, or writes in place what cannot be replaced.
#include "barewire/report/file.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sys/stat.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace barewire::report {
namespace {

/// True if all of `text` went out; else errno says why not.
bool write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t done = ::write(fd, text.data(), text.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        text.remove_prefix(static_cast<size_t>(done));
    }
    return true;
}

/// Opens, writes and closes; 0 or the error's number.
int write_to(const std::string& path, int flags, std::string_view text) {
    constexpr mode_t kReadWriteForAll = 0666;  // less the umask
    const int fd = ::open(path.c_str(), flags | O_WRONLY | O_CREAT | O_CLOEXEC, kReadWriteForAll);
    if (fd < 0) return errno;
    int error = write_all(fd, text) ? 0 : errno;
    if (::close(fd) != 0 && error == 0) error = errno;
    return error;
}

/// Whether a new file may take the place of what is at `path`: nothing yet, or a plain file of
/// ours with this one name.
bool replaceable(const std::string& path) {
    struct stat now {};
    if (::stat(path.c_str(), &now) != 0) return errno == ENOENT;
    return S_ISREG(now.st_mode) && now.st_uid == ::geteuid() && now.st_nlink == 1;
}

/// The file that `path` leads to through symbolic links.
std::string resolved(const std::string& path) {
    const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr),
                                                           &std::free);
    return real ? std::string(real.get()) : path;
}

/// 0 if the file is replaced. Otherwise nothing has changed.
int replace(const std::string& path, std::string_view text) {
    const std::string part = fmt::format("{}.{}.part", path, ::getpid());
    int error = write_to(part, O_EXCL, text);
    if (error == EEXIST) return error;
    struct stat now {};
    if (error == 0 && ::stat(path.c_str(), &now) == 0) ::chmod(part.c_str(), now.st_mode & 07777);
    if (error == 0 && ::rename(part.c_str(), path.c_str()) != 0) error = errno;
    if (error != 0) ::unlink(part.c_str());
    return error;
}

bool dangling_link(const std::string& path) {
    struct stat link {};
    struct stat target {};
    return ::lstat(path.c_str(), &link) == 0 && S_ISLNK(link.st_mode) &&
           ::stat(path.c_str(), &target) != 0;
}

}  // namespace

std::optional<std::string> write_report(const std::string& path, std::string_view text) {
    int error = 0;
    if (path == "-") {
        if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() ||
            std::fflush(stdout) != 0) {
            error = errno;
        }
        if (error == 0) return std::nullopt;
        return fmt::format("cannot write to standard output: {}", std::strerror(error));
    }
    const std::string target = resolved(path);
    const bool whole = replaceable(target) && !dangling_link(path);
    if (whole) error = replace(target, text);
    // The folder is not ours, or the longer name is too long: the file itself may still be open to
    // us. A full disk is full for both.
    if (!whole || error == EACCES || error == EPERM || error == EEXIST || error == ENAMETOOLONG) {
        error = write_to(path, O_TRUNC, text);
    }
    if (error == 0) return std::nullopt;
    return fmt::format("cannot write {}: {}", path, std::strerror(error));
}

}  // namespace barewire::report
