// SPDX-License-Identifier: BSD-3-Clause
// Option values into a Plan.
#include "judge.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "barewire/base/knobs.h"
#include "barewire/base/text.h"
#include "barewire/base/units.h"
#include "barewire/plan/parse.h"
#include "barewire/plan/validate.h"

#include "files.h"
#include "words.h"

namespace barewire::cli {
namespace {

using Problems = std::vector<std::string>;

/// Reads options one by one. A value that cannot be read leaves a sentence in `problems` and
/// something harmless in the plan, so that the rest can be judged without saying it again.
class Judge {
  public:
    Judge(const Request& request, Problems& problems) : request_(request), problems_(problems) {}

    /// Stores what `parse` makes of the option into `to`. `parse` takes the text, and either
    /// returns Parsed or appends to a list of problems, each beginning with what was typed.
    template <class T, class Parse>
    bool read(std::string_view name, T& to, Parse parse) {
        if (!request_.has(name)) return true;  // no option of this command
        const std::string_view text = request_.value(name);
        Problems wrong;
        if constexpr (std::is_invocable_v<Parse, std::string_view, Problems&>) {
            auto value = parse(text, wrong);
            if (wrong.empty()) to = std::move(value);
        } else {
            const auto parsed = parse(text);
            if (parsed) {
                to = static_cast<T>(*parsed);
            } else {
                wrong.push_back(parsed.problem);
            }
        }
        for (const std::string& sentence : wrong) {
            problems_.push_back(fmt::format("--{} {}", name, sentence));
        }
        return wrong.empty();
    }
    /// The same for an option that may stand at a word ("none"): then `to` stays.
    template <class T, class Parse>
    bool read_unless(std::string_view word, std::string_view name, T& to, Parse parse) {
        return !request_.has(name) || request_.value(name) == word || read(name, to, parse);
    }

