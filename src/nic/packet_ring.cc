// SPDX-License-Identifier: BSD-3-Clause
// A packet socket and the ring of frames that it shares with the kernel.
#include "packet_ring.h"

#include <algorithm>
#include <arpa/inet.h>
#include <bit>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <sys/socket.h>

#include <fmt/format.h>
#include <unistd.h>

#include "barewire/base/error.h"

namespace barewire::nic {
namespace {

/// The kernel takes each block as one piece; larger pieces are hard to find.
constexpr uint32_t kBlockBytes = 64U << 10;

/// A multiple of the page size that holds a slot: slots do not cross blocks.
uint32_t block_for(uint32_t slot_bytes) {
    return std::bit_ceil(std::max(slot_bytes, kBlockBytes));
}

}  // namespace

void refuse_packet(const std::string& port, const char* call) {
    const int code = errno;
    throw DeviceError(fmt::format("port {}: {} refuses: {}", port, call, std::strerror(code)));
}

PacketSocket::PacketSocket(const std::string& port)
    : port_(port), fd_(socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0)) {
    if (fd_ < 0) refuse_packet(port, "socket(AF_PACKET)");
    const int version = TPACKET_V2;
    set(PACKET_VERSION, version, "setsockopt(PACKET_VERSION)");
}

PacketSocket::~PacketSocket() {
    close(fd_);
}

void PacketSocket::set_bytes(int name, const void* value, size_t size, const char* words) {
    if (setsockopt(fd_, SOL_PACKET, name, value, static_cast<socklen_t>(size)) != 0) {
        refuse_packet(port_, words);
    }
}

void PacketSocket::bind(int interface, uint16_t protocol) {
    sockaddr_ll address{};
    address.sll_family = AF_PACKET;
    address.sll_protocol = htons(protocol);
    address.sll_ifindex = interface;
    if (::bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
        refuse_packet(port_, "bind(AF_PACKET)");
    }
}

PacketRing::PacketRing(const std::string& port, PacketSocket& socket, int kind, uint32_t slots,
                       uint32_t slot_bytes) {
    tpacket_req request{};
    request.tp_frame_size = aligned(slot_bytes);
    request.tp_block_size = block_for(request.tp_frame_size);
    const uint32_t in_block = request.tp_block_size / request.tp_frame_size;
    request.tp_block_nr = (slots + in_block - 1) / in_block;
    request.tp_frame_nr = request.tp_block_nr * in_block;
    socket.set(
        kind, request,
        kind == PACKET_RX_RING ? "setsockopt(PACKET_RX_RING)" : "setsockopt(PACKET_TX_RING)");
    const size_t bytes = size_t{request.tp_block_nr} * request.tp_block_size;
    void* start =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, socket.fd(), 0);
    if (start == MAP_FAILED) refuse_packet(port, "mmap of a packet ring");
    memory_ = {static_cast<std::byte*>(start), bytes};
    slots_.reserve(request.tp_frame_nr);
    for (uint32_t i = 0; i < request.tp_frame_nr; ++i) {
        const size_t at = size_t{i / in_block} * request.tp_block_size +
                          size_t{i % in_block} * request.tp_frame_size;
        slots_.push_back(reinterpret_cast<tpacket2_hdr*>(&memory_[at]));
    }
}

PacketRing::~PacketRing() {
    munmap(memory_.data(), memory_.size());
}

}  // namespace barewire::nic
