# SPDX-License-Identifier: BSD-3-Clause
# Sourced after _init.sh by tests of two ends: network namespaces as hosts, programs in the
# background, and waiting for what they say. All of it ends with the test.

net=bw-$$
declare -A pids=()  # of what start() started, by name

# Hosts of tests that were killed: of their processes, which are no more, and their names.
remove_stale_hosts() {
    local name pid
    for name in $(ip netns list | awk '{print $1}'); do
        [[ $name =~ ^bw-([0-9]+)-[a-z]$ ]] || continue
        pid=${BASH_REMATCH[1]}
        [[ -d /proc/$pid ]] || ip netns delete "$name" 2>/dev/null || true
    done
}

end_hosts() {
    local name
    for name in "${!pids[@]}"; do
        kill -KILL "${pids[$name]}" 2>/dev/null || true
        wait "${pids[$name]}" 2>/dev/null || true
    done
    for name in a b c; do
        [[ ! -e /run/netns/$net-$name ]] || ip netns delete "$net-$name"
    done
    rm -rf "$work"
}
trap end_hosts EXIT

# host NAME...: new network namespaces, in which the kernel says nothing of its own (IPv6).
host() {
    local name conf
    for name in "$@"; do
        ip netns add "$net-$name"
        for conf in all default; do
            on "$name" bash -c "echo 1 >/proc/sys/net/ipv6/conf/$conf/disable_ipv6" 2>/dev/null ||
                true
        done
    done
}

# on NAME COMMAND...: in that host.
on() {
    local name=$1
    shift
    ip netns exec "$net-$name" "$@"
}

# cable A PORT_A B PORT_B MTU: a veth pair between two hosts.
cable() {
    ip link add "$2" netns "$net-$1" mtu "$5" type veth peer name "$4" netns "$net-$3" mtu "$5"
    ip -n "$net-$1" link set "$2" up
    ip -n "$net-$3" link set "$4" up
}

# two_hosts MTU: a and b, va at the one end of their cable and vb at the other; anew each time.
two_hosts() {
    local name
    for name in a b; do
        [[ ! -e /run/netns/$net-$name ]] || ip netns delete "$net-$name"
    done
    host a b
    cable a va b vb "$1"
}

# start NAME COMMAND...: in the background; what it prints goes to NAME.out and NAME.err.
start() {
    local name=$1
    shift
    # Not the function, whose process would be a shell's.
    [[ $1 != on ]] || set -- ip netns exec "$net-$2" "${@:3}"
    # What an earlier one of that name said is gone before anybody can read it again.
    : >"$name.out"
    : >"$name.err"
    "$@" >"$name.out" 2>"$name.err" </dev/null &
    pids[$name]=$!
}

show() {
    tail -n 20 "$1.out" "$1.err" >&2
}

# await NAME WORDS...: until it said so on standard error; it may not end before.
await() {
    local name=$1 tries
    shift
    for ((tries = 0; tries < 1500; ++tries)); do
        ! grep -q -- "$*" "$name.err" || return 0
        kill -0 "${pids[$name]}" 2>/dev/null || break
        sleep 0.02
    done
    show "$name"
    fail "$name does not say: $*"
}

# await_output NAME WORDS...: until it wrote that to standard output or error.
await_output() {
    local name=$1 tries
    shift
    for ((tries = 0; tries < 1500; ++tries)); do
        ! grep -q -- "$*" "$name.out" "$name.err" || return 0
        sleep 0.02
    done
    show "$name"
    fail "$name does not write: $*"
}

# finish NAME STATUS: it ends by itself, within 30 s, with that exit status.
finish() {
    local name=$1 tries status=0
    for ((tries = 0; tries < 1500; ++tries)); do
        kill -0 "${pids[$name]}" 2>/dev/null || break
        sleep 0.02
    done
    ! kill -0 "${pids[$name]}" 2>/dev/null || { show "$name" && fail "$name does not end"; }
    wait "${pids[$name]}" || status=$?
    unset "pids[$name]"
    ((status == $2)) || { show "$name" && fail "exit status $status, not $2, of $name"; }
}

# stop NAME: Ctrl-C, and its end.
stop() {
    kill -INT "${pids[$1]}"
    finish "$1" 130
}

# One core of two is enough for each end where frames are few.
near_cores=(--cores 0)
far_cores=(--cores 'generate=1;sink=1')
if (($(nproc) < 2)); then far_cores=(--cores 'generate=0;sink=0'); fi
remove_stale_hosts
