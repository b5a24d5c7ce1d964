// SPDX-License-Identifier: BSD-3-Clause
// Chains of buffers into one buffer each.
#include "linearise.h"

#include <algorithm>
#include <cstring>

#include "barewire/base/knobs.h"

namespace barewire::nic {
namespace {

constexpr uint32_t kMostLength = kMaxFrameSize - kFcsSize;

}  // namespace

Linearise::Linearise(const std::string& name, RxQueue device, uint32_t in_flight, uint32_t workers)
    : device_(device), pool_(name, in_flight + kWholeFrames * workers, kMostLength, 0, false) {}

uint64_t Linearise::bytes_needed(uint32_t in_flight, uint32_t workers) {
    return FramePool::bytes_needed(in_flight + kWholeFrames * workers, kMostLength, 0, false);
}

/// In place of `frame`, which is freed; null when there is none.
rte_mbuf* Linearise::whole(rte_mbuf* frame) noexcept {
    rte_mbuf* copy = frame->pkt_len <= kMostLength ? rte_pktmbuf_alloc(pool_.handle()) : nullptr;
    if (copy != nullptr) {
        copy->data_off = static_cast<uint16_t>(
            std::min<uint32_t>(RTE_PKTMBUF_HEADROOM, copy->buf_len - frame->pkt_len));
        copy->data_len = static_cast<uint16_t>(frame->pkt_len);
        copy->pkt_len = frame->pkt_len;
        auto* to = rte_pktmbuf_mtod(copy, uint8_t*);
        for (const rte_mbuf* part = frame; part != nullptr; part = part->next) {
            std::memcpy(to, rte_pktmbuf_mtod(part, const uint8_t*), part->data_len);
            to += part->data_len;
        }
    }
    rte_pktmbuf_free(frame);
    return copy;
}

uint16_t Linearise::receive(void* self, rte_mbuf** frames, uint16_t most) noexcept {
    auto& queue = *static_cast<Linearise*>(self);
    const uint16_t count = queue.device_.receive(frames, most);
    uint16_t kept = 0;
    for (uint16_t i = 0; i < count; ++i) {
        rte_mbuf* frame = frames[i];
        if (frame->nb_segs > 1) frame = queue.whole(frame);
        if (frame != nullptr) frames[kept++] = frame;
    }
    if (kept < count) {
        queue.dropped_.store(queue.dropped() + (count - kept), std::memory_order_relaxed);
    }
    return kept;
}

}  // namespace barewire::nic
