// SPDX-License-Identifier: BSD-3-Clause
// The grammar of --cores.
#include <algorithm>

#include <fmt/format.h>

#include "barewire/base/knobs.h"
#include "barewire/base/text.h"
#include "barewire/base/units.h"
#include "barewire/plan/parse.h"

#include "sentences.h"

namespace barewire::plan {
namespace {

/// Linux numbers at most 8192 processors (NR_CPUS of its largest configuration).
constexpr uint64_t kMaxCore = 8191;
constexpr size_t kMaxWorkers = kMaxStreams;  // of one role: each needs a stream space
constexpr std::string_view kGrammar =
    "a core list is written as in 2,4 or 2-5 or 0x4,1x4 (core 0 four times)";

/// Cores of one part, "2", "2-5" or "0x4", appended to `cores`; false if it is none of them.
bool add_part(std::string_view part, std::vector<int>& cores) {
    const size_t sign = part.find_first_of("-x");
    const auto first = parse_integer(part.substr(0, sign), 0, kMaxCore);
    if (!first) return false;
    const auto core = static_cast<int>(*first);
    if (sign == part.npos) {
        cores.push_back(core);
        return true;
    }
    const std::string_view rest = part.substr(sign + 1);
    if (part[sign] == 'x') {
        const auto times = parse_integer(rest, 1, 2 * kMaxWorkers);
        if (times) cores.insert(cores.end(), *times, core);
        return times.value.has_value();
    }
    const auto last = parse_integer(rest, *first, kMaxCore);
    if (!last) return false;
    for (int next = core; next <= static_cast<int>(*last); ++next) cores.push_back(next);
    return true;
}

std::vector<int> parse_list(std::string_view text, Sentences& problems) {
    const size_t before = problems.size();
    std::vector<int> cores;
    for (const std::string_view part : split(text, ',')) {
        if (!add_part(part, cores)) {
            refuse(part, fmt::format("{}; cores are 0 to {}", kGrammar, kMaxCore), problems);
        }
        const bool too_many = cores.size() > 2 * kMaxWorkers;  // parse_cores refuses it
        if (too_many || problems.size() >= before + kMaxListed) break;
    }
    return cores;
}

CoreSpec assign(std::vector<int> cores, Roles roles) {
    if (roles == Roles::generate) return {std::move(cores), {}};
    if (roles == Roles::sink) return {{}, std::move(cores)};
    if (cores.size() == 1) return {cores, cores};
    const auto half = cores.begin() + static_cast<std::ptrdiff_t>((cores.size() + 1) / 2);
    return {{cores.begin(), half}, {half, cores.end()}};
}

/// "generate=0,2;sink=4"
CoreSpec parse_roles(std::string_view text, Roles roles, Sentences& problems) {
    CoreSpec spec;
    bool good = roles == Roles::both;
    for (const std::string_view part : split(text, ';')) {
        constexpr std::string_view kGenerate = "generate=";
        constexpr std::string_view kSink = "sink=";
        const bool generates = part.starts_with(kGenerate);
        std::vector<int>& list = generates ? spec.generators : spec.sinks;
        good = good && (generates || part.starts_with(kSink)) && list.empty();
        if (!good) break;
        list = parse_list(part.substr(generates ? kGenerate.size() : kSink.size()), problems);
    }
    if (roles != Roles::both) {
        refuse(text, "this command's workers have one role; name only cores, as in 2,4", problems);
    } else if (!good) {
        refuse(text, "roles are written once each, as in generate=0,2;sink=4", problems);
    }
    return spec;
}

}  // namespace

CoreSpec parse_cores(std::string_view text, Roles roles, Sentences& problems) {
    const size_t before = problems.size();
    CoreSpec spec = text.find('=') != text.npos ? parse_roles(text, roles, problems)
                                                : assign(parse_list(text, problems), roles);
    if (std::max(spec.generators.size(), spec.sinks.size()) > kMaxWorkers) {
        refuse(text,
               fmt::format("at most {} workers of a role, each has a stream space in the "
                           "signature; name fewer",
                           kMaxWorkers),
               problems);
    }
    return problems.size() == before ? spec : CoreSpec{};
}

}  // namespace barewire::plan
