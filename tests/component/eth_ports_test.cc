// SPDX-License-Identifier: BSD-3-Clause
// DPDK devices that need no hardware as ports: rings, and both ends of a memif in one process.
#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "barewire/base/error.h"
#include "barewire/nic/eth_port.h"
#include "barewire/nic/pool.h"
#include "barewire/plan/parse.h"

#include "frames.h"
#include "nic/eth_stats.h"
#include "nic/memif_socket.h"

namespace barewire::nic {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

std::unique_ptr<EthPort> open(const std::string& text, const PortRequest& request) {
    std::vector<std::string> problems;
    const plan::PortSpec spec = plan::parse_port(text, problems);
    EXPECT_TRUE(problems.empty()) << text;
    return std::make_unique<EthPort>(spec, request);
}

/// What opening says, empty when it opens.
std::string refusal(const std::string& text, const PortRequest& request) {
    try {
        open(text, request);
        return {};
    } catch (const std::runtime_error& error) {
        return error.what();
    }
}

/// A folder of this test's own.
class Folder {
  public:
    Folder() : path_(fs::temp_directory_path() / ("bw-eth-" + std::to_string(getpid()))) {
        fs::create_directory(path_);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    [[nodiscard]] std::string file(const std::string& name) const { return path_ / name; }

  private:
    fs::path path_;
};

TEST(RingPort, LoopsEveryFrameBack) {
    const auto port =
        open("dpdk:net_ring0", {.tx_queues = 1, .rx_queues = 1, .largest_frame = 128});
    port->await_link();
    port->begin_trial(1);
    {
        Sender sender(128);
        Sink sink(port->rx_queue(0));
        sender.send(port->tx_queue(0), 10'000, [&] { sink.drain(); });
        const stats::ReceiverCounts counts = sink.finish().counts();
        EXPECT_EQ(counts.received, 10'000U);
        EXPECT_EQ(counts.corrupted + counts.reordered, 0U);
        EXPECT_EQ(sender.buffers_out(), 0U);
    }
    const plan::PortCounters counters = port->counters();
    EXPECT_EQ(counters.ipackets, 10'000U);
    EXPECT_EQ(counters.opackets, 10'000U);
    EXPECT_EQ(counters.obytes, std::nullopt);  // it counts none
    EXPECT_EQ(counters.imissed, std::nullopt);
    const plan::PortFacts facts = port->facts();
    EXPECT_EQ(facts.driver, "net_ring");
    EXPECT_EQ(facts.speed_bps, std::nullopt);
    EXPECT_EQ(facts.flow_control, std::nullopt);
    EXPECT_EQ(facts.spread, std::nullopt);
    EXPECT_TRUE(port->reaches_others());
}

TEST(RingPort, SpreadsFlowsOverWorkersInSoftware) {
    constexpr uint32_t kWorkers = 4;
    constexpr uint32_t kFlows = 64;
    constexpr uint32_t kOfEachFlow = 300;
    constexpr uint32_t kFrames = kFlows * kOfEachFlow;
    const auto port =
        open("dpdk:net_ring1", {.tx_queues = 2, .rx_queues = kWorkers, .largest_frame = 128});
    EXPECT_EQ(port->facts().spread, "software");
    port->begin_trial(1);
    Sender sender(128, true, kFlows);
    std::vector<std::unique_ptr<Sink>> sinks;
    for (uint32_t i = 0; i < kWorkers; ++i) {
        sinks.push_back(std::make_unique<Sink>(port->rx_queue(i)));
    }
    sender.send(port->tx_queue(1), kFrames, [&] {
        for (const auto& sink : sinks) sink->drain();
    });
    uint64_t received = 0;
    for (const auto& sink : sinks) {
        const stats::ReceiverCounts counts = sink->finish().counts();
        EXPECT_GT(counts.received, kFrames / kWorkers / 3);
        EXPECT_EQ(counts.received % kOfEachFlow, 0U);  // whole flows
        EXPECT_EQ(counts.reordered + counts.corrupted, 0U);
        received += counts.received;
    }
    EXPECT_EQ(received, kFrames);
    EXPECT_EQ(port->counters().imissed, 0U);
}

TEST(RingPort, CountsWhatAFullWorkerMisses) {
    const auto port = open("dpdk:net_ring2", {.tx_queues = 1, .rx_queues = 2, .largest_frame = 64});
    port->begin_trial(1);
    {
        Sender sender(64, false, 64);
        Sink first(port->rx_queue(0));
        Sink second(port->rx_queue(1));
        sender.send(port->tx_queue(0), 10'000, [&] { first.drain(); });  // the second never looks
        const uint64_t kept = first.finish().counts().received + second.finish().counts().received;
        const uint64_t missed = port->counters().imissed.value_or(0);
        EXPECT_GT(missed, 0U);
        EXPECT_EQ(kept + missed, 10'000U);
        EXPECT_EQ(sender.buffers_out(), 0U);
    }
}

class MemifPair {
  public:
    MemifPair(const std::string& socket, const PortRequest& server, const PortRequest& client)
        : server_(open("memif:" + socket + ",role=server", server)),
          client_(open("memif:" + socket + ",role=client", client)) {
        server_->await_link();
        client_->await_link();
        server_->begin_trial(1);
        client_->begin_trial(1);
    }
    EthPort& server() { return *server_; }
    EthPort& client() { return *client_; }

  private:
    std::unique_ptr<EthPort> server_, client_;
};

/// `at_once`: frames between two looks of the receiver.
void expect_carries(EthPort& from, EthPort& to, uint32_t size, uint32_t at_once = 5000) {
    SCOPED_TRACE(size);
    Sender sender(size, size >= 68, 1, static_cast<uint8_t>(size % 251));
    Sink sink(to.rx_queue(0));
    for (uint32_t sent = 0; sent < 5000; sent += at_once) {
        sender.send(from.tx_queue(0), at_once, [&] { sink.drain(); });
    }
    const stats::ReceiverCounts counts = sink.finish().counts();
    EXPECT_EQ(counts.received, 5000U);
    EXPECT_EQ(counts.corrupted + counts.reordered, 0U);
    EXPECT_EQ(sender.buffers_out(), 0U);
}

TEST(MemifPort, CarriesEverySizeBothWays) {
    const Folder folder;
    for (const uint32_t size : {64U, 1518U, 2052U, 2053U, 9018U, 16018U}) {
        const PortRequest request{.tx_queues = 1, .rx_queues = 1, .largest_frame = size};
        MemifPair pair(folder.file("m.sock"), request, request);
        expect_carries(pair.client(), pair.server(), size);
        expect_carries(pair.server(), pair.client(), size);
        EXPECT_EQ(pair.server().counters().ipackets, 5000U);
        EXPECT_EQ(pair.server().counters().opackets, 5000U);
        EXPECT_EQ(pair.server().counters().imissed, std::nullopt);
        EXPECT_EQ(pair.server().counters().rx_nombuf, 0U);
    }
    EXPECT_FALSE(fs::exists(folder.file("m.sock")));
}

/// Slots or receive buffers smaller than the frame: the driver splits it, and the port joins it.
TEST(MemifPort, JoinsFramesOfSeveralBuffers) {
    const Folder folder;
    const std::string socket = folder.file("m.sock");
    const PortRequest small{.tx_queues = 1, .rx_queues = 1, .largest_frame = 64};
    const PortRequest large{.tx_queues = 1, .rx_queues = 1, .largest_frame = 16018};
    const PortRequest unknown{.tx_queues = 0, .rx_queues = 1, .largest_frame = 0};
    {
        MemifPair pair(socket, small, large);
        expect_carries(pair.client(), pair.server(), 9018);
    }
    {
        MemifPair pair(socket, large, unknown);
        expect_carries(pair.server(), pair.client(), 16018);
    }
    {
        // A full ring and frames of several slots are more than DPDK 22.11's sender can do.
        MemifPair pair(socket, unknown, small);
        expect_carries(pair.client(), pair.server(), 9018, 50);
    }
}

TEST(MemifPort, TakesOverASocketThatACrashLeft) {
    const Folder folder;
    const std::string path = folder.file("left.sock");
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    const int listener = socket(AF_UNIX, SOCK_SEQPACKET, 0);
    ASSERT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    ASSERT_EQ(listen(listener, 1), 0);
    const PortRequest request{.tx_queues = 1, .rx_queues = 1, .largest_frame = 64};
    const std::string text = "memif:" + path + ",role=server";
    EXPECT_THAT(refusal(text, request),
                AllOf(HasSubstr("another program listens on " + path), HasSubstr("role=client")));
    EXPECT_TRUE(fs::exists(path));
    close(listener);
    EXPECT_EQ(refusal(text, request), "");
    EXPECT_FALSE(fs::exists(path));
    std::ofstream(path) << "a file of somebody's";
    EXPECT_THAT(refusal(text, request), HasSubstr("is no socket"));
    EXPECT_TRUE(fs::exists(path));
    EXPECT_THAT(refusal("memif:" + folder.file("no/x") + ",role=server", request),
                HasSubstr("No such file or directory"));
}

TEST(MemifPort, WaitsForTheOtherSideUntilToldToStop) {
    const Folder folder;
    const std::atomic<bool> stop{true};
    const PortRequest request{.tx_queues = 1, .rx_queues = 0, .largest_frame = 64, .stop = &stop};
    for (const char* role : {"server", "client"}) {
        const auto port = open("memif:" + folder.file("w.sock") + ",role=" + role, request);
        port->await_link();
        EXPECT_EQ(port->failure(), "");
    }
}

TEST(MemifPort, OutlivesTheOtherSide) {
    const Folder folder;
    const std::string socket = folder.file("m.sock");
    const PortRequest sends{.tx_queues = 1, .rx_queues = 0, .largest_frame = 64};
    const PortRequest receives{.tx_queues = 0, .rx_queues = 1, .largest_frame = 0};
    auto server = open("memif:" + socket + ",role=server", receives);
    const auto client = open("memif:" + socket + ",role=client", sends);
    server->await_link();
    client->await_link();
    const TxQueue out = client->tx_queue(0);
    EXPECT_EQ(client->failure(), "");
    client->hold();
    server.reset();
    EXPECT_THAT(client->failure(), HasSubstr("the other side has gone"));
    Sender sender(64, false);
    // The rings are there still: frames go nowhere, but nothing breaks.
    sender.send(out, 64, [] {});
    client->release();
    EXPECT_THAT(client->failure(), HasSubstr("the other side has gone"));
}

TEST(EthPort, RefusesInWords) {
    const PortRequest request{.tx_queues = 1, .rx_queues = 1, .largest_frame = 1518};
    EXPECT_THAT(refusal("dpdk:net_nothing0", request),
                AllOf(HasSubstr("port dpdk:net_nothing0: DPDK refuses the device"),
                      HasSubstr("DPDK says: ")));
    EXPECT_THAT(refusal("af_xdp:bw-none", request),
                AllOf(HasSubstr("interface bw-none"), HasSubstr("ip link")));
    EXPECT_THAT(refusal("0000:ff:1f.7", request),
                AllOf(HasSubstr("no Ethernet device 0000:ff:1f.7"), HasSubstr("vfio-pci")));
    PortRequest pausing = request;
    pausing.flow_control = plan::FlowControl::full;
    EXPECT_THAT(refusal("dpdk:net_ring5", pausing),
                AllOf(HasSubstr("--flow-control full"), HasSubstr("use --flow-control off")));
    EXPECT_EQ(refusal("dpdk:net_ring5", request), "");  // and nothing of the first try is left
}

TEST(EthStats, KnowsPauseFramesByName) {
    for (const char* name :
         {"rx_flow_control_xoff_packets", "rx_xoff_packets", "rx_pause_frames"}) {
        EXPECT_EQ(pause_way(name), PauseWay::rx) << name;
    }
    for (const char* name : {"tx_flow_control_xoff_packets", "tx_pause_ctrl_phy"}) {
        EXPECT_EQ(pause_way(name), PauseWay::tx) << name;
    }
    for (const char* name :
         {"rx_good_packets", "rx_flow_control_xon_packets", "rx_priority0_xoff_packets",
          "tx_priority1_xon_to_xoff_packets", "rx_pause_duration", "mac_pause"}) {
        EXPECT_EQ(pause_way(name), PauseWay::none) << name;
    }
}

TEST(EthStats, AnswersNothingWhereADriverBeganAnew) {
    plan::PortCounters begin, now;
    begin.ipackets = 10;
    now.ipackets = 5;
    begin.opackets = 7;
    now.opackets = 9;
    now.imissed = 1;
    const plan::PortCounters out = since(now, begin);
    EXPECT_EQ(out.ipackets, std::nullopt);
    EXPECT_EQ(out.opackets, 2U);
    EXPECT_EQ(out.imissed, std::nullopt);
}

TEST(MemifRings, FitWhatEachSideMayTrust) {
    for (const uint32_t frame : {64U, 1518U, 9018U, 65535U}) {
        const uint32_t sending_buffer = std::min(frame - 4 + kSendingSpare, 65535U - 128U);
        const MemifRings client = memif_rings(false, true, frame, 0);
        EXPECT_GE(client.buffer, frame - 4);
        EXPECT_EQ(client.log2_slots, frame <= 4100 ? 11U : 9U);
        for (const bool whole : {false, true}) {
            const MemifRings server = memif_rings(true, whole, frame, 0);
            EXPECT_GT(server.buffer, server.rx_room) << "a client's slots may be larger";
            if (frame - 4 > 2048) {
                EXPECT_LT(server.buffer, sending_buffer) << "a client's slots may be smaller";
                EXPECT_EQ(server.rx_room, whole && frame < 65535 ? frame - 4 : 2048U);
            }
        }
    }
    EXPECT_GE(memif_rings(false, true, 0, 0).buffer, 65472U);
    EXPECT_LT(memif_rings(false, true, 0, 0).rx_room, 10'000U);
    EXPECT_EQ(memif_rings(false, true, 64, 1000).log2_slots, 10U);
    EXPECT_EQ(memif_rings(false, true, 64, 65536).log2_slots, 14U);
}

}  // namespace
}  // namespace barewire::nic
