#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Every size from the least to jumbo and chained buffers crosses the embedded wire whole, with every
# set of workers and with the payload check; the ledger adds up.
. "$(dirname "$0")/_init.sh"

sizes=64,65,1518,1519,9018,16000,65000
window=200ms paced=20000
if long; then window=2s paced=200000; fi

stress_all_sizes() {
    expect_status 0 bw stress --size "$sizes" --for "$window" --json result.json "$@"
    check result.json <<'PY'
sizes = [64, 65, 1518, 1519, 9018, 16000, 65000]
same('status', r['status'], 'ok')
same('sizes', [t['frame_size'] for t in r['trials']], sizes)
for trial in r['trials']:
    check_nothing_wrong(trial)
    same('unsent at --rate max', trial['unsent'], 0)
PY
    expect_nothing_left stress "$@"
}

stress_all_sizes
stress_all_sizes --payload-check
checks=$(json result.json "','.join(t['payload_check'] for t in r['trials'])")
crc=crc32c,crc32c,crc32c,crc32c,crc32c
[[ $checks == "udp-checksum,udp-checksum,$crc" ]] || fail "payload checks: $checks"

# Standard output holds the JSON and nothing else, so that it can be piped.
expect_status 0 bw stress --size 64 --for 50ms --json -
check "$work/out" <<'PY'
same('command', r['command'], 'stress')
check_nothing_wrong(r['trials'][0])
PY

# A paced run: what stalls of this machine left unsent is within what the result says they explain.
expect_status 0 bw stress --size 64,1518 --rate 100kpps --for "$window" --json result.json
check result.json <<PY
for trial in r['trials']:
    check_nothing_wrong(trial)
    same('intended', trial['intended'], $paced)
    assert trial['unsent'] <= trial['unsent_explained'], 'unsent without a stall to explain it'
PY
