#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# far at the one end and stress --far at the other, as two processes, over memif, af_packet and
# af_xdp: every frame in one exact ledger, which the far end's own result bears out.
. "$(dirname "$0")/_init.sh"
. "$here/_two_hosts.sh"

repeat=3 window=200ms
if long; then repeat=10 window=1s; fi
rate=(--rate 2kpps --for "$window")

# near ARGUMENT...: stress at the near end of the link being tested; its status must be 0.
near() {
    expect_status 0 "${near_end[@]}" stress --port "$near_port" --far "${near_cores[@]}" \
        --json near.json "$@"
}

# use NEAR_PORT FAR_PORT: what near() and start_far() work with.
use() {
    near_port=$1 far_port=$2
    near_end=(timeout -k 5 60 "$BAREWIRE") far_end=("$BAREWIRE")
    [[ $1 == memif:* ]] || { near_end=(on a "${near_end[@]}") far_end=(on b "${far_end[@]}"); }
}

start_far() {
    start far "${far_end[@]}" far --port "$far_port" "${far_cores[@]}" --json far.json "$@"
    # A memif is ready when somebody has connected to it.
    [[ $far_port == memif:* ]] || await far ' ready on '
}

# all_sizes SIZES: one run with $repeat trials of each, and one with the payload check.
all_sizes() {
    start_far --max-frame "${1##*,}"
    near --size "$1" "${rate[@]}" --repeat "$repeat"
    cp near.json first.json
    near --size "$1" "${rate[@]}" --payload-check
    stop far
    check first.json <<PY
same('status', r['status'], 'ok')
sizes = [int(size) for size in '$1'.split(',')]
same('sizes', [t['frame_size'] for t in r['trials']], [s for s in sizes for _ in range($repeat)])
for trial in r['trials']:
    check_both_ends(trial)
    check_delivered(trial)
for end in (r['environment'], r['far_environment']):
    for fact in ('version', 'cpu', 'kernel', 'dpdk', 'tsc_hz'):
        assert end[fact], fact
    same('ports', len(end['ports']), 1)
same('port here', r['environment']['ports'][0]['port'], '$near_port')
same('port there', r['far_environment']['ports'][0]['port'], '$far_port')
PY
    check near.json <<'PY'
for trial in r['trials']:
    check_both_ends(trial)
    check_delivered(trial)
    same('payload check', trial['payload_check'],
         'udp-checksum' if trial['frame_size'] < 68 else 'crc32c')
PY
    check far.json <<'PY'
first, second = load('first.json'), load('near.json')
check_same_counts(first['trials'] + second['trials'], r['trials'])
same('errors', r['errors'], [])
PY
    expect_nothing_left "$near_port"
}

use "memif:$work/m.sock,role=client" "memif:$work/m.sock,role=server"
all_sizes 64,1518,9018
[[ ! -e $work/m.sock ]] || fail "the memif's socket is left behind"
two_hosts 9000
use af_packet:va af_packet:vb
all_sizes 64,1518,9018
two_hosts 1500
use af_xdp:va af_xdp:vb
all_sizes 64,1518

# Both ways, flows over two sinks, and an interrupt, run after run against one far end.
two_hosts 9000
use af_packet:va af_packet:vb
far_cores=(--cores 'generate=0;sink=0,1')
start_far
near --size 64,9018 "${rate[@]}" --flows 100
cp near.json flows.json
check flows.json <<'PY'
for trial in r['trials']:
    check_both_ends(trial)
    check_delivered(trial)
    sinks = [w['received'] for w in trial['workers'] if w['role'] == 'sink']
    same('sinks', len(sinks), 2)
    assert min(sinks) > 0, f'a sink without frames: {sinks}'
    same('flows', len(trial['flows']), 100)
    for flow in trial['flows']:
        same('flow', flow['received'] + flow['lost'], flow['offered'] + flow['surplus']
             + flow['duplicated'])
PY
near_cores=(--cores 'generate=0;sink=1')
near --size 64,1518 "${rate[@]}" --both-ways
cp near.json both.json
check both.json <<'PY'
same('directions', [t['direction'] for t in r['trials']], ['a-to-b', 'b-to-a'] * 2)
for trial in r['trials']:
    check_both_ends(trial)
    check_delivered(trial)
PY

near_cores=(--cores 0)
start near on a "$BAREWIRE" stress --port "$near_port" --far "${near_cores[@]}" --size 64 \
    --rate 2kpps --for 60s --interval 100ms --json cut.json
await_output near ' s of '
stop near
check cut.json <<'PY'
same('status', r['status'], 'interrupted')
same('trials', len(r['trials']), 1)
check_ledger(r['trials'][0])
same('complete', r['trials'][0]['complete'], False)
PY
near --size 64 "${rate[@]}"
stop far
check far.json <<'PY'
runs = [load(name)['trials'] for name in ('flows.json', 'both.json', 'cut.json', 'near.json')]
check_same_counts([trial for run in runs for trial in run], r['trials'])
PY

# One that sends and one that counts: what was offered comes over the link itself.
start sink on b "$BAREWIRE" sink --port af_packet:vb --cores 1 --json sink.json
await sink ' ready on '
expect_status 0 "${near_end[@]}" generate --port af_packet:va --cores 0 --size 64,9018 \
    "${rate[@]}" --json near.json
finish sink 0
check near.json <<'PY'
for trial in r['trials']:
    check_both_ends(trial)
    check_delivered(trial)
check_same_counts(r['trials'], load('sink.json')['trials'])
PY
expect_nothing_left "two ends"
