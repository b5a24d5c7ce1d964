// SPDX-License-Identifier: BSD-3-Clause
// Assertions: BW_CHECK is always on, BW_DCHECK only where NDEBUG is not set (not in hot loops
// of a release build).
#pragma once

#include <cstdio>
#include <cstdlib>

namespace barewire {

/// Ends the process with the place and the broken expectation; a bug, never a user's mistake.
[[noreturn]] inline void check_failed(const char* expression, const char* file, int line) {
    std::fprintf(stderr, "barewire: bug: %s does not hold (%s:%d)\n", expression, file, line);
    std::abort();
}

}  // namespace barewire

#define BW_CHECK(expression)                                           \
    do {                                                               \
        if (!(expression)) [[unlikely]]                                \
            ::barewire::check_failed(#expression, __FILE__, __LINE__); \
    } while (false)

#ifdef NDEBUG
#define BW_DCHECK(expression) static_cast<void>(0)
#else
#define BW_DCHECK(expression) BW_CHECK(expression)
#endif
