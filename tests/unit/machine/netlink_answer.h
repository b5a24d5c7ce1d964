// SPDX-License-Identifier: BSD-3-Clause
// Makes up the kernel's answer to RTM_GETLINK.
#pragma once

#include <cstdint>
#include <cstring>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string>
#include <string_view>

namespace barewire::machine {

template <class T>
std::string bytes_of(const T& value) {
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

/// Type, length, value, filled up to four bytes (rtnetlink(3)).
inline std::string attribute(int type, std::string_view value) {
    rtattr head{};
    head.rta_len = static_cast<uint16_t>(sizeof head + value.size());
    head.rta_type = static_cast<uint16_t>(type);
    std::string text = bytes_of(head) + std::string(value);
    text.resize((text.size() + 3) / 4 * 4);
    return text;
}

inline std::string message(int type, const std::string& payload) {
    nlmsghdr head{};
    head.nlmsg_len = static_cast<uint32_t>(sizeof head + payload.size());
    head.nlmsg_type = static_cast<uint16_t>(type);
    return bytes_of(head) + payload;
}

inline std::string link_message(int index, uint16_t hardware, uint32_t flags,
                                const std::string& attributes) {
    ifinfomsg body{};
    body.ifi_index = index;
    body.ifi_type = hardware;
    body.ifi_flags = flags;
    return message(RTM_NEWLINK, bytes_of(body) + attributes);
}

inline std::string named(const std::string& name) {
    return attribute(IFLA_IFNAME, name + '\0');
}

}  // namespace barewire::machine
