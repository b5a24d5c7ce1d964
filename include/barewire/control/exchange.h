// SPDX-License-Identifier: BSD-3-Clause
// Short messages between ends of barewire over a link that loses, repeats, reorders and damages
// frames. Bytes in, bytes out, time passed in; docs/control.md says what is on the wire.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "barewire/base/clock.h"
#include "barewire/wire/control_frame.h"
#include "barewire/wire/ethernet.h"

namespace barewire::control {

using wire::MacAddress;

/// Bytes of one message.
inline constexpr size_t kMaxMessage = size_t{256} * 1024;
/// Segments of one confirmed message that are under way at a time, and of an announced one that
/// leave at a time: a few of them fit every receive ring.
inline constexpr size_t kWindow = 16;
/// A segment without answer is sent again after this, then after twice as long each time.
inline constexpr Ns kFirstResend = 5'000'000;
inline constexpr Ns kLastResend = 100'000'000;
/// A confirmed message has failed when for so long no segment was newly acknowledged.
inline constexpr Ns kGiveUp = 3'000'000'000;
/// Copies of each segment of an announced message, the time between two of them at least, and
/// between two windows of one copy.
inline constexpr unsigned kCopies = 3;
inline constexpr Ns kCopyGap = 5'000'000;
inline constexpr Ns kWindowGap = 1'000'000;
/// Memory is bounded: senders that are remembered; messages of one of them that are being put
/// together (so a sender has no more under way, and later ones wait); whole ones that wait for
/// next_message (more are not acknowledged until it is called); outcomes that are remembered.
inline constexpr size_t kMaxPeers = 8;
inline constexpr size_t kMaxPartial = 4;
inline constexpr size_t kMaxWaiting = 32;
inline constexpr size_t kMaxOutcomes = 1024;

struct Message {
    MacAddress from{};
    uint32_t session = 0;  ///< the sender's: another one from the same address has restarted
    std::string text;
};

enum class Delivery : uint8_t {
    confirmed,  ///< acknowledged by the one that it is sent to
    announced,  ///< every segment departs kCopies times; nobody has to answer
};

enum class Outcome : uint8_t {
    sending,
    delivered,  ///< the other end has the whole message; an announced one: all copies departed
    failed,     ///< no progress for kGiveUp
};

class Outgoing;
class Incoming;

/// One end. One thread. `Transmit` is not to call back into the exchange; what it cannot send it
/// may drop. Time is that of one clock and never goes back.
class Exchange {
  public:
    /// `frame`: wire::kControlLength bytes, valid during the call.
    using Transmit = std::function<void(std::span<const uint8_t> frame)>;
    struct Config {
        MacAddress mac{};
        uint32_t session = 0;  ///< random, another one in each process
        wire::ControlPath path{};
    };
    Exchange(const Config& config, Transmit transmit);
    ~Exchange();
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    /// Sends `text` (kMaxMessage bytes at most) to `to`, which may be the broadcast address only
    /// where it is announced, and no other group's. The first window leaves at once, unless
    /// kMaxPartial messages are under way already. Returns the message's number, 1 or more.
    /// Messages under way at the same time may arrive in any order.
    uint32_t send(const MacAddress& to, std::string_view text, Delivery delivery, Ns now);

    /// Any received frame. True if it was a control frame to our address or to all: consumed.
    bool receive(std::span<const uint8_t> frame, Ns now);

    /// Sends again what is due. To be called every few ms, or at next_deadline().
    void advance(Ns now);
    /// When advance() has something to do next; empty if nothing is under way.
    [[nodiscard]] std::optional<Ns> next_deadline() const;

    /// A message that arrived whole; each once, in the order of completion.
    std::optional<Message> next_message();

    /// Of a message that send() numbered. Of those settled the kMaxOutcomes highest numbers are
    /// remembered; others, and numbers that never were, count as failed.
    [[nodiscard]] Outcome outcome(uint32_t number) const;

    /// The version of a whole control frame to us that speaks another one than ours; the last.
    [[nodiscard]] std::optional<uint8_t> other_version() const noexcept { return other_version_; }

  private:
    void emit(const wire::ControlFrame& frame);
    void take_segment(const wire::ControlFrame& segment);
    void take_answer(const wire::ControlFrame& answer, Ns now);

    Config config_;
    Transmit transmit_;
    uint32_t last_number_ = 0;
    std::map<uint32_t, std::unique_ptr<Outgoing>> outgoing_;  // by number
    std::map<uint32_t, Outcome> settled_;                     // by number
    std::unique_ptr<Incoming> incoming_;
    std::optional<uint8_t> other_version_;
};

}  // namespace barewire::control
