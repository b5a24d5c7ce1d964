// SPDX-License-Identifier: BSD-3-Clause
// Assembly of received segments, in bounded memory.
#include "incoming.h"

#include <algorithm>
#include <utility>

namespace barewire::control {
namespace {

using wire::ControlFrame;
using wire::ControlKind;
using wire::kControlText;

/// The element that `matches`, moved to the end; a new one from `make` if there is none, for which
/// the first of `most` elements makes room.
template <class T, class Matches, class Make>
T& last_used(std::vector<T>& all, size_t most, Matches matches, Make make) {
    const auto found = std::find_if(all.begin(), all.end(), matches);
    if (found != all.end()) {
        std::rotate(found, found + 1, all.end());
        return all.back();
    }
    if (all.size() == most) all.erase(all.begin());
    return all.emplace_back(make());
}

}  // namespace

bool DeliveredNumbers::contains(uint32_t number) const noexcept {
    return number <= highest_ && !too_old(number) && delivered_[number % kRemembered];
}

bool DeliveredNumbers::too_old(uint32_t number) const noexcept {
    return number <= highest_ && highest_ - number >= kRemembered;
}

void DeliveredNumbers::insert(uint32_t number) noexcept {
    if (too_old(number)) return;
    if (number > highest_ && number - highest_ >= kRemembered) delivered_.reset();
    if (number > highest_ && number - highest_ < kRemembered) {
        for (uint32_t passed = highest_ + 1; passed != number; ++passed) {
            delivered_.reset(passed % kRemembered);
        }
    }
    highest_ = std::max(highest_, number);
    delivered_.set(number % kRemembered);
}

Incoming::Peer& Incoming::peer_of(const ControlFrame& segment) {
    return last_used(
        peers_, kMaxPeers,
        [&](const Peer& peer) {
            return peer.session == segment.session && peer.mac == segment.src;
        },
        [&] {
            return Peer{segment.src, segment.session, {}, {}};
        });
}

Incoming::Partial& Incoming::partial_of(Peer& peer, const ControlFrame& segment) {
    return last_used(
        peer.partials, kMaxPartial,
        [&](const Partial& partial) { return partial.message == segment.message; },
        [&] {
            return Partial{segment.message,
                           next_receipt_++,
                           {},
                           std::vector<bool>(segment.segments),
                           segment.segments};
        });
}

std::optional<Incoming::Answer> Incoming::receive(const ControlFrame& segment) {
    const size_t offset = segment.segment * kControlText;
    const size_t least = (segment.segments - size_t{1}) * kControlText;
    if (std::max(least, offset + segment.text.size()) > kMaxMessage) return std::nullopt;
    Peer& peer = peer_of(segment);
    if (peer.delivered.contains(segment.message)) return Answer{ControlKind::completion, 0};
    if (peer.delivered.too_old(segment.message)) return std::nullopt;
    Partial& partial = partial_of(peer, segment);
    if (partial.held.size() != segment.segments) return std::nullopt;
    const Answer kept{ControlKind::acknowledgement, partial.receipt};
    if (partial.held[segment.segment]) return kept;
    if (partial.missing == 1 && waiting_.size() == kMaxWaiting) return std::nullopt;
    partial.held[segment.segment] = true;
    if (partial.text.size() < offset + segment.text.size()) {
        partial.text.resize(offset + segment.text.size());
    }
    std::copy(segment.text.begin(), segment.text.end(),
              partial.text.begin() + static_cast<std::ptrdiff_t>(offset));
    if (--partial.missing > 0) return kept;
    waiting_.push_back({segment.src, segment.session, std::move(partial.text)});
    peer.partials.pop_back();
    peer.delivered.insert(segment.message);
    return Answer{ControlKind::completion, 0};
}

std::optional<Message> Incoming::next_message() {
    if (waiting_.empty()) return std::nullopt;
    Message message = std::move(waiting_.front());
    waiting_.pop_front();
    return message;
}

}  // namespace barewire::control
