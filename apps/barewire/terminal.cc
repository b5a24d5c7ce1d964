// SPDX-License-Identifier: BSD-3-Clause
// Terminals.
#include "terminal.h"

#include <sys/ioctl.h>

#include <unistd.h>

namespace barewire::cli {

bool is_terminal(FILE* stream) {
    return isatty(fileno(stream)) == 1;
}

size_t columns_of(FILE* stream) {
    constexpr size_t kUsual = 80;
    winsize size{};
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsual;
    return size.ws_col;
}

}  // namespace barewire::cli
