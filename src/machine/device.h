// SPDX-License-Identifier: BSD-3-Clause
// What one interface's driver tells through ethtool's requests.
#pragma once

#include <string>

#include "barewire/machine/interfaces.h"

namespace barewire::machine {

/// Asks on `socket`, any socket; what the driver does not answer stays empty.
Device read_device(int socket, const std::string& interface);

}  // namespace barewire::machine
