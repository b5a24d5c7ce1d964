// SPDX-License-Identifier: BSD-3-Clause
// One message on its way out: which of its segments are to be sent, and when again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "barewire/control/exchange.h"

namespace barewire::control {

/// Lets a frame depart.
using Emit = std::function<void(const wire::ControlFrame& frame)>;

class Outgoing {
  public:
    /// `empty`: a segment with addresses, kind, session and number, the same in each.
    Outgoing(const wire::ControlFrame& empty, std::string_view text);
    virtual ~Outgoing() = default;
    Outgoing(const Outgoing&) = delete;
    Outgoing& operator=(const Outgoing&) = delete;

    /// Sends what is due; begins, the first time. To be called at deadline() and after each answer.
    virtual void advance(Ns now, const Emit& emit) = 0;
    /// An acknowledgement or completion of this message.
    virtual void answered(const wire::ControlFrame& answer, Ns now) = 0;
    /// Once begun.
    [[nodiscard]] virtual Ns deadline() const = 0;
    [[nodiscard]] Outcome outcome() const noexcept { return outcome_; }

  protected:
    [[nodiscard]] uint16_t segments() const noexcept { return empty_.segments; }
    [[nodiscard]] const MacAddress& receiver() const noexcept { return empty_.dst; }
    void emit_segment(uint16_t index, const Emit& emit) const;
    void end(Outcome outcome) noexcept { outcome_ = outcome; }

  private:
    wire::ControlFrame empty_;
    std::string text_;
    Outcome outcome_ = Outcome::sending;
};

/// At most kWindow segments wait for their acknowledgement at a time.
class Confirmed : public Outgoing {
  public:
    using Outgoing::Outgoing;
    void advance(Ns now, const Emit& emit) override;
    void answered(const wire::ControlFrame& answer, Ns now) override;
    [[nodiscard]] Ns deadline() const override;

  private:
    struct InFlight {
        uint16_t segment;
        Ns due;   // to be sent again
        Ns wait;  // between the last time and then
    };
    void begin_anew(uint32_t receipt) noexcept;

    std::vector<InFlight> in_flight_;
    uint16_t next_ = 0;  // segment that was not sent yet
    uint16_t acknowledged_ = 0;
    uint16_t most_acknowledged_ = 0;   // by any receipt
    std::optional<uint32_t> receipt_;  // whose acknowledgements count
    std::optional<Ns> give_up_;        // empty: not begun
};

/// kCopies times, a window at a time; answers are none of its concern.
class Announced : public Outgoing {
  public:
    using Outgoing::Outgoing;
    void advance(Ns now, const Emit& emit) override;
    void answered(const wire::ControlFrame& answer, Ns now) override;
    [[nodiscard]] Ns deadline() const override { return due_; }

  private:
    uint32_t next_ = 0;
    unsigned copies_ = 0;  // that departed whole
    Ns due_ = 0;
};

}  // namespace barewire::control
