// SPDX-License-Identifier: BSD-3-Clause
// How a DPDK device is to be set up: from what it says of itself and what a run asks, one choice
// that fits together. Plain data and a pure function, so it is tested without any device.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace barewire::plan {

/// What becomes of an MTU that a device is told.
enum class MtuRole : uint8_t {
    none,       ///< the device knows none: memory of a process (rings, memif, net_null)
    interface,  ///< it is that of a kernel's interface, which is the user's to set
    own,        ///< the device keeps to it: a NIC, or an interface of our own making
};

/// Descriptors of each queue of a NIC, where its driver allows them: 69 us of 64-byte frames at
/// 10GbE. Drivers advise fewer, for forwarding at low latency: ixgbe's 256 would overflow whenever
/// a sink loses its core for 17 us.
inline constexpr uint16_t kNicDescriptors = 1024;

/// Limits of a queue's descriptors.
struct DescriptorLimits {
    uint16_t min = 0;
    uint16_t max = 65535;
    uint16_t align = 1;      ///< their number is a multiple of it
    uint16_t preferred = 0;  ///< the driver's own advice; 0: none
    friend bool operator==(const DescriptorLimits&, const DescriptorLimits&) = default;
};

/// What a device says of itself (rte_eth_dev_info of DPDK 22.11), as corrected by nic/device_facts
/// where its driver is known to say something else than it does.
struct DeviceFacts {
    std::string driver;
    MtuRole mtu_role = MtuRole::own;
    uint32_t min_mtu = 0, max_mtu = 65535;  ///< bytes after the Ethernet header
    std::optional<uint32_t> interface_mtu;  ///< of the kernel's interface, where there is one
    std::optional<uint32_t> max_rx_length;  ///< longest frame, FCS included; empty: no such limit
    uint32_t min_rx_buffer = 0;             ///< smallest room of a receive buffer
    uint32_t max_rx_buffer = 65535;         ///< most that it writes into one buffer
    uint32_t rx_buffer_front = 0;           ///< bytes that it takes in front of each frame
    uint16_t max_rx_queues = 1, max_tx_queues = 1;
    DescriptorLimits rx_descriptors, tx_descriptors;
    std::set<std::string> rx_offloads, tx_offloads;  ///< by DPDK's names: "SCATTER"
    std::set<std::string> rss;                       ///< "ipv4", "ipv4-udp"; what it can hash
    uint16_t reta_size = 0;                          ///< entries of its redirection table
};

/// What a run asks of a device.
struct DeviceWish {
    uint32_t tx_workers = 0, rx_workers = 0;
    uint32_t largest_frame = 0;  ///< FCS included; 0: not known, as on a sink alone
    uint32_t rx_buffers = 0;     ///< frames to hold for a slow worker; 0: chosen
    bool one_pool = false;       ///< all frames of a sending queue come from one pool
    bool tx_chained = false;     ///< frames are sent in several buffers each
};

struct DeviceChoice {
    uint16_t tx_queues = 1, rx_queues = 1;
    uint16_t tx_descriptors = 0, rx_descriptors = 0;  ///< of each queue
    std::optional<uint16_t> mtu;                      ///< to be set; empty: left as it is
    uint32_t largest_frame = 0;    ///< FCS included, as asked or as the device carries
    uint32_t rx_room = 0;          ///< bytes of frame that a receive buffer holds
    bool chained = false;          ///< a received frame may lie in several buffers
    bool shared_tx = false;        ///< several workers send into one queue
    bool software_spread = false;  ///< one queue, whose frames a worker hands on to the others
    std::set<std::string> rx_offloads, tx_offloads;  ///< to be enabled
    std::set<std::string> rss;                       ///< hashes that spread frames over queues
};

/// Largest frame of a run that names none (a sink alone), where the device has no smaller limit:
/// a jumbo frame with two tags.
inline constexpr uint32_t kUnknownLargestFrame = 9026;
/// What a kernel's interface of some MTU carries: Ethernet header, FCS and one tag beyond it
/// (is_skb_forwardable() of the kernel).
inline constexpr uint32_t kInterfaceOverMtu = 22;

/// Largest frame that the device carries, FCS included, and what sets that limit.
struct DeviceFrameLimit {
    uint32_t frame_size;
    std::string set_by;
};
DeviceFrameLimit device_frame_limit(const DeviceFacts& facts);

/// A choice that keeps to all of the device's limits. Appends a sentence to `problems` for each
/// wish that it cannot fulfil, with what would be right; the choice is then to be ignored.
DeviceChoice choose_device(const DeviceFacts& facts, const DeviceWish& wish,
                           std::vector<std::string>& problems);

}  // namespace barewire::plan
