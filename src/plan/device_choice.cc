// SPDX-License-Identifier: BSD-3-Clause
// One device's set-up, subject by subject.
#include "barewire/plan/device_choice.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "barewire/base/knobs.h"
#include "barewire/plan/parse.h"

namespace barewire::plan {
namespace {

using Problems = std::vector<std::string>;

/// An interface's usual MTU: smaller ones gain nothing, and some drivers refuse them.
constexpr uint32_t kUsualMtu = 1500;
/// NICs count the room of a buffer in units of up to 1 KiB and ignore what is beyond the last
/// (Intel 82599 datasheet, SRRCTL.BSIZEPACKET).
constexpr uint32_t kRoomUnit = 1024;
/// Buffers of a chain, where one buffer cannot hold a frame.
constexpr uint32_t kChainedRoom = 2048;

uint16_t clamped(uint32_t queues, uint16_t most) {
    return static_cast<uint16_t>(std::clamp<uint32_t>(queues, 1, std::max<uint16_t>(most, 1)));
}

/// A power of two within the limits; where there is none, the least that they allow.
uint16_t descriptors(const DescriptorLimits& limits, uint32_t wanted) {
    const uint32_t align = std::max<uint32_t>(limits.align, 1);
    const uint32_t least = (limits.min + align - 1) / align * align;
    const uint32_t count = std::bit_floor(
        std::clamp<uint32_t>(std::bit_ceil(wanted), 1, std::max<uint32_t>(limits.max, 1)));
    const bool fits = count >= least && count % align == 0;
    return static_cast<uint16_t>(fits ? count : std::max(least, align));
}

void choose_queues(const DeviceFacts& facts, const DeviceWish& wish, DeviceChoice& choice) {
    choice.tx_queues = clamped(wish.tx_workers, facts.max_tx_queues);
    choice.shared_tx = wish.tx_workers > choice.tx_queues;
    if (wish.rx_workers < 2) return;
    // Frames differ in addresses and ports, and a hash over the ports spreads best.
    for (const char* hash : {"ipv4", "ipv4-udp"}) {
        if (facts.rss.contains(hash)) choice.rss.insert(hash);
    }
    // Entries of the table beyond its size would leave queues without frames.
    const bool table_reaches = facts.reta_size == 0 || facts.reta_size >= wish.rx_workers;
    const bool by_device =
        choice.rss.contains("ipv4-udp") && table_reaches && facts.max_rx_queues >= wish.rx_workers;
    if (by_device) {
        choice.rx_queues = static_cast<uint16_t>(wish.rx_workers);
    } else {
        choice.rss.clear();
        choice.software_spread = true;
    }
}

/// `--rx-buffers` becomes descriptors; memory of a process has none, and the port sizes its rings.
void choose_descriptors(const DeviceFacts& facts, const DeviceWish& wish, DeviceChoice& choice,
                        Problems& problems) {
    const auto preferred = [](const DescriptorLimits& limits) {
        return std::max(limits.preferred, kNicDescriptors);
    };
    const DescriptorLimits& rx = facts.rx_descriptors;
    // Not more in a NIC, which keeps as many buffers of each pool that sends.
    choice.tx_descriptors = descriptors(
        facts.tx_descriptors,
        facts.mtu_role == MtuRole::own ? kNicDescriptors : preferred(facts.tx_descriptors));
    choice.rx_descriptors = descriptors(rx, wish.rx_buffers != 0 ? wish.rx_buffers : preferred(rx));
    const uint32_t most = std::bit_floor<uint32_t>(rx.max);
    if (facts.mtu_role != MtuRole::none && wish.rx_buffers > most) {
        problems.push_back(fmt::format(
            "--rx-buffers {}: a queue of {} holds at most {} frames: use {} or less, or more "
            "sinks (--cores)",
            wish.rx_buffers, facts.driver, most, most));
    }
}

void refuse_interface(const DeviceFacts& facts, uint32_t frame, const DeviceFrameLimit& limit,
                      Problems& problems) {
    const uint32_t mtu = frame > kMtuToFrame ? frame - kMtuToFrame : 0;
    std::string remedy =
        mtu <= facts.max_mtu
            ? fmt::format(
                  "raise it on both sides (ip link set dev NAME mtu {}), or use a "
                  "smaller --size",
                  mtu)
            : fmt::format("{} goes to MTU {} only: use af_packet:NAME, or a smaller --size",
                          facts.driver, facts.max_mtu);
    problems.push_back(
        fmt::format("frames of {} bytes would be dropped without a word, the largest has {} ({}): "
                    "{}",
                    frame, limit.frame_size, limit.set_by, remedy));
}

/// False where the device does not carry the frame: its buffers need no thought then.
bool choose_mtu(const DeviceFacts& facts, const DeviceWish& wish, DeviceChoice& choice,
                Problems& problems) {
    const size_t before = problems.size();
    const DeviceFrameLimit limit = device_frame_limit(facts);
    choice.largest_frame = wish.largest_frame != 0
                               ? wish.largest_frame
                               : std::min(limit.frame_size, kUnknownLargestFrame);
    if (facts.mtu_role == MtuRole::interface && facts.interface_mtu.value_or(0) > facts.max_mtu) {
        problems.push_back(
            fmt::format("{} takes an interface of MTU {} at most, and this one has {}: use "
                        "af_packet:NAME, or a smaller MTU (ip link set dev NAME mtu {})",
                        facts.driver, facts.max_mtu, *facts.interface_mtu, kUsualMtu));
    } else if (choice.largest_frame > limit.frame_size) {
        if (facts.mtu_role == MtuRole::interface) {
            refuse_interface(facts, choice.largest_frame, limit, problems);
        } else {
            problems.push_back(
                fmt::format("frames of {} bytes: the largest has {} ({}): use a "
                            "smaller --size",
                            choice.largest_frame, limit.frame_size, limit.set_by));
        }
    } else if (facts.mtu_role == MtuRole::own) {
        const uint32_t needed = choice.largest_frame - std::min(choice.largest_frame, kMtuToFrame);
        const uint32_t least = std::max(facts.min_mtu, std::min(kUsualMtu, facts.max_mtu));
        choice.mtu = static_cast<uint16_t>(std::min(std::max(needed, least), facts.max_mtu));
    }
    return problems.size() == before;
}

/// One buffer a frame where the device can: a sink reads frames in one piece.
void choose_buffers(const DeviceFacts& facts, DeviceChoice& choice, Problems& problems) {
    // The device may deliver what its MTU allows, though the run asks for less.
    const uint32_t longest =
        std::max(choice.largest_frame, choice.mtu ? *choice.mtu + kInterfaceOverMtu : 0U);
    uint32_t room =
        std::max(longest - kFcsSize + facts.rx_buffer_front, std::max(facts.min_rx_buffer, 1U));
    if (facts.mtu_role == MtuRole::own) room = (room + kRoomUnit - 1) / kRoomUnit * kRoomUnit;
    const bool fits = longest - kFcsSize + facts.rx_buffer_front <= facts.max_rx_buffer;
    choice.rx_room = std::min(room, facts.max_rx_buffer);
    if (fits) return;
    if (facts.rx_offloads.contains("SCATTER")) {
        choice.chained = true;
        choice.rx_room = std::clamp(kChainedRoom, std::max(facts.min_rx_buffer, 1U),
                                    std::max(facts.max_rx_buffer, 1U));
        choice.rx_offloads.insert("SCATTER");
    } else {
        problems.push_back(
            fmt::format("frames of {} bytes: {} receives at most {} into one buffer, and cannot "
                        "use several (no SCATTER): use a smaller --size",
                        longest, facts.driver, facts.max_rx_buffer));
    }
}

/// MBUF_FAST_FREE promises buffers of one pool, in one piece each (rte_ethdev.h).
void choose_tx_offloads(const DeviceFacts& facts, const DeviceWish& wish, DeviceChoice& choice,
                        Problems& problems) {
    if (wish.tx_chained) {
        if (facts.tx_offloads.contains("MULTI_SEGS")) {
            choice.tx_offloads.insert("MULTI_SEGS");
        } else {
            problems.push_back(fmt::format(
                "{} sends no frame of several buffers (no MULTI_SEGS): use a smaller --size",
                facts.driver));
        }
    } else if (wish.one_pool && !choice.shared_tx && facts.tx_offloads.contains("MBUF_FAST_FREE")) {
        choice.tx_offloads.insert("MBUF_FAST_FREE");
    }
}

}  // namespace

DeviceFrameLimit device_frame_limit(const DeviceFacts& facts) {
    DeviceFrameLimit limit{kMaxFrameSize, "the 16-bit length of a DPDK buffer"};
    const auto lower = [&limit](uint32_t frame_size, std::string set_by) {
        if (frame_size < limit.frame_size) limit = {frame_size, std::move(set_by)};
    };
    if (facts.mtu_role == MtuRole::none) return limit;
    if (facts.max_rx_length) lower(*facts.max_rx_length, facts.driver + "'s longest frame");
    if (facts.mtu_role == MtuRole::own) {
        lower(facts.max_mtu + kMtuToFrame,
              fmt::format("{}'s largest MTU, {}", facts.driver, facts.max_mtu));
    } else if (facts.interface_mtu) {
        lower(*facts.interface_mtu + kInterfaceOverMtu,
              fmt::format("the interface's MTU, {}", *facts.interface_mtu));
    }
    return limit;
}

DeviceChoice choose_device(const DeviceFacts& facts, const DeviceWish& wish,
                           std::vector<std::string>& problems) {
    DeviceChoice choice;
    choose_queues(facts, wish, choice);
    choose_descriptors(facts, wish, choice, problems);
    if (choose_mtu(facts, wish, choice, problems)) choose_buffers(facts, choice, problems);
    choose_tx_offloads(facts, wish, choice, problems);
    return choice;
}

}  // namespace barewire::plan
