// SPDX-License-Identifier: BSD-3-Clause
// What to do: the request after parsing and defaults, without any option's spelling. The engine,
// the kernel path and the simulated device run the same Plan.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "barewire/base/clock.h"
#include "barewire/link/wire_spec.h"

namespace barewire::plan {

enum class PortKind : uint8_t {
    wire_a,
    wire_b,
    null,
    pcap,
    af_packet,
    af_xdp,
    memif,
    tap,
    pci,
    dpdk,
};

/// A port as the user named it.
struct PortSpec {
    PortKind kind = PortKind::wire_a;
    std::string text;      ///< as typed, for messages and results
    std::string pcap_in;   ///< pcap only: capture to receive from, empty: nothing is received
    std::string pcap_out;  ///< pcap only: capture to write what is sent, empty: discarded
    /// af_packet, af_xdp, tap: the kernel's interface; memif: path of its socket; pci: the address,
    /// "0000:3b:00.0"; dpdk: device and arguments as the EAL's --vdev takes them.
    std::string device = {};
    bool memif_server = false;  ///< memif only: makes the socket, and the client connects to it
    friend bool operator==(const PortSpec&, const PortSpec&) = default;
};

enum class RateKind : uint8_t { max, frames, l1, l2, percent };

/// `--rate`. `value` is frames/s, bit/s on L1, bit/s on L2, or percent of the line rate.
struct RateSpec {
    RateKind kind = RateKind::max;
    double value = 0;
    /// Frames a second at this frame size; `line_bps` is the L1 speed that percent refers to
    /// (the wire's speed or --line). Empty for max, or percent without a speed.
    [[nodiscard]] std::optional<double> frames_per_second(uint32_t frame_size,
                                                          std::optional<double> line_bps) const;
};

/// `--late`: what becomes of frames whose intended departure has passed.
struct LatePolicy {
    enum class Kind : uint8_t {
        catch_up,  ///< sent late, at no more than twice the rate; older than `limit_ns`: unsent
        skip,      ///< sent late at once; older than `limit_ns`: unsent
    };
    Kind kind = Kind::catch_up;
    Ns limit_ns = 10'000'000;
};

/// Addresses of the first flow; flow f has source port src_port + f % ports and source address
/// src_ip + f / ports, where ports is the largest power of two that fits (at most 16,384).
struct Addressing {
    using Mac = std::array<uint8_t, 6>;
    std::optional<Mac> src_mac{};  ///< default: the sending port's
    std::optional<Mac> dst_mac{};  ///< default: the receiving port's
    uint32_t src_ip = 0xC6120001;  ///< host order; 198.18.0.1 (RFC 2544 appendix C, RFC 6890)
    uint32_t dst_ip = 0xC6130001;  ///< 198.19.0.1
    uint16_t src_port = 49152;     ///< first of the dynamic ports (RFC 6335)
    uint16_t dst_port = 49184;
};

/// Which workers do what, on which core; more than one may name the same core.
struct CoreSpec {
    std::vector<int> generators;
    std::vector<int> sinks;
};

/// One comparison that must hold in every trial, or the run fails (exit 1).
struct Expectation {
    enum class Compare : uint8_t { less, at_most, equal, at_least, greater };
    std::string text;    ///< as typed: "loss<=0.1%"
    std::string figure;  ///< one of expectation_figures()
    Compare compare = Compare::equal;
    double value = 0;  ///< in the figure's unit: ratio, ns, frames, frames/s or bit/s
};

/// `--flow-control`: pause frames (IEEE 802.3 annex 31B) of a port.
enum class FlowControl : uint8_t { off, rx, tx, full };

/// `--far`: the end on the other host, which `barewire far` serves.
struct FarSpec {
    std::optional<Addressing::Mac> mac;  ///< empty: whoever answers on the link
};

/// Most frames that --rx-buffers may ask a port to hold.
inline constexpr uint32_t kMaxRxBuffers = 65536;

struct Plan {
    std::string command;         ///< "stress", "generate", "sink", "reflect" or "far"
    std::optional<PortSpec> tx;  ///< absent: nothing is sent
    std::optional<PortSpec> rx;  ///< absent: nothing is received
    bool both_ways = false;      ///< a second direction, rx to tx, at the same time
    std::optional<FarSpec> far;  ///< the end that this process has no port for is the far host's
    link::WireSpec wire;
    FlowControl flow_control = FlowControl::off;
    uint32_t rx_buffers = 0;       ///< frames that a receiving port holds for its worker; 0: chosen
    uint32_t own_ip = 0xC6130001;  ///< --ip of an end that answers, host order; 198.19.0.1
    uint32_t max_frame = 0;        ///< largest frame to be ready for, FCS included; 0: the port's
    bool own_network = false;      ///< --i-own-this-network: the guard's network rules are lifted
    std::optional<double> line_bps;  ///< --line, or the wire's speed: the reference for percent
    std::vector<uint32_t> sizes;     ///< frame sizes, FCS included, one trial each and repeat
    RateSpec rate;
    LatePolicy late;
    Ns duration_ns = 5'000'000'000;  ///< the send window of a trial; 0: `count` decides
    uint64_t count = 0;              ///< frames of a trial in all, over all workers; 0: no limit
    uint32_t flows = 1;
    Addressing addressing;
    bool payload_check = false;
    CoreSpec cores;  ///< empty lists: the engine chooses
    uint32_t repeat = 1;
    uint64_t seed = 1;
    Ns interval_ns = 0;  ///< live lines; 0: none asked for
    std::string eal;     ///< extra EAL flags, for experts
    std::vector<Expectation> expect;
};

}  // namespace barewire::plan
