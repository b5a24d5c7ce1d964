// SPDX-License-Identifier: BSD-3-Clause
// Messages put together from segments in any order and number, each delivered once.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "barewire/control/exchange.h"

namespace barewire::control {

/// Which numbers of one sender were delivered: of the last kRemembered below the highest; as in
/// RFC 4303 section 3.4.3, older ones cannot be told.
class DeliveredNumbers {
  public:
    static constexpr uint32_t kRemembered = 1024;
    [[nodiscard]] bool contains(uint32_t number) const noexcept;
    [[nodiscard]] bool too_old(uint32_t number) const noexcept;
    /// A number that is too old is not kept.
    void insert(uint32_t number) noexcept;

  private:
    uint32_t highest_ = 0;  // numbers begin at 1
    std::bitset<kRemembered> delivered_;
};

class Incoming {
  public:
    /// `session`: our own, with which receipts begin.
    explicit Incoming(uint32_t session) noexcept : next_receipt_(session) {}

    /// What is to be answered to a segment or an announcement: its kind and receipt. Empty: the
    /// segment was not kept, so nothing is.
    struct Answer {
        wire::ControlKind kind;
        uint32_t receipt;
    };
    std::optional<Answer> receive(const wire::ControlFrame& segment);

    std::optional<Message> next_message();

  private:
    struct Partial {
        uint32_t message;
        uint32_t receipt;
        std::string text;
        std::vector<bool> held;  // by segment
        size_t missing;
    };
    struct Peer {
        MacAddress mac;
        uint32_t session;
        DeliveredNumbers delivered;
        std::vector<Partial> partials;  // that which was added to last stands last
    };
    Peer& peer_of(const wire::ControlFrame& segment);
    Partial& partial_of(Peer& peer, const wire::ControlFrame& segment);

    std::vector<Peer> peers_;  // that which was heard last stands last
    std::deque<Message> waiting_;
    uint32_t next_receipt_;
};

}  // namespace barewire::control
