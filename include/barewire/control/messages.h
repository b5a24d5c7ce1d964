// SPDX-License-Identifier: BSD-3-Clause
// What the two ends of a run say to each other, and its form: one JSON object a message, `type`
// first (docs/control.md). Outside bytes: what does not read as it should is no message.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "barewire/plan/plan.h"

namespace barewire::control {

using Json = nlohmann::ordered_json;

/// Of the messages; both ends must speak the same.
inline constexpr uint32_t kProtocol = 1;

/// Who is there? Broadcast, or to one address.
struct Hello {
    uint32_t protocol = kProtocol;
    std::string version;  ///< of barewire
    uint32_t run = 0;
};

/// The answer to a Hello.
struct Here {
    uint32_t protocol = kProtocol;
    std::string version;
    std::string role;                    ///< "far", "sink" or "reflect"
    uint32_t max_frame = 0;              ///< largest frame size that the end takes
    uint32_t generators = 0, sinks = 0;  ///< workers that it has
    std::string machine;                 ///< the same text from two processes of one machine
    Json environment;                    ///< as in a result
};

/// The next trial. Everything that the other end needs to account for it, and to send if asked.
struct Order {
    uint32_t run = 0;
    uint32_t trial = 0;
    uint32_t frame_size = 64;
    uint32_t repeat = 1;
    uint32_t to_far_streams = 0;    ///< senders at the near end; 0: it does not send
    uint32_t from_far_streams = 0;  ///< senders wanted of the far end; 0: it is not to send
    uint32_t flows = 1;
    bool payload_check = false;
    uint64_t seed = 1;
    Ns window_ns = 0;           ///< 0: count decides
    uint64_t count = 0;         ///< of each way; 0: no limit
    std::optional<double> fps;  ///< of each way; empty: max
    plan::LatePolicy late;
    std::optional<plan::Addressing::Mac> src_mac, dst_mac;  ///< as in near's frames
    uint32_t src_ip = 0, dst_ip = 0;
    uint16_t src_port = 0, dst_port = 0;
};

/// The far end's workers wait for the trial's frames.
struct Ready {
    uint32_t run = 0, trial = 0;
};

/// What was asked for cannot be done here.
struct Refused {
    std::string why;
};

/// The senders of one end are done with a trial.
struct End {
    uint32_t run = 0, trial = 0;
    uint64_t intended = 0, unsent = 0;
    std::vector<uint64_t> offered;  ///< by stream, 1 to 256
};

/// What the far end counted: one element a direction, as in a result.
struct Outcomes {
    uint32_t run = 0, trial = 0;
    Json trials;
};

/// The sender lives, and works on this run.
struct Alive {
    uint32_t run = 0;
};

/// The run is over.
struct Bye {
    uint32_t run = 0;
};

using Content = std::variant<Hello, Here, Order, Ready, Refused, End, Outcomes, Alive, Bye>;

/// As it is sent.
std::string write(const Content& content);

/// The message in `text`; nothing where it is none of these, or holds what it may not.
std::optional<Content> read(std::string_view text);

}  // namespace barewire::control
