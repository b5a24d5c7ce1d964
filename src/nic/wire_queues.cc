// SPDX-License-Identifier: BSD-3-Clause
// How frames travel the embedded wire.
#include "wire_queues.h"

#include <cstddef>
#include <cstring>

#include <rte_mbuf.h>

#include "barewire/base/check.h"
#include "barewire/wire/frame_view.h"
#include "barewire/wire/signature.h"

namespace barewire::nic {

using link::Delivery;

namespace {

/// Held frames of one sender: more than reordering at any sensible rate has in hand at a time.
constexpr uint32_t kHeldFrames = 256;

uint32_t copies_needed(const WireWay& way) {
    return (WirePath::ring_frames(way.largest_frame) + kHeldFrames) * way.receivers + 2 * kBurst;
}

std::string pool_name(const WireWay& way, uint32_t sender) {
    return "wire-" + std::to_string(way.direction) + "-" + std::to_string(sender);
}

}  // namespace

WireTx::WireTx(const WireWay& way, uint32_t sender, std::vector<rte_ring*> rings)
    : plain_(way.character.plain()),
      rings_(std::move(rings)),
      model_(way.character, way.seed, way.direction, way.senders),
      held_(kHeldFrames, way.character.reorder_frames) {
    for (size_t key = 0; key < ring_by_key_.size(); ++key) {
        ring_by_key_[key] = rings_[key % rings_.size()];
    }
    if (plain_) return;
    // No caches: what the pool says it has, this worker can get.
    copies_.emplace(pool_name(way, sender), copies_needed(way), way.largest_frame - kFcsSize, 0,
                    false);
}

TxQueue WireTx::queue() {
    const bool whole = plain_ && rings_.size() == 1;
    return {whole ? &WireTx::send_plain : &WireTx::send_each, &WireTx::flush, this};
}

void WireTx::begin_trial(uint32_t trial) noexcept {
    model_.begin_trial(trial);
    plain_frames_ = 0;
    next_sequence_.fill(0);
}

uint16_t WireTx::send_plain(void* self, rte_mbuf** frames, uint16_t count) noexcept {
    auto& tx = *static_cast<WireTx*>(self);
    const unsigned sent =
        rte_ring_sp_enqueue_burst(tx.rings_[0], reinterpret_cast<void**>(frames), count, nullptr);
    tx.plain_frames_ += sent;
    return static_cast<uint16_t>(sent);
}

uint16_t WireTx::send_each(void* self, rte_mbuf** frames, uint16_t count) noexcept {
    auto& tx = *static_cast<WireTx*>(self);
    uint16_t taken = 0;
    for (; taken < count && tx.has_room(); ++taken) {
        rte_mbuf* frame = frames[taken];
        if (tx.plain_) {
            tx.push(frame);
            ++tx.plain_frames_;
        } else {
            tx.carry_out(frame, tx.identify(frame));
        }
    }
    return taken;
}

void WireTx::flush(void* self) noexcept {
    auto& tx = *static_cast<WireTx*>(self);
    tx.held_.flush([&tx](uint32_t stream, uint64_t sequence, rte_mbuf* frame) {
        tx.deliver(frame, {true, stream, sequence}, Delivery::held);
    });
}

/// Whatever the next frame does (a copy, every held frame released), rings and pool can take it:
/// asked before its fate is decided, so that a refused frame meets the same fate when retried.
bool WireTx::has_room() const noexcept {
    const auto worst = static_cast<unsigned>(2 + held_.size());
    for (const rte_ring* ring : rings_) {
        if (rte_ring_free_count(ring) < worst) return false;
    }
    return !copies_ || !rte_mempool_empty(copies_->handle());
}

/// The frame's place in its stream; sequences of a stream enter in order, so the low 32 bits say
/// enough.
WireTx::Identity WireTx::identify(const rte_mbuf* frame) noexcept {
    const auto* bytes = rte_pktmbuf_mtod(frame, const uint8_t*);
    if (frame->data_len < wire::kProbeOffset + wire::kSignatureSize) return {};
    wire::Signature signature;
    std::memcpy(&signature, bytes + wire::kProbeOffset, wire::kSignatureSize);
    if (signature.magic.value() != wire::kProbeMagic) return {};
    uint64_t& next = next_sequence_[signature.stream];
    const auto step =
        static_cast<int32_t>(signature.sequence.value() - static_cast<uint32_t>(next));
    const uint64_t sequence = next + static_cast<uint64_t>(static_cast<int64_t>(step));
    next = sequence + 1;
    return {true, signature.stream, sequence};
}

void WireTx::carry_out(rte_mbuf* frame, const Identity& identity) noexcept {
    const uint32_t length = frame->data_len;
    const uint32_t l3 = wire::l3_length({rte_pktmbuf_mtod(frame, const uint8_t*), length});
    const link::Decision decision =
        identity.probe ? model_.decide(identity.stream, identity.sequence, length, l3)
                       : model_.decide_other(length, l3);
    switch (decision.fate) {
        case link::Fate::pass:
            deliver_and_release(frame, identity);
            break;
        case link::Fate::lose:
            rte_pktmbuf_free(frame);
            break;
        case link::Fate::hold:
            hold(frame, identity);
            break;
        case link::Fate::duplicate: {
            rte_mbuf* copy = copy_of(frame);
            deliver_and_release(frame, identity);
            deliver(copy, identity, Delivery::whole);
            break;
        }
        case link::Fate::corrupt:
        case link::Fate::corrupt_any:
        case link::Fate::truncate:
            deliver(damaged_copy(frame, decision), identity, Delivery::damaged);
            break;
    }
}

void WireTx::hold(rte_mbuf* frame, const Identity& identity) noexcept {
    held_.hold(identity.stream, identity.sequence, frame,
               [this](uint32_t stream, uint64_t sequence, rte_mbuf* oldest) {
                   deliver(oldest, {true, stream, sequence}, Delivery::held);
               });
}

void WireTx::deliver(rte_mbuf* frame, const Identity& identity, Delivery delivery) noexcept {
    push(frame);
    if (identity.probe) {
        model_.deliver(identity.stream, identity.sequence, delivery);
    } else {
        model_.deliver_other();
    }
}

void WireTx::deliver_and_release(rte_mbuf* frame, const Identity& identity) noexcept {
    deliver(frame, identity, Delivery::whole);
    if (!identity.probe) return;
    held_.overtaken(identity.stream, [this](uint32_t stream, uint64_t sequence, rte_mbuf* held) {
        deliver(held, {true, stream, sequence}, Delivery::held);
    });
}

rte_mbuf* WireTx::copy_of(rte_mbuf* frame) noexcept {
    rte_mbuf* copy = rte_pktmbuf_alloc(copies_->handle());
    BW_CHECK(copy != nullptr);  // has_room() looked
    const uint16_t length = frame->data_len;
    copy->data_off = static_cast<uint16_t>(
        std::min<uint32_t>(RTE_PKTMBUF_HEADROOM, uint32_t{copy->buf_len} - length));
    copy->data_len = length;
    copy->pkt_len = length;
    std::memcpy(rte_pktmbuf_mtod(copy, void*), rte_pktmbuf_mtod(frame, const void*), length);
    return copy;
}

/// The original goes back to its pool unharmed: its bytes are a template.
rte_mbuf* WireTx::damaged_copy(rte_mbuf* frame, const link::Decision& decision) noexcept {
    rte_mbuf* copy = copy_of(frame);
    rte_pktmbuf_free(frame);
    if (decision.fate == link::Fate::truncate) {
        copy->data_len = static_cast<uint16_t>(decision.detail);
        copy->pkt_len = decision.detail;
    } else {
        auto* bytes = rte_pktmbuf_mtod(copy, uint8_t*);
        bytes[decision.detail / 8] ^= static_cast<uint8_t>(0x80U >> (decision.detail % 8));
    }
    return copy;
}

/// Frames of one flow (source address and port) and stream keep to one receiver.
rte_ring* WireTx::ring_for(const rte_mbuf* frame) const noexcept {
    const auto* bytes = rte_pktmbuf_mtod(frame, const uint8_t*);
    uint8_t key = 0;
    if (frame->data_len >= wire::kProbeOffset + wire::kSignatureSize) {
        // Low bytes of source address and port.
        key = static_cast<uint8_t>(bytes[29] + bytes[35] +
                                   bytes[wire::kProbeOffset + offsetof(wire::Signature, stream)]);
    }
    return ring_by_key_[key];
}

void WireTx::push(rte_mbuf* frame) noexcept {
    const int full = rte_ring_sp_enqueue(ring_for(frame), frame);
    BW_CHECK(full == 0);  // has_room() looked
}

uint16_t WireRx::receive(void* self, rte_mbuf** frames, uint16_t most) noexcept {
    auto& rx = *static_cast<WireRx*>(self);
    for (size_t tried = 0; tried < rx.rings_.size(); ++tried) {
        rte_ring* ring = rx.rings_[rx.turn_];
        if (++rx.turn_ == rx.rings_.size()) rx.turn_ = 0;
        const unsigned n =
            rte_ring_sc_dequeue_burst(ring, reinterpret_cast<void**>(frames), most, nullptr);
        if (n != 0) return static_cast<uint16_t>(n);
    }
    return 0;
}

}  // namespace barewire::nic
