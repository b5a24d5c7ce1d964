// SPDX-License-Identifier: BSD-3-Clause
// Sockets of memif ports.
#include "memif_socket.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include "barewire/base/error.h"
#include "barewire/base/knobs.h"
#include "barewire/nic/pool.h"

namespace barewire::nic {
namespace {

namespace fs = std::filesystem;

/// The protocol's default; other implementations count on no less.
constexpr uint32_t kLeastBuffer = 2048;
constexpr uint32_t kMostLog2Slots = 14;  // ETH_MEMIF_MAX_LOG2_RING_SIZE
/// Slots are written in turn, all of them: more than fit the caches cost most of the rate, fewer
/// leave no time to the side that a host took its core from.
constexpr uint32_t kSmallLog2Slots = 11;
constexpr uint32_t kLargeLog2Slots = 9;

/// errno of connecting to it, 0 when somebody accepts.
int connect_to(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    const int socket_fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (socket_fd < 0) return errno;
    const int code =
        connect(socket_fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    const int reason = code == 0 ? 0 : errno;
    close(socket_fd);
    return reason;
}

/// A connected socket whose own name (at the server) or peer's (at the client) is `path`. The
/// driver keeps it to itself.
bool is_connection_through(int fd, const std::string& path) {
    int type = 0;
    socklen_t size = sizeof type;
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0 || type != SOCK_SEQPACKET) {
        return false;
    }
    int listens = 0;
    size = sizeof listens;
    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || listens != 0) {
        return false;
    }
    for (const auto name_of : {&getsockname, &getpeername}) {
        sockaddr_un address{};
        size = sizeof address;
        const bool named = name_of(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
        if (named && address.sun_family == AF_UNIX && path == address.sun_path) return true;
    }
    return false;
}

}  // namespace

void make_way_for_socket(const std::string& port, const std::string& path) {
    const fs::path folder = fs::absolute(path).parent_path();
    if (access(folder.c_str(), W_OK | X_OK) != 0) {
        throw ConfigError(
            fmt::format("port {}: no socket can be made in {}: {}: name a folder "
                        "that exists and may be written",
                        port, folder.string(), std::strerror(errno)));
    }
    struct stat found {};
    if (lstat(path.c_str(), &found) != 0) return;
    if (!S_ISSOCK(found.st_mode)) {
        throw ConfigError(
            fmt::format("port {}: {} exists and is no socket: name another path", port, path));
    }
    const int reason = connect_to(path);
    if (reason == ECONNREFUSED && unlink(path.c_str()) == 0) return;
    throw ConfigError(
        reason == ECONNREFUSED || reason == EACCES
            ? fmt::format("port {}: {} is left of another run and cannot be removed: {}: remove "
                          "it, or name another path",
                          port, path, std::strerror(errno))
            : fmt::format("port {}: another program listens on {}: stop it, name another path, "
                          "or be its client (role=client)",
                          port, path));
}

// DPDK 22.11 copies whole frames without a look at the other side's buffers where its own bsize
// seems to fit (eth_memif_tx and eth_memif_rx, "fast path"). That is right at the client, whose
// bsize is that of the rings. A server must not be told a bsize that its receive buffers could
// hold, or a client with larger slots would write beyond them; nor one as large as the buffers of
// jumbo frames that it sends, as the client's slots may be smaller: pools of frames to send have a
// spare, and what goes back to programs unknown came in pieces that fit any slot. And a sender
// that splits frames runs over a full ring: so a client that does not know what is to come has
// slots for any frame. Their memory is taken page by page as frames fill it.
MemifRings memif_rings(bool server, bool whole, uint32_t largest_frame, uint32_t rx_buffers) {
    const uint32_t frame = largest_frame != 0 ? largest_frame : plan::kUnknownLargestFrame;
    const uint32_t length = std::max(frame - kFcsSize, kLeastBuffer);
    MemifRings rings;
    if (!server) {
        rings.buffer =
            largest_frame != 0 ? std::min((length + kSendingSpare + 63) / 64 * 64, 65535U) : 65535U;
        rings.rx_room = length;
    } else {
        rings.rx_room = whole && length < kMaxFrameSize - kFcsSize ? length : kLeastBuffer;
        rings.buffer = rings.rx_room + 1;
    }
    const auto asked = static_cast<uint32_t>(std::bit_width(std::bit_ceil(rx_buffers)) - 1);
    rings.log2_slots = rx_buffers != 0  ? std::clamp(asked, 6U, kMostLog2Slots)
                       : length <= 4096 ? kSmallLog2Slots
                                        : kLargeLog2Slots;
    return rings;
}

std::string memif_arguments(const plan::PortSpec& spec, const MemifRings& rings) {
    return fmt::format("role={},socket={},socket-abstract=no,bsize={},rsize={}",
                       spec.memif_server ? "server" : "client",
                       // The driver takes a name without a slash for a missing folder.
                       fs::absolute(spec.device).string(), rings.buffer, rings.log2_slots);
}

bool memif_other_side_gone(const std::string& path) {
    const std::string full = fs::absolute(path).string();
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/proc/self/fd", error)) {
        const int fd = std::atoi(entry.path().filename().c_str());
        if (!is_connection_through(fd, full)) continue;
        pollfd wait{.fd = fd, .events = POLLRDHUP, .revents = 0};
        if (poll(&wait, 1, 0) > 0 && (wait.revents & (POLLHUP | POLLRDHUP)) != 0) return true;
    }
    return false;
}

}  // namespace barewire::nic
