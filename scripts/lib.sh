# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the other scripts: goes to the top of the source tree and makes build folders.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit

say() { printf '%s\n' "$*" >&2; }

# quietly COMMAND...: its output is shown only when it fails.
quietly() {
    local log status=0
    log=$(mktemp)
    "$@" >"$log" 2>&1 </dev/null || status=$?
    ((status == 0)) || cat "$log" >&2
    rm -f "$log"
    return "$status"
}

# configure FOLDER COMPILER MESON-OPTION...: makes the build folder, or makes it anew if it was made
# with other options, by an interrupted call or for a source tree that stood elsewhere.
configure() {
    local folder=$1 compiler=$2
    shift 2
    local wanted="$PWD $compiler $*" stamp="$folder/configured-as"
    if [[ -f $folder/build.ninja && -f $stamp && $(<"$stamp") == "$wanted" ]]; then
        return
    fi
    rm -rf "$folder"
    say "configure $folder: $compiler $*"
    quietly env CXX="$compiler" meson setup "$folder" "$@" || return
    printf '%s' "$wanted" >"$stamp"
}

configure_release() { configure build/release g++ --buildtype=release -Dengine=enabled; }

# Clang with address and undefined-behaviour sanitizers and coverage for the fuzzers, without DPDK:
# one build serves the sanitized unit tests and the fuzz targets.
configure_sanitized() {
    configure build/sanitized clang++ -Ddebug=true -Doptimization=1 -Dengine=disabled \
        -Dbench=disabled -Dfuzz=true -Db_sanitize=address,undefined -Db_lundef=false
}
