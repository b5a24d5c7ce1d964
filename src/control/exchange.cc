// SPDX-License-Identifier: BSD-3-Clause
// An end: what it receives goes to the message it belongs to, what is due departs.
#include "barewire/control/exchange.h"

#include <algorithm>
#include <utility>

#include "barewire/base/check.h"
#include "barewire/wire/frame_view.h"

#include "incoming.h"
#include "outgoing.h"

namespace barewire::control {

using wire::ControlFrame;
using wire::ControlKind;

Exchange::Exchange(const Config& config, Transmit transmit)
    : config_(config),
      transmit_(std::move(transmit)),
      incoming_(std::make_unique<Incoming>(config.session)) {}

Exchange::~Exchange() = default;

void Exchange::emit(const ControlFrame& frame) {
    const auto bytes = wire::build_control_frame(frame, config_.path);
    transmit_(bytes);
}

uint32_t Exchange::send(const MacAddress& to, std::string_view text, Delivery delivery, Ns now) {
    const bool confirmed = delivery == Delivery::confirmed;
    BW_CHECK(text.size() <= kMaxMessage);
    BW_CHECK(!wire::is_group(to) || (!confirmed && to == wire::kBroadcastMac));
    const uint32_t number = ++last_number_;
    const ControlFrame empty{.dst = to,
                             .src = config_.mac,
                             .kind = confirmed ? ControlKind::segment : ControlKind::announcement,
                             .session = config_.session,
                             .message = number};
    std::unique_ptr<Outgoing> message;
    if (confirmed) {
        message = std::make_unique<Confirmed>(empty, text);
    } else {
        message = std::make_unique<Announced>(empty, text);
    }
    outgoing_.emplace(number, std::move(message));
    advance(now);
    return number;
}

bool Exchange::receive(std::span<const uint8_t> frame, Ns now) {
    if (wire::FrameView(frame).frame_class() != wire::FrameClass::control) return false;
    const auto ethernet = wire::load<wire::EthernetHeader>(frame.data());
    if (ethernet.dst != config_.mac && ethernet.dst != wire::kBroadcastMac) return false;
    const auto version = wire::control_version(frame);
    if (version && *version != wire::kControlVersion) other_version_ = version;
    const auto control = wire::parse_control_frame(frame);
    if (!control || wire::is_group(control->src) || control->src == config_.mac) return true;
    switch (control->kind) {
        case ControlKind::segment:
        case ControlKind::announcement:
            take_segment(*control);
            break;
        case ControlKind::acknowledgement:
        case ControlKind::completion:
            take_answer(*control, now);
            break;
    }
    return true;
}

/// A segment of our own session came back by a loop or a reflector.
void Exchange::take_segment(const ControlFrame& segment) {
    if (segment.session == config_.session) return;
    const bool announced = segment.kind == ControlKind::announcement;
    if (!announced && segment.dst != config_.mac) return;
    const auto answer = incoming_->receive(segment);
    if (!answer || announced) return;
    emit({.dst = segment.src,
          .src = config_.mac,
          .kind = answer->kind,
          .session = segment.session,
          .receipt = answer->receipt,
          .message = segment.message,
          .segment = segment.segment,
          .segments = segment.segments});
}

void Exchange::take_answer(const ControlFrame& answer, Ns now) {
    const auto message = outgoing_.find(answer.message);
    if (answer.session != config_.session || message == outgoing_.end()) return;
    message->second->answered(answer, now);
    advance(now);
}

/// The first few only: more than a receiver puts together would push each other out there.
void Exchange::advance(Ns now) {
    size_t under_way = 0;
    for (auto message = outgoing_.begin(); message != outgoing_.end() && under_way < kMaxPartial;) {
        const auto& [number, state] = *message;
        state->advance(now, [this](const ControlFrame& frame) { emit(frame); });
        if (state->outcome() == Outcome::sending) {
            ++under_way;
            ++message;
        } else {
            settled_[number] = state->outcome();
            if (settled_.size() > kMaxOutcomes) settled_.erase(settled_.begin());
            message = outgoing_.erase(message);
        }
    }
}

std::optional<Ns> Exchange::next_deadline() const {
    std::optional<Ns> deadline;
    size_t under_way = 0;
    for (const auto& [number, state] : outgoing_) {
        if (++under_way > kMaxPartial) break;
        deadline = std::min(deadline.value_or(state->deadline()), state->deadline());
    }
    return deadline;
}

std::optional<Message> Exchange::next_message() {
    return incoming_->next_message();
}

Outcome Exchange::outcome(uint32_t number) const {
    if (outgoing_.contains(number)) return Outcome::sending;
    const auto settled = settled_.find(number);
    return settled == settled_.end() ? Outcome::failed : settled->second;
}

}  // namespace barewire::control
