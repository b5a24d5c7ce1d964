// SPDX-License-Identifier: BSD-3-Clause
// Made-up machines for `barewire ports`: a server with NICs of every state, and a private network
// namespace.
#pragma once

#include <string>

#include <net/if.h>

#include "barewire/machine/survey.h"
#include "barewire/plan/result.h"
#include "barewire/report/ports.h"

namespace barewire::samples {

inline machine::Link link(int index, const std::string& name, const std::string& kind,
                          uint32_t mtu) {
    constexpr uint16_t kEthernet = 1;
    machine::Link made;
    made.index = index;
    made.name = name;
    made.kind = kind;
    made.hardware = kEthernet;
    made.flags = IFF_UP;
    made.mtu = mtu;
    made.mac = {2, 0, 0, 0, 0, static_cast<uint8_t>(index)};
    made.carrier = true;
    return made;
}

inline machine::RawPciFunction function(const std::string& vendor, const std::string& device,
                                        const std::string& driver) {
    return {{"class", "0x020000"},
            {"vendor", vendor},
            {"device", device},
            {"driver", driver},
            {"numa_node", "0"},
            {"iommu_group", "31"},
            {"current_link_speed", "8.0 GT/s PCIe"},
            {"current_link_width", "8"},
            {"max_link_speed", "8.0 GT/s PCIe"},
            {"max_link_width", "8"}};
}

inline machine::Device device(const std::string& driver, const std::string& bus, double speed) {
    return {.driver = driver, .bus = bus, .speed_bps = speed};
}

/// eno1 is the host's; ens1f0 is free, in a slot too narrow; ens1f1 is without link; ens2 works
/// beside the kernel; one function is bound, one has no driver; br0 has an address and v0 in it.
inline machine::Survey server() {
    machine::Survey survey;
    auto& network = survey.network;
    network.links = {link(2, "eno1", "", 1500),        link(3, "ens1f0", "", 9000),
                     link(4, "ens1f1", "", 1500),      link(5, "ens2", "", 9000),
                     link(6, "br0", "bridge", 1500),   link(7, "v0", "veth", 1500),
                     link(8, "wg0", "wireguard", 1420)};
    network.links[2].carrier = false;
    network.links[5].master = 6;
    network.links[6].hardware = 0xFFFE;  // ARPHRD_NONE
    network.addresses = {{"eno1", "192.0.2.7/24", false},
                         {"eno1", "fe80::7/64", true},
                         {"br0", "10.9.0.1/24", false}};
    network.ipv4_routes =
        "Iface\n"
        "eno1\t00000000\t010200C0\t0003\t0\t0\t0\t00000000\t0\t0\t0\n"
        "eno1\t000200C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0\n";
    network.devices["eno1"] = device("tg3", "0000:01:00.0", 1e9);
    network.devices["ens1f0"] = device("ixgbe", "0000:3b:00.0", 10e9);
    network.devices["ens1f0"].module = "SFP (SFF-8472)";
    network.devices["ens1f0"].numa_node = 0;
    network.devices["ens1f1"] = {.driver = "ixgbe", .bus = "0000:3b:00.1"};
    network.devices["ens2"] = device("mlx5_core", "0000:5e:00.0", 25e9);
    network.devices["ens2"].fec = "rs";
    network.devices["v0"] = device("veth", "", 10e9);
    survey.pci = {{"0000:01:00.0", function("0x14e4", "0x165f", "tg3")},
                  {"0000:3b:00.0", function("0x8086", "0x10fb", "ixgbe")},
                  {"0000:3b:00.1", function("0x8086", "0x10fb", "ixgbe")},
                  {"0000:5e:00.0", function("0x15b3", "0x1017", "mlx5_core")},
                  {"0000:af:00.0", function("0x8086", "0x1572", "vfio-pci")},
                  {"0000:af:00.1", function("0x8086", "0x1572", "")}};
    survey.pci["0000:3b:00.0"]["current_link_width"] = "4";
    survey.pci_ids =
        "15b3  Mellanox Technologies\n\t1017  MT27800 Family [ConnectX-5]\n"
        "8086  Intel Corporation\n"
        "\t10fb  82599ES 10-Gigabit SFI/SFP+ Network Connection\n"
        "\t1572  Ethernet Controller X710 for 10GbE SFP+\n";
    return survey;
}

/// A pair of veths, one not up yet; a NIC's function is seen, its interface is elsewhere.
inline machine::Survey private_namespace() {
    machine::Survey survey;
    survey.network.links = {link(2, "v0", "veth", 9000), link(3, "v1", "veth", 1500)};
    survey.network.links[1].flags = 0;
    survey.network.links[1].carrier.reset();
    survey.network.addresses = {{"v0", "198.18.0.1/24", false}};
    survey.pci = {{"0000:00:03.0",
                   {{"class", "0x020000"},
                    {"vendor", "0x1af4"},
                    {"device", "0x1041"},
                    {"driver", "virtio-pci"},
                    {"numa_node", "-1"}}}};
    return survey;
}

/// The whole result of `barewire ports` on such a machine.
inline report::Json ports_result(const machine::Survey& survey) {
    plan::RunResult result;
    result.command = "ports";
    result.command_line = {"barewire", "ports"};
    result.run_id = "7f3a91c2";
    result.started = "2026-07-01T12:00:00+00:00";
    result.version = "0.0.0";
    report::Json json = report::to_json(result);
    json["ports"] = report::ports_json(survey);
    return json;
}

}  // namespace barewire::samples
