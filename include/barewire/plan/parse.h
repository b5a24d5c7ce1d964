// SPDX-License-Identifier: BSD-3-Clause
// From what users type to the parts of a Plan. Each function appends one sentence to `problems`
// for each thing wrong, 16 of a list at most (the value returned is then to be ignored). A sentence
// begins with what was typed, so that it reads on after the option's name: "--size " + sentence.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "barewire/plan/expect.h"
#include "barewire/plan/plan.h"

namespace barewire::plan {

using Sentences = std::vector<std::string>;

/// Frame sizes of RFC 2544 section 9.1 for Ethernet.
inline constexpr std::array<uint32_t, 7> kRfc2544Sizes{64, 128, 256, 512, 1024, 1280, 1518};
/// Sizes that one run may have, ranges counted out.
inline constexpr size_t kMaxSizes = 4096;
/// Ethernet header and FCS: a frame's size is its MTU plus this.
inline constexpr uint32_t kMtuToFrame = 18;

/// `--size`: "64", "64,1518,9018", "64-1518+64" (to the last step that fits), "mtu:9000" (9018),
/// "rfc2544", or several of them separated by commas; order and repeats are kept. 64 to 65,535.
/// Appends to `notes` what a user may not have meant (1500 is not the full frame of MTU 1500).
std::vector<uint32_t> parse_sizes(std::string_view text, Sentences& problems, Sentences& notes);

/// `--rate`: "max", "5Mpps", "10Gbps" or "l1:10Gbps" (L1), "l2:9Gbps", "50%" (of the line).
RateSpec parse_rate(std::string_view text, Sentences& problems);

/// `--late`: "catch-up=10ms" or "skip=1ms"; 1 us to 1 h.
LatePolicy parse_late(std::string_view text, Sentences& problems);

/// `--tx`, `--rx`, `--port`: "wire:a", "wire:b", "null", "pcap:IN.pcap,OUT.pcap" (one side may be
/// empty; the first comma separates), "af_packet:IFACE", "af_xdp:IFACE", "tap:NAME",
/// "memif:PATH,role=server|client", "0000:3b:00.0" (or "3b:00.0"), "dpdk:DEVARGS". Files,
/// interfaces and devices are not looked at.
PortSpec parse_port(std::string_view text, Sentences& problems);

/// `--far`: "link", or the MAC address of the far end.
std::optional<FarSpec> parse_far(std::string_view text, Sentences& problems);

/// `--flow-control`: "off", "rx", "tx", "full".
FlowControl parse_flow_control(std::string_view text, Sentences& problems);

/// Which roles the workers of a command have.
enum class Roles : uint8_t { both, generate, sink };

/// `--cores`: "2,4", "2-5", "0x4,1x4" (core 0 four times), of which with both roles the first half
/// (rounded up) generates and the rest sinks, and a single core does both; or, with both roles,
/// "generate=0,2;sink=4". At most 256 workers of a role. Whether the machine has these cores is
/// for the caller to judge.
CoreSpec parse_cores(std::string_view text, Roles roles, Sentences& problems);

/// "02:00:00:00:00:01"; all zeros are refused.
Addressing::Mac parse_mac(std::string_view text, Sentences& problems);

/// "198.18.0.1" to host order: four decimal numbers, no leading zeros.
uint32_t parse_ipv4(std::string_view text, Sentences& problems);

/// A UDP port, 1 to 65,535, digits only.
uint16_t parse_port_number(std::string_view text, Sentences& problems);

}  // namespace barewire::plan
