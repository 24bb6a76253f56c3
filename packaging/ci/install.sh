#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs touchstone in a job of continuous integration on Debian 12 or a system with its packages:
# makes the Debian packages of this tree, unless build/release/packages has those of an earlier run,
# and installs them. A touchstone that is on the PATH is left as it is. Root, or sudo.
# usage: install.sh [--engines]
#   --engines  the packaged engines, too
#        install.sh --key
#   prints a name for what would be made, for a cache of build/release/packages: it changes with any
#   file of the tree, and with the system
set -euo pipefail
cd "$(dirname "$(realpath "$0")")/../.."
packages=build/release/packages

say() { printf '== %s\n' "$*"; }
die() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 2
}

print_key() {
  local system sources
  # shellcheck source=/dev/null
  system=$(. /etc/os-release && printf '%s-%s' "$ID" "${VERSION_ID:-unstable}")
  sources=$(find . -type f -not -path './build/*' -not -path './results/*' -not -path './.git/*' -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c1-20)
  printf 'touchstone-%s-%s-%s\n' "$system" "$(uname -m)" "$sources"
}

wanted=(touchstone touchstone-dev)
case ${1:-} in
  --key)
    print_key
    exit
    ;;
  --engines) wanted+=(touchstone-engines) ;;
  '') ;;
  *) die "there is no \"$1\"; usage: install.sh [--engines | --key]" ;;
esac

if command -v touchstone >/dev/null; then
  say "installed already: $(command -v touchstone), $(touchstone --version)"
  exit
fi
command -v apt-get >/dev/null || die "this system has no apt-get: use an image of Debian 12, or install" \
  "touchstone by cmake --install and put it on the PATH"
if ! ls $packages/touchstone_*.deb >/dev/null 2>&1; then
  ./quickstart package
fi

become=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || die "packages are installed by root: run this as root, or install sudo"
  become=(sudo)
fi
files=()
for package in "${wanted[@]}"; do
  found=("$packages/$package"_*.deb)
  [[ ${#found[@]} -eq 1 && -e ${found[0]} ]] ||
    die "$packages has not one $package: remove the folder, then run this again"
  files+=("./${found[0]}")
done
say "installing: ${wanted[*]}"
mkdir -p build
if ! { "${become[@]}" apt-get update -q &&
  "${become[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
    "${files[@]}"; } >build/install.log 2>&1; then
  tail -n 20 build/install.log >&2
  die "the packages could not be installed; the whole log is in build/install.log"
fi
say "installed: $(touchstone --version)"
