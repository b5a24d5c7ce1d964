// SPDX-License-Identifier: BSD-3-Clause
// Messages of the two ends over a channel: control::Exchange with this process's clock and port.
#pragma once

#include <optional>
#include <string>

#include "barewire/base/clock.h"
#include "barewire/control/exchange.h"
#include "barewire/control/messages.h"

#include "channel.h"

namespace barewire::engine {

/// A message that came, and from whom.
struct Heard {
    wire::MacAddress from{};
    uint32_t session = 0;
    control::Content content;
};

/// Used by the control thread. `channel` and `clock` outlive it.
class Talk {
  public:
    Talk(Channel& channel, const TscClock& clock, uint32_t session);

    /// To one that answers: sent again until it does. Returns the message's number.
    uint32_t tell(const wire::MacAddress& to, const control::Content& content);
    /// To whom it may concern: three copies, no answer.
    void announce(const wire::MacAddress& to, const control::Content& content);
    /// True once nobody answered message `number`.
    [[nodiscard]] bool failed(uint32_t number) const;

    /// Takes in what arrived and sends again what is due; frames that are no control frames go to
    /// `other`. Returns true if anything arrived.
    template <class Other>
    bool poll(Other&& other) {
        const Ns now = clock_.now();
        const uint32_t n = channel_.receive([&](std::span<const uint8_t> frame) {
            if (!exchange_.receive(frame, now)) other(frame);
        });
        exchange_.advance(now);
        return n != 0;
    }
    bool poll() {
        return poll([](std::span<const uint8_t>) {});
    }
    /// The next message that makes sense.
    std::optional<Heard> next();

    /// Something that was told has not arrived yet, or was announced and has copies to come.
    [[nodiscard]] bool busy() const { return exchange_.next_deadline().has_value(); }
    [[nodiscard]] Channel& channel() { return channel_; }

  private:
    Channel& channel_;
    const TscClock& clock_;
    control::Exchange exchange_;
};

/// Broadcasts one frame by which a switch learns where this port's address is.
void teach(Channel& channel);

/// How often an address is taught again: switches forget after minutes, some after 15 s.
inline constexpr Ns kTeachEveryNs = 10'000'000'000;
/// How often each end says that it lives, and the silence after which the other end is lost.
inline constexpr Ns kAliveEveryNs = 200'000'000;
inline constexpr Ns kSilenceNs = 3'000'000'000;

/// "02:00:00:00:00:01".
std::string mac_text(const wire::MacAddress& mac);

}  // namespace barewire::engine
