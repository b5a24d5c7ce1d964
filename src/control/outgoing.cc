// SPDX-License-Identifier: BSD-3-Clause
// Windows, resends and copies of one message's segments.
#include "outgoing.h"

#include <algorithm>

namespace barewire::control {

using wire::ControlFrame;
using wire::ControlKind;
using wire::kControlText;

Outgoing::Outgoing(const ControlFrame& empty, std::string_view text) : empty_(empty), text_(text) {
    const size_t segments = (text.size() + kControlText - 1) / kControlText;
    empty_.segments = static_cast<uint16_t>(std::max(segments, size_t{1}));
}

void Outgoing::emit_segment(uint16_t index, const Emit& emit) const {
    ControlFrame frame = empty_;
    frame.segment = index;
    frame.text = std::string_view(text_).substr(index * kControlText, kControlText);
    emit(frame);
}

void Confirmed::advance(Ns now, const Emit& emit) {
    if (outcome() != Outcome::sending) return;
    if (!give_up_) give_up_ = now + kGiveUp;
    if (now >= *give_up_) return end(Outcome::failed);
    for (InFlight& one : in_flight_) {
        if (now < one.due) continue;
        one.wait = std::min(2 * one.wait, kLastResend);
        one.due = now + one.wait;
        emit_segment(one.segment, emit);
    }
    for (; in_flight_.size() < kWindow && next_ < segments(); ++next_) {
        in_flight_.push_back({next_, now + kFirstResend, kFirstResend});
        emit_segment(next_, emit);
    }
}

void Confirmed::answered(const ControlFrame& answer, Ns now) {
    if (answer.src != receiver() || answer.segments != segments()) return;
    if (answer.kind == ControlKind::completion) return end(Outcome::delivered);
    if (!receipt_) receipt_ = answer.receipt;
    if (*receipt_ != answer.receipt) return begin_anew(answer.receipt);
    const auto acknowledged = std::erase_if(
        in_flight_, [&](const InFlight& one) { return one.segment == answer.segment; });
    acknowledged_ = static_cast<uint16_t>(acknowledged_ + acknowledged);
    if (acknowledged_ <= most_acknowledged_) return;
    most_acknowledged_ = acknowledged_;
    give_up_ = now + kGiveUp;
}

/// What an earlier receipt held is gone: the receiver restarted, or had no room to keep it.
void Confirmed::begin_anew(uint32_t receipt) noexcept {
    receipt_ = receipt;
    in_flight_.clear();
    next_ = 0;
    acknowledged_ = 0;
}

Ns Confirmed::deadline() const {
    Ns deadline = give_up_.value_or(0);
    for (const InFlight& one : in_flight_) deadline = std::min(deadline, one.due);
    return deadline;
}

void Announced::advance(Ns now, const Emit& emit) {
    if (outcome() != Outcome::sending || (copies_ + next_ > 0 && now < due_)) return;
    const uint32_t end_of_window = std::min<uint32_t>(next_ + kWindow, segments());
    for (; next_ < end_of_window; ++next_) emit_segment(static_cast<uint16_t>(next_), emit);
    due_ = now + kWindowGap;
    if (next_ < segments()) return;
    next_ = 0;
    due_ = now + kCopyGap;
    if (++copies_ == kCopies) end(Outcome::delivered);
}

void Announced::answered(const ControlFrame& /*answer*/, Ns /*now*/) {}

}  // namespace barewire::control
