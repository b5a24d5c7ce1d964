// SPDX-License-Identifier: BSD-3-Clause
// The 18 bytes by which a sink knows a frame: run, trial, stream, sequence and intended departure.
#pragma once

#include <cstddef>
#include <cstdint>

#include "barewire/wire/big_endian.h"
#include "barewire/wire/bytes.h"

namespace barewire::wire {

/// First payload bytes of a probe frame.
inline constexpr uint32_t kProbeMagic = 0xBA4E317E;
/// First payload bytes of a control frame (hello, plan, start and end of trial, counters).
inline constexpr uint32_t kControlMagic = 0xBA4EC791;
/// First bytes after the Ethernet header of a learning frame (wire/learning.h).
inline constexpr uint32_t kLearningMagic = 0xBA4E1EA2;

/// As it stands in the payload. A 64-byte frame (Ethernet, IPv4, UDP) has exactly this much room.
struct Signature {
    be32_t magic;
    be32_t run;
    be32_t sequence;   ///< low 32 bits; the sink extends it
    be32_t departure;  ///< intended departure in ns since the run's epoch, low 32 bits
    uint8_t trial;     ///< low 8 bits; 0 is the warm-up
    uint8_t stream;    ///< stream space: one sender's sequence
};
inline constexpr size_t kSignatureSize = 18;
static_assert(sizeof(Signature) == kSignatureSize && alignof(Signature) == 1);
static_assert(offsetof(Signature, stream) == 17);

/// Bytes before the payload of an untagged Ethernet/IPv4/UDP frame.
inline constexpr size_t kProbeOffset = 14 + 20 + 8;
/// Frames from this size on carry a CRC32C in their last four payload bytes (--payload-check);
/// below, the UDP checksum is the check.
inline constexpr uint32_t kMinCrcFrameSize = 68;

/// Magic and run as the first eight payload bytes hold them: one comparison knows a frame.
class SignatureKey {
  public:
    explicit constexpr SignatureKey(uint32_t run) noexcept
        : raw_(be64_t(uint64_t{kProbeMagic} << 32 | run).raw()) {}
    /// The untagged frame is a probe of this run. `frame` has kProbeOffset + kSignatureSize bytes
    /// at least.
    [[nodiscard]] bool names(const uint8_t* frame) const noexcept {
        return load<uint64_t>(frame, kProbeOffset) == raw_;
    }

  private:
    uint64_t raw_;
};

/// The signature of an untagged probe frame, kProbeOffset + kSignatureSize bytes at least.
[[nodiscard]] inline Signature signature_of(const uint8_t* frame) noexcept {
    return load<Signature>(frame, kProbeOffset);
}

}  // namespace barewire::wire
