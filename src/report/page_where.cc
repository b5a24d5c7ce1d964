// SPDX-License-Identifier: BSD-3-Clause
// Where frames were lost, and what the embedded wire says it did.
#include <algorithm>
#include <array>
#include <initializer_list>

#include <fmt/format.h>

#include "page.h"

namespace barewire::report {
namespace {

struct Place {
    const char* key;
    std::string words;
    const char* source;
};

std::array<Place, 5> places(const Run& run) {
    const std::string medium = run.medium();
    const bool is_nic = medium.empty();
    const char* port = is_nic ? " NIC" : " port";
    const auto [sender, receiver] = run.port_owners();
    const char* path = medium == "wire"   ? "the wire"
                       : medium == "pcap" ? "before the capture"
                                          : "path (switch, cable)";
    return {{{"tx_port", sender + port + ", sending", "(oerrors)"},
             {"path", path, "by difference"},
             {"rx_damaged", receiver + port + ", bad frames", "(ierrors)"},
             {"rx_missed", receiver + port + ", missed", "(imissed)"},
             {"rx_no_buffer", receiver + port + ", no buffer", "(rx_nombuf)"}}};
}

/// Over all trials; "unknown" as soon as one of them cannot tell.
std::string lost_at(const Run& run, const char* key) {
    uint64_t sum = 0;
    for (const Json* trial : run.trials()) {
        const auto count = count_at(part(*trial, "lost_by"), key);
        if (!count) return "unknown";
        sum = add(sum, *count);
    }
    return grouped(sum);
}

/// Sums of the wire's counts and of ours, over the trials that have both.
struct Beside {
    const char* words;
    uint64_t wire = 0;
    uint64_t ours = 0;
};

Beside beside(const Run& run, const char* words, std::initializer_list<const char*> wire_keys,
              const char* our_key) {
    Beside sum{words};
    for (const Json* trial : run.trials()) {
        const Json& wire = part(*trial, "wire");
        if (!wire.is_object()) continue;
        for (const char* key : wire_keys) sum.wire = add(sum.wire, count_at(wire, key).value_or(0));
        sum.ours = add(sum.ours, count_at(*trial, our_key).value_or(0));
    }
    return sum;
}

uint64_t wire_total(const Run& run, const char* key) {
    return beside(run, "", {key}, "").wire;
}

void put_beside(Page& page, const std::array<Beside, 4>& rows) {
    constexpr size_t kWords = 24;
    size_t width = 6;
    for (const Beside& row : rows) {
        width = std::max({width, grouped(row.wire).size(), grouped(row.ours).size()});
    }
    const bool fits = kIndent + kWords + 2 * (width + 2) <= page.width();
    page.section("WIRE", fits ? fmt::format("{:<{}}{:>{}}{:>{}}", "as counted by", kWords, "wire",
                                            width + 2, "sink", width + 2)
                              : "as counted by wire and sink:");
    for (const Beside& row : rows) {
        const std::string wire = grouped(row.wire);
        const std::string ours = grouped(row.ours);
        page.section("", fits ? fmt::format("{:<{}}{:>{}}{:>{}}", row.words, kWords, wire,
                                            width + 2, ours, width + 2)
                              : fmt::format("{}: {} and {}", row.words, wire, ours));
    }
}

}  // namespace

void put_where(Page& page, const Run& run) {
    const uint64_t lost = run.total("lost").value_or(0);
    if (lost == 0) return;
    const auto all = places(run);
    std::array<std::string, 5> numbers;
    size_t words = 0;
    size_t digits = 0;
    for (size_t i = 0; i < all.size(); ++i) {
        numbers[i] = lost_at(run, all[i].key);
        words = std::max(words, all[i].words.size() + 1);
        digits = std::max(digits, numbers[i].size());
    }
    const std::string intro = fmt::format("the {} went:   ", grouped(lost));
    constexpr size_t kSource = 16;
    const bool beside = kIndent + intro.size() + words + digits + kSource <= page.width();
    const std::string indent(beside ? intro.size() : 0, ' ');
    if (!beside) page.section("WHERE", intro);
    for (size_t i = 0; i < all.size(); ++i) {
        const std::string row = fmt::format("{:<{}}{:>{}}   {}", all[i].words, words, numbers[i],
                                            digits, all[i].source);
        const bool first = beside && i == 0;
        page.section(first ? "WHERE" : "", (first ? intro : indent) + row);
    }
}

void put_wire(Page& page, const Run& run) {
    const std::array<Beside, 4> rows = {
        beside(run, "lost", {"lost", "burst_lost", "over_mtu", "over_max_frame"}, "lost"),
        beside(run, "duplicated", {"duplicated"}, "duplicated"),
        beside(run, "reordered", {"reordered"}, "reordered"),
        beside(run, "corrupted or cut", {"corrupted", "corrupted_any", "truncated"}, "corrupted"),
    };
    const bool did =
        std::any_of(rows.begin(), rows.end(), [](const Beside& row) { return row.wire > 0; });
    const bool has_counts =
        std::any_of(run.trials().begin(), run.trials().end(),
                    [](const Json* trial) { return part(*trial, "wire").is_object(); });
    const bool told = !word_at(part(run.json(), "effective"), "wire").empty();
    if (!has_counts || !(did || told)) return;
    put_beside(page, rows);
    if (const uint64_t count = wire_total(run, "over_mtu"); count > 0) {
        page.section("", fmt::format("of its losses {} were over its MTU", grouped(count)));
    }
    if (const uint64_t count = wire_total(run, "over_max_frame"); count > 0) {
        page.section("", fmt::format("of its losses {} were over its max-frame", grouped(count)));
    }
}

}  // namespace barewire::report