  private:
    const Request& request_;
    Problems& problems_;
};

auto integer(uint64_t least, uint64_t most) {
    return [=](std::string_view text) { return parse_integer(text, least, most); };
}

void judge_frames(plan::Plan& plan, Problems& notes, Judge& judge) {
    plan.sizes = {kMinFrameSize};
    judge.read("size", plan.sizes, [&](std::string_view text, Problems& problems) {
        return plan::parse_sizes(text, problems, notes);
    });
    judge.read("rate", plan.rate, plan::parse_rate);
    judge.read("late", plan.late, plan::parse_late);
    judge.read("flows", plan.flows, integer(1, kMaxFlows));
    judge.read("repeat", plan.repeat, integer(1, plan::kMaxTrials));
    judge.read("seed", plan.seed, integer(0, std::numeric_limits<uint64_t>::max()));
}

void judge_addresses(plan::Addressing& to, Judge& judge) {
    judge.read_unless("port", "src-mac", to.src_mac, plan::parse_mac);
    judge.read_unless("port", "dst-mac", to.dst_mac, plan::parse_mac);
    judge.read("src-ip", to.src_ip, plan::parse_ipv4);
    judge.read("dst-ip", to.dst_ip, plan::parse_ipv4);
    judge.read("src-port", to.src_port, plan::parse_port_number);
    judge.read("dst-port", to.dst_port, plan::parse_port_number);
}

/// --count alone takes the place of --for; where both are given each may end the trial.
void judge_time(Request& request, plan::Plan& plan, Judge& judge) {
    const bool counted = request.has("count") && request.value("count") != "none";
    if (counted && !request.given("for")) {
        request.set("for", {"none", Setting::Source::command_line});
    }
    if (request.value("for") == "none") plan.duration_ns = 0;
    judge.read_unless("none", "for", plan.duration_ns, parse_duration);
    if (!judge.read_unless("none", "count", plan.count, parse_count)) plan.count = 1;
    judge.read_unless("off", "interval", plan.interval_ns, parse_duration);
}

plan::Roles roles_of(CommandBit command, const plan::Plan& plan) {
    const bool far_receives = command == kStress && plan.far && !plan.both_ways;
    if (command == kGenerate || far_receives) return plan::Roles::generate;
    const bool receives = command == kSink || command == kReflect;
    return receives ? plan::Roles::sink : plan::Roles::both;
}

void judge_port_settings(plan::Plan& plan, Judge& judge) {
    judge.read("flow-control", plan.flow_control, plan::parse_flow_control);
    judge.read_unless("auto", "rx-buffers", plan.rx_buffers, integer(1, plan::kMaxRxBuffers));
    judge.read_unless("auto", "max-frame", plan.max_frame, integer(kMinFrameSize, kMaxFrameSize));
    judge.read("ip", plan.own_ip, plan::parse_ipv4);
    judge.read_unless("none", "far", plan.far, plan::parse_far);
}

void judge_progress(const Request& request, Problems& problems) {
    const std::string& mode = request.value("progress");
    if (mode == "auto" || mode == "always" || mode == "never") return;
    problems.push_back(fmt::format("--progress {}: auto, always or never", quote(mode)));
}

}  // namespace

std::optional<plan::PortSpec> judge_port(const Request& request, std::string_view name,
                                         Problems& problems) {
    if (request.value(name).empty()) {
        problems.push_back(fmt::format("--{} is missing: it names the port, as {}", name,
                                       find_option(name, request.bits())->help));
        return std::nullopt;
    }
    plan::PortSpec port;
    if (!Judge(request, problems).read(name, port, plan::parse_port)) return std::nullopt;
    return port;
}

link::WireSpec judge_wire(const Request& request, Problems& problems) {
    link::WireSpec wire;
    Judge(request, problems).read("wire", wire, link::parse_wire);
    return wire;
}

plan::Plan judge(const CommandInfo& command, Request& request, Problems& problems,
                 Problems& notes) {
    plan::Plan plan;
    plan.command = command.name;
    Judge judge(request, problems);
    judge_port_settings(plan, judge);
    command.judge(request, plan, problems);
    if (request.has("size")) {
        judge_frames(plan, notes, judge);
        judge_addresses(plan.addressing, judge);
    }
    plan.payload_check = request.has("payload-check") && request.flag("payload-check");
    if (!judge.read_unless("none", "line", plan.line_bps, parse_bit_rate)) plan.line_bps = 1e9;
    judge_time(request, plan, judge);
    judge.read_unless("auto", "cores", plan.cores, [&](std::string_view text, Problems& wrong) {
        return plan::parse_cores(text, roles_of(command.bit, plan), wrong);
    });
    judge.read_unless("", "expect", plan.expect, plan::parse_expect);
    judge_progress(request, problems);
    plan.eal = request.value("eal");
    plan.own_network = request.has("i-own-this-network") && request.flag("i-own-this-network");
    return plan;
}

Problems judge_reports(const Request& request) {
    Problems problems;
    std::vector<std::pair<std::string_view, std::string>> seen;
    for (const std::string_view name : {"json", "csv", "record"}) {
        const std::string path = request.has(name) ? request.value(name) : "";
        if (path.empty()) continue;
        const auto why = path == "-" ? std::nullopt : why_unwritable(path);
        if (why) {
            problems.push_back(fmt::format("--{} {}: {}; name a file that can be written", name,
                                           printable(path), *why));
        }
        for (const auto& [other, taken] : seen) {
            if (!same_file(taken, path)) continue;
            problems.push_back(fmt::format("--{} and --{} both go to {}: name two places", other,
                                           name,
                                           path == "-" ? "standard output" : printable(path)));
        }
        seen.emplace_back(name, path);
    }
    return problems;
}

Problems judge_files(const Request& request, const plan::Plan& plan) {
    Problems problems = judge_reports(request);
    const std::string& json = request.value("json");
    const std::string& csv = request.value("csv");
    for (const auto& port : {plan.tx, plan.rx}) {
        if (!port) continue;
        if (!port->pcap_in.empty()) {
            if (const auto why = why_unreadable(port->pcap_in)) {
                problems.push_back(fmt::format("{}: {}: {}; name a capture that can be read",
                                               printable(port->text), printable(port->pcap_in),
                                               *why));
            }
        }
        if (!port->pcap_out.empty()) {
            if (const auto why = why_unwritable(port->pcap_out)) {
                problems.push_back(fmt::format("{}: {}: {}; name a file that can be written",
                                               printable(port->text), printable(port->pcap_out),
                                               *why));
            }
            for (const std::string& report : {json, csv}) {
                if (report.empty() || !same_file(report, port->pcap_out)) continue;
                problems.push_back(fmt::format("{} and a report go to the same file: name two",
                                               printable(port->text)));
            }
        }
    }
    return problems;
}

}  // namespace barewire::cli
