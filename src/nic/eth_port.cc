// SPDX-License-Identifier: BSD-3-Clause
// A DPDK Ethernet device as a port: opened, configured, started, closed.
#include "barewire/nic/eth_port.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <rte_errno.h>
#include <rte_ethdev.h>

#include "barewire/base/error.h"
#include "barewire/base/knobs.h"
#include "barewire/plan/parse.h"

#include "device_facts.h"
#include "driver_words.h"
#include "eth_device.h"
#include "eth_stats.h"
#include "linearise.h"
#include "memif_socket.h"
#include "spread.h"
#include "still_interrupts.h"

namespace barewire::nic {
namespace {

constexpr auto kAnySocket = static_cast<unsigned>(SOCKET_ID_ANY);
/// Frames that wait for one worker of a software spread: 1024 of 9 kB are 9 MB.
constexpr uint32_t kSpreadFrames = 1024;
/// Frames that a worker holds, and what sending ones copy into the pool of an af_xdp.
constexpr uint32_t kHeldFrames = 4 * kBurst;
constexpr uint32_t kAfXdpTxFrames = 4096;
constexpr std::chrono::milliseconds kLinkPoll{20};
/// Of 1000BASE-T: 0.5 s in QEMU, 2 to 4 s on a cable.
constexpr std::chrono::seconds kNegotiation{5};
/// A memif server that is not ready turns its client away, and the driver does not try again.
constexpr int kPollsToReconnect = 25;
/// Autonegotiation of copper takes up to 9 s (as DPDK's own examples wait).
constexpr std::chrono::seconds kLinkWait{9};

uint16_t send(void* self, rte_mbuf** frames, uint16_t count) noexcept {
    const auto& ids = *static_cast<const EthQueue*>(self);
    return rte_eth_tx_burst(ids.port, ids.queue, frames, count);
}

uint16_t receive(void* self, rte_mbuf** frames, uint16_t most) noexcept {
    const auto& ids = *static_cast<const EthQueue*>(self);
    return rte_eth_rx_burst(ids.port, ids.queue, frames, most);
}

void flush(void* /*self*/) noexcept {}

/// Beyond what lies in the device's descriptors.
uint32_t frames_held(const plan::PortSpec& spec, uint32_t workers, uint32_t spread_frames) {
    return kHeldFrames * std::max(workers, 1U) + spread_frames +
           (spec.kind == plan::PortKind::af_xdp ? kAfXdpTxFrames : 0);
}

/// Devices that leave a frame in several buffers whatever they are given, and those that do once
/// they are started: e1000 rounds the room of a buffer down to a power of two.
bool may_chain(const plan::DeviceFacts& facts, const EthQueue& queue) {
    if (facts.driver == "net_memif" || facts.driver == "net_tap") return true;
    rte_eth_rxq_info info{};
    return rte_eth_rx_queue_info_get(queue.port, queue.queue, &info) == 0 && info.scattered_rx != 0;
}

rte_eth_fc_mode mode_of(plan::FlowControl wanted) {
    constexpr std::array<rte_eth_fc_mode, 4> kModes{RTE_ETH_FC_NONE, RTE_ETH_FC_RX_PAUSE,
                                                    RTE_ETH_FC_TX_PAUSE, RTE_ETH_FC_FULL};
    return kModes.at(static_cast<size_t>(wanted));
}

std::string word_for(rte_eth_fc_mode mode) {
    switch (mode) {
        case RTE_ETH_FC_RX_PAUSE:
            return "rx";
        case RTE_ETH_FC_TX_PAUSE:
            return "tx";
        case RTE_ETH_FC_FULL:
            return "full";
        default:
            return "off";
    }
}

}  // namespace

EthPort::EthPort(const plan::PortSpec& spec, const PortRequest& request)
    : spec_(spec),
      wanted_flow_control_(request.flow_control),
      stop_(request.stop),
      sends_only_(request.tx_queues > 0 && request.rx_queues == 0) {
    const MemifRings memif =
        memif_rings(spec.memif_server, request.rx_queues > 0 && !request.returns_foreign,
                    request.largest_frame, request.rx_buffers);
    device_ = std::make_unique<EthDevice>(spec, memif);
    device_facts_ = read_device_facts(device_->id(), device_->interface());
    choose(request);
    if (spec.kind == plan::PortKind::memif) choice_.rx_room = memif.rx_room;
    configure();
    make_pool(request);
    set_up_queues();
    set_mtu();
    // A client can start only when there is a server: await_link() tries again.
    if (!start() && spec.memif_server) refuse("rte_eth_dev_start", -EIO, "");
    make_queues(request);
}

EthPort::~EthPort() {
    still_.reset();
    if (spec_.kind != plan::PortKind::memif) return;
    // The interrupt thread may learn just now that the other side has gone; when it is through with
    // that, it is held again while the device is closed. Both at once free the same memory.
    for (int tries = 0;
         tries < 50 && started_ && device_->link_is_up() && memif_other_side_gone(spec_.device);
         ++tries) {
        std::this_thread::sleep_for(kLinkPoll);
    }
    const StillInterrupts held;
    device_.reset();
}

void EthPort::refuse(const char* call, int code, const std::string& words) const {
    throw DeviceError(
        fmt::format("port {}: {} refuses: {}{}", spec_.text, call, rte_strerror(-code), words));
}

void EthPort::choose(const PortRequest& request) {
    std::vector<std::string> problems;
    choice_ = plan::choose_device(device_facts_,
                                  {.tx_workers = request.tx_queues,
                                   .rx_workers = request.rx_queues,
                                   .largest_frame = request.largest_frame,
                                   .rx_buffers = request.rx_buffers,
                                   .one_pool = request.one_pool},
                                  problems);
    for (std::string& problem : problems) {
        for (size_t at = problem.find("NAME"); at != problem.npos; at = problem.find("NAME")) {
            problem.replace(at, 4, spec_.device);
        }
        problem.insert(0, fmt::format("port {}: ", spec_.text));
    }
    if (!problems.empty()) throw ConfigError(problems);
}

void EthPort::make_pool(const PortRequest& request) {
    const uint32_t waiting =
        choice_.software_spread
            ? (request.rx_queues - 1) * std::max(kSpreadFrames, request.rx_buffers)
            : 0;
    const uint32_t frames = uint32_t{choice_.rx_descriptors} * choice_.rx_queues +
                            frames_held(spec_, request.rx_queues, waiting) +
                            keeps_sent() * choice_.tx_queues;  // replies, in the buffers received
    // Two more lcores than receive: senders free into it (af_xdp), as the control thread does.
    rx_pool_ = std::make_unique<FramePool>(fmt::format("rx-{}", device_->id()), frames,
                                           choice_.rx_room, request.rx_queues + 2);
}

void EthPort::configure() {
    const DriverWords words;
    rte_eth_conf conf{};
    if (choice_.rx_queues > 1) {
        conf.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
        conf.rx_adv_conf.rss_conf.rss_hf = rss_flags(choice_.rss);
    }
    if (choice_.mtu && device_->is_pci()) conf.rxmode.mtu = *choice_.mtu;
    conf.rxmode.offloads = rx_offload_flags(choice_.rx_offloads);
    conf.txmode.offloads = tx_offload_flags(choice_.tx_offloads);
    const int code =
        rte_eth_dev_configure(device_->id(), choice_.rx_queues, choice_.tx_queues, &conf);
    if (code != 0) refuse("rte_eth_dev_configure", code, words.quote());
}

void EthPort::set_up_queues() {
    const DriverWords words;
    for (uint16_t queue = 0; queue < choice_.tx_queues; ++queue) {
        const int code = rte_eth_tx_queue_setup(device_->id(), queue, choice_.tx_descriptors,
                                                kAnySocket, nullptr);
        if (code != 0) refuse("rte_eth_tx_queue_setup", code, words.quote());
        tx_.push_back({device_->id(), queue});
    }
    for (uint16_t queue = 0; queue < choice_.rx_queues; ++queue) {
        const int code = rte_eth_rx_queue_setup(device_->id(), queue, choice_.rx_descriptors,
                                                kAnySocket, nullptr, rx_pool_->handle());
        if (code != 0) refuse("rte_eth_rx_queue_setup", code, words.quote());
        rx_.push_back({device_->id(), queue});
    }
}

/// What was set is read back: a device that keeps another MTU would drop frames without a word.
void EthPort::set_mtu() {
    if (device_facts_.interface_mtu) mtu_ = device_facts_.interface_mtu;
    if (!choice_.mtu) return;
    const DriverWords words;
    const int code = rte_eth_dev_set_mtu(device_->id(), *choice_.mtu);
    if (code != 0 && code != -ENOTSUP) refuse("rte_eth_dev_set_mtu", code, words.quote());
    uint16_t now = 0;
    if (rte_eth_dev_get_mtu(device_->id(), &now) == 0) mtu_ = now;
    if (mtu_ == uint32_t{*choice_.mtu}) return;
    throw DeviceError(fmt::format(
        "port {}: frames of {} bytes need MTU {}, and the device keeps {}: use a smaller --size{}",
        spec_.text, choice_.largest_frame, *choice_.mtu, now, words.quote()));
}

/// False when there is no server to a memif client yet.
bool EthPort::start() {
    if (started_) return true;
    const DriverWords words;
    const int code = rte_eth_dev_start(device_->id());
    if (code != 0) {
        if (spec_.kind == plan::PortKind::memif) return false;
        refuse("rte_eth_dev_start", code, words.quote());
    }
    started_ = true;
    set_flow_control();
    if (spec_.kind == plan::PortKind::null) return true;
    const int promiscuous = rte_eth_promiscuous_enable(device_->id());
    if (promiscuous != 0 && promiscuous != -ENOTSUP) {
        refuse("rte_eth_promiscuous_enable", promiscuous, words.quote());
    }
    return true;
}

void EthPort::set_flow_control() {
    rte_eth_fc_conf conf{};
    int code = rte_eth_dev_flow_ctrl_get(device_->id(), &conf);
    if (code == 0) {
        // Also where it is so now: e1000 tells what the last link had, and asks the next for full.
        const bool already = conf.mode == mode_of(wanted_flow_control_);
        conf.mode = mode_of(wanted_flow_control_);
        const int set = rte_eth_dev_flow_ctrl_set(device_->id(), &conf);
        if (!already) code = set;
    }
    if (code == 0) flow_control_ = word_for(conf.mode);
    if (code == 0 || wanted_flow_control_ == plan::FlowControl::off) return;
    throw ConfigError(
        fmt::format("port {}: --flow-control {}: {} cannot: {}; use --flow-control "
                    "off",
                    spec_.text, word_for(mode_of(wanted_flow_control_)), device_facts_.driver,
                    rte_strerror(-code)));
}

/// Read back once the link is up. Setting it negotiates anew, and until that is through some
/// drivers tell of the link, and of its flow control, as they were before (e1000).
void EthPort::check_flow_control() {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + kNegotiation;
    rte_eth_fc_conf conf{};
    for (;;) {
        if (!flow_control_ || rte_eth_dev_flow_ctrl_get(device_->id(), &conf) != 0) return;
        flow_control_ = word_for(conf.mode);
        if (conf.mode == mode_of(wanted_flow_control_)) return;
        if (Clock::now() > deadline || stopped()) break;
        std::this_thread::sleep_for(kLinkPoll);
        static_cast<void>(device_->link_is_up());  // asking is what makes the driver look
    }
    throw ConfigError(
        fmt::format("port {0}: --flow-control {1}: the device keeps {2}: use --flow-control {2}",
                    spec_.text, word_for(mode_of(wanted_flow_control_)), *flow_control_));
}

/// What workers see: the device's queues, or what stands before them.
void EthPort::make_queues(const PortRequest& request) {
    const bool several_rx = choice_.software_spread;
    const uint32_t spread_frames = std::max(kSpreadFrames, request.rx_buffers);
    for (EthQueue& queue : tx_) tx_queues_.emplace_back(&send, &flush, &queue);
    if (choice_.shared_tx) {
        for (TxQueue& queue : tx_queues_) {
            shared_tx_.push_back(std::make_unique<SharedTx>(queue));
            queue = shared_tx_.back()->queue();
        }
    }
    for (EthQueue& queue : rx_) {
        rx_queues_.emplace_back(&receive, &queue);
        if (!choice_.chained && !may_chain(device_facts_, queue)) continue;
        linearise_.push_back(std::make_unique<Linearise>(
            fmt::format("whole-{}-{}", device_->id(), queue.queue), rx_queues_.back(),
            several_rx ? kSpreadFrames : 0, several_rx ? request.rx_queues : 1));
        rx_queues_.back() = linearise_.back()->queue();
    }
    if (!several_rx) return;
    spread_ =
        std::make_unique<SoftwareSpread>(fmt::format("spread-{}", device_->id()),
                                         rx_queues_.front(), request.rx_queues, spread_frames);
    rx_queues_.clear();
    for (uint32_t worker = 0; worker < request.rx_queues; ++worker) {
        rx_queues_.push_back(spread_->queue(worker));
    }
}

void EthPort::hold() {
    if (spec_.kind != plan::PortKind::memif || ++held_ > 1) return;
    still_ = std::make_unique<StillInterrupts>();
}

void EthPort::release() {
    if (spec_.kind != plan::PortKind::memif || --held_ > 0) return;
    still_.reset();
}

TxQueue EthPort::tx_queue(uint32_t index) {
    return tx_queues_[index % tx_queues_.size()];
}

RxQueue EthPort::rx_queue(uint32_t index) {
    return rx_queues_.at(index);
}

/// start() then connects anew.
void EthPort::disconnect() {
    const StillInterrupts held;
    if (started_) rte_eth_dev_stop(device_->id());
    started_ = false;
}

bool EthPort::stopped() const {
    return stop_ != nullptr && stop_->load(std::memory_order_relaxed);
}

void EthPort::await_link() {
    using Clock = std::chrono::steady_clock;
    const bool for_other_side = spec_.kind == plan::PortKind::memif && stop_ != nullptr;
    const auto deadline = Clock::now() + kLinkWait;
    const bool client = spec_.kind == plan::PortKind::memif && !spec_.memif_server;
    for (int polls = 1; !start() || !device_->link_is_up(); ++polls) {
        if (stopped()) return;
        if (client && polls % kPollsToReconnect == 0) disconnect();
        if (!for_other_side && Clock::now() > deadline) {
            throw DeviceError(
                spec_.kind == plan::PortKind::memif
                    ? fmt::format("port {}: nobody {} within {} s", spec_.text,
                                  spec_.memif_server ? "connects" : "listens there",
                                  kLinkWait.count())
                    : fmt::format("port {}: no link within {} s: is a cable plugged in, and the "
                                  "other side up?",
                                  spec_.text, kLinkWait.count()));
        }
        std::this_thread::sleep_for(kLinkPoll);
    }
    linked_ = true;
    check_flow_control();
}

std::string EthPort::failure() const {
    // One that receives too may well be left by a sender that is done.
    const bool gone = spec_.kind == plan::PortKind::memif && sends_only_ && linked_ &&
                      (memif_other_side_gone(spec_.device) || !device_->link_is_up());
    return gone ? fmt::format("port {}: the other side has gone", spec_.text) : std::string();
}

uint64_t EthPort::bytes_needed(const plan::PortSpec& spec, const PortRequest& request) {
    // Bounds of what choose_device() chooses for such a request.
    constexpr uint32_t kMostDescriptors = 2048;
    constexpr uint32_t kMostRoomAdded = 2048;
    const uint32_t workers = std::max(request.rx_queues, 1U);
    const uint32_t each = std::max(kMostDescriptors, std::bit_ceil(request.rx_buffers));
    const uint32_t largest =
        request.largest_frame != 0 ? request.largest_frame : plan::kUnknownLargestFrame;
    const uint32_t room = std::min(largest + kMostRoomAdded, kMaxFrameSize - kFcsSize);
    const uint32_t kept = spec.kind == plan::PortKind::pci
                              ? plan::kNicDescriptors * std::max(request.tx_queues, 1U)
                              : 0;
    const bool chains = spec.kind == plan::PortKind::memif || spec.kind == plan::PortKind::tap ||
                        spec.kind == plan::PortKind::pci;
    uint64_t bytes = FramePool::bytes_needed(frames_held(spec, workers, each * workers) + kept,
                                             room, workers + 2, true);
    if (chains) bytes += Linearise::bytes_needed(workers > 1 ? kSpreadFrames : 0, workers);
    // Descriptors of 16 to 64 bytes each, and the rings of a spread.
    return bytes + uint64_t{workers + request.tx_queues} * each * 64;
}

}  // namespace barewire::nic
