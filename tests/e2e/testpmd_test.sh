#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# DPDK's testpmd at the one end, barewire at the other, over af_packet: what testpmd sends is
# foreign to our sink, and testpmd counts every frame of our generator.
. "$(dirname "$0")/_init.sh"
. "$here/_two_hosts.sh"

two_hosts 1500
# Longest last: testpmd reads its options in order, and refuses lengths that no buffer holds yet.
testpmd() {
    local name=$1 host=$2 interface=$3 mode=$4
    start "$name" ip netns exec "$net-$host" dpdk-testpmd --lcores '0@0,1@1' --no-huge -m 256 \
        --no-pci --no-telemetry --file-prefix "$net-$name" \
        --vdev "net_af_packet0,iface=$interface,framesz=2048,blocksz=65536,framecnt=512" -- \
        --forward-mode="$mode" --mbuf-size=2304 --total-num-mbufs=4096 --txpkts=60 \
        --stats-period 1
}
# From its last words: "RX-packets: 123 ... RX-bytes: 456".
counted() { grep -o "$2: *[0-9]*" "$1.out" | tail -1 | grep -o '[0-9]*$'; }

start sink ip netns exec "$net-b" "$BAREWIRE" sink --port af_packet:vb --cores 0 --for 4s \
    --json sink.json
await sink ' ready on '
testpmd sender a va txonly
await_output sender 'Tx-pps'
finish sink 0
kill -INT "${pids[sender]}"
finish sender 0
check sink.json <<'PY'
trial = r['trials'][0]
assert trial['foreign'] > 1000, trial['foreign']
same('foreign', trial['foreign_by'], {'IPv4': trial['foreign']})
for count in ('received', 'duplicated', 'reordered', 'corrupted', 'stale', 'surplus', 'lost'):
    same(count, trial[count], 0)
PY

# Nobody answers testpmd's end, so the address is told. Every frame that arrives is captured too:
# what testpmd counts beyond the offered ones is our own talk.
mac=$(on b cat /sys/class/net/vb/address)
testpmd receiver b vb rxonly
await_output receiver 'Rx-pps'
start capture ip netns exec "$net-b" tshark -n -q -i vb -w talk.pcap
await_output capture 'Capturing on'
expect_status 0 on a "$BAREWIRE" generate --port af_packet:va --dst-mac "$mac" --size 64,1518 \
    --count 1000 --rate 2kpps --cores 1 --json sent.json
# Its figures come once a second; the capture ends after the frames that it was to see.
for ((tries = 0; tries < 200; ++tries)); do
    kill -0 "${pids[receiver]}" && sleep 0.05
    (($(grep -c 'Rx-pps' receiver.out) < 6)) || break
done
kill -INT "${pids[receiver]}"
finish receiver 0
kill -INT "${pids[capture]}"
finish capture 0
offered=$(json sent.json "sum(t['offered'] for t in r['trials'])")
((offered == 2000)) || fail "offered $offered"
# captured FILTER: captured frames that pass it.
captured() { tshark -n -r talk.pcap -Y "$1" -T fields -e frame.number 2>/dev/null | wc -l; }
trial='frame[42:4] == ba:4e:31:7e && frame[58] =='
probes=$(captured "($trial 01) || ($trial 02)")
warm_up=$(captured "$trial 00")
control=$(captured 'frame[42:4] == ba:4e:c7:91')
learning=$(captured 'eth.type == 0x88b5')
all=$(captured frame)
received=$(counted receiver RX-packets)
((probes == offered)) || fail "$probes probes arrived, $offered were offered"
((received == all)) || fail "testpmd counts $received frames, $all arrived"
((all == probes + warm_up + control + learning)) ||
    fail "$all arrived: $probes probes, $warm_up warm-up, $control control, $learning learning"
((control > 0 && learning > 0)) || fail "no talk: $control control, $learning learning"
expect_nothing_left generate and sink
rm -rf "/var/run/dpdk/$net-sender" "/var/run/dpdk/$net-receiver"
