// SPDX-License-Identifier: BSD-3-Clause
// What the embedded wire does to each frame. State and arithmetic only: no clock, no buffers; the
// port carries the decisions out (nic/wire_port.cc), simulated time does in tests.
#pragma once

#include <array>
#include <cstdint>

#include "barewire/base/knobs.h"
#include "barewire/link/wire_spec.h"
#include "barewire/plan/result.h"

namespace barewire::link {

enum class Fate : uint8_t {
    pass,
    lose,
    duplicate,
    hold,
    corrupt,
    corrupt_any,
    truncate,
};

/// In which state a frame leaves for the far end.
enum class Delivery : uint8_t { whole, damaged, held };

struct Decision {
    Fate fate = Fate::pass;
    /// corrupt, corrupt_any: bit to flip, counted from the first bit of the frame;
    /// truncate: bytes (of the buffer, without FCS) that remain. Else 0.
    uint32_t detail = 0;
};

/// The finaliser of a 64-bit mixing function: each input bit changes each output bit with a
/// probability of nearly a half (constants: David Stafford's variant 13 of MurmurHash3's).
constexpr uint64_t mix64(uint64_t x) noexcept {
    x ^= x >> 30;
    x *= 0xBF58476D1CE4E5B9ULL;
    x ^= x >> 27;
    x *= 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

/// One way of the wire as one sending queue sees it. A stream enters by one queue only, so no
/// state is shared. Counters: written by the sending worker, read after the drain.
class WireModel {
  public:
    /// `direction`: 0 is a to b. `streams`: stream spaces of the run, 1 to 256.
    WireModel(const WireDirection& spec, uint64_t seed, uint8_t direction, uint32_t streams);

    /// A new trial: streams start at sequence 0, counts at 0.
    void begin_trial(uint32_t trial) noexcept;

    /// Fate of the probe frame `sequence` (64-bit, from 0) of `stream`; `length` is the buffer's
    /// (no FCS, at least 60), `l3_length` what follows the Ethernet header and up to two tags.
    /// Drawn from (seed, trial, direction, sequence x streams + stream): the frame's place in the
    /// whole schedule, so that the number of senders changes nothing. Counts every fate but
    /// `hold`, whose outcome deliver() counts. `corrupt` passes a 64-byte frame by: it has no
    /// payload after the signature.
    Decision decide(uint32_t stream, uint64_t sequence, uint32_t length,
                    uint32_t l3_length) noexcept {
        ++counts_.entered;
        Stream& state = stream_[stream % kMaxStreams];
        const uint64_t draw = mix64(key_ + (sequence * streams_ + stream) * kWeyl);
        if (draw >= until_truncate_ && state.burst_left == 0 && length <= most_length_ &&
            l3_length <= most_l3_length_) [[likely]] {
            return {};
        }
        return strike(state, draw, length, l3_length);
    }

    /// A frame that carries no probe signature: only mtu and max-frame apply.
    Decision decide_other(uint32_t length, uint32_t l3_length) noexcept;

    /// To be called for each frame as it leaves for the far end, in the order of leaving: counts
    /// delivered frames (duplicates too), and a held one as reordered if a later, undamaged frame
    /// of its stream left before it: the far end believes no damaged frame's sequence.
    void deliver(uint32_t stream, uint64_t sequence, Delivery delivery) noexcept {
        ++counts_.delivered;
        if (delivery == Delivery::damaged) return;
        uint64_t& highest_plus_1 = stream_[stream % kMaxStreams].highest_delivered_plus_1;
        if (sequence >= highest_plus_1) {
            highest_plus_1 = sequence + 1;
        } else if (delivery == Delivery::held) {
            ++counts_.reordered;
        }
    }
    void deliver_other() noexcept { ++counts_.delivered; }

    [[nodiscard]] const WireDirection& spec() const noexcept { return spec_; }
    [[nodiscard]] const plan::WireCounts& counts() const noexcept { return counts_; }

  private:
    struct Stream {
        uint64_t highest_delivered_plus_1 = 0;
        uint32_t burst_left = 0;
    };
    /// Odd, and as irregular in binary as the golden ratio: spreads consecutive inputs (Weyl).
    static constexpr uint64_t kWeyl = 0x9E3779B97F4A7C15ULL;

    bool fits(uint32_t length, uint32_t l3_length) noexcept;
    Decision strike(Stream& state, uint64_t draw, uint32_t length, uint32_t l3_length) noexcept;
    Decision damage(uint64_t draw, uint32_t length) noexcept;

    WireDirection spec_;
    uint32_t most_length_ = ~0U;     // of a buffer, by max-frame
    uint32_t most_l3_length_ = ~0U;  // by mtu
    // A draw is uniform over 64 bits; each impairment has the interval up to its threshold.
    uint64_t until_lose_, until_burst_, until_duplicate_, until_hold_, until_corrupt_;
    uint64_t until_corrupt_any_, until_truncate_;
    uint64_t key_ = 0;  // of seed, direction and trial
    uint64_t seed_;
    uint8_t direction_;
    uint32_t streams_;
    plan::WireCounts counts_;
    std::array<Stream, kMaxStreams> stream_{};
};

}  // namespace barewire::link
