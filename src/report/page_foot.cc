// SPDX-License-Identifier: BSD-3-Clause
// The verdict's evidence and next commands; ports, label and the run itself.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "page.h"

namespace barewire::report {
namespace {

/// Between a command and what it answers (plan/verdict.h): a shell takes the rest for a comment.
constexpr std::string_view kComment = "  # ";

void put_next(Page& page, const std::vector<std::string>& next) {
    struct Step {
        std::string command, meaning;
    };
    std::vector<Step> steps;
    size_t width = 0;
    for (const std::string& entry : next) {
        const size_t at = std::min(entry.find(kComment), entry.size());
        steps.push_back({ascii(entry.substr(0, at)), ""});
        if (at < entry.size()) steps.back().meaning = ascii(entry.substr(at + kComment.size()));
        width = std::max(width, steps.back().command.size());
    }
    constexpr size_t kGap = 3;
    const bool beside = std::all_of(steps.begin(), steps.end(), [&](const Step& step) {
        return kIndent + width + kGap + step.meaning.size() <= page.width();
    });
    for (const Step& step : steps) {
        const std::string_view head = &step == &steps.front() ? "NEXT" : "";
        if (beside) {
            page.section(head, padded_right(step.command, width + kGap) + step.meaning);
            continue;
        }
        const auto lines = wrapped(step.command, page.width() - kIndent - 4);
        for (size_t i = 0; i < lines.size(); ++i) {
            page.section(i == 0 ? head : "", fmt::format("{}{}{}", i == 0 ? "" : "  ", lines[i],
                                                         i + 1 < lines.size() ? " \\" : ""));
        }
        if (!step.meaning.empty()) page.section("", "    " + step.meaning);
    }
}

/// "embedded wire, no speed of its own, frames up to 65,535 (IPv4 length)".
std::string describe(const Json& port) {
    std::string text = word_at(port, "driver");
    const auto join = [&text](const std::string& more) {
        text += (text.empty() ? "" : ", ") + more;
    };
    if (const auto speed = figure_at(port, "speed_bps")) join(fmt::format("{:.4g}G", *speed / 1e9));
    if (const auto mtu = count_at(port, "mtu")) join(fmt::format("MTU {}", *mtu));
    if (const std::string mac = word_at(port, "mac"); count_at(port, "rx_queues")) join(mac);
    if (const std::string spread = word_at(port, "spread"); !spread.empty()) {
        join(fmt::format("{} queues, {}", count_at(port, "rx_queues").value_or(1), spread));
    }
    if (const std::string flow = word_at(port, "flow_control"); !flow.empty() && flow != "off") {
        join("flow control " + flow);
    }
    if (const auto most = count_at(port, "max_frame")) {
        const std::string by = word_at(port, "max_frame_by");
        join(fmt::format("frames up to {}{}", *most, by.empty() ? "" : fmt::format(" ({})", by)));
    }
    return text;
}

void put_ports(Page& page, const Json& environment, std::string_view head) {
    const Json& ports = part(environment, "ports");
    if (!ports.is_array()) return;
    std::vector<std::pair<std::string, std::string>> rows;  // names, what they are
    for (const Json& port : ports) {
        const std::string name = word_at(port, "port");
        const std::string what = describe(port);
        if (!rows.empty() && rows.back().second == what) {
            rows.back().first += " -> " + name;
        } else {
            rows.emplace_back(name, what);
        }
    }
    for (const auto& [names, what] : rows) {
        page.section(&names == &rows.front().first ? head : "",
                     fmt::format("{}   {}", names, what));
    }
}

std::string cores_of(const Run& run) {
    const Json& cores = part(part(run.json(), "environment"), "cores");
    std::set<int64_t> distinct;
    if (cores.is_array()) {
        for (const Json& core : cores) {
            if (core.is_number_integer()) distinct.insert(core.get<int64_t>());
        }
    }
    if (distinct.empty()) return "";
    constexpr size_t kMostListed = 16;
    if (distinct.size() > kMostListed) return fmt::format("{} cores", distinct.size());
    return fmt::format("{} {}", distinct.size() > 1 ? "cores" : "core", fmt::join(distinct, ","));
}

/// Digits alone get separators; anything else is as the user typed it.
std::string typed_count(const std::string& text) {
    constexpr size_t kMostDigits = 19;
    const bool digits = text.find_first_not_of("0123456789") == std::string::npos;
    return digits && text.size() <= kMostDigits ? grouped(std::stoull(text)) : text;
}

/// "3 x 5s": trials and what ends each.
std::string extent_of(const Run& run) {
    std::set<uint64_t> trials;
    for (const Json* trial : run.trials()) trials.insert(count_at(*trial, "trial").value_or(0));
    if (trials.empty()) return "";
    const Json& effective = part(run.json(), "effective");
    const std::string time = word_at(effective, "for");
    const std::string count = word_at(effective, "count");
    const std::string each = !time.empty() && time != "none"     ? time
                             : !count.empty() && count != "none" ? typed_count(count) + " frames"
                                                                 : "";
    return each.empty() ? "" : fmt::format("{} x {}", trials.size(), each);
}

std::string pages_of(const Run& run) {
    const std::string pages = word_at(part(run.json(), "environment"), "huge_pages");
    if (pages.empty()) return "";
    return pages == "none" ? "no huge pages" : pages + " pages";
}

std::string check_of(const Run& run) {
    std::set<std::string> checks;
    for (const Json* trial : run.trials()) checks.insert(word_at(*trial, "payload_check"));
    checks.erase("");
    checks.erase("none");
    return checks.empty() ? "" : fmt::format("payload {}", fmt::join(checks, ", "));
}

}  // namespace

void put_verdict(Page& page, const Run& run) {
    const Json& verdict = part(run.json(), "verdict");
    bool first = true;
    for (const std::string& fact : words_at(verdict, "evidence")) {
        page.section(first ? "WHY" : "", fact);
        first = false;
    }
    put_next(page, words_at(verdict, "next"));
}

void put_foot(Page& page, const Run& run, bool saved) {
    put_ports(page, part(run.json(), "environment"), "ports");
    put_ports(page, part(run.json(), "far_environment"), "far");
    for (const std::string& guard : words_at(run.json(), "lifted")) {
        page.section("lifted", guard);
    }
    if (const std::string label = word_at(run.json(), "label"); !label.empty()) {
        page.section("label", label);
    }
    std::string line = word_at(run.json(), "run_id");
    if (line.empty()) return;
    if (saved) line += " saved";
    for (const std::string& fact : {cores_of(run), extent_of(run), pages_of(run), check_of(run)}) {
        if (!fact.empty()) line += "   " + fact;
    }
    page.section("run", line);
}

}  // namespace barewire::report
