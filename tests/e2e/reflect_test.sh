#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The kernel of one host against reflect and far on another: UDP messages come back as they were,
# pings too, and ARP is answered for one address alone.
. "$(dirname "$0")/_init.sh"
. "$here/_two_hosts.sh"

two_hosts 9000
ip -n "$net-a" address add 198.18.0.1/15 dev va

# ask ADDRESS SIZE...: sends UDP messages and a ping from host a's kernel, and says what came back.
cat >ask.py <<'PY'
import os
import socket
import struct
import sys


def ones_complement(data):
    total = sum(struct.unpack(f'!{len(data) // 2}H', data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def udp(address, sizes):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        end.settimeout(3)
        for size in sizes:
            message = os.urandom(size)
            end.sendto(message, (address, 7))
            reply, sender = end.recvfrom(65535)
            assert reply == message, f'{size} bytes came back changed'
            assert sender == (address, 7), sender


def ping(address):
    with socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP) as end:
        end.settimeout(3)
        rest = struct.pack('!HH', os.getpid() & 0xFFFF, 1) + bytes(56)
        checksum = ones_complement(struct.pack('!BBH', 8, 0, 0) + rest)
        end.sendto(struct.pack('!BBH', 8, 0, checksum) + rest, (address, 0))
        while True:
            packet, sender = end.recvfrom(65535)
            if packet[20] == 0 and packet[24:] == rest:
                assert sender[0] == address, sender
                return


address, sizes = sys.argv[1], [int(size) for size in sys.argv[2:]]
udp(address, sizes)
ping(address)
PY
ask() { on a timeout 30 /usr/bin/python3 ask.py "$@" || fail "no answer from $1 to $2"; }

neighbours() { ip -n "$net-a" neighbour show dev va; }

# The whole MTU: 8972 bytes and headers are 9000.
sizes=(1 64 512 1472 1473 4096 8972)
start reflector ip netns exec "$net-b" "$BAREWIRE" reflect --port af_packet:vb --cores 1 \
    --json reflect.json
await reflector ' ready on '
ask 198.19.0.1 "${sizes[@]}"
neighbours | grep -q '^198.19.0.1 lladdr ' || fail "no ARP reply: $(neighbours)"
if on a timeout 3 /usr/bin/python3 ask.py 198.19.0.2 1 2>/dev/null; then
    fail 'an address of nobody answers'
fi
neighbours | grep -q '^198.19.0.2 .*lladdr' && fail 'ARP is answered for an address of nobody'
stop reflector
check reflect.json <<PY
trial = r['trials'][0]
same('messages', trial['received'], ${#sizes[@]})
same('sent back', trial['offered'], ${#sizes[@]})
same('unsent', trial['unsent'], 0)
same('lost', trial['lost'], None)
assert trial['foreign_by'].get('ARP', 0) >= 1, trial['foreign_by']
same('foreign', trial['foreign'], sum(trial['foreign_by'].values()))
same('role', trial['workers'][0]['role'], 'reflect')
same('worker', trial['workers'][0]['received'], ${#sizes[@]})
PY

start far ip netns exec "$net-b" "$BAREWIRE" far --port af_packet:vb --ip 198.19.0.9 \
    "${far_cores[@]}"
await far ' ready on '
ask 198.19.0.9 64 8972
stop far
expect_nothing_left reflect and far
