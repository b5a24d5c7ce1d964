// SPDX-License-Identifier: BSD-3-Clause
// Set-up of the embedded wire.
#include "barewire/nic/wire_port.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rte_errno.h>

#include "barewire/base/error.h"
#include "barewire/base/knobs.h"

#include "wire_queues.h"

namespace barewire::nic {
namespace {

/// In flight between two workers: enough that neither waits for the other's turn, little enough
/// to stay in the second-level cache at 64 bytes.
constexpr uint32_t kMostRingFrames = 1024;
constexpr uint32_t kLeastRingFrames = 512;
constexpr uint32_t kRingBytes = 16U << 20;
/// Copies that a damaging wire may have in flight are bounded by the rings.
constexpr uint32_t kCopiesMargin = 512;

rte_ring* new_ring(const WireWay& way, uint32_t sender, uint32_t receiver) {
    const std::string name = fmt::format("wire-{}-{}-{}", way.direction, sender, receiver);
    rte_ring* ring =
        rte_ring_create(name.c_str(), WirePath::ring_frames(way.largest_frame), SOCKET_ID_ANY,
                        RING_F_SP_ENQ | RING_F_SC_DEQ | RING_F_EXACT_SZ);
    if (ring == nullptr) {
        throw DeviceError(fmt::format("rte_ring_create: no room for the wire's ring {}: {}", name,
                                      rte_strerror(rte_errno)));
    }
    return ring;
}

}  // namespace

uint32_t WirePath::ring_frames(uint32_t largest_frame) {
    return std::clamp(kRingBytes / largest_frame, kLeastRingFrames, kMostRingFrames);
}

uint64_t WirePath::bytes_needed(const WireWay& way) {
    const uint64_t frames = ring_frames(way.largest_frame);
    const uint64_t rings = uint64_t{way.senders} * way.receivers * (frames * 16 + 4096);
    if (way.character.plain()) return rings;
    const auto copies = static_cast<uint32_t>((frames + kCopiesMargin) * way.receivers);
    return rings + way.senders * FramePool::bytes_needed(copies, way.largest_frame, 0, false);
}

WirePath::WirePath(const WireWay& way) {
    for (uint32_t sender = 0; sender < way.senders; ++sender) {
        std::vector<rte_ring*> out;
        for (uint32_t receiver = 0; receiver < way.receivers; ++receiver) {
            rings_.emplace_back(new_ring(way, sender, receiver));
            out.push_back(rings_.back().get());
        }
        tx_.push_back(std::make_unique<WireTx>(way, sender, std::move(out)));
    }
    for (uint32_t receiver = 0; receiver < way.receivers; ++receiver) {
        std::vector<rte_ring*> in;
        for (uint32_t sender = 0; sender < way.senders; ++sender) {
            in.push_back(rings_[sender * way.receivers + receiver].get());
        }
        rx_.push_back(std::make_unique<WireRx>(std::move(in)));
    }
}

WirePath::~WirePath() = default;

TxQueue WirePath::tx_queue(uint32_t sender) {
    return tx_.at(sender)->queue();
}
RxQueue WirePath::rx_queue(uint32_t receiver) {
    return {&WireRx::receive, rx_.at(receiver).get()};
}

void WirePath::begin_trial(uint32_t trial) {
    for (auto& tx : tx_) tx->begin_trial(trial);
}

plan::WireCounts WirePath::counts() const {
    plan::WireCounts sum;
    for (const auto& tx : tx_) {
        const plan::WireCounts& one = tx->counts();
        sum.entered += one.entered + tx->plain_frames();
        sum.delivered += one.delivered + tx->plain_frames();
        sum.lost += one.lost;
        sum.burst_lost += one.burst_lost;
        sum.duplicated += one.duplicated;
        sum.reordered += one.reordered;
        sum.corrupted += one.corrupted;
        sum.corrupted_any += one.corrupted_any;
        sum.truncated += one.truncated;
        sum.over_mtu += one.over_mtu;
        sum.over_max_frame += one.over_max_frame;
    }
    return sum;
}

WirePort::WirePort(std::string name, WirePath* out, WirePath* in)
    : name_(std::move(name)), out_(out), in_(in) {}

plan::PortFacts WirePort::facts() const {
    const FrameLimit limit = frame_limit(plan::PortKind::wire_a);
    const auto address = mac();
    return {.port = name_,
            .driver = "embedded wire",
            .mac = fmt::format("{:02x}", fmt::join(address, ":")),
            .speed_bps = std::nullopt,
            .max_frame = limit.frame_size,
            .max_frame_by = limit.set_by};
}

std::array<uint8_t, 6> WirePort::mac() const {
    // Locally administered (IEEE 802 section 8.4), one for each end.
    return {0x02, 0xBA, 0x4E, 0x00, 0x00, static_cast<uint8_t>(name_ == "wire:a" ? 0x0A : 0x0B)};
}

void WirePort::begin_trial(uint32_t trial) {
    if (out_ != nullptr) out_->begin_trial(trial);
}

plan::PortCounters WirePort::counters() {
    plan::PortCounters counters;
    counters.port = name_;
    if (out_ != nullptr) counters.opackets = out_->counts().entered;
    if (in_ != nullptr) counters.ipackets = in_->counts().delivered;
    // What the wire takes or damages is in its own counts; the ports of it drop nothing.
    counters.oerrors = counters.ierrors = counters.imissed = counters.rx_nombuf = 0;
    return counters;
}

}  // namespace barewire::nic
