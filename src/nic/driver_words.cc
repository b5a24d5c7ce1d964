// SPDX-License-Identifier: BSD-3-Clause
// Listening to drivers.
#include "driver_words.h"

#include <algorithm>
#include <array>
#include <sys/mman.h>

#include <fcntl.h>
#include <unistd.h>

#include "barewire/nic/eal.h"

namespace barewire::nic {

SilencedStderr::SilencedStderr()
    : saved_(fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)), kept_(memfd_create("stderr", MFD_CLOEXEC)) {
    if (saved_ < 0) return;
    if (kept_ < 0) kept_ = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (kept_ >= 0) dup2(kept_, STDERR_FILENO);
}

SilencedStderr::~SilencedStderr() {
    if (saved_ >= 0) {
        dup2(saved_, STDERR_FILENO);
        close(saved_);
    }
    if (kept_ >= 0) close(kept_);
}

std::string SilencedStderr::text() const {
    std::string words(64 << 10, '\0');
    const ssize_t length = pread(kept_, words.data(), words.size(), 0);
    words.resize(length > 0 ? static_cast<size_t>(length) : 0);
    return words;
}

DriverWords::DriverWords() : log_begin_(eal_log().size()) {}

std::string DriverWords::quote() const {
    const std::string log = eal_log();
    std::string words = log.substr(std::min(log_begin_, log.size()));
    words = one_line(words + stderr_.text());
    return words.empty() ? words : "; DPDK says: " + words;
}

std::string one_line(std::string text) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) text.replace(at, 1, "; ");
    return text;
}

}  // namespace barewire::nic
