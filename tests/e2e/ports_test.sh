#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What barewire ports tells and what the guard refuses, in network namespaces of this test's own.
# /sys is not mounted anew in them: what it says of interfaces is another namespace's.
. "$(dirname "$0")/_init.sh"

# private COMMANDS: in a new namespace with the pair va, vb. It goes with the last process in it.
private() {
    unshare --net -- bash -euo pipefail -c '
        for conf in all default; do
            echo 1 2>/dev/null >"/proc/sys/net/ipv6/conf/$conf/disable_ipv6" || true
        done
        ip link set lo up
        ip link add va type veth peer name vb
        ip link set va up
        ip link set vb up
        '"$1"
}

over_the_pair='stress --tx af_packet:va --rx af_packet:vb --size 64 --count 1000 --json result.json'

# A pair without addresses: usable, nothing to lift.
expect_status 0 private '"$BAREWIRE" ports --json ports.json --record record.json'
grep -q '^OK .*af_packet:va' out || { cat out >&2; fail "va is not told to be usable"; }
check ports.json <<'PY'
ports = r['ports']
same('trials', r['trials'], [])
same('default route', ports['default_route'], False)
same('names', sorted(i['name'] for i in ports['interfaces']), ['lo', 'va', 'vb'])
va = next(i for i in ports['interfaces'] if i['name'] == 'va')
same('kind', va['kind'], 'veth')
same('names to type', va['ports'], ['af_packet:va', 'af_xdp:va'])
same('largest frame', va['max_frame'], 1518)
same('speed', va['speed_bps'], None)
same('refused', va['refused'], [])
record = json.load(open('record.json', encoding='utf-8'))
same('recorded links', sorted(link['name'] for link in record['links']), ['lo', 'va', 'vb'])
assert record['proc/net/route'].startswith('Iface')
PY
[[ ! -e $XDG_STATE_HOME/barewire ]] || fail "ports was saved as a run"
expect_status 0 private '"$BAREWIRE" '"$over_the_pair"
check result.json <<'PY'
same('lifted', r['lifted'], [])
PY

# With an address and a route, and no default route: still nobody else's.
addressed='ip addr add 192.0.2.2/24 dev va;'
expect_status 0 private "$addressed"'"$BAREWIRE" '"$over_the_pair"

# With a default route: refused, whichever way the host uses the interface, until it is lifted.
open="$addressed ip route add default via 192.0.2.1;"
bridged='ip link add br0 type bridge; ip link set br0 up; ip link set va master br0;
         ip addr add 192.0.2.2/24 dev br0; ip route add default via 192.0.2.1;'
stacked='ip link add link va name mv0 type macvlan; ip link set mv0 up;
         ip addr add 192.0.2.2/24 dev mv0; ip route add default via 192.0.2.1;'
for setup in "$open" "$bridged" "$stacked"; do
    rm -f result.json
    expect_status 2 private "$setup"'"$BAREWIRE" '"$over_the_pair"
    grep -q '^barewire: af_packet:va: va .*192.0.2.2/24.*--i-own-this-network' err ||
        { cat err >&2; fail "not refused for its address: $setup"; }
    check result.json <<'PY'
same('errors', len(r['errors']), 1)
same('trials', r['trials'], [])
PY
    expect_status 0 private "$setup"'"$BAREWIRE" '"$over_the_pair --i-own-this-network"
    check result.json <<'PY'
same('lifted', len(r['lifted']), 1)
PY
done
expect_status 0 private "$open"'"$BAREWIRE" ports --json ports.json'
check ports.json <<'PY'
same('default route', r['ports']['default_route'], True)
refused = {i['name']: i['refused'] for i in r['ports']['interfaces']}
assert '192.0.2.2/24' in refused['va'][0], refused
same('refused of the other', refused['vb'], [])
PY

# Where it would send to.
elsewhere='"$BAREWIRE" '"$over_the_pair --dst-ip 8.8.8.8 --dst-mac ff:ff:ff:ff:ff:ff"
expect_status 2 private "$elsewhere"
lines=$(grep -c -- '--i-own-this-network' err)
((lines == 2)) || { cat err >&2; fail "$lines refusals, not 2, of where frames go"; }

# An interface that is not there is told of with those that are.
expect_status 2 private '"$BAREWIRE" sink --port af_packet:vx'
grep -q 'af_packet:vx: .*va' err || { cat err >&2; fail "vx is not refused with what there is"; }
expect_nothing_left "ports"
