#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A capture of other protocols and of another run's frames: each is foreign, in its own class, and
# none is received, lost or corrupted.
. "$(dirname "$0")/_init.sh"

/usr/bin/python3 - <<'PY'
import struct

MAC_A, MAC_B = bytes.fromhex('020000000001'), bytes.fromhex('020000000002')


def ethernet(destination, ethertype, payload):
    return (destination + MAC_A + struct.pack('!H', ethertype) + payload).ljust(60, b'\0')


def ones_complement(data):
    total = sum(struct.unpack(f'!{len(data) // 2}H', data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def probe(run, sequence):
    """A whole probe frame of 64 bytes, FCS left out, as another run would send it."""
    signature = struct.pack('!IIIIBB', 0xBA4E317E, run, sequence, 1000 * sequence, 1, 0)
    source, destination = bytes([198, 18, 0, 1]), bytes([198, 19, 0, 1])
    udp = struct.pack('!HHHH', 49152, 49184, 26, 0) + signature
    pseudo = source + destination + struct.pack('!BBH', 0, 17, 26)
    udp = udp[:6] + struct.pack('!H', ones_complement(pseudo + udp) or 0xFFFF) + udp[8:]
    ip = struct.pack('!BBHHHBBH', 0x45, 0, 46, 0, 0x4000, 64, 17, 0) + source + destination
    ip = ip[:10] + struct.pack('!H', ones_complement(ip)) + ip[12:]
    return ethernet(MAC_B, 0x0800, ip + udp)


arp = ethernet(b'\xff' * 6, 0x0806, struct.pack('!HHBBH', 1, 0x0800, 6, 4, 1) + MAC_A
               + bytes([10, 0, 0, 1]) + bytes(6) + bytes([10, 0, 0, 2]))
ipv6 = ethernet(bytes.fromhex('333300000001'), 0x86DD,
                struct.pack('!IHBB', 0x60000000, 0, 59, 255) + bytes(15) + b'\x01'
                + bytes.fromhex('ff02') + bytes(13) + b'\x01')
# IEEE 802.1D 9.3.1: LLC 42 42 03, then a configuration BPDU of 35 bytes.
stp = ethernet(bytes.fromhex('0180c2000000'), 38, b'\x42\x42\x03' + bytes(35))

frames = ([arp] * 5 + [ipv6] * 4 + [stp] * 3 + [probe(0xDEADBEEF, i) for i in range(7)]
          + [arp] * 2)
with open('in.pcap', 'wb') as file:
    file.write(struct.pack('<IHHiIII', 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
    for number, frame in enumerate(frames):
        file.write(struct.pack('<IIII', 1_700_000_000, number, len(frame), len(frame)) + frame)
PY
# The oracle for the oracle: what this test wrote is what it claims to be.
protocols=$(tshark -n -r in.pcap -o ip.check_checksum:TRUE -o udp.check_checksum:TRUE -T fields \
    -e frame.protocols -e udp.checksum.status | sort | uniq -c |
    awk '{print $1, $2 ($3 ? " checksum " $3 : "")}')
wanted='7 eth:ethertype:arp
7 eth:ethertype:ip:udp:data checksum 1
4 eth:ethertype:ipv6
3 eth:llc:stp'
[[ $(sort <<<"$protocols") == "$(sort <<<"$wanted")" ]] || fail "the capture: $protocols"

expect_status 0 bw sink --port pcap:in.pcap, --for 2s --json result.json
check result.json <<'PY'
trial = r['trials'][-1]
same('foreign_by', trial['foreign_by'], {'ARP': 7, 'IPv6': 4, 'STP': 3, 'other-run': 7})
same('foreign', trial['foreign'], 21)
same('frame size', trial['frame_size'], None)
for count in ('received', 'duplicated', 'reordered', 'corrupted', 'stale', 'surplus'):
    same(count, trial[count], 0)
assert trial['intended'] is None and trial['offered'] is None, 'a sink offers nothing'
PY
expect_nothing_left sink
