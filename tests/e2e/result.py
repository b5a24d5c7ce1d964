# SPDX-License-Identifier: BSD-3-Clause
"""What every result of barewire must hold: valid by the schema, and a ledger that adds up."""
import json
import os

import jsonschema

DAMAGE = ('lost', 'surplus', 'duplicated', 'reordered', 'corrupted', 'foreign', 'stale')


def refuse_constant(name):
    raise ValueError(f'{name} is no JSON')


def load(path):
    """The result in a file: one object, no NaN, valid by docs/result.schema.json."""
    with open(path, encoding='utf-8') as file:
        result = json.load(file, parse_constant=refuse_constant)
    with open(os.environ['BAREWIRE_SCHEMA'], encoding='utf-8') as file:
        schema = json.load(file)
    jsonschema.validate(result, schema, format_checker=jsonschema.FormatChecker())
    return result


def same(what, got, wanted):
    assert got == wanted, f'{what}: {got}, not {wanted}'


def check_sent(trial):
    same('intended', trial['intended'], trial['offered'] + trial['unsent'])
    assert trial['offered'] > 0, 'nothing was sent'


def check_ledger(trial):
    """The identities of docs/measurement.md, for a trial that both sends and receives."""
    check_sent(trial)
    same('offered + surplus + duplicated',
         trial['offered'] + trial['surplus'] + trial['duplicated'],
         trial['received'] + trial['lost'])
    known = [count for count in trial['lost_by'].values() if count is not None]
    if len(known) == len(trial['lost_by']):
        same('sum of lost_by', sum(known), trial['lost'])
    same('sum of foreign_by', sum(trial['foreign_by'].values()), trial['foreign'])


def check_nothing_wrong(trial):
    """A trial over a plain wire: every frame arrives once, in order, whole."""
    check_ledger(trial)
    for count in DAMAGE:
        same(f'{count} at {trial["frame_size"]}', trial[count], 0)
    same('received', trial['received'], trial['offered'])
    same('latency count', trial['latency_ns']['count'], trial['received'])


def check_both_ends(trial):
    """A trial of two processes in one result: the ledger, and who of which end is in it."""
    check_ledger(trial)
    assert trial['complete'], 'the trial is not complete'
    assert trial['ledger_adds_up'], 'the ledger is told not to add up'
    receives = trial['direction'] == 'a-to-b'
    roles = {(w['role'], w['far']) for w in trial['workers']}
    same('workers', roles, {('generate', not receives), ('sink', receives)})
    same('ends with port counters', sorted(p['far'] for p in trial['port_counters']),
         [False, True])
    same('received by the sinks', sum(w['received'] for w in trial['workers']
                                      if w['role'] == 'sink'), trial['received'])
    # Two processes have no common clock.
    same('latencies', (trial['latency_ns'] or {'count': 0})['count'], 0)


def check_delivered(trial):
    """Every frame arrived once, in order, whole; others may have been on the link."""
    for count in DAMAGE:
        if count != 'foreign':
            same(f'{count} {trial["direction"]} at {trial["frame_size"]}, {trial["lost_by"]}',
                 trial[count], 0)
    same('received', trial['received'], trial['offered'])
    assert set(trial['foreign_by']) <= {'barewire-control', 'barewire-learning'}, \
        trial['foreign_by']


# What both ends know of what one of them received.
TOLD = ('frame_size', 'repeat', 'received', 'surplus', 'duplicated', 'reordered', 'corrupted',
        'payload_check', 'foreign', 'foreign_by', 'stale', 'lost', 'offered', 'intended', 'unsent')


def check_same_counts(near, far):
    """Trials of the near end's result, and of the far end's of the same run, one by one."""
    same('trials', [(t['trial'], t['direction']) for t in far],
         [(t['trial'], t['direction']) for t in near])
    for ours, theirs in zip(near, far):
        for count in TOLD:
            if theirs[count] is not None:
                same(f'{count} of trial {ours["trial"]} {ours["direction"]} at the far end',
                     theirs[count], ours[count])
        if ours['direction'] == 'a-to-b':
            assert theirs['received'] is not None, 'the far end tells not what it received'
