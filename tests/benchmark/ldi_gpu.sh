#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks and times layered depth images on a machine with a graphics card and nothing installed,
# using the programs of a build made elsewhere. usage: ldi_gpu.sh BUILD_DIR [CSV_DIR]
#
# Shared libraries that the machine lacks (libjansson, libcsv) are taken from BUILD_DIR/libraries,
# where `ldi_gpu.sh --pack BUILD_DIR` puts copies of them on the machine that made the build. Exit
# status: 0 success; 1 a back end is wrong; 2 it cannot run here.
set -u
usage="usage: ldi_gpu.sh BUILD_DIR [CSV_DIR] | ldi_gpu.sh --pack BUILD_DIR"
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
  echo "$usage" >&2
  exit 2
fi

if [ "$1" = --pack ]; then
  build=${2:?$usage}
  mkdir -p "$build/libraries" || exit 2
  ldd "$build/tests/benchmark/benchmark_ldi" | awk '/lib(jansson|csv)\.so/ { print $3 }' |
    xargs -I{} cp -L {} "$build/libraries/" || exit 2
  ls "$build/libraries"
  exit 0
fi

build=$1
csv=${2-}
program=$build/tests/benchmark/benchmark_ldi
[ -x "$program" ] || { echo "ldi_gpu.sh: no program $program; build benchmark_ldi" >&2; exit 2; }
export LD_LIBRARY_PATH=$build/libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
if ! "$program" --help >/dev/null; then
  echo "ldi_gpu.sh: $program does not start here; see above, and ldi_gpu.sh --pack" >&2
  exit 2
fi

# section WHAT ARGUMENTS...: one run, timed as a whole; leaves $status.
section() {
  local what=$1
  shift
  echo "== $what"
  "$program" "$@"
  status=$?
  echo "== $what: exit status $status, ${SECONDS} s since the start"
  echo
}
# csv_option NAME: the option for writing the rows of a run, if CSV_DIR is given.
csv_option() { [ -z "$csv" ] || printf -- '--csv=%s/%s.csv' "$csv" "$1"; }
[ -z "$csv" ] || mkdir -p "$csv" || exit 2

section "does egl work here" --backend egl --triangles 1000 --resolution 64 --repeats 1
[ "$status" -eq 0 ] || exit 2
section "egl against cpu" --check --backend egl
checked=$status
# shellcheck disable=SC2046 # no word if there is no option
section "100,000 triangles and a million, and a setting as in Allard 2010" --allard --repeats 7 \
  --triangles 100000,1000000 --resolution 128,256,512,1024 $(csv_option gpu_times)
[ "$checked" -ne 0 ] && exit "$checked"
exit "$status"
