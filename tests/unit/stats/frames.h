// SPDX-License-Identifier: BSD-3-Clause
// Probe frames for tests of the receiver: built whole, then damaged bit by bit.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "barewire/wire/frame_template.h"

namespace barewire::stats {

using Frame = std::vector<uint8_t>;

inline constexpr uint32_t kRun = 0x7F3A91C2;
inline constexpr wire::ProbeAddresses kAddresses{
    {2, 0, 0, 0, 0, 0xA}, {2, 0, 0, 0, 0, 0xB}, 0xC6120001, 0xC6130001, 49152, 49184};

/// Frames of one size.
class FrameFactory {
  public:
    FrameFactory(uint32_t frame_size, bool crc) : frame_size_(frame_size), crc_(crc) {}

    Frame make(const wire::ProbeIdentity& identity, uint64_t sequence, Ns departure = 0) {
        const auto key = std::pair(identity.run, identity.trial << 8 | identity.stream);
        const auto found =
            templates_.try_emplace(key, frame_size_, kAddresses, identity, crc_).first;
        const wire::FrameTemplate& made = found->second;
        Frame frame(made.bytes().begin(), made.bytes().end());
        const auto low = static_cast<uint32_t>(sequence);
        const auto at = static_cast<uint32_t>(departure);
        if (crc_) {
            made.stamp<true, false>(frame.data(), made.flow_stamp(0), low, at);
        } else {
            made.stamp<false, false>(frame.data(), made.flow_stamp(0), low, at);
        }
        return frame;
    }

  private:
    uint32_t frame_size_;
    bool crc_;
    std::map<std::pair<uint32_t, int>, wire::FrameTemplate> templates_;
};

inline Frame flip(Frame frame, size_t bit) {
    frame[bit / 8] = static_cast<uint8_t>(frame[bit / 8] ^ (0x80U >> (bit % 8)));
    return frame;
}

}  // namespace barewire::stats
