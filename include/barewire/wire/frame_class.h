// SPDX-License-Identifier: BSD-3-Clause
// What a received frame is, when it is not a probe of this run: a bounded set of classes, their
// names in results, and a count of each that allocates nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace barewire::wire {

enum class FrameClass : uint8_t {
    runt,  ///< shorter than an Ethernet header
    ipv4,  ///< and none of ours
    arp,
    ipv6,
    vlan,  ///< more than two tags, or a tag cut off
    mpls,
    lldp,
    stp,  ///< spanning tree: LLC with both service access points 0x42
    llc,  ///< any other frame with a length in place of an EtherType
    lacp,
    pause,  ///< MAC control: pause and priority pause
    ptp,
    eapol,
    loopback,   ///< 0x9000, a switch's keepalive
    control,    ///< barewire's own control frame
    learning,   ///< barewire's own, by which a switch learns an address
    other_run,  ///< a probe frame, of another run
    unnamed,    ///< any other EtherType
};
inline constexpr size_t kFrameClasses = static_cast<size_t>(FrameClass::unnamed) + 1;

/// As in a result's foreign_by: "ARP", "barewire-control", "other-run"; "other" for unnamed.
std::string_view frame_class_name(FrameClass frame_class) noexcept;

/// The class of an EtherType that names one by itself; unnamed else.
FrameClass class_of_ethertype(uint16_t ethertype) noexcept;

/// Counts by class, and by EtherType for the first kUnnamedSlots unnamed ones. One writer.
class ForeignTally {
  public:
    static constexpr size_t kUnnamedSlots = 16;

    /// `ethertype` in host order; looked at only where the class is unnamed.
    void add(FrameClass frame_class, uint16_t ethertype) noexcept {
        add(frame_class, ethertype, 1);
    }
    void merge(const ForeignTally& other) noexcept;
    [[nodiscard]] uint64_t total() const noexcept;
    /// Names with a count over 0; unnamed EtherTypes as "0x88b5", those beyond the slots as
    /// "other". Allocates: after the run.
    [[nodiscard]] std::map<std::string, uint64_t> by_name() const;

  private:
    struct Unnamed {
        uint64_t count = 0;  // 0: the slot is free
        uint16_t ethertype = 0;
    };
    void add(FrameClass frame_class, uint16_t ethertype, uint64_t count) noexcept;

    std::array<uint64_t, kFrameClasses> by_class_{};  // unnamed: what found no slot
    std::array<Unnamed, kUnnamedSlots> unnamed_{};
};

}  // namespace barewire::wire
