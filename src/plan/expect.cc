// SPDX-License-Identifier: BSD-3-Clause
// One table row for each figure that --expect can compare.
#include "barewire/plan/expect.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "barewire/base/text.h"
#include "barewire/base/units.h"

#include "sentences.h"

namespace barewire::plan {
namespace {

enum class Unit : uint8_t { count, share, frame_rate, bit_rate, time };

using Figure = std::optional<double>;

struct Row {
    std::string_view name;
    Unit unit;
    Figure (*read)(const TrialResult& trial);
    std::string_view why_unknown;
};

constexpr std::string_view kNotCounted = "this run could not count it";
constexpr std::string_view kNoRate = "too few frames were counted for a rate";
constexpr std::string_view kNoLatency = "no frame's latency was measured";
constexpr std::string_view kNoLateness = "no frame had an intended departure to be late for";
constexpr std::string_view kNoLine =
    "there is no line speed to compare with; --line 10Gbps names one";

template <class T>
Figure real(const std::optional<T>& value) {
    return value ? Figure(static_cast<double>(*value)) : std::nullopt;
}

template <MaybeCount TrialResult::*kField>
constexpr Row count_row(std::string_view name) {
    return {name, Unit::count, [](const TrialResult& t) { return real(t.*kField); }, kNotCounted};
}

template <std::optional<double> Rates::*kField>
constexpr Row rate_row(std::string_view name, Unit unit) {
    return {name, unit,
            [](const TrialResult& t) { return real(t.rx.*kField ? t.rx.*kField : t.tx.*kField); },
            kNoRate};
}

template <auto kField>
constexpr Row latency_row(std::string_view name) {
    return {name, Unit::time, [](const TrialResult& t) { return real(t.latency_ns.*kField); },
            kNoLatency};
}

Figure loss(const TrialResult& trial) {
    if (!trial.lost || !trial.offered || *trial.offered == 0) return std::nullopt;
    return static_cast<double>(*trial.lost) / static_cast<double>(*trial.offered);
}

constexpr std::array kRows{
    Row{"loss", Unit::share, loss, "nothing was offered, or not both ends were counted"},
    count_row<&TrialResult::lost>("lost"),
    count_row<&TrialResult::intended>("intended"),
    count_row<&TrialResult::offered>("offered"),
    count_row<&TrialResult::unsent>("unsent"),
    count_row<&TrialResult::received>("received"),
    count_row<&TrialResult::surplus>("surplus"),
    count_row<&TrialResult::duplicated>("duplicated"),
    count_row<&TrialResult::reordered>("reordered"),
    count_row<&TrialResult::corrupted>("corrupted"),
    count_row<&TrialResult::foreign>("foreign"),
    count_row<&TrialResult::stale>("stale"),
    Row{"stalls", Unit::count,
        [](const TrialResult& t) { return Figure(static_cast<double>(t.stalls.count)); },
        kNotCounted},
    Row{"line-rate", Unit::share, [](const TrialResult& t) { return real(t.line_rate_ratio); },
        kNoLine},
    rate_row<&Rates::fps>("fps", Unit::frame_rate),
    rate_row<&Rates::l1_bps>("l1", Unit::bit_rate),
    rate_row<&Rates::l2_bps>("l2", Unit::bit_rate),
    latency_row<&Distribution::min>("min"),
    latency_row<&Distribution::mean>("mean"),
    latency_row<&Distribution::p50>("p50"),
    latency_row<&Distribution::p90>("p90"),
    latency_row<&Distribution::p99>("p99"),
    latency_row<&Distribution::p999>("p999"),
    latency_row<&Distribution::max>("max"),
    Row{"lateness-p99", Unit::time, [](const TrialResult& t) { return real(t.lateness_ns.p99); },
        kNoLateness},
    Row{"jitter", Unit::time, [](const TrialResult& t) { return real(t.jitter_ns); }, kNoLatency},
};

const Row* find_row(std::string_view name) {
    const auto row =
        std::find_if(kRows.begin(), kRows.end(), [&](const Row& r) { return r.name == name; });
    return row == kRows.end() ? nullptr : &*row;
}

using Compare = Expectation::Compare;
struct Operator {
    std::string_view sign;
    Compare compare;
};
/// The longer sign first where one begins with the other.
constexpr std::array kOperators{Operator{"<=", Compare::at_most}, Operator{">=", Compare::at_least},
                                Operator{"<", Compare::less}, Operator{">", Compare::greater},
                                Operator{"=", Compare::equal}};

Parsed<double> as_real(const auto& parsed) {
    if (!parsed) return Parsed<double>::bad(parsed.problem);
    return Parsed<double>::good(static_cast<double>(*parsed));
}

Parsed<double> parse_value(Unit unit, std::string_view text) {
    switch (unit) {
        case Unit::count:
            return as_real(parse_count(text));
        case Unit::share:
            return parse_share(text);
        case Unit::frame_rate:  // 14Mpps, or 14M
            return parse_count(text) ? as_real(parse_count(text)) : parse_frame_rate(text);
        case Unit::bit_rate:
            return parse_bit_rate(text);
        case Unit::time:
            return as_real(parse_duration(text));
    }
    return Parsed<double>::bad("no such unit");
}

std::string_view scaled_time(double& ns) {
    if (ns < 1e3) return "ns";
    if (ns < 1e6) return ns /= 1e3, "us";
    if (ns < 1e9) return ns /= 1e6, "ms";
    return ns /= 1e9, "s";
}

std::string_view scaled_rate(double& rate) {
    if (rate < 1e3) return "";
    if (rate < 1e6) return rate /= 1e3, "k";
    if (rate < 1e9) return rate /= 1e6, "M";
    return rate /= 1e9, "G";
}

std::string describe(Unit unit, double value, int digits) {
    constexpr double kExact = 1e15;  // whole numbers below it are doubles
    switch (unit) {
        case Unit::count:
            if (value < kExact) return grouped(static_cast<unsigned long long>(value));
            return fmt::format("{:.0f}", value);
        case Unit::share:
            return fmt::format("{:.{}g}%", value * 100, digits);
        case Unit::time: {
            const std::string_view name = scaled_time(value);
            return fmt::format("{:.{}g} {}", value, digits, name);
        }
        default: {
            const std::string_view prefix = scaled_rate(value);
            const std::string_view name = unit == Unit::bit_rate ? "bps" : "pps";
            return fmt::format("{:.{}g} {}{}", value, digits, prefix, name);
        }
    }
}

/// With digits enough that a figure just beyond its limit does not read as the limit.
std::string describe_beside(Unit unit, double value, double limit) {
    constexpr int kFew = 4;
    constexpr int kAll = 17;  // tells any two doubles apart
    for (int digits = kFew; digits < kAll; ++digits) {
        std::string text = describe(unit, value, digits);
        if (text != describe(unit, limit, digits)) return text;
    }
    return describe(unit, value, kAll);
}

bool holds(Compare compare, double actual, double wanted) {
    switch (compare) {
        case Compare::less:
            return actual < wanted;
        case Compare::at_most:
            return actual <= wanted;
        case Compare::equal:
            return actual == wanted;
        case Compare::at_least:
            return actual >= wanted;
        case Compare::greater:
            return actual > wanted;
    }
    return false;
}

std::string_view trim(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

/// "p99<=20us" cut at its sign; nothing without exactly one sign.
struct Comparison {
    std::string_view figure;
    Compare compare;
    std::string_view value;
};
std::optional<Comparison> cut(std::string_view text) {
    constexpr std::string_view kSigns = "<>=";
    const size_t sign_at = std::min(text.find_first_of(kSigns), text.size());
    const std::string_view rest = text.substr(sign_at);
    const auto op = std::find_if(kOperators.begin(), kOperators.end(),
                                 [&](const Operator& o) { return rest.starts_with(o.sign); });
    if (op == kOperators.end()) return std::nullopt;
    const std::string_view value = rest.substr(op->sign.size());
    if (value.find_first_of(kSigns) != value.npos) return std::nullopt;
    return Comparison{trim(text.substr(0, sign_at)), op->compare, trim(value)};
}

/// One comparison; appends what is wrong with it.
std::optional<Expectation> parse_one(std::string_view text, std::vector<std::string>& problems) {
    const auto parts = cut(text);
    if (!parts) {
        refuse(text, "an expectation compares with = < > <= or >=, as in loss<=0.1%", problems);
        return std::nullopt;
    }
    const bool of_line = parts->figure == "l1" && unit_of(parts->value) == "%";
    const Row* row = find_row(of_line ? "line-rate" : parts->figure);
    if (row == nullptr) {
        refuse(text,
               fmt::format("no figure is called {}; there are {}", printable(parts->figure),
                           join(expectation_figures())),
               problems);
        return std::nullopt;
    }
    const auto value = parse_value(row->unit, parts->value);
    if (!value) {
        refuse_part(text, parts->value, value.problem, problems);
        return std::nullopt;
    }
    return Expectation{std::string(text), std::string(row->name), parts->compare, *value};
}

}  // namespace

std::vector<std::string_view> expectation_figures() {
    std::vector<std::string_view> names;
    names.reserve(kRows.size());
    for (const Row& row : kRows) names.push_back(row.name);
    return names;
}

std::vector<Expectation> parse_expect(std::string_view text, std::vector<std::string>& problems) {
    std::vector<Expectation> all;
    const size_t before = problems.size();
    for (const std::string_view part : split(text, ',')) {
        if (auto one = parse_one(trim(part), problems)) all.push_back(std::move(*one));
        if (problems.size() >= before + kMaxListed) break;
    }
    return all;
}

std::optional<std::string> evaluate_expectation(const Expectation& expectation,
                                                const TrialResult& trial) {
    const Row* row = find_row(expectation.figure);
    if (row == nullptr) return fmt::format("expected {}: no such figure", expectation.text);
    const Figure actual = row->read(trial);
    if (actual && holds(expectation.compare, *actual, expectation.value)) return std::nullopt;
    return fmt::format(
        "expected {}, but {} {} (frame size {}{}{}, trial {})", expectation.text, row->name,
        actual ? "was " + describe_beside(row->unit, *actual, expectation.value)
               : fmt::format("is not known: {}", row->why_unknown),
        trial.frame_size, trial.direction.empty() ? "" : ", ", trial.direction, trial.trial);
}

}  // namespace barewire::plan
