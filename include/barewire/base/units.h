// SPDX-License-Identifier: BSD-3-Clause
// Numbers with units as users type them. Decimal everywhere; binary only where written (KiB). Units
// are case sensitive, nothing is guessed: a wrong one is refused with what would be right.
//
// A number is digits, an optional fraction and an optional exponent (10, 0.5, .5, 1e-3), without
// sign, of at most 19 significant digits. Between number and unit there is no blank.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "barewire/base/clock.h"

namespace barewire {

/// A value, or one sentence that says what is wrong and what would be right. The sentence begins
/// with what was typed, so that it reads on after an option's name: "--for " + "10: 10 of what?".
template <class T>
struct Parsed {
    std::optional<T> value;
    std::string problem;  ///< empty if and only if there is a value

    static Parsed good(T v) { return {std::move(v), {}}; }
    static Parsed bad(std::string sentence) { return {std::nullopt, std::move(sentence)}; }
    explicit operator bool() const noexcept { return value.has_value(); }
    const T& operator*() const { return *value; }
};

/// Digits only, `least` to `most`: "3", never "3.0", "1e3" or "+3".
Parsed<uint64_t> parse_integer(std::string_view text, uint64_t least, uint64_t most);

/// Bytes, a whole number under 2^64: "65536", "512B", "1MB" (10^6), "64KiB" (2^16), "1.5GiB".
Parsed<uint64_t> parse_bytes(std::string_view text);

/// ns, a whole number of them, at most 366 days: "10s", "300ms", "50us", "1h", "5min", "1.5s".
/// A bare number is refused, "0" too.
Parsed<Ns> parse_duration(std::string_view text);

/// Frames or events, a whole number under 2^64: "3000000", "3M", "1.5k", "3e6"; k, M, G decimal.
Parsed<uint64_t> parse_count(std::string_view text);

/// A share, 0 to 1: "1e-3" or "0.1%".
Parsed<double> parse_share(std::string_view text);

/// Percent, over 0 to 100: "50%" is 50.
Parsed<double> parse_percent(std::string_view text);

/// Bits a second: "10Gbps", "2.5Gbps", "64kbps". 1 bps to 10 Tbps.
Parsed<double> parse_bit_rate(std::string_view text);

/// Frames a second: "14.88Mpps", "1kpps", "100pps". 0.001 pps to 10 Gpps.
Parsed<double> parse_frame_rate(std::string_view text);

/// What follows the number in `text` ("Mpps", "%", ""); empty optional: it begins with no number.
std::optional<std::string_view> unit_of(std::string_view text);

}  // namespace barewire
