// SPDX-License-Identifier: BSD-3-Clause
// What each kind of port carries.
#include <limits>

#include "barewire/base/knobs.h"
#include "barewire/nic/port.h"

namespace barewire::nic {

FrameLimit frame_limit(plan::PortKind /*kind*/) {
    // Rings, memif, net_null and capture files take any buffer; the buffer is the limit. What an
    // interface or a NIC carries is known when it is open, and refused then.
    return {kMaxFrameSize, "the 16-bit length of a DPDK buffer"};
}

QueueLimit queue_limit(plan::PortKind kind) {
    switch (kind) {
        case plan::PortKind::pcap:
            return {1, 1, "a capture file is one sequence of frames"};
        case plan::PortKind::null:
            return {64, 64, "net_null's queues"};
        case plan::PortKind::tap:
        case plan::PortKind::memif:
        case plan::PortKind::af_xdp:
        case plan::PortKind::pci:
        case plan::PortKind::dpdk:
            return {kMaxStreams, 64, "workers beyond a device's queues share them"};
        default:
            break;
    }
    return {kMaxStreams, 64, "stream spaces in the signature"};
}

}  // namespace barewire::nic
