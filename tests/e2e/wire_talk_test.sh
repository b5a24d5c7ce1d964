#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# All that two ends put on the wire in a run with --far, as tshark and a reader of docs/control.md
# see it: nothing malformed, no bad checksum, frames of the lengths and in the order of that page.
. "$(dirname "$0")/_init.sh"
. "$here/_two_hosts.sh"
. "$here/_capture.sh"

two_hosts 9000
start_capture a va
start_capture b vb
start far on b "$BAREWIRE" far --port af_packet:vb "${far_cores[@]}"
await far ' ready on '
expect_status 0 on a "$BAREWIRE" stress --port af_packet:va --far --size 64,1518,9018 --count 500 \
    --rate 20kpps --both-ways --json near.json
stop far
near=$(mac_of a va)
far=$(mac_of b vb)
end_capture va
end_capture vb
mergecap -w all.pcap va.pcap vb.pcap

check near.json <<PY
import talk
NEAR, FAR = '$near', '$far'
controls, learning, probes = talk.read('all.pcap')
trials = {(trial['direction'], trial['trial']): trial for trial in r['trials']}
same('trials', len(trials), 6)
for (direction, number), trial in trials.items():
    check_ledger(trial)
    sender = NEAR if direction == 'a-to-b' else FAR
    same(f'probes {direction} of trial {number}', probes[sender, number], trial['offered'])
for sender in NEAR, FAR:
    assert learning[sender] >= 4, f'{learning} learning frames: one before each trial, by each end'

told = talk.conversation(controls)
RUN = int(r['run_id'], 16)
for sender, confirmed, message in told:
    same(f'run in {message["type"]}', message.get('run', RUN), RUN)
    same(f'{message["type"]} is confirmed', confirmed, message['type'] not in ('hello', 'alive'))
same('alive is said by', {src for src, _, message in told if message['type'] == 'alive'},
     {NEAR, FAR})
# Alive comes at any time, and who is asked twice answers twice.
spoken = [(src, message) for src, _, message in told if message['type'] != 'alive']
same('opening', [(src, m['type']) for src, m in spoken[:2]], [(NEAR, 'hello'), (FAR, 'here')])
spoken = [(src, message) for src, message in spoken if message['type'] not in ('hello', 'here')]
for number, size in enumerate((64, 64, 1518, 9018)):  # trial 0 is the warm-up
    turn, spoken = spoken[:5], spoken[5:]
    for _, message in turn:
        same(f'trial of {message["type"]}', message['trial'], number)
    ends = sorted(turn[2:4], key=lambda end: end[0] != NEAR)
    same('order', [(src, m['type']) for src, m in turn[:2] + ends + turn[4:]],
         [(NEAR, 'order'), (FAR, 'ready'), (NEAR, 'end'), (FAR, 'end'), (FAR, 'outcomes')])
    same('size', turn[0][1]['frame_size'], size)
    for (sender, end), direction in zip(ends, ('a-to-b', 'b-to-a')):
        same('offered', sum(end['offered']), probes[sender, number])
        if number:
            same('intended', end['intended'], trials[direction, number]['intended'])
same('farewell', [(src, m['type']) for src, m in spoken], [(NEAR, 'bye')])
PY
expect_nothing_left "stress and far"
