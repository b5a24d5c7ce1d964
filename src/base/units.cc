// SPDX-License-Identifier: BSD-3-Clause
// Numbers with units: one decimal reader, one table of units for each kind of quantity.
#include "barewire/base/units.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <span>

#include <fmt/format.h>

#include "barewire/base/text.h"

namespace barewire {
namespace {

/// mantissa x 10^exponent, exactly as typed.
struct Decimal {
    uint64_t mantissa = 0;
    int exponent = 0;
};

struct Unit {
    std::string_view name;
    uint64_t factor;
    int exponent;  // the unit is factor x 10^exponent
};

/// What people write for it, in lower case.
struct Alias {
    std::string_view typed;
    std::string_view right;
};

struct Kind {
    std::string_view noun;      // "a duration"
    std::string_view examples;  // "10s, 300ms or 50us"
    std::span<const Unit> units;
    std::span<const Alias> aliases;
    char unlike = 0;  // a letter whose other case means something else: no unit is suggested
};

constexpr Unit kByteUnits[] = {{"", 1, 0},           {"B", 1, 0},           {"kB", 1, 3},
                               {"KB", 1, 3},         {"MB", 1, 6},          {"GB", 1, 9},
                               {"TB", 1, 12},        {"KiB", 1U << 10, 0},  {"MiB", 1U << 20, 0},
                               {"GiB", 1U << 30, 0}, {"TiB", 1ULL << 40, 0}};
constexpr Alias kByteAliases[] = {{"k", "KiB"},  {"m", "MiB"},  {"g", "GiB"},  {"t", "TiB"},
                                  {"ki", "KiB"}, {"mi", "MiB"}, {"gi", "GiB"}, {"bytes", "B"}};
constexpr Kind kBytes{"a number of bytes", "65536, 64KiB or 1MB", kByteUnits, kByteAliases};

constexpr Unit kTimeUnits[] = {{"ns", 1, 0}, {"us", 1, 3},   {"ms", 1, 6},
                               {"s", 1, 9},  {"min", 60, 9}, {"h", 3600, 9}};
constexpr Alias kTimeAliases[] = {
    {"sec", "s"},    {"secs", "s"}, {"second", "s"},   {"seconds", "s"},  {"m", "min"},
    {"mins", "min"}, {"hour", "h"}, {"hours", "h"},    {"msec", "ms"},    {"usec", "us"},
    {"nsec", "ns"},  {"hr", "h"},   {"minute", "min"}, {"minutes", "min"}};
constexpr Kind kTime{"a duration", "10s, 300ms or 50us", kTimeUnits, kTimeAliases};

constexpr Unit kCountUnits[] = {{"", 1, 0}, {"k", 1, 3}, {"M", 1, 6}, {"G", 1, 9}};
constexpr Alias kCountAliases[] = {{"b", "G"}, {"ki", "k"}, {"mi", "M"}, {"million", "M"}};
constexpr Kind kCount{"a count", "3000000, 3M or 1.5k", kCountUnits, kCountAliases};

constexpr Unit kShareUnits[] = {{"", 1, 0}, {"%", 1, -2}};
constexpr Alias kShareAliases[] = {{"percent", "%"}, {"pc", "%"}};
constexpr Kind kShare{"a share", "0.001, 1e-3 or 0.1%", kShareUnits, kShareAliases};

constexpr Unit kPercentUnits[] = {{"%", 1, 0}};
constexpr Kind kPercent{"a percentage", "50% or 99.9%", kPercentUnits, kShareAliases};

constexpr Unit kBitUnits[] = {
    {"bps", 1, 0}, {"kbps", 1, 3}, {"Mbps", 1, 6}, {"Gbps", 1, 9}, {"Tbps", 1, 12}};
constexpr Alias kBitAliases[] = {
    {"g", "Gbps"},       {"gb", "Gbps"},      {"gbit", "Gbps"},   {"gbits", "Gbps"},
    {"gb/s", "Gbps"},    {"gbit/s", "Gbps"},  {"m", "Mbps"},      {"mb", "Mbps"},
    {"mbit", "Mbps"},    {"mbits", "Mbps"},   {"mb/s", "Mbps"},   {"mbit/s", "Mbps"},
    {"k", "kbps"},       {"kb", "kbps"},      {"kbit", "kbps"},   {"kbits", "kbps"},
    {"kb/s", "kbps"},    {"kbit/s", "kbps"},  {"bit/s", "bps"},   {"bits/s", "bps"},
    {"gbits/s", "Gbps"}, {"mbits/s", "Mbps"}, {"kbits/s", "kbps"}};
constexpr Kind kBits{"a bit rate", "10Gbps, 2.5Gbps or 100Mbps", kBitUnits, kBitAliases, 'B'};

constexpr Unit kFrameRateUnits[] = {{"pps", 1, 0}, {"kpps", 1, 3}, {"Mpps", 1, 6}, {"Gpps", 1, 9}};
constexpr Alias kFrameRateAliases[] = {{"fps", "pps"},   {"kfps", "kpps"}, {"mfps", "Mpps"},
                                       {"mp/s", "Mpps"}, {"kp/s", "kpps"}, {"p/s", "pps"}};
constexpr Kind kFrameRate{"a frame rate", "14.88Mpps, 1kpps or 100pps", kFrameRateUnits,
                          kFrameRateAliases};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Takes the digits at the front of `rest` into `number`; nothing where they do not fit.
bool take_digits(std::string_view& rest, Decimal& number, bool fraction) {
    while (!rest.empty() && is_digit(rest.front())) {
        const auto digit = static_cast<uint64_t>(rest.front() - '0');
        if (number.mantissa > (std::numeric_limits<uint64_t>::max() - digit) / 10) return false;
        number.mantissa = number.mantissa * 10 + digit;
        if (fraction) --number.exponent;
        rest.remove_prefix(1);
    }
    return true;
}

/// "e-3" at the front, if it is there whole; "e" alone is left to be a unit.
bool take_exponent(std::string_view& rest, Decimal& number) {
    if (rest.empty() || (rest.front() != 'e' && rest.front() != 'E')) return true;
    std::string_view digits = rest.substr(1);
    const bool negative = !digits.empty() && digits.front() == '-';
    if (negative || (!digits.empty() && digits.front() == '+')) digits.remove_prefix(1);
    if (digits.empty() || !is_digit(digits.front())) return true;
    constexpr int kMost = 400;  // beyond a double's range either way
    int exponent = 0;
    for (; !digits.empty() && is_digit(digits.front()); digits.remove_prefix(1)) {
        exponent = exponent * 10 + (digits.front() - '0');
        if (exponent > kMost) return false;
    }
    number.exponent += negative ? -exponent : exponent;
    rest = digits;
    return true;
}

struct Quantity {
    Decimal number;
    std::string_view digits;  // as typed
    std::string_view unit;
};

/// Empty: no number at the front, or one with more digits than can be held.
std::optional<Quantity> read_quantity(std::string_view text) {
    Quantity quantity;
    std::string_view rest = text;
    const bool whole = !rest.empty() && is_digit(rest.front());
    if (!take_digits(rest, quantity.number, false)) return std::nullopt;
    const bool part = rest.size() > 1 && rest[0] == '.' && is_digit(rest[1]);
    if (part) {
        rest.remove_prefix(1);
        if (!take_digits(rest, quantity.number, true)) return std::nullopt;
    }
    if (!whole && !part) return std::nullopt;
    if (!take_exponent(rest, quantity.number)) return std::nullopt;
    quantity.digits = text.substr(0, text.size() - rest.size());
    quantity.unit = rest;
    return quantity;
}

std::string lower(std::string_view text) {
    std::string low(text);
    for (char& c : low) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return low;
}

/// The unit that was probably meant, or nothing.
std::string_view probable_unit(const Kind& kind, std::string_view typed) {
    if (kind.unlike != 0 && typed.find(kind.unlike) != typed.npos) return {};
    const std::string low = lower(typed);
    for (const Unit& unit : kind.units) {
        if (lower(unit.name) == low) return unit.name;
    }
    for (const Alias& alias : kind.aliases) {
        if (alias.typed == low) return alias.right;
    }
    return {};
}

std::string unit_problem(const Kind& kind, std::string_view text, const Quantity& quantity) {
    const std::string shown = printable(text);
    if (quantity.unit.empty()) {
        return fmt::format("{}: {} of what? {} has a unit, as in {}", shown,
                           printable(quantity.digits), kind.noun, kind.examples);
    }
    const std::string_view right = probable_unit(kind, quantity.unit);
    if (!right.empty()) {
        return fmt::format("{}: no unit is written {}; {}{} would be right", shown,
                           printable(quantity.unit), printable(quantity.digits), right);
    }
    return fmt::format("{}: {} is no unit of {}; write it as in {}", shown,
                       printable(quantity.unit), kind.noun, kind.examples);
}

struct Scaled {
    Quantity quantity;
    const Unit* unit = nullptr;
};

/// Number and unit, both known to be legal; or the problem.
Parsed<Scaled> read_scaled(const Kind& kind, std::string_view text) {
    const auto quantity = read_quantity(text);
    if (!quantity) {
        const bool negative = text.starts_with('-');
        return Parsed<Scaled>::bad(fmt::format(
            "{}: {}; {} is written as in {}", printable(text),
            negative ? "it cannot be negative" : "this is not a number that can be held", kind.noun,
            kind.examples));
    }
    for (const Unit& unit : kind.units) {
        if (unit.name == quantity->unit) return Parsed<Scaled>::good({*quantity, &unit});
    }
    return Parsed<Scaled>::bad(unit_problem(kind, text, *quantity));
}

/// The decimal nearest double: the digits are shifted, not multiplied, so 99.9% is 0.999.
std::optional<double> to_double(const Decimal& number, int shift) {
    const std::string text = fmt::format("{}e{}", number.mantissa, number.exponent + shift);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{}) return std::nullopt;
    return value;
}

/// number x factor x 10^shift where it is a whole number under 2^64.
std::optional<uint64_t> to_whole(const Decimal& number, uint64_t factor, int shift) {
    Uint128 value = static_cast<Uint128>(number.mantissa) * factor;
    if (value == 0) return 0;
    int exponent = number.exponent + shift;
    for (; exponent < 0; ++exponent) {
        if (value % 10 != 0) return std::nullopt;
        value /= 10;
    }
    constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
    for (; exponent > 0 && value <= kMost; --exponent) value *= 10;
    if (value > kMost) return std::nullopt;
    return static_cast<uint64_t>(value);
}

Parsed<uint64_t> parse_whole(const Kind& kind, std::string_view text, std::string_view limit) {
    const auto scaled = read_scaled(kind, text);
    if (!scaled) return Parsed<uint64_t>::bad(scaled.problem);
    const auto& [quantity, unit] = *scaled;
    const auto whole = to_whole(quantity.number, unit->factor, unit->exponent);
    if (whole) return Parsed<uint64_t>::good(*whole);
    return Parsed<uint64_t>::bad(
        fmt::format("{}: {} is a whole number {}", printable(text), kind.noun, limit));
}

struct Range {
    double least;
    double most;
    std::string_view words;  // "0 to 1"
};

Parsed<double> parse_real(const Kind& kind, std::string_view text, const Range& range) {
    const auto scaled = read_scaled(kind, text);
    if (!scaled) return Parsed<double>::bad(scaled.problem);
    const auto& [quantity, unit] = *scaled;
    const auto value = to_double(quantity.number, unit->exponent);
    if (value && *value >= range.least && *value <= range.most) {
        return Parsed<double>::good(*value);
    }
    return Parsed<double>::bad(
        fmt::format("{}: {} is {}", printable(text), kind.noun, range.words));
}

}  // namespace

