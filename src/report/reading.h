// SPDX-License-Identifier: BSD-3-Clause
// Reads a result's JSON for the page: a key that is missing, null or of another type is "not
// known", never an error, so that results of other versions can be shown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "barewire/report/json.h"

namespace barewire::report {

/// What stands at `key` of an object, null if nothing does.
const Json& part(const Json& object, std::string_view key);
std::optional<uint64_t> count_at(const Json& object, std::string_view key);
std::optional<double> figure_at(const Json& object, std::string_view key);
bool flag_at(const Json& object, std::string_view key, bool fallback);
/// "" if it is no string.
std::string word_at(const Json& object, std::string_view key);
/// The strings of an array.
std::vector<std::string> words_at(const Json& object, std::string_view key);

/// Sum that stops at the largest number instead of starting again at 0.
uint64_t add(uint64_t a, uint64_t b);

/// A run with what its page asks for again and again.
class Run {
  public:
    explicit Run(const Json& result);

    [[nodiscard]] const Json& json() const { return json_; }
    [[nodiscard]] const std::vector<const Json*>& trials() const { return trials_; }
    /// This process sent, received; in any trial.
    [[nodiscard]] bool sends() const { return sends_; }
    [[nodiscard]] bool receives() const { return receives_; }
    [[nodiscard]] bool several_directions() const { return several_directions_; }
    [[nodiscard]] bool several_repeats() const { return several_repeats_; }
    /// One end is another host's.
    [[nodiscard]] bool has_far_end() const;
    /// Whose port sends, whose receives: "our", "the far", or "either" where both do both.
    [[nodiscard]] std::pair<std::string, std::string> port_owners() const;
    /// Sum over all trials, nothing if no trial knows it.
    [[nodiscard]] std::optional<uint64_t> total(std::string_view key) const;
    /// "64 bytes", with direction and number of the repeat where there are several.
    [[nodiscard]] std::string name_of(const Json& trial) const;
    /// The first way of a frame: "wire", "null", "pcap", another kind of virtual port, or
    /// "" for a NIC or nothing known.
    [[nodiscard]] std::string medium() const;

  private:
    const Json& json_;
    std::vector<const Json*> trials_;
    bool sends_ = false;
    bool receives_ = false;
    bool several_directions_ = false;
    bool several_repeats_ = false;
};

/// "64", or "any" where a trial has no size of its own.
std::string size_name(const Json& trial);
/// Frames per second and L1 bits per second as received, else as sent.
std::optional<double> frames_rate(const Json& trial);
std::optional<double> l1_rate(const Json& trial);

}  // namespace barewire::report
