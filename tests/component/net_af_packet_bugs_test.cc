// SPDX-License-Identifier: BSD-3-Clause
// Why PacketPort is not DPDK's net_af_packet: what that driver (22.11) does to frames that it
// cannot send, and what PacketPort does with the same. A DPDK in which a test here fails has mended
// it.
#include <memory>
#include <sys/syscall.h>
#include <thread>

#include <gmock/gmock.h>
#include <unistd.h>

#include <rte_dev.h>
#include <rte_ethdev.h>

#include "barewire/base/error.h"

#include "veth.h"

namespace barewire::nic {
namespace {

/// net_af_packet on an interface, one queue each way. Called as rte_eth_tx_burst is.
class DpdkPort {
  public:
    explicit DpdkPort(const std::string& interface) : pool_("dpdk-rx", 1024, 16512, 1) {
        const std::string arguments =
            "iface=" + interface + ",framesz=4096,blocksz=65536,framecnt=64";
        const rte_eth_conf conf{};
        EXPECT_EQ(rte_eal_hotplug_add("vdev", kName, arguments.c_str()), 0);
        EXPECT_EQ(rte_eth_dev_get_port_by_name(kName, &id_), 0);
        EXPECT_EQ(rte_eth_dev_configure(id_, 1, 1, &conf), 0);
        EXPECT_EQ(rte_eth_tx_queue_setup(id_, 0, 64, kAnySocket, nullptr), 0);
        EXPECT_EQ(rte_eth_rx_queue_setup(id_, 0, 64, kAnySocket, nullptr, pool_.handle()), 0);
        EXPECT_EQ(rte_eth_dev_start(id_), 0);
    }
    DpdkPort(const DpdkPort&) = delete;
    DpdkPort& operator=(const DpdkPort&) = delete;
    ~DpdkPort() {
        rte_eth_dev_stop(id_);
        rte_eth_dev_close(id_);
        rte_eal_hotplug_remove("vdev", kName);
    }
    uint16_t send(rte_mbuf** frames, uint16_t count) const {
        return rte_eth_tx_burst(id_, 0, frames, count);
    }
    [[nodiscard]] rte_eth_stats stats() const {
        rte_eth_stats stats{};
        EXPECT_EQ(rte_eth_stats_get(id_, &stats), 0);
        return stats;
    }

