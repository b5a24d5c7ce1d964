// SPDX-License-Identifier: BSD-3-Clause
// Names of the frame classes, their EtherTypes, and the tally.
#include "barewire/wire/frame_class.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "barewire/wire/ethernet.h"

namespace barewire::wire {
namespace {

constexpr std::array<std::string_view, kFrameClasses> kNames{
    "runt",
    "IPv4",
    "ARP",
    "IPv6",
    "VLAN",
    "MPLS",
    "LLDP",
    "STP",
    "LLC",
    "LACP",
    "pause",
    "PTP",
    "EAPOL",
    "loopback",
    "barewire-control",
    "barewire-learning",
    "other-run",
    "other",
};

constexpr size_t index_of(FrameClass frame_class) noexcept {
    return static_cast<size_t>(frame_class);
}
static_assert(kNames[index_of(FrameClass::stp)] == "STP");
static_assert(kNames[index_of(FrameClass::control)] == "barewire-control");
static_assert(kNames[index_of(FrameClass::unnamed)] == "other");

}  // namespace

std::string_view frame_class_name(FrameClass frame_class) noexcept {
    return kNames[index_of(frame_class)];
}

FrameClass class_of_ethertype(uint16_t ethertype) noexcept {
    switch (ethertype) {
        case kEtherTypeIpv4:
            return FrameClass::ipv4;
        case kEtherTypeArp:
            return FrameClass::arp;
        case kEtherTypeIpv6:
            return FrameClass::ipv6;
        case kEtherTypeMpls:
        case kEtherTypeMplsUpstream:
            return FrameClass::mpls;
        case kEtherTypeLldp:
            return FrameClass::lldp;
        case kEtherTypeMacControl:
            return FrameClass::pause;
        case kEtherTypePtp:
            return FrameClass::ptp;
        case kEtherTypeEapol:
            return FrameClass::eapol;
        case kEtherTypeLoopback:
            return FrameClass::loopback;
        default:
            return is_vlan(ethertype) ? FrameClass::vlan : FrameClass::unnamed;
    }
}

void ForeignTally::add(FrameClass frame_class, uint16_t ethertype, uint64_t count) noexcept {
    if (frame_class == FrameClass::unnamed) {
        for (Unnamed& slot : unnamed_) {
            if (slot.count != 0 && slot.ethertype != ethertype) continue;
            slot.ethertype = ethertype;
            slot.count += count;
            return;
        }
    }
    by_class_[index_of(frame_class)] += count;
}

void ForeignTally::merge(const ForeignTally& other) noexcept {
    for (size_t i = 0; i < kFrameClasses; ++i) by_class_[i] += other.by_class_[i];
    for (const Unnamed& slot : other.unnamed_) {
        if (slot.count > 0) add(FrameClass::unnamed, slot.ethertype, slot.count);
    }
}

uint64_t ForeignTally::total() const noexcept {
    const auto classes = std::accumulate(by_class_.begin(), by_class_.end(), uint64_t{0});
    return std::accumulate(unnamed_.begin(), unnamed_.end(), classes,
                           [](uint64_t sum, const Unnamed& slot) { return sum + slot.count; });
}

std::map<std::string, uint64_t> ForeignTally::by_name() const {
    std::map<std::string, uint64_t> names;
    for (size_t i = 0; i < kFrameClasses; ++i) {
        if (by_class_[i] > 0) names[std::string(kNames[i])] += by_class_[i];
    }
    for (const Unnamed& slot : unnamed_) {
        if (slot.count > 0) names[fmt::format("0x{:04x}", slot.ethertype)] += slot.count;
    }
    return names;
}

}  // namespace barewire::wire
