// SPDX-License-Identifier: BSD-3-Clause
// The socket through which two memif ends meet: what a crash left behind, and how its rings are
// sized.
#pragma once

#include <cstdint>
#include <string>

#include "barewire/plan/device_choice.h"
#include "barewire/plan/plan.h"

namespace barewire::nic {

/// Before a server makes its socket: removes a file that nobody listens on any more. Throws
/// ConfigError where somebody does, where the file is no socket, or its folder cannot be written.
void make_way_for_socket(const std::string& port, const std::string& path);

/// Memory of a memif: the client makes it for both.
struct MemifRings {
    uint32_t buffer = 2048;    ///< bytes of one slot (bsize)
    uint32_t log2_slots = 10;  ///< rsize
    uint32_t rx_room = 2048;   ///< what receive buffers are to hold
};

/// `whole`: a worker receives, and frames do not go back in the buffers that they came in.
/// `largest_frame`: FCS included, 0: not known.
MemifRings memif_rings(bool server, bool whole, uint32_t largest_frame, uint32_t rx_buffers);

/// "role=client,socket=/run/x,socket-abstract=no,bsize=2048,rsize=10"
std::string memif_arguments(const plan::PortSpec& spec, const MemifRings& rings);

/// Whether the other side of any connection through this socket has closed it.
bool memif_other_side_gone(const std::string& path);

}  // namespace barewire::nic
