// SPDX-License-Identifier: BSD-3-Clause
// Interfaces by ioctl, which follows the thread's network namespace; hardware by /sys, which
// follows the mount, so it is believed only where it means the same interface.
#include "interface.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <net/if.h>
#include <net/if_arp.h>
#include <unistd.h>

#include "barewire/base/error.h"

namespace barewire::nic {
namespace {

constexpr double kMegabit = 1e6;

/// One ioctl of the SIOCGIF kind after the other, on a socket of its own.
class Asker {
  public:
    explicit Asker(const std::string& name)
        : socket_(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
        if (socket_ < 0) {
            throw DeviceError(std::string("socket(AF_INET) refuses: ") + std::strerror(errno));
        }
        std::memcpy(answer_.ifr_name, name.c_str(), name.size() + 1);
    }
    Asker(const Asker&) = delete;
    Asker& operator=(const Asker&) = delete;
    ~Asker() { close(socket_); }

    /// Null where the kernel has no answer, and so no such interface.
    const ifreq* ask(unsigned long what) {
        return ioctl(socket_, what, &answer_) == 0 ? &answer_ : nullptr;
    }

  private:
    int socket_;
    ifreq answer_{};
};

std::optional<int> number_in(const std::string& path) {
    std::ifstream file(path);
    int number = 0;
    if (file >> number) return number;
    return std::nullopt;
}

void add_hardware(Interface& interface) {
    const std::string folder = "/sys/class/net/" + interface.name;
    if (number_in(folder + "/ifindex") != interface.index) return;
    // Only what hangs on a bus has a numa_node file.
    const auto node = number_in(folder + "/device/numa_node");
    if (!node) return;
    if (*node >= 0) interface.numa_node = *node;
    const auto megabits = number_in(folder + "/speed");
    if (megabits && *megabits > 0) interface.speed_bps = *megabits * kMegabit;
}

}  // namespace

std::optional<Interface> find_interface(const std::string& name) {
    if (name.empty() || name.size() >= IFNAMSIZ) return std::nullopt;
    Asker asker(name);
    Interface found{.name = name};
    const ifreq* answer = asker.ask(SIOCGIFINDEX);
    if (answer == nullptr) return std::nullopt;
    found.index = answer->ifr_ifindex;
    if ((answer = asker.ask(SIOCGIFFLAGS)) == nullptr) return std::nullopt;
    found.up = (answer->ifr_flags & IFF_UP) != 0;
    found.carrier = found.up && (answer->ifr_flags & IFF_RUNNING) != 0;
    if ((answer = asker.ask(SIOCGIFMTU)) == nullptr) return std::nullopt;
    found.mtu = static_cast<uint32_t>(answer->ifr_mtu);
    if ((answer = asker.ask(SIOCGIFHWADDR)) == nullptr) return std::nullopt;
    found.ethernet = answer->ifr_hwaddr.sa_family == ARPHRD_ETHER;
    std::memcpy(found.mac.data(), answer->ifr_hwaddr.sa_data, found.mac.size());
    add_hardware(found);
    return found;
}

}  // namespace barewire::nic
