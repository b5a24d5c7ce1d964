// SPDX-License-Identifier: BSD-3-Clause
// Any frames at all into an exchange that is sending: no read beyond a frame, no piece of one
// message in another, answers that parse. Input: records of an operation byte and its operands.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "barewire/base/check.h"
#include "barewire/control/exchange.h"
#include "barewire/wire/frame_view.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using namespace barewire;

constexpr wire::MacAddress kOwn{2, 0, 0, 0, 0, 2};

struct Input {
    std::span<const uint8_t> left;
    uint8_t next() {
        if (left.empty()) return 0;
        const uint8_t byte = left.front();
        left = left.subspan(1);
        return byte;
    }
    uint16_t next16() { return static_cast<uint16_t>(next() << 8 | next()); }
};

/// Few, so that segments meet.
wire::MacAddress address(uint8_t byte) {
    if (byte == 0xFF) return wire::kBroadcastMac;
    return {2, 0, 0, 0, 0, static_cast<uint8_t>(byte % 4)};
}

/// Every byte of one message is the same letter.
char letter_of(uint32_t session, uint32_t message) {
    return static_cast<char>('a' + (session * 5 + message) % 26);
}

/// A frame with fields from the input and a CRC that holds; an ill-formed one is made well-formed.
std::array<uint8_t, wire::kControlLength> read_frame(Input& input) {
    wire::ControlFrame frame;
    const uint8_t bits = input.next();
    frame.kind = static_cast<wire::ControlKind>(1 + bits % 4);
    frame.dst = (bits & 0x80) != 0 ? wire::kBroadcastMac : kOwn;
    frame.src = address(input.next());
    frame.session = input.next() % 16;
    frame.receipt = input.next() % 4;
    frame.message = (bits & 0x40) != 0 ? input.next16() : input.next() % 8;
    frame.segments = std::max<uint16_t>((bits & 0x20) != 0 ? input.next16() : input.next() % 4, 1);
    frame.segment = static_cast<uint16_t>(input.next16() % frame.segments);
    const bool last = frame.segment + 1 == frame.segments;
    size_t length = last ? 1 + input.next() % wire::kControlText : wire::kControlText;
    if (frame.kind >= wire::ControlKind::acknowledgement) length = 0;
    const std::string text(length, letter_of(frame.session, frame.message));
    frame.text = text;
    return wire::build_control_frame(frame);
}

/// `frame` with changes, on the heap and of its exact length, so that a read beyond it is seen.
void receive(control::Exchange& end, std::span<const uint8_t> frame, Ns now) {
    const auto exact = std::make_unique<uint8_t[]>(frame.size());
    std::copy(frame.begin(), frame.end(), exact.get());
    const std::span<const uint8_t> bytes(exact.get(), frame.size());
    const bool consumed = end.receive(bytes, now);
    BW_CHECK(!consumed || wire::FrameView(bytes).frame_class() == wire::FrameClass::control);
    const auto parsed = wire::parse_control_frame(bytes);
    if (!parsed) return;
    const auto again = wire::build_control_frame(*parsed);
    const auto reparsed = wire::parse_control_frame(again);
    BW_CHECK(reparsed && reparsed->text == parsed->text && reparsed->segment == parsed->segment);
}

void receive_built(control::Exchange& end, Input& input, Ns now) {
    auto frame = read_frame(input);
    const uint8_t change = input.next();
    if (change < 0x80) return receive(end, frame, now);
    frame[input.next() % frame.size()] ^= change;
    receive(end, std::span(frame).first(input.next() % (frame.size() + 1)), now);
}

void receive_raw(control::Exchange& end, Input& input, Ns now) {
    const size_t length = std::min<size_t>(input.next(), input.left.size());
    receive(end, input.left.first(length), now);
    input.left = input.left.subspan(length);
}

void take_messages(control::Exchange& end) {
    for (size_t taken = 0;; ++taken) {
        const auto message = end.next_message();
        if (!message) return;
        BW_CHECK(taken < control::kMaxWaiting && message->text.size() <= control::kMaxMessage);
        const std::string& text = message->text;
        BW_CHECK(std::all_of(text.begin(), text.end(), [&](char c) { return c == text.front(); }));
    }
}

void send(control::Exchange& end, Input& input, Ns now) {
    const wire::MacAddress to = address(input.next());
    const bool announced = to == wire::kBroadcastMac;
    const std::string text(input.next16() % 1024, 'x');
    end.send(to, text, announced ? control::Delivery::announced : control::Delivery::confirmed,
             now);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input{{data, size}};
    control::Exchange end({.mac = kOwn, .session = 15}, [](std::span<const uint8_t> frame) {
        BW_CHECK(wire::parse_control_frame(frame));
    });
    Ns now = 0;
    for (unsigned sent = 0; !input.left.empty();) {
        switch (input.next() % 6) {
            case 0:
                if (++sent <= 4) send(end, input, now);
                break;
            case 1:
                now += input.next() * Ns{1'000'000};
                end.advance(now);
                BW_CHECK(!end.next_deadline() || *end.next_deadline() > now);
                break;
            case 2:
                take_messages(end);
                break;
            case 3:
                receive_raw(end, input, now);
                break;
            default:
                receive_built(end, input, now);
        }
    }
    take_messages(end);
    // With nobody left to answer, everything settles.
    for (int turns = 0; turns < 10'000 && end.next_deadline(); ++turns) {
        now = *end.next_deadline();
        end.advance(now);
    }
    BW_CHECK(!end.next_deadline());
    return 0;
}
