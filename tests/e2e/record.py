# SPDX-License-Identifier: BSD-3-Clause
"""Records every frame that comes into an interface, until SIGTERM, as a capture file.

record.py INTERFACE FILE. "recording" is printed once it does; whatever came before the signal is in
the file, or the exit status is 1. (dumpcap said that it captured half a second before it did.)
Frames that leave are left out: what is sent past the qdisc no capture sees.
"""
import signal
import socket
import struct
import sys

ETH_P_ALL = 3
SOL_PACKET, PACKET_STATISTICS = 263, 6
SO_RCVBUFFORCE, SO_TIMESTAMPNS = 33, 35


class Ended(Exception):
    pass


def end(*_):
    raise Ended


def record(sock, frames):
    """Until nothing is left to read, or Ended, which may lose no frame."""
    while True:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
        try:
            frame, ancillary, _, (_, _, kind, *_) = sock.recvmsg(65536, 256)
        except BlockingIOError:
            return
        except TimeoutError:
            continue
        if kind != socket.PACKET_OUTGOING:
            frames.append((struct.unpack('qq', ancillary[0][2]), frame))


def main(interface, path):
    frames = []
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    signal.signal(signal.SIGTERM, end)
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as sock:
        sock.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 256 << 20)
        sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        sock.bind((interface, ETH_P_ALL))
        sock.settimeout(0.05)
        print('recording', flush=True)
        try:
            record(sock, frames)
        except Ended:
            pass
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        sock.setblocking(False)
        record(sock, frames)
        _, drops = struct.unpack('II', sock.getsockopt(SOL_PACKET, PACKET_STATISTICS, 8))
    with open(path, 'wb') as file:
        file.write(struct.pack('<IHHiIII', 0xA1B23C4D, 2, 4, 0, 0, 65535, 1))
        for (seconds, ns), frame in frames:
            file.write(struct.pack('<IIII', seconds, ns, len(frame), len(frame)) + frame)
    print(f'{len(frames)} frames, {drops} missed', flush=True)
    return 1 if drops else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