Parsed<uint64_t> parse_integer(std::string_view text, uint64_t least, uint64_t most) {
    uint64_t value = 0;
    const char* const last = text.data() + text.size();
    const auto [end, error] = std::from_chars(text.data(), last, value);
    if (error == std::errc{} && end == last && value >= least && value <= most) {
        return Parsed<uint64_t>::good(value);
    }
    return Parsed<uint64_t>::bad(fmt::format("{}: this is a whole number, {} to {}, digits only",
                                             printable(text), grouped(least), grouped(most)));
}

Parsed<uint64_t> parse_bytes(std::string_view text) {
    return parse_whole(kBytes, text, "under 2^64");
}

Parsed<Ns> parse_duration(std::string_view text) {
    constexpr uint64_t kMost = 366ULL * 86400 * 1'000'000'000;
    auto whole = parse_whole(kTime, text, "of ns, at most 366 days");
    if (!whole) return Parsed<Ns>::bad(std::move(whole.problem));
    if (*whole > kMost) {
        return Parsed<Ns>::bad(
            fmt::format("{}: a duration is at most 366 days (8784h)", printable(text)));
    }
    return Parsed<Ns>::good(static_cast<Ns>(*whole));
}

Parsed<uint64_t> parse_count(std::string_view text) {
    return parse_whole(kCount, text, "under 2^64");
}

Parsed<double> parse_share(std::string_view text) {
    return parse_real(kShare, text, {0, 1, "0 to 1, or 0% to 100%"});
}

Parsed<double> parse_percent(std::string_view text) {
    return parse_real(kPercent, text, {1e-6, 100, "0.000001% to 100%"});
}

Parsed<double> parse_bit_rate(std::string_view text) {
    return parse_real(kBits, text, {1, 1e13, "1bps to 10Tbps"});
}

Parsed<double> parse_frame_rate(std::string_view text) {
    return parse_real(kFrameRate, text, {1e-3, 1e10, "0.001pps to 10Gpps"});
}

std::optional<std::string_view> unit_of(std::string_view text) {
    const auto quantity = read_quantity(text);
    if (!quantity) return std::nullopt;
    return quantity->unit;
}

}  // namespace barewire
