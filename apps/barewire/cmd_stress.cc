// SPDX-License-Identifier: BSD-3-Clause
// barewire stress: generate and sink in one process, one ledger.
#include <fmt/format.h>

#include "command.h"
#include "judge.h"

namespace barewire::cli {
namespace {

constexpr Example kExamples[] = {
    {"stress", "64, 1518 and 9018 bytes over the embedded wire, 5 s each"},
    {"stress --size 64 --rate 14.88Mpps --for 10s --interval 1s",
     "the line rate of 10GbE at 64 bytes, a line of figures every second"},
    {"stress --wire loss=1e-3,corrupt=1e-5 --payload-check --size 128 --count 1000000",
     "a wire that damages: the ledger finds every frame of it"},
    {"stress --both-ways --flows 1000 --size 64-1518+64 --for 1s",
     "both directions at once, 1000 flows, a sweep of sizes"},
    {"stress --port af_packet:eth1 --far",
     "this host sends, barewire far on the other one counts: one result"},
    {"stress --port 0000:3b:00.0 --far --both-ways --size 1518 --rate 9Gbps",
     "two hosts, both directions"},
    {"stress --expect 'loss=0,p99<=50us' --json result.json",
     "for scripts: exit status 1 where an expectation does not hold"},
};

/// One port here, the other end on another host.
void judge_with_far(const Request& request, plan::Plan& plan, std::vector<std::string>& problems) {
    plan.tx = judge_port(request, "port", problems);
    plan.both_ways = request.flag("both-ways");
    for (const std::string_view name : {"tx", "rx", "wire"}) {
        if (!request.given(name)) continue;
        problems.push_back(
            fmt::format("--{} has no place in a run with --far: this host's only "
                        "port is --port",
                        name));
    }
}

void judge(const Request& request, plan::Plan& plan, std::vector<std::string>& problems) {
    if (plan.far || request.given("far")) return judge_with_far(request, plan, problems);
    const size_t before = problems.size();
    if (request.given("port")) {
        problems.emplace_back(
            "--port names this host's end of a run with --far: add --far, or "
            "name both ports, --tx PORT --rx PORT");
    }
    plan.tx = judge_port(request, "tx", problems);
    plan.rx = judge_port(request, "rx", problems);
    plan.both_ways = request.flag("both-ways");
    plan.wire = judge_wire(request, problems);
    if (problems.size() == before && request.given("tx") != request.given("rx")) {
        const std::string_view missing = request.given("tx") ? "--rx" : "--tx";
        problems.push_back(fmt::format(
            "{} is missing: stress takes both ports, --tx wire:a --rx wire:b, or none", missing));
    }
}

}  // namespace

const CommandInfo kStressCommand = {
    .bit = kStress,
    .name = "stress",
    .group = "Measure a path",
    .summary = "generate and sink in one process, one ledger",
    .about =
        "Sends frames from one port, receives them at the other, and accounts for every one "
        "of them. With no port named both ends are on the embedded wire: memory of this "
        "process, no NIC involved, no root needed. With --port PORT --far the other end is "
        "barewire "
        "far on another host.",
    .examples = kExamples,
    .judge = judge,
};

}  // namespace barewire::cli
