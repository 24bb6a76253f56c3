#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Writes the data set and compares its version, which follows from every byte, with the committed one.
# usage: dataset.sh TOUCHSTONE [--update]
set -euo pipefail
golden=$(cd "$(dirname "$0")" && pwd)/dataset.version
touchstone=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$touchstone" dataset --out "$work/dataset" >"$work/out"
version=$(sed -nE 's/^  "version": "(.*)",$/\1/p' "$work/dataset/manifest.json")
if [ "${2:-}" = --update ]; then
  printf '%s\n' "$version" >"$golden"
  echo "the data set has another version now: if one has been published, raise TS_DATASET_EDITION first"
elif [ "$version" = "$(cat "$golden")" ]; then
  echo "dataset: 1 passed, 0 failed"
else
  echo "the data set has version $version, not $(cat "$golden")"
  echo "when its files should have changed: tests/golden/dataset.sh TOUCHSTONE --update"
  exit 1
fi
