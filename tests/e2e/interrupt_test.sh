#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Ctrl-C at random moments, from the first at which the program catches it to the last trial: the
# run ends within a second with exit status 130 and a valid result.
. "$(dirname "$0")/_init.sh"

moments=5
if long; then moments=20; fi
/usr/bin/python3 - "$BAREWIRE" "$moments" <<'PY' || fail "a run that was interrupted"
import random
import signal
import subprocess
import sys
import time

from result import check_ledger, load, same

program, moments = sys.argv[1], int(sys.argv[2])
SEED = 20
LONGEST_S = 1.0
random.seed(SEED)


def wait_until_caught(pid):
    """Until SIGINT has a handler: before main nobody can catch it."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        with open(f'/proc/{pid}/status', encoding='ascii') as file:
            caught = [line for line in file if line.startswith('SigCgt:')][0]
        if int(caught.split()[1], 16) & 1 << (signal.SIGINT - 1):
            return
        time.sleep(0.001)
    raise AssertionError('no handler for SIGINT')


for moment in range(moments):
    # Half of them early, where set-up is under way; the rest anywhere in three trials.
    wait = random.uniform(0, 0.3) if moment % 2 else random.uniform(0.3, 2.8)
    run = subprocess.Popen([program, 'stress', '--for', '1s', '--json', 'result.json'],
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT)
    wait_until_caught(run.pid)
    time.sleep(wait)
    assert run.poll() is None, f'it ended by itself within {wait:.3f} s: {run.stdout.read()}'
    sent = time.monotonic()
    run.send_signal(signal.SIGINT)
    output = run.communicate(timeout=20)[0].decode()
    took = time.monotonic() - sent
    print(f'after {wait:.3f} s: exit {run.returncode}, {took * 1000:.0f} ms later')
    assert took <= LONGEST_S, f'{took:.3f} s to end'
    same('exit status', run.returncode, 130)
    result = load('result.json')
    same('status', result['status'], 'interrupted')
    for trial in result['trials']:
        if trial['offered']:
            check_ledger(trial)
    assert 'bug' not in output, output
PY
expect_nothing_left interrupts

# The terminal is as it was: on a terminal of its own, in the middle of the live line.
/usr/bin/python3 - "$BAREWIRE" <<'PY' || fail "the terminal after an interrupt"
import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time

LONGEST_S = 20
master, slave = pty.openpty()
before = termios.tcgetattr(slave)
run = subprocess.Popen([sys.argv[1], 'stress', '--for', '30s', '--progress', 'always'],
                       stdin=slave, stdout=slave, stderr=slave)
screen, deadline, interrupted = b'', time.monotonic() + LONGEST_S, False
while run.poll() is None or select.select([master], [], [], 0.1)[0]:
    assert time.monotonic() < deadline, f'it goes on: {screen}'
    if select.select([master], [], [], 0.1)[0]:
        screen += os.read(master, 65536)
    if b'\r' in screen.replace(b'\r\n', b'') and not interrupted:  # the live line was redrawn
        run.send_signal(signal.SIGINT)
        interrupted = True
assert run.returncode == 130, f'exit status {run.returncode}: {screen}'
assert termios.tcgetattr(slave) == before, 'the terminal settings changed'
hidden, shown = screen.rfind(b'\x1b[?25l'), screen.rfind(b'\x1b[?25h')
assert hidden <= shown, 'the cursor stays hidden'
assert screen.endswith(b'\n'), 'the last line is not ended'
PY
expect_nothing_left "an interrupt on a terminal"
