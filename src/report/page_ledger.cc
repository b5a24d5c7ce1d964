// SPDX-License-Identifier: BSD-3-Clause
// The figures: one row a trial, the counts beside it, where frames were lost.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "page.h"
#include "table.h"

namespace barewire::report {
namespace {

/// Trials that a line of counts names one by one.
constexpr size_t kMostNamed = 8;

template <class Cell>
Column column(const Run& run, std::string title, int rank, Cell cell) {
    Column column{std::move(title), rank, {}};
    for (const Json* trial : run.trials()) column.cells.push_back(cell(*trial));
    return column;
}

Column counts(const Run& run, const char* title, const char* key, int rank = 0) {
    return column(run, title, rank, [key](const Json& trial) {
        const auto count = count_at(trial, key);
        return count ? grouped(*count) : std::string("-");
    });
}

std::string loss_of(const Json& trial) {
    const auto lost = count_at(trial, "lost");
    if (!lost) return "-";
    const auto offered = count_at(trial, "offered");
    return loss_share(*lost,
                      offered ? *offered : add(*lost, count_at(trial, "received").value_or(0)));
}

std::string decimals(std::optional<double> value, double unit, int places) {
    return value ? fixed(*value / unit, places) : "-";
}

/// "of 10G": the speed that all shares refer to. Rounded, since it comes from a quotient.
std::string ratio_title(const Run& run) {
    std::set<std::string> speeds;
    for (const Json* trial : run.trials()) {
        const auto ratio = figure_at(*trial, "line_rate_ratio");
        const auto l1 = l1_rate(*trial);
        if (ratio && l1 && *ratio > 0) speeds.insert(fmt::format("{:.4g}", *l1 / *ratio / 1e9));
    }
    return speeds.size() == 1 ? fmt::format("of {}G", *speeds.begin()) : "of line";
}

bool any_figure(const Run& run, const char* key) {
    return std::any_of(run.trials().begin(), run.trials().end(),
                       [key](const Json* trial) { return figure_at(*trial, key).has_value(); });
}

void add_rates(std::vector<Column>& columns, const Run& run) {
    columns.push_back(column(run, "Mpps", kRankOfExtras, [](const Json& trial) {
        return decimals(frames_rate(trial), 1e6, 3);
    }));
    columns.push_back(column(run, "L1 Gb/s", 3,
                             [](const Json& trial) { return decimals(l1_rate(trial), 1e9, 3); }));
    if (!any_figure(run, "line_rate_ratio")) return;
    columns.push_back(column(run, ratio_title(run), 2, [](const Json& trial) {
        const auto ratio = figure_at(trial, "line_rate_ratio");
        return ratio ? fixed(*ratio * 100, 1) + "%" : std::string("-");
    }));
}

/// p99 of latency where both ends are here, of lateness where frames are paced and only sent.
void add_percentile(std::vector<Column>& columns, const Run& run) {
    const bool latency = std::any_of(
        run.trials().begin(), run.trials().end(),
        [](const Json* trial) { return figure_at(part(*trial, "latency_ns"), "p99").has_value(); });
    if (!latency && !(run.sends() && any_figure(run, "target_fps"))) return;
    const char* key = latency ? "latency_ns" : "lateness_ns";
    columns.push_back(column(run, latency ? "p99 us" : "p99 late us", 4, [key](const Json& trial) {
        return decimals(figure_at(part(trial, key), "p99"), 1e3, 1);
    }));
}

/// What a trial contributes to a line of counts: "12,345 at 64 bytes".
std::string named(const Run& run, const char* key) {
    std::vector<std::string> list;
    for (const Json* trial : run.trials()) {
        const auto count = count_at(*trial, key);
        if (count.value_or(0) == 0) continue;
        list.push_back(fmt::format("{} at {}", grouped(*count), run.name_of(*trial)));
    }
    if (list.size() <= kMostNamed) return listed(list);
    return fmt::format("{} in {} trials", grouped(run.total(key).value_or(0)), list.size());
}

void put_unsent(Page& page, const Run& run) {
    size_t lines = 0;
    for (const Json* trial : run.trials()) {
        const auto unsent = count_at(*trial, "unsent");
        if (unsent.value_or(0) == 0) continue;
        if (++lines > kMostNamed) continue;
        std::string line = fmt::format(" unsent: {} at {}", grouped(*unsent), run.name_of(*trial));
        if (const auto explained = count_at(*trial, "unsent_explained")) {
            const double stalled = figure_at(part(*trial, "stalls"), "total_ns").value_or(0);
            line += fmt::format(": stalls of {} explain up to {}", short_time(stalled),
                                grouped(*explained));
        }
        page.line(line, 2);
    }
    if (lines > kMostNamed) {
        page.line(fmt::format(" unsent: in {} further trials", lines - kMostNamed), 2);
    }
}

/// " unsent, duplicated, ...: 0 in every trial", and a line for each that is not.
void put_others(Page& page, const Run& run) {
    static constexpr std::array kCounts = {"unsent",    "duplicated", "reordered",
                                           "corrupted", "surplus",    "stale"};
    std::string zero;
    std::vector<std::string> others;
    for (const char* key : kCounts) {
        const auto total = run.total(key);
        if (total && *total == 0) zero += (zero.empty() ? "" : ", ") + std::string(key);
        if (total.value_or(0) == 0 || std::string_view(key) == "unsent") continue;
        others.push_back(fmt::format(" {}: {}", key, named(run, key)));
    }
    if (!zero.empty()) {
        const bool one = run.trials().size() == 1;
        page.line(fmt::format(" {}: 0{}", zero, one ? "" : " in every trial"), 2);
    }
    put_unsent(page, run);
    for (const std::string& line : others) page.line(line, 2);
}

void put_foreign(Page& page, const Run& run) {
    const auto total = run.total("foreign");
    if (!total) return;
    std::map<std::string, uint64_t> classes;
    for (const Json* trial : run.trials()) {
        const Json& by = part(*trial, "foreign_by");
        if (!by.is_object()) continue;
        for (const auto& [name, value] : by.items()) {
            uint64_t& sum = classes[name];
            sum = add(sum, count_at(by, name).value_or(0));
        }
    }
    std::string by;
    for (const auto& [name, count] : classes) {
        by += fmt::format("{}{} {}", by.empty() ? " (" : ", ", name, grouped(count));
    }
    page.line(fmt::format(" foreign: {}{}", grouped(*total), by.empty() ? "" : by + ")"), 2);
}

void put_stalls(Page& page, const Run& run) {
    uint64_t count = 0;
    double longest = 0;
    double total = 0;
    for (const Json* trial : run.trials()) {
        const Json& stalls = part(*trial, "stalls");
        count = add(count, count_at(stalls, "count").value_or(0));
        longest = std::max(longest, figure_at(stalls, "longest_ns").value_or(0));
        total += figure_at(stalls, "total_ns").value_or(0);
    }
    if (count == 0) return;
    page.line(fmt::format(" stalls: {}, the longest {}, {} in all (something took the core)",
                          grouped(count), short_time(longest), short_time(total)),
              2);
}

/// How the frames fell to several sinks of one way: " sinks, to-far: 50.1%, 49.9%".
void put_spread(Page& page, const Run& run) {
    std::map<std::string, std::map<int64_t, uint64_t>> by_core;  // direction, core
    for (const Json* trial : run.trials()) {
        for (const Json& worker : part(*trial, "workers")) {
            const auto received = count_at(worker, "received");
            if (!received) continue;
            const auto core = static_cast<int64_t>(count_at(worker, "core").value_or(0));
            uint64_t& sum = by_core[word_at(worker, "direction")][core];
            sum = add(sum, *received);
        }
    }
    for (const auto& [direction, cores] : by_core) {
        uint64_t all = 0;
        for (const auto& [core, received] : cores) all = add(all, received);
        if (cores.size() < 2 || all == 0) continue;
        std::vector<std::string> shares;
        for (const auto& [core, received] : cores) {
            shares.push_back(
                fmt::format("{:.1f}% (core {})",
                            100 * static_cast<double>(received) / static_cast<double>(all), core));
        }
        page.line(
            fmt::format(" fell to the sinks{}: {}",
                        run.several_directions() ? ", " + ascii(direction) : "", listed(shares)),
            2);
    }
}

void put_cut_short(Page& page, const Run& run) {
    for (const Json* trial : run.trials()) {
        if (flag_at(*trial, "complete", true)) continue;
        page.line(fmt::format(" {}: cut short after {:.3f} s", run.name_of(*trial),
                              figure_at(*trial, "duration_s").value_or(0)),
                  2);
    }
}

/// At the right end of the last line, as far as there is room.
void put_ledger(Page& page, const Run& run) {
    std::vector<std::string> broken;
    for (const Json* trial : run.trials()) {
        if (!flag_at(*trial, "ledger_adds_up", true)) broken.push_back(run.name_of(*trial));
    }
    if (!broken.empty()) {
        const bool many = broken.size() > kMostNamed;
        page.line(fmt::format(" LEDGER DOES NOT ADD UP: {}",
                              many ? fmt::format("{} trials", broken.size()) : listed(broken)),
                  2);
        return;
    }
    constexpr std::string_view kWords = "ledger adds up";
    constexpr size_t kGap = 3;
    const std::string last = page.pop();
    const size_t room = page.width() - 1;
    if (last.size() + kGap + kWords.size() <= room) {
        page.line(last + padded_left(kWords, room - last.size()));
    } else {
        page.line(last);
        page.line(padded_left(kWords, room));
    }
}

}  // namespace

void put_trials(Page& page, const Run& run) {
    if (run.trials().empty()) return;
    std::vector<Column> columns;
    columns.push_back(column(run, "frame", 0, size_name));
    if (run.several_directions()) {
        columns.push_back(column(run, "direction", 0, [](const Json& trial) {
            return ascii(word_at(trial, "direction"));
        }));
    }
    if (run.several_repeats()) columns.push_back(counts(run, "#", "repeat"));
    if (run.sends()) columns.push_back(counts(run, "sent", "offered"));
    if (run.receives()) columns.push_back(counts(run, "received", "received"));
    if (run.total("lost")) {
        columns.push_back(counts(run, "lost", "lost"));
        columns.push_back(column(run, "loss", 1, loss_of));
    }
    add_rates(columns, run);
    add_percentile(columns, run);
    put_table(page, std::move(columns));
}

void put_counts(Page& page, const Run& run) {
    if (run.trials().empty()) return;
    put_cut_short(page, run);
    put_stalls(page, run);
    put_spread(page, run);
    put_others(page, run);
    put_foreign(page, run);
    put_ledger(page, run);
}

}  // namespace barewire::report
