// SPDX-License-Identifier: BSD-3-Clause
// barewire sink: the receiving end alone.
#include "command.h"
#include "judge.h"

namespace barewire::cli {
namespace {

constexpr Example kExamples[] = {
    {"sink --port pcap:in.pcap", "account for the frames of a capture"},
    {"sink --port pcap:in.pcap --payload-check", "check their payload too"},
    {"sink --port af_packet:eth1", "wait for a run, account for it, end with it"},
    {"sink --port pcap:in.pcap --for 2s --json -", "the result as JSON"},
};

void judge(const Request& request, plan::Plan& plan, std::vector<std::string>& problems) {
    plan.rx = judge_port(request, "port", problems);
    plan.sizes.clear();
}

}  // namespace

const CommandInfo kSinkCommand = {
    .bit = kSink,
    .name = "sink",
    .group = "Measure a path",
    .summary = "receive at one port",
    .about =
        "Receives at a port and accounts for the frames of a generator: received, lost, "
        "duplicated, reordered, corrupted. What was sent it learns from a generator on another "
        "host; of a capture it knows no more than the last frame seen. Frames of anybody else are "
        "counted as foreign, by EtherType.",
    .examples = kExamples,
    .judge = judge,
};

}  // namespace barewire::cli