  private:
    static constexpr const char* kName = "net_af_packet0";
    static constexpr auto kAnySocket = static_cast<unsigned>(SOCKET_ID_ANY);
    FramePool pool_;
    uint16_t id_ = 0;
};

class NetAfPacket : public Veth {
  protected:
    static void wait_until_up() {
        ASSERT_TRUE(
            comes_true([] { return std::system("ip link show va | grep -q LOWER_UP") == 0; }));
    }
};

TEST_F(NetAfPacket, TakesAndFreesFramesThatItsSlotsCannotHold) {
    const PacketPort b = open("vb");
    const DpdkPort dpdk("va");
    Sender sender;
    EXPECT_EQ(sender.offer(dpdk, 10, 9014), 10U);  // "accepted"
    EXPECT_EQ(dpdk.stats().opackets, 0U);
    EXPECT_EQ(dpdk.stats().oerrors, 10U);
    EXPECT_EQ(sender.buffers_out(), 0U);
}

TEST_F(NetAfPacket, CountsFramesAboveTheMtuAsSentAndTheyVanish) {
    run("ip link set va mtu 1500");
    PacketPort b = open("vb");
    Sender sender;
    {
        const DpdkPort dpdk("va");
        EXPECT_EQ(sender.offer(dpdk, 10, 2000), 10U);
        EXPECT_EQ(dpdk.stats().opackets, 10U);
        EXPECT_EQ(dpdk.stats().oerrors, 0U);
    }
    Received received;
    received.drain(b.rx_queue(0));
    EXPECT_EQ(received.frames.size(), 0U);

    EXPECT_THROW(open("va", 2004), ConfigError);
}

TEST_F(NetAfPacket, CountsFramesAsErrorsAndSendsThemLater) {
    PacketPort b = open("vb");
    Sender sender;
    Received received;
    {
        const DpdkPort dpdk("va");
        run("ip link set va down");
        EXPECT_EQ(sender.offer(dpdk, 10, 60), 10U);
        EXPECT_EQ(dpdk.stats().oerrors, 10U);
        run("ip link set va up");
        wait_until_up();
        EXPECT_EQ(sender.offer(dpdk, 10, 60), 10U);  // the socket still remembers
        EXPECT_EQ(dpdk.stats().oerrors, 20U);
        EXPECT_EQ(sender.offer(dpdk, 10, 60), 10U);
        received.drain(b.rx_queue(0));
        EXPECT_EQ(dpdk.stats().opackets, 10U);
        EXPECT_EQ(dpdk.stats().oerrors, 20U);
    }
    EXPECT_EQ(received.numbers(), range(0, 30));  // every "error" arrived

    PacketPort a = open("va");
    TxQueue out = a.tx_queue(0);
    run("ip link set va down");
    EXPECT_EQ(sender.offer(out, 10, 60), 10U);
    out.flush();  // gives up
    EXPECT_EQ(a.counters().oerrors, 10U);
    run("ip link set va up");
    wait_until_up();
    EXPECT_EQ(sender.offer(out, 10, 60), 10U);
    out.flush();
    Received later;
    later.drain(b.rx_queue(0));
    EXPECT_EQ(later.numbers(), range(40, 10));
    EXPECT_EQ(a.counters().opackets, 10U);
    EXPECT_EQ(a.counters().oerrors, 10U);
}

TEST_F(NetAfPacket, CountsFramesAsSentThatTheDeviceDropped) {
    PacketPort b = open("vb");
    Sender sender;
    {
        const DpdkPort dpdk("va");
        run("ip link set vb down");
        EXPECT_EQ(sender.offer(dpdk, 10, 60), 10U);
        EXPECT_EQ(dpdk.stats().opackets, 10U);
        EXPECT_EQ(dpdk.stats().oerrors, 0U);
    }
    run("ip link set vb up");
    wait_until_up();
    PacketPort a = open("va");
    TxQueue out = a.tx_queue(0);
    run("ip link set vb down");
    EXPECT_EQ(sender.offer(out, 10, 60), 10U);
    out.flush();
    EXPECT_EQ(a.counters().opackets, 0U);
    EXPECT_EQ(a.counters().oerrors, 10U);
    run("ip link set vb up");
    Received received;
    received.drain(b.rx_queue(0));
    EXPECT_EQ(received.frames.size(), 0U);
}

/// A macvlan whose lower interface has a queue and a rate: frames in it still hold their slots.
class NetAfPacketOverAQueue : public NetAfPacket {
  protected:
    static void limit_to(const std::string& rate) {
        run("ip link add mv mtu 9000 link va type macvlan mode private && ip link set mv up");
        run("tc qdisc add dev va root tbf rate " + rate + " burst 10000 limit 1000000");
    }
    static void lift_the_limit() { run("tc qdisc del dev va root"); }
};

/// The system call that a thread of this process is in: number and arguments.
std::string system_call_of(pid_t thread) {
    std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/syscall");
    std::string line;
    std::getline(file, line);
    return line;
}

TEST_F(NetAfPacketOverAQueue, WaitsInPollForAsLongAsTheQueueIsFull) {
    limit_to("8kbit");
    const DpdkPort dpdk("mv");
    Sender sender;
    std::atomic<pid_t> id{0};
    std::atomic<uint32_t> sent{0};
    std::thread worker([&] {
        id = static_cast<pid_t>(syscall(SYS_gettid));
        for (int burst = 0; burst < 64 && sent < 1000; ++burst)
            sent += sender.offer(dpdk, 32, 4000);
    });
    // poll(one socket, no timeout)
    const std::string poll = std::to_string(SYS_poll) + " 0x";
    const auto waits = [&] {
        const std::string call = system_call_of(id);
        return call.starts_with(poll) && call.find(" 0x1 0xffffffff ") != std::string::npos;
    };
    EXPECT_TRUE(comes_true(waits)) << system_call_of(id) << " after " << sent;
    lift_the_limit();
    worker.join();
}

TEST_F(NetAfPacketOverAQueue, PacketPortTakesWhatTheRingHoldsAndReturns) {
    limit_to("8kbit");
    PacketPort a = open("mv", 4004);
    a.begin_trial(1);
    Sender sender;
    TxQueue out = a.tx_queue(0);
    uint32_t taken = 0;
    for (int burst = 0; burst < 64; ++burst) taken += sender.offer(out, 32, 4000);
    EXPECT_LT(taken, 2048U);
    out.flush();
    EXPECT_GT(*a.counters().oerrors, 0U);
    EXPECT_EQ(*a.counters().opackets + *a.counters().oerrors, taken);
}

/// Queue and socket overflow all the time, and a slot is free only when its frame has left.
TEST_F(NetAfPacketOverAQueue, PacketPortLosesNothingToAQueueThatOverflows) {
    limit_to("200mbit");
    PacketPort b = open("vb");
    PacketPort a = open("mv", 4004);
    a.begin_trial(1);
    Sender sender;
    TxQueue out = a.tx_queue(0);
    Received received;
    uint32_t taken = 0;
    ASSERT_TRUE(comes_true([&] {
        received.take(b.rx_queue(0));
        return (taken += sender.offer(out, 1000 - taken, 4000)) == 1000;
    }));
    out.flush();
    received.drain(b.rx_queue(0));
    EXPECT_EQ(received.numbers(), range(0, 1000));
    EXPECT_EQ(received.frames.size(), 1000U);
    EXPECT_EQ(a.counters().opackets, 1000U);
    EXPECT_EQ(a.counters().oerrors, 0U);
}

}  // namespace
}  // namespace barewire::nic
