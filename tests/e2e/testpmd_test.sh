#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# DPDK's testpmd at the other end, over the kernel's packet sockets: what it sends is foreign to a
# sink, frame by frame; what generate sends it receives, frame by frame and byte by byte.
. "$(dirname "$0")/_init.sh"
. "$here/_two_hosts.sh"
. "$here/_capture.sh"
two_hosts 1500

# testpmd NAME HOST INTERFACE OPTION...: its two threads on any cores; a ring that holds every
# frame of this test, so that it misses none when it does not get a core for a while.
testpmd() {
    local name=$1 host=$2 interface=$3 cores
    shift 3
    cores=$(taskset -cp $$)
    start "$name" on "$host" dpdk-testpmd --lcores "(0,1)@(${cores##*: })" --no-huge -m 256 \
        --no-pci --file-prefix "$name-$$" --vdev \
        "net_af_packet0,iface=$interface,framesz=2048,blocksz=65536,framecnt=8192" -- \
        --total-num-mbufs=4096 --stats-period 1 "$@"
    await_output "$name" 'statistics for port 0'
}

interrupt() {
    kill -INT "${pids[$1]}"
    finish "$1" 0
}

# total NAME WHAT: of testpmd's port 0, as it says last.
total() { grep -o "$2: *[0-9]*" "$1.out" | tail -n 1 | grep -o '[0-9]*$'; }

# What it sends is UDP over IPv4, and as long as a probe frame.
for size in 60 1514; do
    testpmd txonly a va --forward-mode=txonly --txpkts="$size"
    expect_status 0 on b "$BAREWIRE" sink --port af_packet:vb --for 3s --json sink.json
    interrupt txonly
    sent=$(total txonly TX-packets)
    check sink.json <<PY
trial = r['trials'][-1]
assert 0 < trial['foreign'] <= $sent, f'{trial["foreign"]} foreign, $sent sent'
same('foreign_by', trial['foreign_by'], {'IPv4': trial['foreign']})
for count in ('received', 'duplicated', 'reordered', 'corrupted', 'stale', 'surplus'):
    same(count, trial[count], 0)
port, = trial['port_counters']
same('ipackets', port['ipackets'], trial['foreign'])
same('ibytes', port['ibytes'], $size * trial['foreign'])
PY
done

start_capture b vb
testpmd rxonly b vb --forward-mode=rxonly
expect_status 0 on a "$BAREWIRE" generate --port af_packet:va \
    --dst-mac "$(mac_of b vb)" --size 64,1518 --count 2000 --rate 20kpps --json generate.json
end_capture vb
# A record of the capture has 16 bytes before each frame, the file 24.
frames=$(grep -o '^[0-9]*' capture-vb.out)
await_output rxonly "RX-bytes: *$(($(stat -c %s vb.pcap) - 24 - 16 * frames))\b"
interrupt rxonly
check generate.json <<PY
import talk
controls, learning, probes = talk.read('vb.pcap')
sender = '$(mac_of a va)'
for trial in r['trials']:
    check_sent(trial)
    same('offered', trial['offered'], 2000)
    same('received', trial['received'], None)  # nobody answers
    same('captured', probes[sender, trial['trial']], 2000)
said = [(src, m['type'], m.get('trial')) for src, _, m in talk.conversation(controls)]
while said[1:2] == [(sender, 'hello', None)]:  # until it gives the search up
    said.pop(0)
same('announced to nobody', said,
     [(sender, 'hello', None)]
     + [(sender, word, trial) for trial in range(3) for word in ('order', 'end')]
     + [(sender, 'bye', None)])
same('learning frames', learning, {sender: 3})  # one before each trial, trial 0 is the warm-up
same('RX-packets', $(total rxonly RX-packets),
     probes.total() + len(controls) + learning.total())
PY
expect_nothing_left "sink and generate"
