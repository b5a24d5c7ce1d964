// SPDX-License-Identifier: BSD-3-Clause
// Control frames: pieces of the messages by which two ends of barewire agree on what to do, and
// their acknowledgements. Byte by byte in docs/control.md, a contract between versions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "barewire/base/knobs.h"
#include "barewire/wire/big_endian.h"
#include "barewire/wire/checksum.h"
#include "barewire/wire/ethernet.h"
#include "barewire/wire/signature.h"

namespace barewire::wire {

/// Every control frame, FCS included.
inline constexpr uint32_t kControlFrameSize = 128;
/// Every control frame in a buffer, untagged.
inline constexpr size_t kControlLength = kControlFrameSize - kFcsSize;
inline constexpr uint8_t kControlVersion = 1;

enum class ControlKind : uint8_t {
    segment = 1,       ///< of a message; the receiver answers with one of the two below
    announcement = 2,  ///< a segment that nobody has to answer
    acknowledgement = 3,
    completion = 4,  ///< acknowledges the whole message: it was delivered
};

/// As it stands at the start of the payload; text, zeros and a CRC32C follow.
struct ControlHeader {
    be32_t magic;  ///< kControlMagic
    uint8_t version;
    uint8_t kind;
    be16_t length;  ///< bytes of text
    be32_t session;
    be32_t receipt;
    be32_t message;
    be16_t segment;
    be16_t segments;
};
static_assert(sizeof(ControlHeader) == 24 && alignof(ControlHeader) == 1);
static_assert(offsetof(ControlHeader, message) == 16 && offsetof(ControlHeader, segments) == 22);

/// Text in one segment: each but the last of a message is full.
inline constexpr size_t kControlText =
    kControlLength - kProbeOffset - sizeof(ControlHeader) - kPayloadCrcSize;
static_assert(kControlText == 54);

/// Where a control frame says that it comes from and goes to above Ethernet; host order. The
/// defaults are the probes' (RFC 2544 appendix C).
struct ControlPath {
    uint32_t src_ip = 0xC6120001;  ///< 198.18.0.1
    uint32_t dst_ip = 0xC6130001;  ///< 198.19.0.1
    uint16_t src_port = 49152;
    uint16_t dst_port = 49184;
};

/// A control frame's content, host order.
struct ControlFrame {
    MacAddress dst{}, src{};
    ControlKind kind = ControlKind::segment;
    uint32_t session = 0;     ///< of the message's sender, also in what acknowledges it
    uint32_t receipt = 0;     ///< in what acknowledges: which attempt at assembly holds the segment
    uint32_t message = 0;     ///< number, within the session
    uint16_t segment = 0;     ///< under `segments`
    uint16_t segments = 1;    ///< of the message
    std::string_view text{};  ///< kControlText bytes, fewer in the last segment; none in an answer
};

/// The untagged frame with valid checksums. `frame` is as parse_control_frame would return it.
std::array<uint8_t, kControlLength> build_control_frame(const ControlFrame& frame,
                                                        const ControlPath& path = {}) noexcept;

/// The version of a whole control frame, whichever it is; empty for a damaged one and for any
/// other frame. IP and UDP checksums are not looked at: the CRC32C covers MAC addresses and
/// payload.
std::optional<uint8_t> control_version(std::span<const uint8_t> frame) noexcept;

/// Empty unless it is a whole control frame of kControlVersion, with up to two tags. `text` points
/// into `frame`.
std::optional<ControlFrame> parse_control_frame(std::span<const uint8_t> frame) noexcept;

}  // namespace barewire::wire
