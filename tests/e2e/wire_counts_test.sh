#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A damaging wire: what the sink finds equals the wire's own counts, exactly, and the same request
# gives the same counts, with one, two and four senders.
. "$(dirname "$0")/_init.sh"

frames=300000
if long; then frames=3000000; fi
wire=loss=1e-3,duplicate=1e-4,reorder=1e-4,corrupt=1e-5

# counts FILE CORES: the counts of one run, checked against the wire's.
counts() {
    expect_status 0 bw stress --wire "$wire" --payload-check --seed 7 --size 128 \
        --count "$frames" --cores "$2" --json "$1"
    check "$1" <<PY
trial = r['trials'][0]
check_ledger(trial)
same('offered', trial['offered'], $frames)
wire = trial['wire']
for count in ('lost', 'duplicated', 'reordered', 'corrupted'):
    same(count, trial[count], wire[count])
same('received', trial['received'], wire['delivered'])
for count in ('surplus', 'foreign', 'stale'):
    same(count, trial[count], 0)
assert trial['lost'] > $frames / 2000, 'the wire lost too few'
PY
    json "$1" "[r['trials'][0][c] for c in ('lost', 'duplicated', 'reordered', 'corrupted')]"
}

first=$(counts one.json 0,1)
for cores in 0,1 0x2,1x2 0x4,1x4 generate=0x4,sink=1; do
    again=$(counts again.json "${cores/,sink/;sink}")
    [[ $again == "$first" ]] || fail "--cores $cores: $again, not $first"
done

# Cut frames are corrupted; a bit flipped anywhere makes a frame corrupted or foreign; no other
# class takes either.
expect_status 0 bw stress --wire truncate=0.01 --payload-check --size 128 --count 100000 \
    --json cut.json
check cut.json <<'PY'
trial = r['trials'][0]
check_ledger(trial)
same('corrupted', trial['corrupted'], trial['wire']['truncated'])
assert trial['corrupted'] > 500
for count in ('lost', 'duplicated', 'reordered', 'foreign', 'surplus'):
    same(count, trial[count], 0)
PY
expect_status 0 bw stress --wire corrupt-any=0.01 --payload-check --size 128 --count 100000 \
    --json flip.json
check flip.json <<'PY'
trial = r['trials'][0]
check_ledger(trial)
same('corrupted + foreign', trial['corrupted'] + trial['foreign'], trial['wire']['corrupted_any'])
assert trial['foreign'] > 0 and trial['corrupted'] > 500
for count in ('duplicated', 'reordered', 'stale'):
    same(count, trial[count], 0)
PY

# A size that the wire drops is lost whole, the next smaller one passes.
expect_status 0 bw stress --wire a-to-b.mtu=1500 --size 1518,1519 --count 1000 --json mtu.json
check mtu.json <<'PY'
same('lost', [t['lost'] for t in r['trials']], [0, 1000])
same('over_mtu', [t['wire']['over_mtu'] for t in r['trials']], [0, 1000])
PY
expect_nothing_left wire
