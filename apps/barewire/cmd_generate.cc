// SPDX-License-Identifier: BSD-3-Clause
// barewire generate: the sending end alone.
#include "command.h"
#include "judge.h"

namespace barewire::cli {
namespace {

constexpr Example kExamples[] = {
    {"generate --port null --size 64", "how many stamped frames a core can make: none is carried"},
    {"generate --port pcap:,out.pcap --size 64,1518,9018 --count 100 --rate 1kpps",
     "write the frames into a capture, for tshark to read"},
    {"generate --port af_packet:eth1 --size 64 --rate 100kpps",
     "to a barewire sink or far that answers on the link"},
    {"generate --port null --size 1518 --rate 10Gbps --for 10s --json -",
     "hold 10GbE's line rate; the result as JSON"},
};

void judge(const Request& request, plan::Plan& plan, std::vector<std::string>& problems) {
    plan.tx = judge_port(request, "port", problems);
}

}  // namespace

const CommandInfo kGenerateCommand = {
    .bit = kGenerate,
    .name = "generate",
    .group = "Measure a path",
    .summary = "send from one port",
    .about =
        "Sends frames from a port and says how many it took and how well the schedule was "
        "held. A barewire sink or far that answers on the link is told what was sent, and its "
        "counts "
        "come back into the result. Where nobody answers, --dst-mac says whom to send to.",
    .examples = kExamples,
    .judge = judge,
};

}  // namespace barewire::cli
