// SPDX-License-Identifier: BSD-3-Clause
// All that this machine tells of what could be a port, as read.
#pragma once

#include <map>
#include <string>

#include "barewire/machine/facts.h"
#include "barewire/machine/interfaces.h"
#include "barewire/machine/pci.h"

namespace barewire::machine {

struct Survey {
    RawNetwork network;
    std::map<std::string, RawPciFunction> pci;  ///< by address
    std::string pci_ids;                        ///< text of pci.ids, may be empty
};

/// Reads it. Never throws for what is missing.
inline Survey survey(const SystemFiles& files = {}) {
    return {.network = read_network(files), .pci = read_pci(files), .pci_ids = read_pci_ids(files)};
}

}  // namespace barewire::machine
