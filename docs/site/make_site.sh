#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes a site of README.md, CONTRIBUTING.md and docs/ in build/site, by mkdocs; any link that leads
# nowhere is an error. The site loads nothing from other servers, and build/site/index.html can be
# opened without one. usage: make_site.sh [FOLDER], instead of build
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath -m "${1:-build}")
source=$build/site_source

# Links are the same as on a forge, because the site has the folders of the project.
rm -rf "$source"
mkdir -p "$source"
for piece in README.md CONTRIBUTING.md CHANGELOG.md CITATION.cff LICENSE docs examples; do
  ln -s "$PWD/$piece" "$source/$piece"
done

# The groups of docs/README.md, "**Using it**", and all pages linked below each, in their order.
navigation() {
  printf 'nav:\n  - Start: README.md\n  - All pages: docs/README.md\n'
  awk '
    /^\*\*.*\*\*$/ { gsub(/\*/, ""); printf "  - %s:\n", $0; inside = 1; next }
    inside {
      while (match($0, /\[[^]]*\]\([^)#]*\.md[)#]/)) {
        link = substr($0, RSTART + 1, RLENGTH - 2)
        $0 = substr($0, RSTART + RLENGTH)
        split(link, part, /\]\(/)
        page = part[2] ~ /^\.\.\// ? substr(part[2], 4) : "docs/" part[2]
        if (!seen[page]++)
          printf "      - %s: %s\n", toupper(substr(part[1], 1, 1)) substr(part[1], 2), page
      }
    }' docs/README.md
  printf '  - Changes: CHANGELOG.md\n'
}
{
  printf 'INHERIT: %s\ndocs_dir: %s\nsite_dir: %s\n' "$PWD/docs/site/mkdocs.yml" "$source" "$build/site"
  navigation
} >"$build/mkdocs.yml"
log=$build/site.log
mkdocs build --strict --clean --config-file "$build/mkdocs.yml" >"$log" 2>&1 || {
  grep -vE '^INFO' "$log" >&2
  exit 1
}
