// SPDX-License-Identifier: BSD-3-Clause
// barewire reflect: sends UDP messages back where they came from.
#include "command.h"
#include "judge.h"

namespace barewire::cli {
namespace {

constexpr Example kExamples[] = {
    {"reflect --port af_packet:eth1", "echo UDP messages to 198.19.0.1, any port"},
    {"reflect --port 0000:3b:00.1 --ip 10.0.0.9 --cores 2-5", "four workers, an address of yours"},
    {"reflect --port af_packet:eth1 --for 60s --json reflect.json", "for a minute; the counts"},
};

void judge(const Request& request, plan::Plan& plan, std::vector<std::string>& problems) {
    plan.rx = judge_port(request, "port", problems);
    plan.sizes.clear();
}

}  // namespace

const CommandInfo kReflectCommand = {
    .bit = kReflect,
    .name = "reflect",
    .group = "Measure a path",
    .summary = "send UDP messages back where they came from",
    .about =
        "Turns every UDP message to its address round, in place, and answers ARP and ping, so "
        "that a kernel's socket can use it. Until --for or Ctrl-C.",
    .examples = kExamples,
    .judge = judge,
};

}  // namespace barewire::cli
