// SPDX-License-Identifier: BSD-3-Clause
// What an end of a test link answers by itself, so that a person can see it from the other side:
// ARP requests, pings, and UDP datagrams where asked. A received frame in, the reply out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "barewire/wire/ethernet.h"

namespace barewire::wire {
class FrameView;
}

namespace barewire::host {

/// Answers only what was sent to our own address, from an address that can be answered, whole and
/// with valid checksums; never a broadcast (but for ARP), a multicast, a fragment, a packet with IP
/// options, a control frame or a probe. A reply goes out with the tags of the request. Two ends
/// that both echo UDP never stop, once a third sends a datagram from the one to the other.
class Responder {
  public:
    struct Config {
        wire::MacAddress mac{};
        /// Our address, host order. Empty, for a private test link: every request for any address
        /// is taken as ours, but for those by which a host asks after its own (RFC 5227: from
        /// 0.0.0.0, or for the sender's).
        std::optional<uint32_t> ip;
        bool udp_echo = false;
    };
    struct Counts {
        uint64_t arp = 0, icmp = 0, udp = 0;  ///< frames answered
    };

    explicit Responder(const Config& config) noexcept : config_(config) {}

    /// Writes the reply to `frame` (no FCS) into `reply`, which does not overlap it and has room
    /// for max(frame.size(), 60) bytes. Its length, at least 60 for an ARP reply, else the
    /// frame's; 0 if none is due, or `reply` is too short.
    size_t answer(std::span<const uint8_t> frame, std::span<uint8_t> reply) noexcept;

    [[nodiscard]] const Counts& counts() const noexcept { return counts_; }

  private:
    size_t answer_arp(const wire::FrameView& view, std::span<const uint8_t> frame,
                      std::span<uint8_t> reply) noexcept;
    size_t answer_ipv4(const wire::FrameView& view, std::span<const uint8_t> frame,
                       std::span<uint8_t> reply) noexcept;

    Config config_;
    Counts counts_;
};

}  // namespace barewire::host
