#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What is sent, as tshark reads it from a capture: no malformed frame, no bad checksum, lengths as
# asked for, and sequences that rise by one within each trial.
. "$(dirname "$0")/_init.sh"

# capture SIZES OPTION...: 200 frames of each size, dissected into frames.tsv.
capture() {
    local sizes=$1
    shift
    rm -f out.pcap
    expect_status 0 bw generate --port pcap:,out.pcap --size "$sizes" --count 200 --rate 100kpps \
        --json result.json "$@"
    tshark -n -r out.pcap -o ip.check_checksum:TRUE -o udp.check_checksum:TRUE -T fields \
        -e frame.len -e ip.checksum.status -e udp.checksum.status -e data.data \
        -e _ws.malformed -e _ws.expert.severity >frames.tsv 2>tshark.err ||
        fail "tshark: $(cat tshark.err)"
    check result.json <<PY
sizes = [int(size) for size in '$sizes'.split(',')]
same('sizes', [t['frame_size'] for t in r['trials']], sizes)
for trial in r['trials']:
    check_sent(trial)
    same('received', trial['received'], None)  # this process does not receive
rows = [line.rstrip('\\n').split('\\t') for line in open('frames.tsv')]
RUN, WARNING = int(r['run_id'], 16), 6291456
following, seen = {}, {size: 0 for size in sizes}
for length, ip, udp, data, malformed, severity in rows:
    assert not malformed, 'malformed'
    assert all(int(s) < WARNING for s in severity.split(',') if s), f'tshark warns: {severity}'
    same('IP and UDP checksum', (ip, udp), ('1', '1'))
    signature = bytes.fromhex(data)[:18]
    same('magic', signature[:4].hex(), 'ba4e317e')
    same('run', int.from_bytes(signature[4:8], 'big'), RUN)
    trial, stream = signature[16], signature[17]
    if trial == 0:
        continue  # the warm-up
    sequence = int.from_bytes(signature[8:12], 'big')
    same('sequence', sequence, following.get((trial, stream), 0))
    following[trial, stream] = sequence + 1
    same('size', int(length) + 4, sizes[trial - 1])
    seen[int(length) + 4] += 1
for trial in r['trials']:
    same(f'captured of {trial["frame_size"]}', seen[trial['frame_size']], trial['offered'])
PY
}

sizes=64,65,67,68,69,128,1514,1518,1519,1522,4096,9018
capture "$sizes"
capture "$sizes" --payload-check
capture 64,1518 --flows 7
# Flows: as many sources as asked for, each in its turn.
sources=$(tshark -n -r out.pcap -T fields -e ip.src -e udp.srcport | sort -u | wc -l)
((sources == 7)) || fail "$sources flows, not 7"
expect_nothing_left captures
