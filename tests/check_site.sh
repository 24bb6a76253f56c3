#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the site of the pages, with all warnings as errors, and follows its links; every page of docs/
# is in its navigation. Without mkdocs it is skipped. usage: check_site.sh
set -euo pipefail
cd "$(dirname "$0")/.."
command -v mkdocs >/dev/null || { echo "skipped: mkdocs is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
docs/site/make_site.sh "$work"
for page in docs/*.md; do
  grep -qE ": $page\$" "$work/mkdocs.yml" ||
    { echo "check_site: $page is not in the navigation: add it to docs/README.md"; exit 1; }
done
python3 tests/check_site.py "$work/site"
