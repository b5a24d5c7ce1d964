// SPDX-License-Identifier: BSD-3-Clause
// The character of the embedded wire (--wire), each way apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "barewire/base/clock.h"

namespace barewire::link {

/// One way of the wire. Probabilities are per frame, 0 to 1, and their sum is at most 1: a frame
/// suffers at most one impairment.
struct WireDirection {
    double loss = 0;
    double burst_loss = 0;
    uint32_t burst_frames = 0;  ///< frames of one stream lost in a row once a burst begins
    double duplicate = 0;
    double reorder = 0;
    uint32_t reorder_frames = 3;    ///< later frames of the stream that overtake a held one
    double corrupt = 0;             ///< one payload bit after the signature flips
    double corrupt_any = 0;         ///< one bit anywhere flips
    double truncate = 0;            ///< the frame's end is cut off
    std::optional<uint32_t> mtu{};  ///< largest number of bytes after the Ethernet header and tags
    std::optional<uint32_t> max_frame{};  ///< largest frame size, FCS included

    /// Neither damages nor drops: frames need not be looked at.
    [[nodiscard]] bool plain() const;
    friend bool operator==(const WireDirection&, const WireDirection&) = default;
};

struct WireSpec {
    WireDirection a_to_b;
    WireDirection b_to_a;
    friend bool operator==(const WireSpec&, const WireSpec&) = default;
};

/// Bounds of the whole numbers in the grammar.
inline constexpr uint32_t kMinMtu = 46;              ///< a 64-byte frame's (IEEE 802.3 3.2.7)
inline constexpr uint32_t kMaxMtu = 65535;           ///< the largest IPv4 datagram (RFC 791)
inline constexpr uint32_t kMaxReorderFrames = 1000;  ///< so that held frames fit a HoldQueue
inline constexpr uint32_t kMaxBurstFrames = 1'000'000;

/// Parses "loss=1e-3,a-to-b.mtu=9000,reorder=1e-4,5"; appends one sentence to `problems` for each
/// thing wrong in it. A key without direction sets both ways; the later one wins. Probabilities
/// are shares ("1e-3", "0.1%"). Empty text is the plain wire. A sentence begins with the setting
/// as typed, so that it reads on after "--wire ".
WireSpec parse_wire(std::string_view text, std::vector<std::string>& problems);

/// The same in canonical form: keys in a fixed order, only what differs from the plain wire, one
/// key for both ways where they agree. parse_wire(to_string(spec)) is `spec` again.
std::string to_string(const WireSpec& spec);

}  // namespace barewire::link
