// SPDX-License-Identifier: BSD-3-Clause
// Plugging devices in and out.
#include "eth_device.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <fmt/format.h>
#include <net/if.h>
#include <unistd.h>

#include <rte_dev.h>
#include <rte_errno.h>
#include <rte_ethdev.h>

#include "barewire/base/error.h"
#include "barewire/nic/eal.h"

#include "driver_words.h"

namespace barewire::nic {
namespace {

/// Numbers of our devices: DPDK's names are one to a process.
std::string next_name(const char* driver) {
    static std::atomic<unsigned> next{0};
    return fmt::format("{}_bw{}", driver, next++);
}

/// An interface that is missing or down is refused before a driver says so in its own way.
void check_interface(const plan::PortSpec& spec) {
    ifreq request{};
    spec.device.copy(request.ifr_name, IFNAMSIZ - 1);
    const int socket_fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    const int code = socket_fd < 0 ? -1 : ioctl(socket_fd, SIOCGIFFLAGS, &request);
    const int reason = errno;
    if (socket_fd >= 0) close(socket_fd);
    if (code != 0) {
        throw ConfigError(fmt::format("port {}: interface {}: {} (ip link lists what there is)",
                                      spec.text, spec.device, std::strerror(reason)));
    }
    if ((request.ifr_flags & IFF_UP) == 0) {
        throw ConfigError(fmt::format("port {}: interface {} is down: ip link set dev {} up",
                                      spec.text, spec.device, spec.device));
    }
}

}  // namespace

EthDevice::EthDevice(const plan::PortSpec& spec, const MemifRings& memif) {
    switch (spec.kind) {
        case plan::PortKind::af_xdp:
            check_interface(spec);
            interface_ = spec.device;
            plug_in(spec, next_name("net_af_xdp"), "iface=" + spec.device);
            break;
        case plan::PortKind::tap:
            plug_in(spec, next_name("net_tap"), "iface=" + spec.device);
            break;
        case plan::PortKind::memif:
            if (spec.memif_server) make_way_for_socket(spec.text, spec.device);
            plug_in(spec, next_name("net_memif"), memif_arguments(spec, memif));
            if (spec.memif_server) socket_ = spec.device;
            break;
        case plan::PortKind::pci:
            find_pci(spec);
            break;
        case plan::PortKind::dpdk: {
            const size_t comma = std::min(spec.device.find(','), spec.device.size());
            plug_in(spec, spec.device.substr(0, comma),
                    comma < spec.device.size() ? spec.device.substr(comma + 1) : "");
            break;
        }
        default:
            plug_in(spec, next_name("net_null"), "no-rx=1");
    }
}

void EthDevice::plug_in(const plan::PortSpec& spec, const std::string& name,
                        const std::string& arguments) {
    name_ = name;
    const DriverWords words;
    int code = rte_eal_hotplug_add("vdev", name_.c_str(), arguments.c_str());
    if (code == -EEXIST) {
        throw ConfigError(
            fmt::format("port {}: DPDK has a device {} already: give it another "
                        "number",
                        spec.text, name_));
    }
    if (code == 0) code = rte_eth_dev_get_port_by_name(name_.c_str(), &id_);
    if (code != 0) {
        throw DeviceError(fmt::format("port {}: DPDK refuses the device {},{}: {}{}", spec.text,
                                      name_, arguments, rte_strerror(-code), words.quote()));
    }
}

void EthDevice::find_pci(const plan::PortSpec& spec) {
    name_ = spec.device;
    plugged_ = false;
    if (rte_eth_dev_get_port_by_name(name_.c_str(), &id_) == 0) return;
    throw ConfigError(
        fmt::format("port {}: DPDK has no Ethernet device {}: bind it to vfio-pci (dpdk-devbind.py "
                    "-b vfio-pci {}), unless its driver leaves it to the kernel's (mlx4, mlx5); "
                    "DPDK says: {}",
                    spec.text, name_, name_, one_line(eal_log())));
}

EthDevice::~EthDevice() {
    const SilencedStderr silenced;
    rte_eth_dev_stop(id_);
    rte_eth_dev_close(id_);
    if (plugged_) rte_eal_hotplug_remove("vdev", name_.c_str());
    if (!socket_.empty()) unlink(socket_.c_str());
}

bool EthDevice::link_is_up() const {
    rte_eth_link link{};
    return rte_eth_link_get_nowait(id_, &link) == 0 && link.link_status == RTE_ETH_LINK_UP;
}

}  // namespace barewire::nic
