// SPDX-License-Identifier: BSD-3-Clause
// Any bytes as a received frame into responders and the in-place swap: no read or write beyond a
// frame, no answer to an answer but that of a UDP echo. Input: a byte of what to mend, a frame.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "barewire/base/check.h"
#include "barewire/host/responder.h"
#include "barewire/wire/bytes.h"
#include "barewire/wire/checksum.h"
#include "barewire/wire/frame_view.h"
#include "barewire/wire/icmp.h"
#include "barewire/wire/swap.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using namespace barewire;
using namespace barewire::wire;

constexpr MacAddress kOwn{2, 0, 0, 0, 0, 2};
constexpr uint32_t kOwnIp = 0xC0A80002;

/// Checksums that hold, where a fuzzer would have to guess them.
void mend(uint8_t what, std::vector<uint8_t>& frame) {
    if ((what & 1) != 0 && frame.size() >= sizeof(EthernetHeader)) {
        std::copy(kOwn.begin(), kOwn.end(), frame.begin());
    }
    const FrameView view(frame);
    const size_t at = view.l3_offset();
    auto ip = read_at<Ipv4Header>(frame, at);
    if ((what & 2) == 0 || view.ethertype() != kEtherTypeIpv4 || !ip) return;
    ip->checksum = be16_t(0);
    store(frame.data(), at, *ip);
    const auto packet = std::span(frame).subspan(at);
    ip->checksum = be16_t::from_raw(internet_checksum(packet.first(sizeof(Ipv4Header))));
    store(frame.data(), at, *ip);
    const size_t length = ip->total_length.value();
    if (length < sizeof(Ipv4Header) + sizeof(IcmpEcho) || length > packet.size()) return;
    const auto message = packet.subspan(sizeof(Ipv4Header), length - sizeof(Ipv4Header));
    if (ip->protocol == kProtocolIcmp) {
        store(message.data(), offsetof(IcmpEcho, checksum), be16_t(0));
        const auto checksum = be16_t::from_raw(internet_checksum(message));
        store(message.data(), offsetof(IcmpEcho, checksum), checksum);
    } else {
        store(message.data(), offsetof(UdpHeader, checksum), be16_t(0));
    }
}

/// Into a buffer of just the room that is promised to be enough.
std::vector<uint8_t> answer(host::Responder& responder, std::span<const uint8_t> frame) {
    std::vector<uint8_t> reply(std::max(frame.size(), size_t{60}));
    const size_t length = responder.answer(frame, reply);
    BW_CHECK(length <= reply.size());
    reply.resize(length);
    return reply;
}

void check_answers(const std::optional<uint32_t>& ip, std::span<const uint8_t> frame) {
    host::Responder here({.mac = kOwn, .ip = ip, .udp_echo = true});
    const std::vector<uint8_t> reply = answer(here, frame);
    const auto& counts = here.counts();
    BW_CHECK(counts.arp + counts.icmp + counts.udp == (reply.empty() ? 0 : 1));
    if (reply.empty()) return;
    const auto ethernet = load<EthernetHeader>(reply.data());
    BW_CHECK(ethernet.src == kOwn && !is_group(ethernet.dst) && ethernet.dst != kOwn);
    const FrameView view(reply);
    BW_CHECK(view.l3_offset() == FrameView(frame).l3_offset());
    if (counts.arp == 0) {
        BW_CHECK(ipv4_header_valid(std::span(reply).subspan(view.l3_offset(), 20)));
    }
    BW_CHECK(answer(here, reply).empty());
    host::Responder there({.mac = ethernet.dst, .ip = std::nullopt, .udp_echo = true});
    const std::vector<uint8_t> again = answer(there, reply);
    // Two that echo do so for ever, and exactly; not where a port is 0.
    BW_CHECK(counts.udp == 1 || again.empty());
    BW_CHECK(again.empty() || std::equal(again.begin() + 14, again.end(), frame.begin() + 14));
}

void check_swap(std::span<const uint8_t> frame) {
    const auto exact = std::make_unique<uint8_t[]>(frame.size());
    std::copy(frame.begin(), frame.end(), exact.get());
    const auto length = static_cast<uint32_t>(frame.size());
    if (!swap_ends(exact.get(), length, kOwn)) {
        BW_CHECK(std::equal(frame.begin(), frame.end(), exact.get()));
        return;
    }
    BW_CHECK(FrameView(frame).ipv4_udp());
    const auto back = load<EthernetHeader>(exact.get()).dst;
    BW_CHECK(swap_ends(exact.get(), length, back));
    BW_CHECK(std::equal(frame.begin(), frame.end(), exact.get()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    std::vector<uint8_t> frame(data + 1, data + size);
    mend(data[0], frame);
    // Not with spare room behind it, where a read beyond it would go unseen.
    frame.shrink_to_fit();
    check_answers(kOwnIp, frame);
    check_answers(std::nullopt, frame);
    check_swap(frame);
    return 0;
}
