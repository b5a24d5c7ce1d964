// SPDX-License-Identifier: BSD-3-Clause
// A received frame, of which nothing is believed: parsed once, every read within its bytes. For
// frames that the sink's one comparison did not recognise, and for checks that cost a pass.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "barewire/wire/ethernet.h"
#include "barewire/wire/frame_class.h"
#include "barewire/wire/ipv4.h"
#include "barewire/wire/signature.h"
#include "barewire/wire/udp.h"

namespace barewire::wire {

class FrameView {
  public:
    /// `frame`: the buffer, without FCS. It has to outlive the view.
    explicit FrameView(std::span<const uint8_t> frame) noexcept;

    /// Where what follows the Ethernet header and up to two tags begins; the frame's length if it
    /// ends before.
    [[nodiscard]] uint32_t l3_offset() const noexcept { return l3_offset_; }
    /// Bytes from there on: what an MTU limits.
    [[nodiscard]] uint32_t l3_length() const noexcept {
        return static_cast<uint32_t>(frame_.size()) - l3_offset_;
    }
    /// Of what follows, in host order; 0 for a runt, a tag's own where more tags follow.
    [[nodiscard]] uint16_t ethertype() const noexcept { return ethertype_; }
    /// Well-formed headers of our own kind: IPv4 without options, not a fragment, UDP.
    [[nodiscard]] bool ipv4_udp() const noexcept { return ipv4_udp_; }

    /// The probe signature, if the 18 bytes where it belongs are there and begin with kProbeMagic:
    /// also where a bit of the headers before it was damaged (ipv4_udp() tells).
    [[nodiscard]] const std::optional<Signature>& signature() const noexcept { return signature_; }
    /// Headers that say the length of a datagram, and both say the bytes that are here: no more,
    /// no less. (Probes are never padded.)
    [[nodiscard]] bool lengths_agree() const noexcept { return lengths_agree_; }
    /// The IPv4 header checksum holds. Sums at each call.
    [[nodiscard]] bool ip_checksum_valid() const noexcept;
    /// The UDP checksum is there and holds. Sums at each call.
    [[nodiscard]] bool udp_checksum_valid() const noexcept;
    /// UDP payload as far as the stated length and the frame reach; empty where !ipv4_udp().
    [[nodiscard]] std::span<const uint8_t> payload() const noexcept;

    /// What to count the frame as, when it is none of this run's: a signature is another run's.
    [[nodiscard]] FrameClass frame_class() const noexcept;

  private:
    void skip_tags() noexcept;
    void parse_datagram() noexcept;

    std::span<const uint8_t> frame_;
    std::optional<Signature> signature_;
    uint32_t l3_offset_ = 0;
    uint32_t stated_udp_length_ = 0;
    uint16_t ethertype_ = 0;
    bool ipv4_udp_ = false;
    bool lengths_agree_ = false;
};

/// Bytes after the Ethernet header and up to two tags; 0 for a runt. For a sender that knows its
/// frames no tag is the common case.
[[nodiscard]] inline uint32_t l3_length(std::span<const uint8_t> frame) noexcept {
    const auto ethernet = read_at<EthernetHeader>(frame, 0);
    if (ethernet && !is_vlan(ethernet->type.value())) [[likely]] {
        return static_cast<uint32_t>(frame.size() - sizeof(EthernetHeader));
    }
    return FrameView(frame).l3_length();
}

}  // namespace barewire::wire
