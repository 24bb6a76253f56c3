#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Mutation test of the judging code, by hand: an hour or so. tests/mutants.sh --help
# Fails when more than 5 percent of the mutants survive the unit tests and the golden rows.
set -euo pipefail
exec python3 "$(dirname "$(realpath "$0")")/mutants/mutants.py" "$@"
