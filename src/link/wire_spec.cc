// SPDX-License-Identifier: BSD-3-Clause
// The grammar of --wire: one table row for each key.
#include "barewire/link/wire_spec.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "barewire/base/knobs.h"
#include "barewire/base/text.h"
#include "barewire/base/units.h"

namespace barewire::link {
namespace {

using Values = std::vector<std::string_view>;

/// One key of the grammar. `set` says whether the values are legal, and applies them if so; `text`
/// is empty where the direction has the plain wire's value.
struct Key {
    std::string_view name;
    std::string_view legal;    // what the values are, with their limits
    std::string_view example;  // what would be right
    size_t least_values;
    size_t most_values;
    bool (*set)(WireDirection& way, const Values& values);
    std::string (*text)(const WireDirection& way);
};

template <double WireDirection::*kField>
bool set_probability(WireDirection& way, const Values& values) {
    const auto share = parse_share(values[0]);
    if (share) way.*kField = *share;
    return share.value.has_value();
}

template <double WireDirection::*kField>
std::string probability_text(const WireDirection& way) {
    return way.*kField == WireDirection{}.*kField ? "" : fmt::format("{}", way.*kField);
}

/// A probability and a number of frames; the number may be left out where the table says so.
template <double WireDirection::*kField, uint32_t WireDirection::*kFrames, uint32_t kMost>
bool set_with_frames(WireDirection& way, const Values& values) {
    const auto frames = values.size() > 1 ? parse_integer(values[1], 1, kMost)
                                          : Parsed<uint64_t>::good(WireDirection{}.*kFrames);
    if (!frames || !set_probability<kField>(way, values)) return false;
    way.*kFrames = static_cast<uint32_t>(*frames);
    return true;
}

template <double WireDirection::*kField, uint32_t WireDirection::*kFrames>
std::string frames_text(const WireDirection& way) {
    constexpr WireDirection kPlain;
    if (way.*kField == kPlain.*kField && way.*kFrames == kPlain.*kFrames) return "";
    return fmt::format("{},{}", way.*kField, way.*kFrames);
}

template <std::optional<uint32_t> WireDirection::*kField, uint32_t kLeast, uint32_t kMost>
bool set_limit(WireDirection& way, const Values& values) {
    const auto bytes = parse_integer(values[0], kLeast, kMost);
    if (bytes) way.*kField = static_cast<uint32_t>(*bytes);
    return bytes.value.has_value();
}

template <std::optional<uint32_t> WireDirection::*kField>
std::string limit_text(const WireDirection& way) {
    return way.*kField ? fmt::format("{}", *(way.*kField)) : "";
}

template <double WireDirection::*kField>
constexpr Key probability_key(std::string_view name, std::string_view example) {
    return {name,
            "a probability is 0 to 1, or 0% to 100%",
            example,
            1,
            1,
            set_probability<kField>,
            probability_text<kField>};
}

using Way = WireDirection;
constexpr std::array kKeys{
    probability_key<&Way::loss>("loss", "loss=1e-3"),
    Key{"burst-loss", "a probability of 0 to 1 and the 1 to 1,000,000 frames that a burst loses",
        "burst-loss=1e-5,10", 2, 2,
        set_with_frames<&Way::burst_loss, &Way::burst_frames, kMaxBurstFrames>,
        frames_text<&Way::burst_loss, &Way::burst_frames>},
    probability_key<&Way::duplicate>("duplicate", "duplicate=1e-4"),
    Key{"reorder", "a probability of 0 to 1 and perhaps the 1 to 1,000 frames that overtake",
        "reorder=1e-4,5", 1, 2,
        set_with_frames<&Way::reorder, &Way::reorder_frames, kMaxReorderFrames>,
        frames_text<&Way::reorder, &Way::reorder_frames>},
    probability_key<&Way::corrupt>("corrupt", "corrupt=1e-5"),
    probability_key<&Way::corrupt_any>("corrupt-any", "corrupt-any=1e-5"),
    probability_key<&Way::truncate>("truncate", "truncate=1e-5"),
    Key{"mtu",
        "bytes after the Ethernet header and tags, 46 (a 64-byte frame's) to 65,535 (the largest "
        "IPv4 datagram)",
        "mtu=9000", 1, 1, set_limit<&Way::mtu, kMinMtu, kMaxMtu>, limit_text<&Way::mtu>},
    Key{"max-frame",
        "bytes with FCS, 64 (Ethernet's smallest) to 65,535 (the largest that barewire builds)",
        "max-frame=1518", 1, 1, set_limit<&Way::max_frame, kMinFrameSize, kMaxFrameSize>,
        limit_text<&Way::max_frame>},
};

/// Keys of the contract that need a clock and a queue, which this version's wire has not.
constexpr std::array<std::string_view, 6> kShaping{"speed",  "rate",  "pps",
                                                   "buffer", "delay", "jitter"};

struct Direction {
    std::string_view prefix;
    WireDirection WireSpec::*way;
};
constexpr std::array kDirections{Direction{"a-to-b", &WireSpec::a_to_b},
                                 Direction{"b-to-a", &WireSpec::b_to_a}};

std::string known_keys() {
    std::vector<std::string_view> names;
    for (const Key& key : kKeys) names.push_back(key.name);
    return join(names);
}

/// One key with its values: "a-to-b.reorder" and {"1e-4", "5"}.
struct Setting {
    std::string text;  // as typed
    std::string_view name;
    Values values;
};

/// Cuts at commas; a part without '=' is a further value of the key before it.
std::vector<Setting> settings_of(std::string_view text, std::vector<std::string>& problems) {
    std::vector<Setting> settings;
    for (const std::string_view part : split(text, ',')) {
        const size_t equals = part.find('=');
        if (equals != part.npos) {
            settings.push_back(
                {std::string(part), part.substr(0, equals), {part.substr(equals + 1)}});
        } else if (settings.empty()) {
            problems.push_back(fmt::format("{}: a setting is key=value, as in loss=1e-3; keys: {}",
                                           printable(part), known_keys()));
        } else {
            settings.back().text.append(",").append(part);
            settings.back().values.push_back(part);
        }
    }
    return settings;
}

/// Directions that the name's prefix selects, the prefix taken off; none if it is unknown.
std::vector<WireDirection*> take_directions(WireSpec& spec, std::string_view& name) {
    const size_t dot = name.find('.');
    if (dot == name.npos) return {&spec.a_to_b, &spec.b_to_a};
    const std::string_view prefix = name.substr(0, dot);
    name.remove_prefix(dot + 1);
    for (const Direction& direction : kDirections) {
        if (direction.prefix == prefix) return {&(spec.*direction.way)};
    }
    return {};
}

/// What is wrong with the setting, or nothing after it has been applied.
std::string apply(WireSpec& spec, Setting setting) {
    const auto ways = take_directions(spec, setting.name);
    if (ways.empty()) return "the directions are a-to-b and b-to-a, as in a-to-b.loss=1e-3";
    if (std::find(kShaping.begin(), kShaping.end(), setting.name) != kShaping.end()) {
        return fmt::format("the wire of this version has no shaping ({}); leave it out",
                           join({kShaping.begin(), kShaping.end()}));
    }
    const auto key = std::find_if(kKeys.begin(), kKeys.end(),
                                  [&](const Key& k) { return k.name == setting.name; });
    if (key == kKeys.end()) {
        return fmt::format("no key {}; the wire has {}", printable(setting.name), known_keys());
    }
    const size_t given = setting.values.size();
    bool good = given >= key->least_values && given <= key->most_values;
    for (WireDirection* way : ways) good = good && key->set(*way, setting.values);
    return good ? "" : fmt::format("{}; write it as in {}", key->legal, key->example);
}

double impaired_share(const WireDirection& way) {
    return way.loss + way.burst_loss + way.duplicate + way.reorder + way.corrupt + way.corrupt_any +
           way.truncate;
}

/// A frame suffers at most one impairment, so the probabilities of one way share a whole.
void judge_sums(const WireSpec& spec, std::vector<std::string>& problems) {
    constexpr double kRounding = 1e-12;  // ten times 0.1 is a little off 1
    for (const Direction& direction : kDirections) {
        const double sum = impaired_share(spec.*direction.way);
        if (sum <= 1 + kRounding) continue;
        problems.push_back(fmt::format(
            "{}: its probabilities add up to {:.6g}, at most 1 is possible because a frame suffers "
            "one impairment at most; lower one of them",
            direction.prefix, sum));
    }
}

}  // namespace

bool WireDirection::plain() const {
    return impaired_share(*this) == 0 && !mtu && !max_frame;
}

WireSpec parse_wire(std::string_view text, std::vector<std::string>& problems) {
    WireSpec spec;
    if (text.empty()) return spec;
    for (const Setting& setting : settings_of(text, problems)) {
        const std::string problem = apply(spec, setting);
        if (!problem.empty()) {
            problems.push_back(fmt::format("{}: {}", printable(setting.text), problem));
        }
    }
    judge_sums(spec, problems);
    return spec;
}

std::string to_string(const WireSpec& spec) {
    std::string text;
    const auto append = [&text](std::string_view prefix, std::string_view key,
                                const std::string& value) {
        if (value.empty()) return;
        text += fmt::format("{}{}{}={}", text.empty() ? "" : ",", prefix, key, value);
    };
    for (const Key& key : kKeys) {
        const std::string a_to_b = key.text(spec.a_to_b);
        const std::string b_to_a = key.text(spec.b_to_a);
        if (a_to_b == b_to_a) {
            append("", key.name, a_to_b);
        } else {
            append("a-to-b.", key.name, a_to_b);
            append("b-to-a.", key.name, b_to_a);
        }
    }
    return text;
}

}  // namespace barewire::link
