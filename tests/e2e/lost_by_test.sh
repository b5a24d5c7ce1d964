#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What is lost between two ends is lost where lost_by says: on a path that drops, in a receiver
# that does not fetch, or nowhere where an interface was only down for a while.
. "$(dirname "$0")/_init.sh"
. "$here/_two_hosts.sh"

far_end=(on b "$BAREWIRE" far --port af_packet:vb "${far_cores[@]}")
near_end=(on a "$BAREWIRE" stress --port af_packet:va --far "${near_cores[@]}" --size 1518
    --json near.json)

# settled FILE: the sums hold to the frame, in the one result and between the two.
settled() {
    check "$1" <<'PY'
same('status', r['status'], 'ok')
theirs = load('far.json')['trials'][-len(r['trials']):]
check_same_counts(r['trials'], theirs)
for trial in r['trials']:
    check_both_ends(trial)
    same('sum of lost_by', sum(trial['lost_by'].values()), trial['lost'])
    for count in ('surplus', 'duplicated', 'reordered', 'corrupted'):
        same(count, trial[count], 0)
PY
}

# only SHARE: everything that was lost was lost there, and something was.
only() {
    check near.json <<PY
for trial in r['trials']:
    by = trial['lost_by']
    assert trial['lost'] > 0, 'nothing was lost'
    same('lost_by', by, {share: trial['lost'] if share == '$1' else 0 for share in by})
PY
}

# The path drops: a bridge between the two, of which the port to b passes 2 Mb/s of the 24.
host a b c
cable a va c ca 1500
cable b vb c cb 1500
ip -n "$net-c" link add br0 type bridge mcast_snooping 0
ip -n "$net-c" link set br0 up
for port in ca cb; do ip -n "$net-c" link set "$port" master br0; done
on c tc qdisc add dev cb root tbf rate 2mbit burst 20000 limit 30000
start far "${far_end[@]}" --json far.json
await far ' ready on '
expect_status 0 "${near_end[@]}" --rate 2kpps --for 1s
stop far
settled near.json
only path
for name in a b c; do ip netns delete "$net-$name"; done

# middle_of_run: a run of 6 s that is in its middle.
middle_of_run() {
    start near "${near_end[@]}" --rate 1kpps --for 6s --interval 100ms
    await_output near ' [1-9]\.[0-9] s of '
}

# An interface that is down for a second: at the near end frames wait in its ring; at the far end
# the near end's has no carrier, and they wait too.
two_hosts 1500
start far "${far_end[@]}" --json far.json
await far ' ready on '
for side in a/va b/vb; do
    middle_of_run
    ip -n "$net-${side%/*}" link set "${side#*/}" down
    sleep 1
    ip -n "$net-${side%/*}" link set "${side#*/}" up
    kill -0 "${pids[near]}" || fail "the run was over before ${side#*/} was up again"
    finish near 0
    cp near.json "down-${side%/*}.json"
done
stop far
check far.json <<'PY'
runs = [load(f'down-{side}.json') for side in 'ab']
check_same_counts([t for run in runs for t in run['trials']], r['trials'])
here, there = (run['trials'][0] for run in runs)
for trial in (here, there):
    check_both_ends(trial)
    print(f"unsent {trial['unsent']}, lost {trial['lost']} of {trial['offered']}")
check_delivered(here)
# What was on its way into an interface that goes down, or comes before its sockets are back, is
# the path's: the kernel drops it there.
same('lost at the far side', sum(there['lost_by'].values()), there['lost'])
same('lost on the path', there['lost_by']['path'], there['lost'])
for count in ('surplus', 'duplicated', 'reordered', 'corrupted'):
    same(count, there[count], 0)
PY

# The receiver does not fetch for a second: a ring that holds what comes meanwhile loses nothing,
# one that does not loses the rest, and knows it.
for ring in 4096 64; do
    start far "${far_end[@]}" --rx-buffers "$ring" --json far.json
    await far ' ready on '
    middle_of_run
    kill -STOP "${pids[far]}"
    sleep 1
    kill -CONT "${pids[far]}"
    finish near 0
    stop far
    settled near.json
    if ((ring == 64)); then only rx_missed; fi
done
check near.json <<'PY'
missed = [p['imissed'] for p in r['trials'][0]['port_counters'] if p['far']]
assert missed[0] >= r['trials'][0]['lost'], missed
PY
expect_nothing_left "losses"
