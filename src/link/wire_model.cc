// SPDX-License-Identifier: BSD-3-Clause
// Which frames the embedded wire loses, doubles, holds or damages.
#include "barewire/link/wire_model.h"

#include <cmath>

#include "barewire/base/check.h"
#include "barewire/base/clock.h"
#include "barewire/wire/signature.h"

namespace barewire::link {
namespace {

/// Uniform in [0, range): the high half of a product needs no division.
constexpr uint32_t scale(uint64_t draw, uint32_t range) noexcept {
    return static_cast<uint32_t>((static_cast<Uint128>(draw) * range) >> 64);
}

/// Upper end, on the scale of a 64-bit draw, of an interval that begins at `begin`. Probabilities
/// that add up to 1 may reach a little beyond the scale's end by rounding: they stop there.
uint64_t threshold_after(uint64_t begin, double probability) {
    constexpr uint64_t kEnd = ~uint64_t{0};
    const double width = std::ldexp(probability, 64);
    if (width >= std::ldexp(1.0, 64)) return kEnd;
    const auto whole = static_cast<uint64_t>(width);
    return whole > kEnd - begin ? kEnd : begin + whole;
}

constexpr uint32_t kSignatureEnd = wire::kProbeOffset + wire::kSignatureSize;
constexpr uint32_t kEthernetHeader = 14;

}  // namespace

WireModel::WireModel(const WireDirection& spec, uint64_t seed, uint8_t direction, uint32_t streams)
    : spec_(spec), seed_(seed), direction_(direction), streams_(streams) {
    BW_CHECK(streams >= 1 && streams <= kMaxStreams);
    if (spec.max_frame) most_length_ = *spec.max_frame - kFcsSize;
    if (spec.mtu) most_l3_length_ = *spec.mtu;
    uint64_t end = 0;
    const auto next = [&end](double probability) {
        return end = threshold_after(end, probability);
    };
    until_lose_ = next(spec.loss);
    until_burst_ = next(spec.burst_loss);
    until_duplicate_ = next(spec.duplicate);
    until_hold_ = next(spec.reorder);
    until_corrupt_ = next(spec.corrupt);
    until_corrupt_any_ = next(spec.corrupt_any);
    until_truncate_ = next(spec.truncate);
    begin_trial(0);
}

void WireModel::begin_trial(uint32_t trial) noexcept {
    key_ = mix64(mix64(seed_ + kWeyl) + ((uint64_t{trial} << 8) | direction_) * kWeyl);
    counts_ = {};
    stream_.fill({});
}

bool WireModel::fits(uint32_t length, uint32_t l3_length) noexcept {
    if (length > most_length_) {
        ++counts_.over_max_frame;
        return false;
    }
    if (l3_length > most_l3_length_) {
        ++counts_.over_mtu;
        return false;
    }
    return true;
}

Decision WireModel::decide_other(uint32_t length, uint32_t l3_length) noexcept {
    ++counts_.entered;
    return {fits(length, l3_length) ? Fate::pass : Fate::lose, 0};
}

/// The limits first, then a burst that has begun, then the one impairment that the draw names.
Decision WireModel::strike(Stream& state, uint64_t draw, uint32_t length,
                           uint32_t l3_length) noexcept {
    if (!fits(length, l3_length)) return {Fate::lose, 0};
    if (state.burst_left > 0) {
        --state.burst_left;
        ++counts_.burst_lost;
        return {Fate::lose, 0};
    }
    if (draw >= until_truncate_) return {};
    if (draw < until_lose_) {
        ++counts_.lost;
        return {Fate::lose, 0};
    }
    if (draw < until_burst_) {
        ++counts_.burst_lost;
        state.burst_left = spec_.burst_frames - 1;
        return {Fate::lose, 0};
    }
    if (draw < until_duplicate_) {
        ++counts_.duplicated;
        return {Fate::duplicate, 0};
    }
    if (draw < until_hold_) return {Fate::hold, 0};
    return damage(draw, length);
}

/// Where the damage falls is drawn anew: the first draw is not uniform within its interval's
/// bounds.
Decision WireModel::damage(uint64_t draw, uint32_t length) noexcept {
    const uint64_t where = mix64(draw + kWeyl);
    if (draw < until_corrupt_) {
        if (length <= kSignatureEnd) return {};  // no payload after the signature
        ++counts_.corrupted;
        return {Fate::corrupt, kSignatureEnd * 8 + scale(where, (length - kSignatureEnd) * 8)};
    }
    if (draw < until_corrupt_any_) {
        ++counts_.corrupted_any;
        return {Fate::corrupt_any, scale(where, length * 8)};
    }
    // The signature survives where the frame has more than it; a shorter one becomes a stump.
    const uint32_t least = length > kSignatureEnd ? kSignatureEnd : kEthernetHeader;
    ++counts_.truncated;
    return {Fate::truncate, least + scale(where, length - least)};
}

}  // namespace barewire::link
