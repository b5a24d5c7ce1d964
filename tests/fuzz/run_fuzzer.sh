#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# run_fuzzer.sh PROGRAM CORPUS: runs the corpus, then new inputs for BAREWIRE_FUZZ_SECONDS (default
# 5). An input that fails is left in the current folder, named in the output; it belongs in CORPUS
# once its cause is fixed.
set -euo pipefail
program=$1 corpus=$2
found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT
# libFuzzer's own exit status for a crash, 77, means "skipped" to Meson.
"$program" -error_exitcode=1 -timeout_exitcode=1 -max_total_time="${BAREWIRE_FUZZ_SECONDS:-5}" \
    -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
    -artifact_prefix="$(basename "$program")-" "$found" "$corpus"
