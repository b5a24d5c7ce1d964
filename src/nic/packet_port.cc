// SPDX-License-Identifier: BSD-3-Clause
// An interface of the kernel as a port, over packet sockets.
#include "barewire/nic/packet_port.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <linux/if_packet.h>
#include <sys/socket.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "barewire/base/error.h"
#include "barewire/base/knobs.h"

#include "interface.h"
#include "packet_rx.h"
#include "packet_tx.h"

namespace barewire::nic {
namespace {

/// Bytes of a full frame beyond the MTU: Ethernet header and FCS. The kernel lets untagged frames
/// of 4 bytes more pass at some places (room for a VLAN tag) and drops them at others.
constexpr uint32_t kBeyondMtu = 14 + kFcsSize;
/// Buffers that a receiving worker may hold, or hand on, at a time.
constexpr uint32_t kBuffers = 1024;

uint32_t at_least_one(uint32_t queues) {
    return std::max(queues, 1U);
}

/// Whether the kernel lets us have a packet socket; the sentence to say if not.
std::string permission_problem(const std::string& port) {
    const int probe = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (probe >= 0) {
        close(probe);
        return {};
    }
    if (errno == EPERM || errno == EACCES) {
        return fmt::format(
            "port {}: packet sockets need the capability CAP_NET_RAW: run with sudo, or once: "
            "sudo setcap cap_net_raw+ep BAREWIRE",
            port);
    }
    return fmt::format("port {}: socket(AF_PACKET) refuses: {}", port, std::strerror(errno));
}

/// All that keeps frames of `largest` bytes from travelling over the interface.
std::vector<std::string> problems_of(const std::string& port, const Interface& interface,
                                     uint32_t largest) {
    std::vector<std::string> problems;
    if (std::string denied = permission_problem(port); !denied.empty()) {
        problems.push_back(std::move(denied));
    }
    const std::string& name = interface.name;
    if (!interface.ethernet) {
        problems.push_back(fmt::format(
            "port {}: {} is no Ethernet interface; one end of a veth pair is", port, name));
    }
    if (!interface.up) {
        problems.push_back(
            fmt::format("port {}: {} is down; switch it on: ip link set {} up", port, name, name));
    }
    if (largest > interface.mtu + kBeyondMtu) {
        problems.push_back(fmt::format(
            "port {}: a frame of {} bytes is larger than the MTU {} of {} carries ({}); raise it: "
            "ip link set {} mtu {}",
            port, largest, interface.mtu, name, interface.mtu + kBeyondMtu, name,
            largest - kBeyondMtu));
    }
    return problems;
}

Interface checked(const std::string& port, const std::string& device, uint32_t largest) {
    const auto interface = find_interface(device);
    if (!interface) {
        throw ConfigError(fmt::format(
            "port {}: there is no interface {} in this network namespace; ip link lists those "
            "there are",
            port, device));
    }
    if (auto problems = problems_of(port, *interface, largest); !problems.empty()) {
        throw ConfigError(std::move(problems));
    }
    return *interface;
}

/// Frames sent without a carrier go nowhere.
void wait_for_carrier(const std::string& port, const std::string& device,
                      const std::atomic<bool>* stop) {
    constexpr timespec kPause{0, 10'000'000};
    const Ns until = monotonic_raw_ns() + PacketPort::kCarrierWaitNs;
    for (;;) {
        const auto interface = find_interface(device);
        if (interface && interface->carrier) return;
        if (stop != nullptr && stop->load(std::memory_order_relaxed)) return;
        if (monotonic_raw_ns() > until) {
            throw DeviceError(fmt::format(
                "port {}: {} has no carrier after {} s; look at the cable and the other end (of a "
                "veth pair: ip link set PEER up)",
                port, device, PacketPort::kCarrierWaitNs / 1'000'000'000));
        }
        nanosleep(&kPause, nullptr);
    }
}

plan::PortFacts facts_of(const std::string& port, const Interface& interface, uint32_t tx,
                         uint32_t rx) {
    plan::PortFacts facts{.port = port,
                          .driver = "af_packet (kernel)",
                          .mac = fmt::format("{:02x}", fmt::join(interface.mac, ":")),
                          .speed_bps = interface.speed_bps,
                          .max_frame = std::min(interface.mtu + kBeyondMtu, kMaxFrameSize),
                          .max_frame_by = fmt::format("the MTU of {}", interface.name)};
    facts.mtu = interface.mtu;
    facts.rx_queues = rx;
    facts.tx_queues = tx;
    if (rx > 1) facts.spread = "kernel hash";
    facts.numa_node = interface.numa_node;
    return facts;
}

}  // namespace

std::optional<uint32_t> interface_mtu(const std::string& interface) {
    const auto found = find_interface(interface);
    return found ? std::optional(found->mtu) : std::nullopt;
}

PacketPort::PacketPort(const plan::PortSpec& spec, const PortRequest& request)
    : name_(spec.text), device_(spec.device) {
    const Interface interface = checked(name_, device_, request.largest_frame);
    wait_for_carrier(name_, device_, request.stop);
    index_ = interface.index;
    mac_ = interface.mac;
    const uint32_t tx = at_least_one(request.tx_queues);
    const uint32_t rx = at_least_one(request.rx_queues);
    facts_ = facts_of(name_, interface, tx, rx);
    const uint32_t length = request.largest_frame - kFcsSize;
    pool_ = std::make_unique<FramePool>(fmt::format("packet-{}", index_), kBuffers * rx,
                                        PacketRx::buffer_length(length), rx);
    for (uint32_t i = 0; i < tx; ++i) {
        tx_.push_back(std::make_unique<PacketTx>(name_, index_, length));
    }
    for (uint32_t i = 0; i < rx; ++i) {
        rx_.push_back(std::make_unique<PacketRx>(name_, *pool_, length, request.rx_buffers));
    }
    listen();
}

PacketPort::~PacketPort() = default;

void PacketPort::listen() {
    rx_.front()->make_promiscuous(index_);
    for (const auto& rx : rx_) rx->listen(index_);
    if (rx_.size() == 1) return;
    std::optional<uint16_t> group;
    for (const auto& rx : rx_) group = rx->join(group);
    for (const auto& rx : rx_) rx->discard();
}

uint64_t PacketPort::bytes_needed(const PortRequest& request) {
    const uint32_t rx = at_least_one(request.rx_queues);
    return FramePool::bytes_needed(
        kBuffers * rx, PacketRx::buffer_length(request.largest_frame - kFcsSize), rx, true);
}

plan::PortFacts PacketPort::facts() const {
    return facts_;
}

std::array<uint8_t, 6> PacketPort::mac() const {
    return mac_;
}

TxQueue PacketPort::tx_queue(uint32_t index) {
    return tx_.at(index)->queue();
}

RxQueue PacketPort::rx_queue(uint32_t index) {
    return rx_.at(index)->queue();
}

void PacketPort::begin_trial(uint32_t /*trial*/) {
    for (const auto& tx : tx_) tx->begin_trial();
    for (const auto& rx : rx_) rx->begin_trial();
}

plan::PortCounters PacketPort::counters() {
    uint64_t received = 0, sent = 0, received_bytes = 0, sent_bytes = 0;
    uint64_t cut = 0, errors = 0, missed = 0;
    for (const auto& rx : rx_) {
        received += rx->received;
        received_bytes += rx->received_bytes;
        cut += rx->cut;
        missed += rx->missed();
    }
    for (const auto& tx : tx_) {
        sent += tx->sent;
        sent_bytes += tx->sent_bytes;
        errors += tx->errors;
    }
    return {.port = name_,
            .ipackets = received,
            .opackets = sent,
            .ibytes = received_bytes,
            .obytes = sent_bytes,
            .ierrors = cut,
            .oerrors = errors,
            .imissed = missed,
            .rx_nombuf = 0};  // without a buffer a frame stays in the ring
}

std::string PacketPort::failure() const {
    for (const auto& tx : tx_) {
        if (const int code = tx->failure; code != 0) {
            return fmt::format("port {}: sending over {}: {}", name_, device_, std::strerror(code));
        }
    }
    return {};
}

}  // namespace barewire::nic
