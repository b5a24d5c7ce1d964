#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A kernel's UDP messages come back from a reflector byte by byte, ping and ARP are answered for its
# address and for no other; a far end answers the same.
. "$(dirname "$0")/_init.sh"
. "$here/_two_hosts.sh"
. "$here/_capture.sh"
two_hosts 9000
ip -n "$net-a" addr add 198.18.0.1/15 dev va

# Each on a socket of the kernel's own, with "do not fragment".
cat >peer.py <<'PY'
import os
import socket
import struct
import sys

REFLECTOR = sys.argv[1]
NOBODY = '198.19.0.2', '198.19.0.254', '198.18.0.2'
SIZES = (1, 17, 18, 64, 512, 1472, 1473, 4096, 8971, 8972)
IP_MTU_DISCOVER, IP_PMTUDISC_DO = 10, 2


def arp():
    """An answer to the question that was asked last: none to the others before it."""
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as sock:
        sock.bind(('va', 0x0806))
        sock.settimeout(10)
        own = sock.getsockname()[4]
        for target in (*NOBODY, REFLECTOR):
            sock.send(b'\xff' * 6 + own + struct.pack('!HHHBBH', 0x0806, 1, 0x0800, 6, 4, 1) + own
                      + socket.inet_aton('198.18.0.1') + bytes(6) + socket.inet_aton(target))
        while True:
            frame, (_, _, kind, *_) = sock.recvfrom(2048)
            if kind == socket.PACKET_OUTGOING:
                continue
            operation, = struct.unpack_from('!H', frame, 20)
            sender = socket.inet_ntoa(frame[28:32])
            assert (operation, sender) == (2, REFLECTOR), f'ARP {operation} from {sender}'
            assert frame[:6] == own and frame[6:12] == frame[22:28] == MAC, frame.hex()
            return


def udp(sock, size):
    message = os.urandom(size)
    sock.send(message)
    assert sock.recv(65536) == message, f'{size} bytes came back changed'


def checksum(data):
    total = sum(struct.unpack(f'!{(len(data) + 1) // 2}H', data + bytes(len(data) % 2)))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def ping(sock, size, sequence):
    echo = struct.pack('!HHHH', 0x0800, 0, 77, sequence) + os.urandom(size)
    echo = echo[:2] + struct.pack('!H', checksum(echo)) + echo[4:]
    sock.send(echo)
    packet = sock.recv(65536)
    reply = packet[(packet[0] & 15) * 4:]
    assert reply[:2] == b'\0\0' and reply[4:] == echo[4:], f'reply to {size} bytes changed'
    assert checksum(reply) == 0, 'checksum of a reply'


def connected(kind, protocol, port):
    sock = socket.socket(socket.AF_INET, kind, protocol)
    sock.setsockopt(socket.IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO)
    sock.settimeout(10)
    sock.connect((REFLECTOR, port))
    return sock


MAC = bytes.fromhex(sys.argv[2].replace(':', ''))
arp()
with connected(socket.SOCK_DGRAM, 0, 7) as messages:
    for length in SIZES:
        udp(messages, length)
with connected(socket.SOCK_RAW, socket.IPPROTO_ICMP, 0) as echoes:
    for count, length in enumerate((0, 1, 56, 1472, 8972)):
        ping(echoes, length, count)
print(len(SIZES))
PY

ask() { on a /usr/bin/python3 peer.py "$1" "$(mac_of b vb)"; }

start reflect on b "$BAREWIRE" reflect --port af_packet:vb --json reflect.json
await reflect ' ready on '
expect_status 0 ask 198.19.0.1
messages=$(<out)
stop reflect
check reflect.json <<PY
trial = r['trials'][-1]
for count in ('intended', 'received', 'offered'):
    same(count, trial[count], $messages)
same('unsent', trial['unsent'], 0)
same('lost', trial['lost'], None)
same('workers', [(w['role'], w['received']) for w in trial['workers']], [('reflect', $messages)])
same('foreign', sorted(trial['foreign_by']), ['ARP', 'IPv4'])
same('pings', trial['foreign_by']['IPv4'], 5)
assert trial['foreign_by']['ARP'] >= 4, "peer.py's questions; the kernel asks, too"
PY

start far on b "$BAREWIRE" far --port af_packet:vb --ip 198.19.0.9 "${far_cores[@]}"
await far ' ready on '
expect_status 0 ask 198.19.0.9
stop far
expect_nothing_left "reflect and far"
