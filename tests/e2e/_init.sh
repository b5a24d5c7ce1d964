# SPDX-License-Identifier: BSD-3-Clause
# Sourced first by every end-to-end test: a private folder that goes at the end, the program, and
# ways to check what it said. Needs BAREWIRE, the program's path.
set -euo pipefail

: "${BAREWIRE:?the path of the program to test}"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Nothing of the user's is read or written: saved runs and DPDK's runtime folder go under $work.
export HOME=$work/home XDG_STATE_HOME=$work/state XDG_RUNTIME_DIR=$work/run
export RUNTIME_DIRECTORY=$XDG_RUNTIME_DIR PYTHONPATH=$here PYTHONDONTWRITEBYTECODE=1
export BAREWIRE_SCHEMA=${BAREWIRE_SCHEMA:-$here/../../docs/result.schema.json}
mkdir -p "$HOME" "$XDG_STATE_HOME" "$XDG_RUNTIME_DIR"

bw() { "$BAREWIRE" "$@"; }

# Long matrices with `meson test --setup all` only.
long() { [[ -n ${BAREWIRE_LONG-} ]]; }

fail() {
    printf 'FAILED: %s\n' "$*" >&2
    exit 1
}

# expect_status N COMMAND...: what it printed stays in $work/out and $work/err.
expect_status() {
    local wanted=$1 status=0
    shift
    "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
    if ((status != wanted)); then
        tail -n 40 "$work/out" "$work/err" >&2
        fail "exit status $status, not $wanted: $*"
    fi
}

# check FILE: runs the Python on standard input with `r`, the result in FILE, valid by the schema,
# and all of result.py.
check() {
    { printf 'from result import *\nr = load("%s")\n' "$1" && cat; } | /usr/bin/python3 - ||
        fail "the checks on $1 above"
}

# json FILE EXPRESSION: prints a Python expression of `r`, the result in FILE.
json() { /usr/bin/python3 -c "from result import *; r = load('$1'); print($2)"; }

# What a run may not leave behind: DPDK's runtime folder, sockets, buffers in huge pages.
leftovers() {
    find "$XDG_RUNTIME_DIR" -mindepth 1 -name 'barewire*'
    find /dev/shm /dev/hugepages -maxdepth 1 -name 'barewire-*' 2>/dev/null || true
}

expect_nothing_left() {
    local left
    left=$(leftovers)
    [[ -z $left ]] || fail "left behind by $*: $left"
}
