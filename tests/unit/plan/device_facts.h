// SPDX-License-Identifier: BSD-3-Clause
// Devices as they describe themselves: virtual ones as nic::read_device_facts shows them on DPDK
// 22.11.11, NICs as their drivers' documented limits are.
#pragma once

#include "barewire/plan/device_choice.h"

namespace barewire::plan {

/// Recorded.
inline DeviceFacts null_facts() {
    return {.driver = "net_null",
            .mtu_role = MtuRole::none,
            .min_mtu = 46,
            .interface_mtu = {},
            .max_rx_length = {},
            .max_rx_queues = 1024,
            .max_tx_queues = 1024,
            .rx_descriptors = {},
            .tx_descriptors = {},
            .rx_offloads = {},
            .tx_offloads = {},
            .rss = {"ipv4", "ipv4-udp"},
            .reta_size = 128};
}

/// Recorded.
inline DeviceFacts memif_facts() {
    return {.driver = "net_memif",
            .mtu_role = MtuRole::none,
            .min_mtu = 46,
            .interface_mtu = {},
            .max_rx_length = {},
            .rx_descriptors = {},
            .tx_descriptors = {},
            .rx_offloads = {},
            .tx_offloads = {"MULTI_SEGS"},
            .rss = {}};
}

/// Recorded.
inline DeviceFacts ring_facts() {
    DeviceFacts facts = memif_facts();
    facts.driver = "net_ring";
    facts.rx_offloads = {"SCATTER"};
    return facts;
}

/// Recorded, on a veth interface.
inline DeviceFacts af_xdp_facts(uint32_t mtu) {
    return {.driver = "net_af_xdp",
            .mtu_role = MtuRole::interface,
            .min_mtu = 68,
            .max_mtu = 3438,
            .interface_mtu = mtu,
            .max_rx_length = 3460,
            .min_rx_buffer = 2048,
            .max_rx_buffer = 3712,
            .rx_buffer_front = 256,
            .rx_descriptors = {.max = 2048, .preferred = 2048},
            .tx_descriptors = {.max = 2048, .preferred = 2048},
            .rx_offloads = {},
            .tx_offloads = {},
            .rss = {}};
}

/// Recorded.
inline DeviceFacts tap_facts() {
    return {.driver = "net_tap",
            .min_mtu = 46,
            .max_mtu = 1504,
            .interface_mtu = {},
            .max_rx_length = 1522,
            .rx_descriptors = {},
            .tx_descriptors = {},
            .rx_offloads = {"SCATTER", "IPV4_CKSUM", "UDP_CKSUM", "TCP_CKSUM"},
            .tx_offloads = {"MULTI_SEGS", "IPV4_CKSUM", "UDP_CKSUM", "TCP_CKSUM", "TCP_TSO"},
            .rss = {}};
}

/// Not recorded: Intel 82599 and X550, from DPDK's ixgbe driver and the datasheet.
inline DeviceFacts ixgbe_facts() {
    return {
        .driver = "net_ixgbe",
        .min_mtu = 68,
        .max_mtu = 15854,
        .interface_mtu = {},
        .max_rx_length = 15872,
        .min_rx_buffer = 1024,
        .max_rx_buffer = 16256,
        .max_rx_queues = 128,
        .max_tx_queues = 128,
        .rx_descriptors = {.min = 32, .max = 4096, .align = 8, .preferred = 256},
        .tx_descriptors = {.min = 32, .max = 4096, .align = 8, .preferred = 256},
        .rx_offloads = {"IPV4_CKSUM", "UDP_CKSUM", "TCP_CKSUM", "KEEP_CRC", "SCATTER", "RSS_HASH"},
        .tx_offloads = {"VLAN_INSERT", "IPV4_CKSUM", "UDP_CKSUM", "TCP_CKSUM", "TCP_TSO",
                        "MULTI_SEGS"},
        .rss = {"ipv4", "ipv4-udp"},
        .reta_size = 128};
}

/// Not recorded: Intel XL710, from DPDK's i40e driver and the datasheet.
inline DeviceFacts i40e_facts() {
    return {
        .driver = "net_i40e",
        .min_mtu = 68,
        .max_mtu = 9702,
        .interface_mtu = {},
        .max_rx_length = 9728,
        .min_rx_buffer = 1024,
        .max_rx_buffer = 16256,
        .max_rx_queues = 192,
        .max_tx_queues = 192,
        .rx_descriptors = {.min = 64, .max = 4096, .align = 32, .preferred = 1024},
        .tx_descriptors = {.min = 64, .max = 4096, .align = 32, .preferred = 1024},
        .rx_offloads = {"IPV4_CKSUM", "UDP_CKSUM", "TCP_CKSUM", "KEEP_CRC", "SCATTER", "RSS_HASH"},
        .tx_offloads = {"IPV4_CKSUM", "UDP_CKSUM", "TCP_CKSUM", "TCP_TSO", "MULTI_SEGS",
                        "MBUF_FAST_FREE"},
        .rss = {"ipv4-udp"},
        .reta_size = 512};
}

}  // namespace barewire::plan
