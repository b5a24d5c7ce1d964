// SPDX-License-Identifier: BSD-3-Clause
// Messages into frames and back.
#include "talk.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "barewire/wire/learning.h"

namespace barewire::engine {

Talk::Talk(Channel& channel, const TscClock& clock, uint32_t session)
    : channel_(channel),
      clock_(clock),
      exchange_({.mac = channel.port().mac(), .session = session},
                [&channel](std::span<const uint8_t> frame) { channel.send(frame); }) {}

uint32_t Talk::tell(const wire::MacAddress& to, const control::Content& content) {
    return exchange_.send(to, control::write(content), control::Delivery::confirmed, clock_.now());
}

void Talk::announce(const wire::MacAddress& to, const control::Content& content) {
    exchange_.send(to, control::write(content), control::Delivery::announced, clock_.now());
}

bool Talk::failed(uint32_t number) const {
    return exchange_.outcome(number) == control::Outcome::failed;
}

std::optional<Heard> Talk::next() {
    while (const auto message = exchange_.next_message()) {
        auto read = control::read(message->text);
        if (read) return Heard{message->from, message->session, std::move(*read)};
    }
    return std::nullopt;
}

void teach(Channel& channel) {
    channel.send(wire::learning_frame(channel.port().mac()));
}

std::string mac_text(const wire::MacAddress& mac) {
    return fmt::format("{:02x}", fmt::join(mac, ":"));
}

}  // namespace barewire::engine
