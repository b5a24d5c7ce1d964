// SPDX-License-Identifier: BSD-3-Clause
// Whether a stream is a terminal, and how wide.
#pragma once

#include <cstddef>
#include <cstdio>

namespace barewire::cli {

bool is_terminal(FILE* stream);

/// Columns of the terminal, 80 where it is none or does not say.
size_t columns_of(FILE* stream);

}  // namespace barewire::cli
