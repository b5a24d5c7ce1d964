#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Sums up the reports of `meson test` and prints "N passed, N failed, N skipped".

Arguments: the .json report of each run (its .junit.xml beside it tells the GoogleTest cases), and
--failed=WHAT for whatever failed before it could write one. Each GoogleTest case counts as one,
each other test as one. Exit status 1 unless something passed and nothing failed.
"""
import collections
import json
import pathlib
import sys
import xml.etree.ElementTree

BAD = {'FAIL', 'TIMEOUT', 'INTERRUPT', 'ERROR', 'UNEXPECTEDPASS'}
PROJECT = 'barewire'


class Tally:
    def __init__(self):
        self.passed = 0
        self.failures = []
        self.skips = []

    def line(self):
        return f'{self.passed} passed, {len(self.failures)} failed, {len(self.skips)} skipped'


def test_name(full):
    """Without project and suites: "base/clock" of "barewire:unit / base/clock"."""
    return full.split(' / ', 1)[-1]


def gtest_cases(junit):
    """Test name -> list of (case name, 'passed' | 'failed' | 'skipped'), GoogleTest suites only."""
    cases = collections.defaultdict(list)
    if not junit.exists():
        return cases
    for suite in xml.etree.ElementTree.parse(junit).getroot().iter('testsuite'):
        # "barewire.barewire:unit / base/clock.TscClock": the project, the test as in the .json
        # report, the GoogleTest suite. "barewire" alone holds the plain tests.
        project, _, rest = suite.get('name', '').partition('.')
        test = rest.rpartition('.')[0]
        if project != PROJECT or not test:
            continue
        for case in suite.iter('testcase'):
            outcome = 'passed'
            if case.find('failure') is not None or case.find('error') is not None:
                outcome = 'failed'
            elif case.find('skipped') is not None or case.get('status') == 'notrun':
                outcome = 'skipped'
            name = f'{test_name(test)}: {case.get("classname")}.{case.get("name")}'
            cases[test].append((name, outcome))
    return cases


def add_result(tally, result, cases):
    """One test program. Its cases, where it told them; else itself."""
    name, bad = test_name(result['name']), result['result'] in BAD
    if not cases:
        if bad:
            tally.failures.append(f'{name} ({result["result"].lower()})')
        elif result['result'] == 'SKIP':
            tally.skips.append(name)
        else:
            tally.passed += 1
        return
    for case, outcome in cases:
        if outcome == 'failed':
            tally.failures.append(case)
        elif outcome == 'skipped':
            tally.skips.append(case)
        else:
            tally.passed += 1
    if bad and all(outcome != 'failed' for _, outcome in cases):
        # It crashed or was stopped: no case confesses, but the program failed.
        tally.failures.append(f'{name} ({result["result"].lower()})')


def add_report(tally, path):
    try:
        results = [json.loads(line) for line in path.read_text().splitlines() if line.strip()]
        cases = gtest_cases(path.with_suffix('.junit.xml'))
    except (OSError, ValueError, xml.etree.ElementTree.ParseError) as problem:
        tally.failures.append(f'report {path}: {problem}')
        return
    if not results:
        tally.failures.append(f'report {path}: holds no test')
    for result in results:
        add_result(tally, result, cases.pop(result['name'], []))
    for stray in cases:
        tally.failures.append(f'report {path}: has cases of an unknown test {stray}')


def main(arguments):
    tally = Tally()
    for argument in arguments:
        if argument.startswith('--failed='):
            tally.failures.append(argument.split('=', 1)[1])
        else:
            add_report(tally, pathlib.Path(argument))
    for title, names in (('failed', tally.failures), ('skipped', tally.skips)):
        for name in names:
            print(f'{title}: {name}')
    print(tally.line())
    return 0 if tally.passed and not tally.failures else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
