#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# As an ordinary user from a copy, without huge pages, with and without a home; and several workers
# on one core.
. "$(dirname "$0")/_init.sh"

as_user=()
if ((EUID == 0)); then as_user=(setpriv --reuid=nobody --regid=nogroup --clear-groups); fi
chmod 755 "$work"
mkdir "$work/copy"
cp "$BAREWIRE" "$work/copy/barewire"
chmod 777 "$work/copy" "$XDG_STATE_HOME" "$XDG_RUNTIME_DIR" "$HOME"
cd "$work/copy"

expect_status 0 "${as_user[@]}" ./barewire stress --size 64,9018,65000 --for 100ms \
    --json result.json
free_huge_pages=$(awk '/^HugePages_Free:/ {print $2}' /proc/meminfo)
check result.json <<PY
if $free_huge_pages == 0:
    same('huge pages', r['environment']['huge_pages'], 'none')
for trial in r['trials']:
    check_nothing_wrong(trial)
PY
[[ -n $(find "$XDG_STATE_HOME" -name '*.json') ]] || fail "the run is not saved"

# Nowhere to save to: told, and no reason to fail.
expect_status 0 "${as_user[@]}" env -u HOME -u XDG_STATE_HOME HOME=/nonexistent ./barewire stress \
    --size 64 --for 50ms --json result.json
grep -q 'not saved' "$work/err" "$work/out" || fail "an unsaved run is not told"

# Eight workers on two cores: slow, warned of, exact.
expect_status 0 "${as_user[@]}" ./barewire stress --size 64,1518 --for 100ms --cores 0x4,1x4 \
    --flows 8 --payload-check --json result.json
check result.json <<'PY'
assert any('share' in w for w in r['warnings']), r['warnings']
for trial in r['trials']:
    check_nothing_wrong(trial)
    same('flows', len(trial['flows']), 8)
    same('sum of flows', sum(f['received'] for f in trial['flows']), trial['received'])
PY
expect_nothing_left "an ordinary user"
