// SPDX-License-Identifier: BSD-3-Clause
// The grammars of --rate, --late and addresses.
#include "barewire/plan/parse.h"

#include <arpa/inet.h>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "barewire/base/text.h"
#include "barewire/base/units.h"

#include "sentences.h"

namespace barewire::plan {
namespace {

/// "l2:9Gbps": `layer` is what stands before the bit rate.
RateSpec layer_rate(std::string_view text, std::string_view layer, RateKind kind,
                    Sentences& problems) {
    const std::string_view rate = text.substr(layer.size());
    const auto value = parse_bit_rate(rate);
    if (value) return {kind, *value};
    refuse_part(text, rate, value.problem, problems);
    return {};
}

RateSpec rate_of(RateKind kind, const Parsed<double>& value, Sentences& problems) {
    if (value) return {kind, *value};
    problems.push_back(value.problem);
    return {};
}

/// "5" or "5M": a rate of what?
bool lacks_quantity(std::string_view unit) {
    return unit.empty() || unit == "k" || unit == "K" || unit == "M" || unit == "m" ||
           unit == "G" || unit == "g";
}

void refuse_bare_rate(std::string_view text, std::string_view unit, Sentences& problems) {
    const std::string number = printable(text.substr(0, text.size() - unit.size()));
    const std::string_view prefix = unit.empty()                 ? ""
                                    : unit == "k" || unit == "K" ? "k"
                                    : unit == "M" || unit == "m" ? "M"
                                                                 : "G";
    refuse(text,
           fmt::format("{0}{1} of what? {0}{1}pps is frames a second, {0}{1}bps bits a second "
                       "on L1 (with preamble and gap), l2:{0}{1}bps without them, and a share of "
                       "the line is written as in 50%",
                       number, prefix),
           problems);
}

bool parse_hex_byte(std::string_view text, uint8_t& byte) {
    const char* const last = text.data() + text.size();
    return text.size() == 2 && std::from_chars(text.data(), last, byte, 16).ptr == last;
}

}  // namespace

RateSpec parse_rate(std::string_view text, Sentences& problems) {
    if (text == "max") return {};
    if (text.starts_with("l1:")) return layer_rate(text, "l1:", RateKind::l1, problems);
    if (text.starts_with("l2:")) return layer_rate(text, "l2:", RateKind::l2, problems);
    const auto unit = unit_of(text);
    if (!unit) {
        refuse(text, "a rate is max, or written as in 5Mpps, 10Gbps, l2:9Gbps or 50%", problems);
        return {};
    }
    if (lacks_quantity(*unit)) {
        refuse_bare_rate(text, *unit, problems);
        return {};
    }
    if (*unit == "%") return rate_of(RateKind::percent, parse_percent(text), problems);
    const bool frames = unit->ends_with("pps") || unit->ends_with("PPS") ||
                        unit->ends_with("fps") || unit->ends_with("p/s");
    return frames ? rate_of(RateKind::frames, parse_frame_rate(text), problems)
                  : rate_of(RateKind::l1, parse_bit_rate(text), problems);
}

LatePolicy parse_late(std::string_view text, Sentences& problems) {
    constexpr Ns kLeast = 1000;
    constexpr Ns kMost = 3'600'000'000'000;
    constexpr std::string_view kCatchUp = "catch-up=";
    constexpr std::string_view kSkip = "skip=";
    LatePolicy policy;
    const bool skip = text.starts_with(kSkip);
    if (!skip && !text.starts_with(kCatchUp)) {
        refuse(text, "late frames are treated as in catch-up=10ms or skip=1ms", problems);
        return policy;
    }
    const std::string_view time = text.substr(skip ? kSkip.size() : kCatchUp.size());
    const auto limit = parse_duration(time);
    if (!limit) {
        refuse_part(text, time, limit.problem, problems);
    } else if (*limit < kLeast || *limit > kMost) {
        refuse(text, "the limit is 1us to 1h, as in catch-up=10ms", problems);
    } else {
        policy = {skip ? LatePolicy::Kind::skip : LatePolicy::Kind::catch_up, *limit};
    }
    return policy;
}

std::optional<FarSpec> parse_far(std::string_view text, Sentences& problems) {
    if (text == "link") return FarSpec{};
    return FarSpec{parse_mac(text, problems)};
}

FlowControl parse_flow_control(std::string_view text, Sentences& problems) {
    if (text == "off") return FlowControl::off;
    if (text == "rx") return FlowControl::rx;
    if (text == "tx") return FlowControl::tx;
    if (text == "full") return FlowControl::full;
    refuse(text, "pause frames are off, heeded (rx), sent (tx) or both (full)", problems);
    return FlowControl::off;
}

Addressing::Mac parse_mac(std::string_view text, Sentences& problems) {
    Addressing::Mac mac{};
    const auto parts = split(text, ':');
    bool good = parts.size() == mac.size();
    for (size_t i = 0; good && i < mac.size(); ++i) good = parse_hex_byte(parts[i], mac[i]);
    if (!good) {
        refuse(text, "a MAC address is six bytes in hex, as in 02:00:00:00:00:01", problems);
    } else if (mac == Addressing::Mac{}) {
        refuse(text, "no station has the address of all zeros; use one as 02:00:00:00:00:01",
               problems);
    }
    return mac;
}

uint32_t parse_ipv4(std::string_view text, Sentences& problems) {
    in_addr address{};
    const bool zero_inside = text.find('\0') != text.npos;
    if (zero_inside || inet_pton(AF_INET, std::string(text).c_str(), &address) != 1) {
        refuse(text, "an IPv4 address is four numbers of 0 to 255, as in 198.18.0.1", problems);
        return 0;
    }
    return ntohl(address.s_addr);
}

uint16_t parse_port_number(std::string_view text, Sentences& problems) {
    const auto number = parse_integer(text, 1, std::numeric_limits<uint16_t>::max());
    if (number) return static_cast<uint16_t>(*number);
    refuse(text, "a UDP port is 1 to 65535, digits only", problems);
    return 0;
}

}  // namespace barewire::plan
