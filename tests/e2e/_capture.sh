# SPDX-License-Identifier: BSD-3-Clause
# Sourced after _two_hosts.sh: captures that hold every frame that came into an interface.

# start_capture HOST INTERFACE: from now on, to INTERFACE.pcap.
start_capture() {
    start "capture-$2" on "$1" /usr/bin/python3 "$here/record.py" "$2" "$2.pcap"
    await_output "capture-$2" recording
}

end_capture() {
    kill -TERM "${pids[capture-$1]}"
    finish "capture-$1" 0
}

mac_of() { on "$1" cat "/sys/class/net/$2/address"; }
