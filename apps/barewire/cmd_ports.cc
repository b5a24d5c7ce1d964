// SPDX-License-Identifier: BSD-3-Clause
// barewire ports: what on this machine can be a port, and what is to be done first.
#include "barewire/report/ports.h"

#include "command.h"
#include "finish.h"
#include "host.h"

namespace barewire::cli {
namespace {

constexpr Example kExamples[] = {
    {"ports", "NICs, interfaces, virtual ports, and why any would be refused"},
    {"ports --json -", "the same for a program"},
    {"ports --record machine.json", "what the kernel told, for a report of a fault"},
};

int answer(const Request& request, const plan::RunResult& result, const Host& host) {
    const machine::Survey survey = host.survey();
    report::Json json = report::to_json(result);
    json["ports"] = report::ports_json(survey);
    const bool recorded =
        deliver("record", report::serialize(report::record_json(survey)), request, host);
    const int status = finish_answer(json, request, host);
    return recorded ? status : kFailed;
}

}  // namespace

const CommandInfo kPortsCommand = {
    .bit = kPorts,
    .name = "ports",
    .group = "This machine",
    .summary = "what can be a port here, and what is to be done first",
    .about =
        "Lists the NICs of this machine (driver, PCIe, NUMA node, link, and the command that "
        "binds them), the kernel's interfaces of this network namespace with the names under "
        "which a command takes them, why any of them would be refused, and the virtual ports. "
        "It opens nothing and sends nothing.",
    .examples = kExamples,
    .answer = answer,
};

}  // namespace barewire::cli
