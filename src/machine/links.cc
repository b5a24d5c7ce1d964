// SPDX-License-Identifier: BSD-3-Clause
// Asks the kernel for its interfaces and reads the answer.
#include "barewire/machine/links.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <net/if.h>
#include <net/if_arp.h>
#include <unistd.h>

namespace barewire::machine {
namespace {

/// Copies the first bytes of `bytes` into a T, nothing if there are too few.
template <class T>
std::optional<T> leading(std::string_view bytes) {
    if (bytes.size() < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data(), sizeof value);
    return value;
}

std::string_view behind(std::string_view bytes, size_t length) {
    return bytes.substr(std::min<size_t>(NLMSG_ALIGN(length), bytes.size()));
}

/// Calls `visit(type, value)` for each attribute.
template <class Visit>
void each_attribute(std::string_view bytes, Visit visit) {
    while (const auto head = leading<rtattr>(bytes)) {
        if (head->rta_len < sizeof(rtattr) || head->rta_len > bytes.size()) return;
        visit(head->rta_type & NLA_TYPE_MASK,
              bytes.substr(sizeof(rtattr), head->rta_len - sizeof(rtattr)));
        bytes = behind(bytes, head->rta_len);
    }
}

/// Calls `visit(type, payload)` for each message.
template <class Visit>
void each_message(std::string_view bytes, Visit visit) {
    while (const auto head = leading<nlmsghdr>(bytes)) {
        if (head->nlmsg_len < sizeof(nlmsghdr) || head->nlmsg_len > bytes.size()) return;
        visit(head->nlmsg_type, bytes.substr(sizeof(nlmsghdr), head->nlmsg_len - sizeof(nlmsghdr)));
        bytes = behind(bytes, head->nlmsg_len);
    }
}

std::string text_of(std::string_view bytes) {
    return std::string(bytes.substr(0, std::min(bytes.find('\0'), bytes.size())));
}

void take_attribute(int type, std::string_view value, Link& link) {
    switch (type) {
        case IFLA_IFNAME:
            link.name = text_of(value);
            break;
        case IFLA_ADDRESS:
            if (value.size() == link.mac.size()) {
                std::memcpy(link.mac.data(), value.data(), link.mac.size());
            }
            break;
        case IFLA_MTU:
            link.mtu = leading<uint32_t>(value).value_or(0);
            break;
        case IFLA_CARRIER:
            if (const auto there = leading<uint8_t>(value)) link.carrier = *there != 0;
            break;
        case IFLA_MASTER:
            link.master = leading<int>(value).value_or(0);
            break;
        case IFLA_LINK:
            link.lower = leading<int>(value).value_or(0);
            break;
        case IFLA_LINKINFO:
            each_attribute(value, [&link](int inner, std::string_view text) {
                if (inner == IFLA_INFO_KIND) link.kind = text_of(text);
            });
            break;
        default:
            break;
    }
}

Link link_of(std::string_view payload) {
    Link link;
    const auto head = leading<ifinfomsg>(payload);
    if (!head) return link;
    link.index = head->ifi_index;
    link.hardware = head->ifi_type;
    link.flags = head->ifi_flags;
    bool elsewhere = false;
    each_attribute(behind(payload, sizeof(ifinfomsg)), [&](int type, std::string_view value) {
        elsewhere = elsewhere || type == IFLA_LINK_NETNSID;
        take_attribute(type, value, link);
    });
    // A veth names its peer there, which stands beside it, not below.
    if (elsewhere || link.kind == "veth" || link.lower == link.index) link.lower = 0;
    if ((link.flags & IFF_UP) == 0) link.carrier.reset();
    return link;
}

/// True when the answer is whole: the kernel's last message, or its refusal, is in it.
bool ends(std::string_view bytes) {
    bool found = false;
    each_message(bytes, [&found](int type, std::string_view) {
        found = found || type == NLMSG_DONE || type == NLMSG_ERROR;
    });
    return found;
}

bool ask(int socket) {
    struct {
        nlmsghdr head;
        ifinfomsg body;
        rtattr mask_head;
        uint32_t mask;
    } request = {};
    request.head.nlmsg_len = sizeof request;
    request.head.nlmsg_type = RTM_GETLINK;
    request.head.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
    request.body.ifi_family = AF_UNSPEC;
    request.mask_head.rta_len = sizeof(rtattr) + sizeof(uint32_t);
    request.mask_head.rta_type = IFLA_EXT_MASK;
    request.mask = RTEXT_FILTER_SKIP_STATS;
    const timeval patience = {.tv_sec = 2, .tv_usec = 0};
    ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return ::send(socket, &request, sizeof request, 0) == static_cast<ssize_t>(sizeof request);
}

}  // namespace

std::vector<Link> parse_links(std::string_view answer) {
    std::vector<Link> links;
    each_message(answer, [&links](int type, std::string_view payload) {
        if (type != RTM_NEWLINK) return;
        Link link = link_of(payload);
        if (!link.name.empty()) links.push_back(std::move(link));
    });
    return links;
}

std::vector<Link> read_links() {
    std::vector<Link> links;
    const int socket = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (socket < 0) return links;
    // The kernel's pieces of a dump are of at most 32 KiB, and hold whole messages.
    std::vector<char> room(65536);
    bool whole = !ask(socket);
    while (!whole) {
        const ssize_t got = ::recv(socket, room.data(), room.size(), 0);
        if (got <= 0) break;
        const std::string_view piece(room.data(), static_cast<size_t>(got));
        for (Link& link : parse_links(piece)) links.push_back(std::move(link));
        whole = ends(piece);
    }
    ::close(socket);
    return links;
}

}  // namespace barewire::machine
