#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Either end is killed at any moment: the other one says so, keeps what it has, and ends or serves
# the next run; what a killed process left behind is in nobody's way.
. "$(dirname "$0")/_init.sh"
. "$here/_two_hosts.sh"

# Each round kills both ends, over both links.
rounds=1
if long; then rounds=5; fi
RANDOM=20

link_up() {
    case $1 in
        memif)
            near=("$BAREWIRE" stress --port "memif:$work/m.sock,role=client")
            far=("$BAREWIRE" far --port "memif:$work/m.sock,role=server")
            ;;
        *)
            two_hosts 1500
            near=(on a "$BAREWIRE" stress --port "$1:va")
            far=(on b "$BAREWIRE" far --port "$1:vb")
            ;;
    esac
    far+=("${far_cores[@]}" --json far.json)
    near+=(--far "${near_cores[@]}" --size 64 --rate 1kpps --json near.json)
}

start_far() {
    start far "${far[@]}"
    [[ $link == memif ]] || await far ' ready on '
}

# kill_at_some_moment NAME: a run of one long trial or of many begins; up to a second after its
# first line of figures NAME is killed. A moment is what this test is about, so here is a sleep.
kill_at_some_moment() {
    local trials=(--for 60s)
    if ((RANDOM % 2)); then trials=(--for 250ms --repeat 240); fi
    start near "${near[@]}" "${trials[@]}" --interval 100ms
    await_output near ' s of '
    sleep "0.$((RANDOM % 900 + 100))"
    kill -KILL "${pids[$1]}"
    finish "$1" 137
}

next_run_is_whole() {
    rm -f near.json
    expect_status 0 timeout -k 5 60 "${near_line[@]}" --for 200ms
    check near.json <<'PY'
for trial in r['trials']:
    check_both_ends(trial)
    check_delivered(trial)
PY
}

# `on` is a function, which timeout does not know.
plain_near() {
    near_line=("${near[@]}")
    [[ ${near[0]} != on ]] || near_line=(ip netns exec "$net-a" "${near[@]:2}")
}

for link in memif af_packet; do
    link_up "$link"
    plain_near
    for ((round = 0; round < rounds; ++round)); do
        # The far end: the near one fails within its patience of 3 s, which finish() is far above.
        start_far
        kill_at_some_moment far
        finish near 1
        check near.json <<PY
same('status', r['status'], 'failed')
words = ' '.join(r['errors'])
assert 'far end' in words or 'other side has gone' in words, words
for trial in r['trials']:
    check_sent(trial)
    if trial['complete']:
        check_both_ends(trial)
PY
        # What it left (runtime folder, memif socket) is in nobody's way.
        start_far
        next_run_is_whole
        # The near end, of the same far one.
        kill_at_some_moment near
        if [[ $link != memif ]]; then
            await far ' is gone'
            next_run_is_whole
        fi
        stop far
        check far.json <<'PY'
same('errors', r['errors'], [])
PY
    done
    # A sink whose sender was killed ends by itself.
    if [[ $link == af_packet ]]; then
        start sink on b "$BAREWIRE" sink --port af_packet:vb --cores 1 --json sink.json
        await sink ' ready on '
        rm -f near.json
        start near on a "$BAREWIRE" generate --port af_packet:va --cores 0 --size 64 \
            --rate 1kpps --for 60s --interval 100ms
        await_output near ' s of '
        kill -KILL "${pids[near]}"
        finish near 137
        finish sink 0
        check sink.json <<'PY'
assert r['trials'][-1]['received'] > 0, 'nothing was received'
same('complete', r['trials'][-1]['complete'], False)
PY
    fi
    # Folders of killed processes go with the next start of any.
    expect_status 0 bw stress --size 64 --count 100
    expect_nothing_left "killed ends"
    [[ ! -e $work/m.sock ]] || fail "a socket is left behind"
done
