#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Sizes around every limit that a path may have: each frame passes whole, or its size is refused
# before the first one; none is cut or vanishes.
. "$(dirname "$0")/_init.sh"
. "$here/_two_hosts.sh"

sizes=(1514 1515 1518 1519 1522 9014 9018 9019)

# passes_or_refused SURE MOST NAME COMMAND...: sizes up to SURE pass, those above MOST are refused;
# what is between does either.
passes_or_refused() {
    local sure=$1 most=$2 name=$3 size status
    shift 3
    for size in "${sizes[@]}"; do
        rm -f result.json
        status=0
        timeout -k 5 60 "$@" --size "$size" --rate 2kpps --count 100 --payload-check \
            --json result.json >out 2>err </dev/null || status=$?
        ((status == 0 ? size <= most : size > sure)) ||
            { cat err >&2; fail "$name: exit status $status at $size bytes"; }
        case $status in
            0)
                check result.json <<PY
for trial in r['trials']:
    check_ledger(trial)
    same('size', trial['frame_size'], $size)
    same('offered', trial['offered'] + trial['unsent'], 100)
    check_delivered(trial)
PY
                ;;
            1 | 2)
                check result.json <<PY
same('trials', r['trials'], [])
words = ' '.join(r['errors'])
assert '$size' in words, f'the size is not named: {words}'
PY
                grep -Eq 'at most [0-9]+|MTU|carries' err ||
                    { cat err >&2; fail "$name: no limit is named at $size bytes"; }
                ;;
            *)
                cat err >&2
                fail "$name: exit status $status at $size bytes"
                ;;
        esac
    done
}

# pair MTU: both ends in one process, the cable within one host.
pair() {
    [[ ! -e /run/netns/$net-a ]] || ip netns delete "$net-a"
    host a
    ip -n "$net-a" link add va mtu "$1" type veth peer name vb mtu "$1"
    ip -n "$net-a" link set va up
    ip -n "$net-a" link set vb up
    inside=(ip netns exec "$net-a" "$BAREWIRE" stress --cores 'generate=0;sink=1')
}

stress=("$BAREWIRE" stress --cores 'generate=0;sink=1')
passes_or_refused 65535 65535 "embedded wire" "${stress[@]}"
pair 1500
passes_or_refused 1518 1518 "af_packet, MTU 1500" \
    "${inside[@]}" --tx af_packet:va --rx af_packet:vb
# A veth passes untagged frames of 4 bytes more than its MTU speaks of.
passes_or_refused 1518 1522 "af_xdp, MTU 1500" "${inside[@]}" --tx af_xdp:va --rx af_xdp:vb
pair 9000
passes_or_refused 9018 9018 "af_packet, MTU 9000" \
    "${inside[@]}" --tx af_packet:va --rx af_packet:vb

# Two processes: the far end is ready for frames up to a size of its own.
start far "$BAREWIRE" far --port "memif:$work/m.sock,role=server" "${far_cores[@]}" \
    --max-frame 9018
passes_or_refused 9018 9018 memif "$BAREWIRE" stress --port "memif:$work/m.sock,role=client" --far \
    "${near_cores[@]}"
stop far

# An interface with a smaller MTU at the far end takes what that carries.
two_hosts 9000
ip -n "$net-b" link set vb mtu 1500
start far on b "$BAREWIRE" far --port af_packet:vb "${far_cores[@]}"
await far ' ready on '
passes_or_refused 1518 1518 "af_packet, MTU 9000 to 1500" \
    ip netns exec "$net-a" "$BAREWIRE" stress --port af_packet:va --far "${near_cores[@]}"
stop far

# A tap needs the kernel's multiq queue discipline: without it, that is what is said.
host c
status=0
on c "$BAREWIRE" generate --port tap:bwtap --dst-mac 02:00:00:00:00:01 --size 64 --rate 1kpps \
    --count 100 --cores 0 --json result.json >out 2>err </dev/null || status=$?
case $status in
    0) ;;
    1 | 2)
        grep -Eqi multiq err || { cat err >&2; fail "tap: what is missing is not named"; }
        ;;
    *) fail "tap: exit status $status" ;;
esac
expect_nothing_left boundaries
