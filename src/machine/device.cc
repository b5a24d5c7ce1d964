// SPDX-License-Identifier: BSD-3-Clause
// The requests of ethtool(8) that need no privilege, by ioctl.
#include "device.h"

#include <array>
#include <cstring>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>

#include <net/if.h>

namespace barewire::machine {
namespace {

/// One request; its command is set, its answer is in it. False: not answered.
template <class T>
bool ask(int socket, const std::string& interface, T& request) {
    ifreq packet{};
    interface.copy(packet.ifr_name, sizeof packet.ifr_name - 1);
    packet.ifr_data = static_cast<char*>(static_cast<void*>(&request));
    return ::ioctl(socket, SIOCETHTOOL, &packet) == 0;
}

template <size_t kSize>
std::string text_of(const char (&field)[kSize]) {
    return {field, strnlen(field, kSize)};
}

std::optional<double> speed_of(int socket, const std::string& interface) {
    ethtool_cmd settings{};
    settings.cmd = ETHTOOL_GSET;
    if (!ask(socket, interface, settings)) return std::nullopt;
    const uint32_t megabits = ethtool_cmd_speed(&settings);
    constexpr double kMega = 1e6;
    if (megabits == 0 || megabits == static_cast<uint32_t>(SPEED_UNKNOWN)) return std::nullopt;
    return megabits * kMega;
}

std::optional<std::string> fec_of(int socket, const std::string& interface) {
    ethtool_fecparam parameters{};
    parameters.cmd = ETHTOOL_GFECPARAM;
    if (!ask(socket, interface, parameters)) return std::nullopt;
    constexpr std::array<std::pair<uint32_t, const char*>, 4> kNames = {
        {{ETHTOOL_FEC_OFF, "off"},
         {ETHTOOL_FEC_RS, "rs"},
         {ETHTOOL_FEC_BASER, "baser"},
         {ETHTOOL_FEC_LLRS, "llrs"}}};
    for (const auto& [bit, name] : kNames) {
        if ((parameters.active_fec & bit) != 0) return name;
    }
    return std::nullopt;
}

/// The standard that the plug's memory follows; SFF-8024 gives QSFP28 the one of QSFP+.
std::optional<std::string> module_of(int socket, const std::string& interface) {
    ethtool_modinfo info{};
    info.cmd = ETHTOOL_GMODULEINFO;
    if (!ask(socket, interface, info)) return std::nullopt;
    switch (info.type) {
        case ETH_MODULE_SFF_8079:
            return "SFP (SFF-8079)";
        case ETH_MODULE_SFF_8472:
            return "SFP (SFF-8472)";
        case ETH_MODULE_SFF_8436:
            return "QSFP (SFF-8436)";
        case ETH_MODULE_SFF_8636:
            return "QSFP (SFF-8636)";
        default:
            return std::nullopt;
    }
}

}  // namespace

Device read_device(int socket, const std::string& interface) {
    Device device;
    ethtool_drvinfo info{};
    info.cmd = ETHTOOL_GDRVINFO;
    if (ask(socket, interface, info)) {
        device.driver = text_of(info.driver);
        device.bus = text_of(info.bus_info);
    }
    device.speed_bps = speed_of(socket, interface);
    device.fec = fec_of(socket, interface);
    device.module = module_of(socket, interface);
    return device;
}

}  // namespace barewire::machine
