// SPDX-License-Identifier: BSD-3-Clause
// Parsing of a received frame: tags, then an IPv4/UDP datagram, then the signature.
#include "barewire/wire/frame_view.h"

#include "barewire/wire/bytes.h"
#include "barewire/wire/checksum.h"

namespace barewire::wire {
namespace {

constexpr uint8_t kSpanningTreeSap = 0x42;  // IEEE 802.1D 7.12.3, the same for both ends
constexpr uint8_t kLacpSubtype = 1;         // IEEE 802.3 57A.4
constexpr size_t kDatagramHeaders = sizeof(Ipv4Header) + sizeof(UdpHeader);

/// The first bytes of a frame with a length in place of an EtherType (IEEE 802.2).
struct LlcHeader {
    uint8_t destination_sap;
    uint8_t source_sap;
};

FrameClass class_of_llc(std::optional<LlcHeader> llc) noexcept {
    const bool spanning_tree =
        llc && llc->destination_sap == kSpanningTreeSap && llc->source_sap == kSpanningTreeSap;
    return spanning_tree ? FrameClass::stp : FrameClass::llc;
}

}  // namespace

FrameView::FrameView(std::span<const uint8_t> frame) noexcept : frame_(frame) {
    const auto ethernet = read_at<EthernetHeader>(frame, 0);
    if (!ethernet) {
        l3_offset_ = static_cast<uint32_t>(frame.size());
        return;
    }
    ethertype_ = ethernet->type.value();
    l3_offset_ = sizeof(EthernetHeader);
    skip_tags();
    parse_datagram();
    const auto signature = read_at<Signature>(frame, l3_offset_ + kDatagramHeaders);
    if (signature && signature->magic == be32_t(kProbeMagic)) signature_ = signature;
}

void FrameView::skip_tags() noexcept {
    for (unsigned tags = 0; tags < kMaxTags && is_vlan(ethertype_); ++tags) {
        const auto tag = read_at<VlanTag>(frame_, l3_offset_);
        if (!tag) return;
        ethertype_ = tag->type.value();
        l3_offset_ += static_cast<uint32_t>(sizeof(VlanTag));
    }
}

void FrameView::parse_datagram() noexcept {
    const auto ip = read_at<Ipv4Header>(frame_, l3_offset_);
    const auto udp = read_at<UdpHeader>(frame_, l3_offset_ + sizeof(Ipv4Header));
    if (ethertype_ != kEtherTypeIpv4 || !ip || !udp) return;
    ipv4_udp_ = ip->version_length == kIpv4NoOptions && ip->protocol == kProtocolUdp &&
                (ip->fragment.value() & kIpv4FragmentMask) == 0;
    if (!ipv4_udp_) return;
    stated_udp_length_ = udp->length.value();
    lengths_agree_ = ip->total_length.value() == l3_length() &&
                     stated_udp_length_ + sizeof(Ipv4Header) == l3_length();
}

bool FrameView::ip_checksum_valid() const noexcept {
    return ipv4_udp_ && ipv4_header_valid(frame_.subspan(l3_offset_, sizeof(Ipv4Header)));
}

bool FrameView::udp_checksum_valid() const noexcept {
    return ipv4_udp_ && ipv4_udp_valid(frame_.subspan(l3_offset_));
}

std::span<const uint8_t> FrameView::payload() const noexcept {
    if (!ipv4_udp_ || stated_udp_length_ < sizeof(UdpHeader)) return {};
    const auto rest = frame_.subspan(l3_offset_ + kDatagramHeaders);
    const size_t stated = stated_udp_length_ - sizeof(UdpHeader);
    return rest.first(stated < rest.size() ? stated : rest.size());
}

FrameClass FrameView::frame_class() const noexcept {
    if (frame_.size() < sizeof(EthernetHeader)) return FrameClass::runt;
    if (ethertype_ <= kMaxLlcLength) return class_of_llc(read_at<LlcHeader>(frame_, l3_offset_));
    if (ethertype_ == kEtherTypeSlow) {
        const auto subtype = read_at<uint8_t>(frame_, l3_offset_);
        return subtype == kLacpSubtype ? FrameClass::lacp : FrameClass::unnamed;
    }
    if (ethertype_ == kEtherTypeExperimental) {
        const auto magic = read_at<be32_t>(frame_, l3_offset_);
        return magic == be32_t(kLearningMagic) ? FrameClass::learning : FrameClass::unnamed;
    }
    // Only in sound headers is a 32-bit magic word no accident.
    if (ipv4_udp_) {
        if (signature_) return FrameClass::other_run;
        const auto magic = read_at<be32_t>(frame_, l3_offset_ + kDatagramHeaders);
        if (magic && *magic == be32_t(kControlMagic)) return FrameClass::control;
    }
    return class_of_ethertype(ethertype_);
}

}  // namespace barewire::wire
