// SPDX-License-Identifier: BSD-3-Clause
// Any text for any parser of a plan's parts: a legal value, or sentences fit for one line each.
// The first byte picks the parser.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "barewire/base/check.h"
#include "barewire/base/knobs.h"
#include "barewire/base/units.h"
#include "barewire/plan/parse.h"

namespace {

using namespace barewire;
using plan::Sentences;

void check_sentences(const Sentences& sentences) {
    for (const std::string& sentence : sentences) {
        BW_CHECK(!sentence.empty() && sentence.size() < 1000);
        BW_CHECK(std::all_of(sentence.begin(), sentence.end(),
                             [](char c) { return c >= ' ' && c <= '~'; }));
    }
}

void sizes(std::string_view text, Sentences& problems) {
    Sentences notes;
    const auto all = plan::parse_sizes(text, problems, notes);
    check_sentences(notes);
    if (!problems.empty()) return;
    BW_CHECK(!all.empty() && all.size() <= plan::kMaxSizes);
    for (const uint32_t size : all) BW_CHECK(size >= kMinFrameSize && size <= kMaxFrameSize);
}

void rate(std::string_view text, Sentences& problems) {
    const auto spec = plan::parse_rate(text, problems);
    if (!problems.empty() || spec.kind == plan::RateKind::max) return;
    BW_CHECK(spec.value > 0 && spec.value <= 1e13);
}

void late(std::string_view text, Sentences& problems) {
    const auto policy = plan::parse_late(text, problems);
    if (problems.empty())
        BW_CHECK(policy.limit_ns >= 1000 && policy.limit_ns <= Ns{3600} * 1'000'000'000);
}

void port(std::string_view text, Sentences& problems) {
    const auto spec = plan::parse_port(text, problems);
    if (!problems.empty()) return;
    BW_CHECK(spec.text == text);
    const bool files = !spec.pcap_in.empty() || !spec.pcap_out.empty();
    BW_CHECK(files == (spec.kind == plan::PortKind::pcap));
    BW_CHECK(spec.device.empty() == (spec.kind < plan::PortKind::af_packet));
    BW_CHECK(!spec.memif_server || spec.kind == plan::PortKind::memif);
    if (spec.kind == plan::PortKind::pci) {  // the long form parses to itself
        BW_CHECK(plan::parse_port(spec.device, problems).device == spec.device);
    } else if (!spec.device.empty()) {
        BW_CHECK(text.find(spec.device) != text.npos);
    }
}

template <plan::Roles kRoles>
void cores(std::string_view text, Sentences& problems) {
    const auto spec = plan::parse_cores(text, kRoles, problems);
    if (!problems.empty()) return;
    BW_CHECK(!spec.generators.empty() || !spec.sinks.empty());
    for (const auto* list : {&spec.generators, &spec.sinks}) {
        BW_CHECK(list->size() <= kMaxStreams);
        for (const int core : *list) BW_CHECK(core >= 0 && core < 8192);
    }
}

void addresses(std::string_view text, Sentences& problems) {
    Sentences others;
    plan::parse_mac(text, problems);
    plan::parse_ipv4(text, others);
    plan::parse_port_number(text, others);
    check_sentences(others);
    BW_CHECK(!problems.empty() || !others.empty());  // no text is an address of two kinds
}

void expect(std::string_view text, Sentences& problems) {
    plan::TrialResult trial;
    trial.lost = trial.received = trial.offered = 1;
    trial.rx.fps = trial.rx.l1_bps = trial.rx.l2_bps = trial.line_rate_ratio = 1e-9;
    for (const auto& expectation : plan::parse_expect(text, problems)) {
        const auto broken = plan::evaluate_expectation(expectation, trial);
        if (broken) BW_CHECK(!broken->empty());
        BW_CHECK(plan::evaluate_expectation(expectation, plan::TrialResult{}).has_value() ||
                 expectation.figure == "stalls");
    }
}

template <class T>
void check(const Parsed<T>& parsed) {
    BW_CHECK(parsed.value.has_value() == parsed.problem.empty());
    if (!parsed) check_sentences({parsed.problem});
}

void units(std::string_view text, Sentences&) {
    check(parse_bytes(text));
    check(parse_duration(text));
    check(parse_count(text));
    check(parse_share(text));
    check(parse_percent(text));
    check(parse_bit_rate(text));
    check(parse_frame_rate(text));
}

constexpr void (*kParsers[])(std::string_view, Sentences&) = {
    sizes,     rate,   late, port, cores<plan::Roles::both>, cores<plan::Roles::sink>,
    addresses, expect, units};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0) return 0;
    const std::string text(data + 1, data + size);
    Sentences problems;
    kParsers[data[0] % std::size(kParsers)](text, problems);
    check_sentences(problems);
    return 0;
}
