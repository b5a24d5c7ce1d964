// SPDX-License-Identifier: BSD-3-Clause
// Every compile-time constant that tunes the program, with the relations between them.
#pragma once

#include <cstdint>

namespace barewire {

/// Smallest frame, FCS included (IEEE 802.3 3.2.7).
inline constexpr uint32_t kMinFrameSize = 64;
/// Largest frame that barewire builds: the IPv4 length field holds 65,535 bytes, a DPDK buffer too.
inline constexpr uint32_t kMaxFrameSize = 65535;
/// Frame check sequence: counted in a frame size (RFC 2544 section 9), never in a buffer.
inline constexpr uint32_t kFcsSize = 4;
/// Preamble, start delimiter and inter-frame gap: what L1 counts per frame beyond its size.
inline constexpr uint32_t kL1Overhead = 20;

/// Frames handed to a port in one call. 32 is DPDK's customary burst.
inline constexpr uint32_t kBurst = 32;
/// Loop turns between two looks at the stop flag and two published snapshots.
inline constexpr uint32_t kHousekeepingTurns = 64;
/// A gap between two turns of a loop longer than this is a stall (docs/measurement.md).
inline constexpr uint64_t kStallNs = 50'000;

/// Stream spaces: the signature has one byte for them.
inline constexpr uint32_t kMaxStreams = 256;
/// Sequences that one stream's window remembers, in frames: 20 ms at 50 Mpps.
inline constexpr uint32_t kSequenceWindow = 1U << 20;
/// Flows that one run may have: each costs 16 bytes at the generator and 64 at each sink.
inline constexpr uint32_t kMaxFlows = 1'000'000;
/// Damaged frames whose place in the sequence is decided late, per sink.
inline constexpr uint32_t kMaxPendingDamaged = 4096;

static_assert((kSequenceWindow & (kSequenceWindow - 1)) == 0, "the window is indexed by a mask");
static_assert((kHousekeepingTurns & (kHousekeepingTurns - 1)) == 0, "turns are counted by a mask");

}  // namespace barewire
