// SPDX-License-Identifier: BSD-3-Clause
// Lenient access to a result.
#include "reading.h"

#include <limits>

#include <fmt/format.h>

namespace barewire::report {
namespace {

const Json& nothing() {
    static const Json null;
    return null;
}

std::optional<double> rate(const Json& trial, std::string_view key) {
    const auto received = figure_at(part(trial, "rx"), key);
    return received ? received : figure_at(part(trial, "tx"), key);
}

}  // namespace

const Json& part(const Json& object, std::string_view key) {
    if (!object.is_object()) return nothing();
    const auto found = object.find(std::string(key));
    return found == object.end() ? nothing() : *found;
}

std::optional<uint64_t> count_at(const Json& object, std::string_view key) {
    const Json& value = part(object, key);
    if (value.is_number_unsigned()) return value.get<uint64_t>();
    if (value.is_number_integer() && value.get<int64_t>() >= 0) return value.get<uint64_t>();
    return std::nullopt;
}

std::optional<double> figure_at(const Json& object, std::string_view key) {
    const Json& value = part(object, key);
    if (!value.is_number()) return std::nullopt;
    return value.get<double>();
}

bool flag_at(const Json& object, std::string_view key, bool fallback) {
    const Json& value = part(object, key);
    return value.is_boolean() ? value.get<bool>() : fallback;
}

std::string word_at(const Json& object, std::string_view key) {
    const Json& value = part(object, key);
    return value.is_string() ? value.get<std::string>() : std::string();
}

std::vector<std::string> words_at(const Json& object, std::string_view key) {
    std::vector<std::string> words;
    const Json& value = part(object, key);
    if (!value.is_array()) return words;
    for (const Json& word : value) {
        if (word.is_string()) words.push_back(word.get<std::string>());
    }
    return words;
}

uint64_t add(uint64_t a, uint64_t b) {
    constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
    return a > kMost - b ? kMost : a + b;
}

Run::Run(const Json& result) : json_(result) {
    const Json& trials = part(result, "trials");
    if (!trials.is_array()) return;
    for (const Json& trial : trials) {
        if (!trial.is_object()) continue;
        if (!trials_.empty()) {
            several_directions_ |= word_at(trial, "direction") != word_at(*trials_[0], "direction");
        }
        several_repeats_ |= count_at(trial, "repeat").value_or(1) > 1;
        sends_ |= count_at(trial, "offered").has_value();
        receives_ |= count_at(trial, "received").has_value();
        trials_.push_back(&trial);
    }
}

std::optional<uint64_t> Run::total(std::string_view key) const {
    std::optional<uint64_t> sum;
    for (const Json* trial : trials_) {
        if (const auto value = count_at(*trial, key)) sum = add(sum.value_or(0), *value);
    }
    return sum;
}

std::string Run::name_of(const Json& trial) const {
    std::string name = size_name(trial);
    name += name == "any" ? " size" : " bytes";
    if (several_directions_) name += " " + word_at(trial, "direction");
    if (several_repeats_) name += fmt::format(" #{}", count_at(trial, "repeat").value_or(0));
    return name;
}

bool Run::has_far_end() const {
    return part(json_, "far_environment").is_object();
}

std::pair<std::string, std::string> Run::port_owners() const {
    if (!has_far_end()) return {"our", "our"};
    if (several_directions_) return {"either", "either"};
    return {"our", "the far"};
}

std::string Run::medium() const {
    const Json& ports = part(part(json_, "environment"), "ports");
    if (!ports.is_array() || ports.empty()) return {};
    const std::string port = word_at(ports.front(), "port");
    for (const char* medium : {"wire", "null", "pcap", "af_packet", "af_xdp", "memif", "tap"}) {
        if (port == medium || port.starts_with(std::string(medium) + ":")) return medium;
    }
    return {};
}

std::string size_name(const Json& trial) {
    const auto size = count_at(trial, "frame_size");
    return size ? fmt::format("{}", *size) : "any";
}

std::optional<double> frames_rate(const Json& trial) {
    return rate(trial, "fps");
}

std::optional<double> l1_rate(const Json& trial) {
    return rate(trial, "l1_bps");
}

}  // namespace barewire::report
