// SPDX-License-Identifier: BSD-3-Clause
// The one table of options. docs/defaults.md is generated from it.
#include "options.h"

#include <algorithm>
#include <array>

namespace barewire::cli {
namespace {

constexpr unsigned kSends = kStress | kGenerate;
constexpr unsigned kAnswers = kSink | kReflect | kFar;
constexpr unsigned kRuns = kSends | kAnswers;
using enum OptionGroup;

constexpr OptionInfo kOptions[] = {
    {"tx", "PORT", "wire:a", ports, kStress,
     "port that sends: wire:a, or any that generate takes but null and pcap"},
    {"rx", "PORT", "wire:b", ports, kStress,
     "port that receives: wire:b, or any that sink takes but pcap"},
    {"both-ways", "", "", ports, kStress, "send from --rx to --tx too, at the same time"},
    {"wire", "CHARACTER", "", ports, kStress,
     "what the embedded wire does to frames, both ways or one (a-to-b.loss=1e-3): "
     "loss=P burst-loss=P,N duplicate=P reorder=P,N corrupt=P corrupt-any=P truncate=P "
     "mtu=BYTES max-frame=BYTES, joined by commas"},
    {"port", "PORT", "", ports, kStress,
     "port of this host, in place of --tx and --rx: with --far"},
    {"port", "PORT", "", ports, kGenerate,
     "port that sends: 0000:3b:00.0 | af_packet:IFACE | af_xdp:IFACE | tap:NAME | "
     "memif:PATH,role=client | dpdk:DEVARGS | null | pcap:,OUT.pcap"},
    {"port", "PORT", "", ports, kSink,
     "port that receives: 0000:3b:00.0 | af_packet:IFACE | af_xdp:IFACE | tap:NAME | "
     "memif:PATH,role=server | dpdk:DEVARGS | pcap:IN.pcap"},
    {"port", "PORT", "", ports, kReflect | kFar,
     "port that others are behind: 0000:3b:00.0 | af_packet:IFACE | af_xdp:IFACE | tap:NAME | "
     "memif:PATH,role=server | dpdk:DEVARGS"},
    {"far", "[MAC]", "none", ports, kSends,
     "the other end is another host's barewire far: found on the link, or at this address", "link"},
    {"ip", "ADDR", "198.19.0.1", ports, kReflect | kFar,
     "address that it answers ARP, ping and UDP messages for"},
    {"flow-control", "MODE", "off", ports, kRuns,
     "pause frames, where the port has them: off | rx | tx | full"},
    {"rx-buffers", "N", "auto", ports, kStress | kAnswers,
     "frames that a receiving port holds for its worker, up to 65536"},
    {"max-frame", "BYTES", "auto", ports, kAnswers,
     "largest frame to be ready for; auto: what the interface carries, else 9022"},

    {"i-own-this-network", "", "", ports, kRuns,
     "use an interface that has an address or a route although this network namespace has a "
     "default route, and send to any address"},

    {"size", "SIZES", "64,1518,9018", frames, kSends,
     "frame sizes from destination MAC through FCS, one trial each: 64 | 64,1518 | 64-1518+64 | "
     "mtu:9000 | rfc2544; 64 to 65535"},
    {"rate", "RATE", "max", frames, kSends,
     "max | 5Mpps | 10Gbps (with preamble and gap, L1) | l2:9Gbps | 50% (of --line)"},
    {"late", "POLICY", "catch-up=10ms", frames, kSends,
     "frames whose time has passed: catch-up=T sends them at no more than twice the rate, skip=T "
     "at once; older than T they stay unsent"},
    {"flows", "N", "1", frames, kSends, "flows: source ports, then source addresses, count up"},
    {"src-mac", "MAC", "port", frames, kSends, "source MAC; port: the sending port's"},
    {"dst-mac", "MAC", "port", frames, kSends, "destination MAC; port: the receiving port's"},
    {"src-ip", "ADDR", "198.18.0.1", frames, kSends, "source address of the first flow"},
    {"dst-ip", "ADDR", "198.19.0.1", frames, kSends, "destination address"},
    {"src-port", "N", "49152", frames, kSends, "UDP source port of the first flow"},
    {"dst-port", "N", "49184", frames, kSends, "UDP destination port"},
    {"payload-check", "", "", frames, kSends,
     "a CRC32C in every frame of 68 bytes or more, the UDP checksum below"},
    {"payload-check", "", "", frames, kSink,
     "verify the CRC32C of every frame of 68 bytes or more, the UDP checksum below"},
    {"line", "RATE", "none", frames, kRuns,
     "line rate that % and the share of line rate refer to, as 10Gbps; none: a NIC's own, other "
     "ports have none"},

    {"for", "TIME", "5s", run, kSends, "time in which each trial sends"},
    {"for", "TIME", "none", run, kSink,
     "when to end at the latest; it also ends with the run that it served, or with the capture"},
    {"for", "TIME", "none", run, kReflect | kFar, "when to end; none: Ctrl-C"},
    {"count", "N", "none", run, kSends,
     "frames of each trial, in place of --for; with both, whichever ends first"},
    {"count", "N", "none", run, kSink,
     "frames to receive, a burst more or less; with --for, whichever ends first"},
    {"cores", "LIST", "auto", run, kStress | kFar,
     "cores of the workers: 2,4 | 2-5 | 0x4,1x4 (each four times); the first half generates; or "
     "generate=0,2;sink=4"},
    {"cores", "LIST", "auto", run, kGenerate | kSink | kReflect,
     "cores of the workers: 2,4 | 2-5 | 0x4 (four times)"},
    {"repeat", "N", "1", run, kSends, "trials of each size"},
    {"seed", "N", "1", run, kSends, "the same seed gives the same damage on the wire"},
    {"config", "FILE", "", run, kRuns,
     "options as lines 'name = value'; the command line beats them, they beat defaults"},
    {"eal", "FLAGS", "", run, kRuns, "further DPDK EAL flags, for experts"},

    {"interval", "TIME", "off", report, kRuns, "a line of progress every TIME, into a pipe too"},
    {"expect", "LIST", "", report, kRuns,
     "what must hold in every trial, else exit status 1: loss=0,l1>=9Gbps,p99<=20us; figures are "
     "lost loss intended offered unsent received surplus duplicated reordered corrupted foreign "
     "stale stalls fps l1 l2 line-rate min mean p50 p90 p99 p999 max jitter lateness-p99"},
    {"label", "TEXT", "", report, kRuns, "kept in the result, to find the run again"},
    {"json", "FILE", "", report, kRuns | kPorts, "write the result as JSON; -: standard output"},
    {"record", "FILE", "", report, kPorts,
     "write what the kernel told of this machine, as JSON, for tests; -: standard output"},
    {"csv", "FILE", "", report, kRuns, "write one line a trial; -: standard output"},
    {"progress", "MODE", "auto", report, kRuns,
     "the live line: always, never, auto (when standard error is a terminal)"},
};

}  // namespace

std::span<const OptionInfo> all_options() {
    return kOptions;
}

std::vector<OptionInfo> options_of(unsigned bits) {
    std::vector<OptionInfo> found;
    for (const OptionInfo& option : kOptions) {
        const bool known = std::any_of(found.begin(), found.end(), [&](const OptionInfo& earlier) {
            return earlier.name == option.name;
        });
        if ((option.commands & bits) != 0 && !known) found.push_back(option);
    }
    return found;
}

const OptionInfo* find_option(std::string_view name, unsigned bits) {
    for (const OptionInfo& option : kOptions) {
        if (option.name == name && (option.commands & bits) != 0) return &option;
    }
    return nullptr;
}

std::string_view group_title(OptionGroup group) {
    constexpr std::array<std::string_view, 4> kTitles = {"Ports", "Frames", "Run", "Report"};
    return kTitles[static_cast<size_t>(group)];
}

}  // namespace barewire::cli
