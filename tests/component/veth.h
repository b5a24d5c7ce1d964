// SPDX-License-Identifier: BSD-3-Clause
// A veth pair in a network namespace of the test's own, and numbered frames to send over it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sched.h>

#include "barewire/base/knobs.h"
#include "barewire/nic/packet_port.h"
#include "barewire/nic/pool.h"

namespace barewire::nic {

inline void run(const std::string& command) {
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
}

/// Interfaces va and vb, both up; the kernel itself says nothing on them. The namespace goes with
/// the last process and socket in it.
class Veth : public testing::Test {
  protected:
    void SetUp() override {
        ASSERT_EQ(unshare(CLONE_NEWNET), 0) << "needs root";
        std::ofstream("/proc/sys/net/ipv6/conf/default/disable_ipv6") << 1;
        run("ip link add va mtu 9000 type veth peer name vb mtu 9000");
        run("ip link set va up && ip link set vb up");
    }
    static plan::PortSpec spec(const std::string& interface) {
        plan::PortSpec spec{plan::PortKind::af_packet, "af_packet:" + interface, "", ""};
        spec.device = interface;
        return spec;
    }
    static PacketPort open(const std::string& interface, uint32_t largest_frame = 9018,
                           uint32_t rx_buffers = 0, uint32_t rx_queues = 1) {
        return PacketPort(spec(interface), {.tx_queues = 1,
                                            .rx_queues = rx_queues,
                                            .largest_frame = largest_frame,
                                            .rx_buffers = rx_buffers});
    }
    /// Looks again and again for `what`, for some seconds at most.
    template <class What>
    static bool comes_true(const What& what) {
        constexpr timespec kPause{0, 1'000'000};
        for (int i = 0; i < 5000; ++i) {
            if (what()) return true;
            nanosleep(&kPause, nullptr);
        }
        return false;
    }
};

inline constexpr size_t kNumberAt = 14;

/// A frame of `length` bytes without FCS that carries its number; EtherType for experiments
/// (IEEE 802), so nobody answers.
inline std::vector<uint8_t> numbered(uint32_t number, uint32_t length) {
    constexpr std::array<uint8_t, kNumberAt> kHeader{0x02, 0, 0, 0, 0, 2,    0x02,
                                                     0,    0, 0, 0, 1, 0x88, 0xB5};
    std::vector<uint8_t> frame(kHeader.begin(), kHeader.end());
    for (const uint32_t shift : {0U, 8U, 16U, 24U}) {
        frame.push_back(static_cast<uint8_t>(number >> shift));
    }
    while (frame.size() < length) {
        frame.push_back(static_cast<uint8_t>(number * 31 + frame.size()));
    }
    return frame;
}

/// Sends frames from a pool of its own, each once the port takes it.
class Sender {
  public:
    Sender() : pool_("sender", 2048, 9100, 1) {}
    /// Those that the port took of `count` frames, offered once. 32 at a time, numbered on.
    template <class Queue>
    uint32_t offer(Queue& queue, uint32_t count, uint32_t length) {
        uint32_t taken = 0;
        while (taken < count) {
            std::array<rte_mbuf*, kBurst> burst{};
            const uint32_t n = std::min(count - taken, kBurst);
            if (!pool_.get(burst.data(), n)) break;
            for (uint32_t i = 0; i < n; ++i) write(*burst[i], numbered(next_ + i, length));
            const uint32_t sent = queue.send(burst.data(), static_cast<uint16_t>(n));
            taken += sent;
            next_ += sent;
            if (sent == n) continue;
            rte_pktmbuf_free_bulk(&burst[sent], n - sent);
            break;
        }
        return taken;
    }
    template <class Queue>
    uint32_t send_one(Queue& queue, const std::vector<uint8_t>& bytes) {
        rte_mbuf* frame = nullptr;
        if (!pool_.get(&frame, 1)) return 0;
        write(*frame, bytes);
        const uint32_t sent = queue.send(&frame, 1);
        if (sent == 0) rte_pktmbuf_free(frame);
        return sent;
    }
    [[nodiscard]] uint32_t next() const { return next_; }
    [[nodiscard]] uint32_t buffers_out() const { return pool_.in_use(); }

  private:
    static void write(rte_mbuf& frame, const std::vector<uint8_t>& bytes) {
        rte_pktmbuf_reset(&frame);
        std::memcpy(rte_pktmbuf_append(&frame, static_cast<uint16_t>(bytes.size())), bytes.data(),
                    bytes.size());
    }
    FramePool pool_;
    uint32_t next_ = 0;
};

/// What came out of a queue.
class Received {
  public:
    /// Takes what is there; true when it was nothing.
    template <class Queue>
    bool take(Queue queue) {
        std::array<rte_mbuf*, kBurst> burst{};
        const uint16_t n = queue.receive(burst.data(), kBurst);
        for (uint16_t i = 0; i < n; ++i) {
            const auto* bytes = rte_pktmbuf_mtod(burst[i], const uint8_t*);
            frames.emplace_back(bytes, bytes + burst[i]->data_len);
        }
        rte_pktmbuf_free_bulk(burst.data(), n);
        return n == 0;
    }
    /// Takes until nothing came for 50 ms.
    template <class Queue>
    void drain(Queue queue) {
        constexpr timespec kPause{0, 1'000'000};
        for (int quiet = 0; quiet < 50;) {
            if (!take(queue)) {
                quiet = 0;
                continue;
            }
            ++quiet;
            nanosleep(&kPause, nullptr);
        }
    }
    /// Numbers of the frames, each once.
    [[nodiscard]] std::set<uint32_t> numbers() const {
        std::set<uint32_t> all;
        for (const auto& frame : frames) {
            uint32_t number = 0;
            std::memcpy(&number, &frame[kNumberAt], sizeof(number));
            all.insert(number);
        }
        return all;
    }
    std::vector<std::vector<uint8_t>> frames;
};

/// {first, ..., first + count - 1}.
inline std::set<uint32_t> range(uint32_t first, uint32_t count) {
    std::set<uint32_t> all;
    for (uint32_t i = 0; i < count; ++i) all.insert(first + i);
    return all;
}

}  // namespace barewire::nic
