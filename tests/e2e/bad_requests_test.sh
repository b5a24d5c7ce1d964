#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Each wrong request: exit status 2, one line a problem that says what would be right, the result
# still written and valid, nothing left behind.
. "$(dirname "$0")/_init.sh"

# refused PROBLEMS PATTERN ARGUMENT...: the number of lines, and what one of them must hold (ERE).
refused() {
    local problems=$1 pattern=$2
    shift 2
    rm -f result.json
    expect_status 2 bw "$@" --json result.json
    # Every line of standard error is a problem: no usage text, no log of DPDK.
    local lines
    lines=$(wc -l <err)
    ((lines == problems)) || { cat err >&2; fail "$lines lines, not $problems: $*"; }
    if grep -vq '^barewire: ..*' err; then
        cat err >&2
        fail "a line does not begin with 'barewire: ': $*"
    fi
    grep -qE -- "$pattern" err || { cat err >&2; fail "no line holds '$pattern': $*"; }
    check result.json <<PY
same('status', r['status'], 'failed')
same('number of errors', len(r['errors']), $problems)
same('trials', r['trials'], [])
PY
    expect_nothing_left "$@"
}

refused 1 '--size([^s]|$)' stress --sizes 64         # unknown; the nearest name is offered
refused 1 --payload-check stress --payload          # shortened: no abbreviation is guessed
refused 1 64 stress --size 63
refused 1 65535 stress --size 65536
refused 1 10Gbps stress --rate 10Gbits
refused 1 pps stress --rate 100
refused 1 --line stress --rate 50%                  # of a wire without speed
refused 1 wire:a stress --tx wire:a --rx wire:a
refused 1 wire:c stress --tx wire:c
refused 1 missing.pcap sink --port pcap:missing.pcap
refused 1 --cores stress --cores "$(($(nproc --all) + 1000))"
refused 1 --port generate --size 64
refused 1 'at most 1' generate --port pcap:,out.pcap --cores 0x2   # one file, one sequence
refused 2 65536 stress --size 63,65536              # all at once
refused 3 10Gbps stress --size 63 --rate 10Gbits --tx wire:a --rx wire:a

# Frames need buffers; an address space of 256 MiB holds none that would do.
rm -f result.json
(
    ulimit -v 262144
    expect_status 2 bw stress --size 65000 --flows 1000000 --json result.json
) || fail "too little memory"
grep -q '^barewire: .*memory' err || fail "no line says that memory is short"
check result.json <<'PY'
same('status', r['status'], 'failed')
PY
expect_nothing_left "too little memory"

# A result file that cannot be written is told before the run, and nothing else stands in its place.
expect_status 2 bw stress --size 64 --for 50ms --json no/such/folder/result.json
lines=$(wc -l <err)
((lines == 1)) || fail "$lines lines for an unwritable result"
grep -qF no/such/folder/result.json err || fail "the unwritable result is not named"
[[ ! -e no ]] || fail "a folder appeared"
expect_nothing_left "an unwritable result"
