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
