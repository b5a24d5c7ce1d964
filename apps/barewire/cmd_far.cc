// SPDX-License-Identifier: BSD-3-Clause
// barewire far: the other end of a run, for a host that leads it.
#include "command.h"
#include "judge.h"

namespace barewire::cli {
namespace {

constexpr Example kExamples[] = {
    {"far --port af_packet:eth1", "serve runs on an interface of the kernel until Ctrl-C"},
    {"far --port 0000:3b:00.1 --cores 'generate=4;sink=2'",
     "on a NIC; the other host then says: barewire stress --port 0000:3b:00.0 --far"},
    {"far --port memif:/run/bw.sock,role=server --max-frame 9018",
     "for another process of this host"},
    {"far --port af_packet:eth1 --for 1h --json far.json", "end by itself, and keep its view"},
};

void judge(const Request& request, plan::Plan& plan, std::vector<std::string>& problems) {
    plan.rx = judge_port(request, "port", problems);
    plan.tx = plan.rx;
    plan.sizes.clear();
}

}  // namespace

const CommandInfo kFarCommand = {
    .bit = kFar,
    .name = "far",
    .group = "The other host",
    .summary = "be the other end: sink, send, answer, run after run",
    .about =
        "Waits at a port for another host that says --far, makes ready for each of its trials, "
        "counts what arrives, sends where both ways are asked for, and tells what it counted: the "
        "other host's result holds both ends. It also answers ARP, ping and UDP messages to its "
        "address, --ip. It serves run after run until --for or Ctrl-C.",
    .examples = kExamples,
    .judge = judge,
};

}  // namespace barewire::cli
