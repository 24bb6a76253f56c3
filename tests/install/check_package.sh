#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the Debian packages of a build and checks what is in them; with CHROOT, a bare system of Debian 12
# (debootstrap --variant=minbase bookworm CHROOT), installs them there with apt-get as root, uses them, and
# removes them. CHROOT keeps the packages that ours depend on.
# usage: check_package.sh BUILD [CHROOT]
set -u
usage="usage: check_package.sh BUILD [CHROOT]"
build=$(realpath "${1:?$usage}")
chroot=${2:-}
here=$(dirname "$(realpath "$0")")
root=$(realpath "$here/../..")
for tool in dpkg-deb dpkg-shlibdeps lintian file; do
  command -v $tool >/dev/null || { echo "skipped: $tool is missing: apt-get install dpkg-dev lintian file"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
true >"$work/out" 2>"$work/err"
export LC_ALL=C.UTF-8

# shellcheck source=tests/cli/check.sh
. "$root/tests/cli/check.sh"
# shellcheck source=tests/install/names_place.sh
. "$root/tests/install/names_place.sh"
quietly() { "$@" >"$work/out" 2>"$work/err"; }

# --- what is in them

check "packages are made" quietly cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work/packages"
version=$(sed -nE 's/^project\(touchstone VERSION ([0-9.]+).*/\1/p' "$root/CMakeLists.txt")-1
names=(touchstone touchstone-dev)
[ -z "$(find "$build/engines" -name '*.so' 2>"$work/err")" ] || names+=(touchstone-engines)
[ ! -e "$build/touchstone-mpi" ] || names+=(touchstone-mpi)
check "one for each component" same_text "$(find "$work/packages" -maxdepth 1 -name '*.deb' | wc -l)" ${#names[@]}
declare -A deb
for name in "${names[@]}"; do
  deb[$name]=$work/packages/${name}_${version}_$(dpkg --print-architecture).deb
  check "$name has the version in its name" test -f "${deb[$name]}"
  check "$name can be taken apart" quietly dpkg-deb -R "${deb[$name]}" "$work/$name"
  documents=$work/$name/usr/share/doc/$name
  for licence in MIT AGPL-3.0-or-later; do
    check "$name has the text of $licence" test \
      "$(sed -n "/^License: $licence\$/,/^\$/p" "$documents/copyright" | wc -l)" -gt 15
  done
  check "$name names who wrote what is embedded" test -z "$(sed -nE 's/^Copyright \([cC]\) //p' \
    "$root"/reports/*/*_licence.txt 2>"$work/err" | while read -r who; do
    grep -qxF "Copyright: $who" "$documents/copyright" || echo "$who"; done)"
  check "$name has its changelog" same_text \
    "$(dpkg-parsechangelog -l "$documents/changelog.Debian.gz" -S Version)" "$version"
  check "$name has that of touchstone" cmp -s <(zcat "$documents/changelog.gz") "$root/CHANGELOG.md"
  checksums() { (cd "$work/$name" && md5sum --quiet -c DEBIAN/md5sums); }
  check "$name has right checksums" quietly checksums
  check "$name has one for each file" same_text "$(wc -l <"$work/$name/DEBIAN/md5sums")" \
    "$(find "$work/$name/usr" -type f | wc -l)"
  names_no_place() { ! names_place "$work/$name/usr" "$build" "$root" "$work"; }
  check "no text of $name names where it was made" quietly names_no_place
  has_no_symbols() {
    ! find "$work/$name/usr" -type f -exec file {} + | grep -E 'ELF.*(not stripped|debug_info)'
  }
  check "$name is stripped" quietly has_no_symbols
  check "$name needs the program of this version" test "$name" = touchstone -o \
    -n "$(dpkg-deb -f "${deb[$name]}" Depends | grep -F "touchstone (= $version)")"
done
check "the program is not in the others" same_text \
  "$(find "$work"/touchstone*/usr/bin -type f -printf '%f\n' | sort | uniq -d)" ""
check "headers are in touchstone-dev alone" same_text \
  "$(find "$work"/touchstone*/ -name '*.h' | grep -cv "^$work/touchstone-dev/")" 0
check "touchstone does not need MPI" same_text \
  "$(dpkg-deb -f "${deb[touchstone]}" Depends | grep -ciE 'mpich|mpi')" 0
quietly lintian --allow-root --fail-on error "${deb[@]}"
lintian_status=$?
cat "$work/out"
check "lintian finds no error" same_text "$lintian_status" 0

# --- as they are installed

# inside USER COMMAND: in the chroot, whose /proc is there meanwhile.
inside() {
  # shellcheck disable=SC2016 # expanded within
  unshare --mount --pid --fork -- bash -c 'mount -t proc proc "$1/proc" && exec chroot --userspec="$2" "$1" \
    /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/tmp DEBIAN_FRONTEND=noninteractive \
    sh -c "cd /tmp && $3"' inside "$chroot" "$1" "$2" >"$work/out" 2>"$work/err"
}
ours() { find "$chroot"/usr "$chroot"/etc "$chroot"/var/lib/dpkg -name '*touchstone*' | sort; }

copy_tree() { # TO: the files that git knows
  rm -rf "$1" && mkdir "$1" && git -C "$root" ls-files -z | (cd "$root" && xargs -0 cp --parents -t "$1")
}

check_chroot() {
  rm -rf "$chroot/tmp/packages" "$chroot/tmp/example" "$chroot/tmp/results"
  mkdir "$chroot/tmp/packages"
  cp "$work"/packages/*.deb "$chroot/tmp/packages"
  check "the chroot has none of ours" same_text "$(ours)" ""
  check "the tools of this check are there" inside root \
    "apt-get update -q && apt-get install -y -q --no-install-recommends man-db bash-completion gcc libc6-dev pkg-config"
  check "touchstone is installed" inside root \
    "apt-get install -y -q --no-install-recommends ./packages/touchstone_*.deb"
  check "anybody can run it" inside 1000:1000 "touchstone run --quiet --repeats 1 --out results/first"
  check "with all rows" inside 1000:1000 "tail -n +2 results/first/summary.csv | grep -c ."
  check "all of them ok" inside 1000:1000 "! cut -d, -f9 results/first/summary.csv | grep -E 'failed|crashed'"
  check "with tetrahedra" inside 1000:1000 "grep -q 'tets=tetgen' results/first/summary.csv"
  check "the helper for models of MuJoCo is found" inside 1000:1000 \
    "touchstone export --scene /usr/share/doc/touchstone/examples/mujoco/gripper.xml --format scene --out results/model"
  check "as is the page" inside 1000:1000 "touchstone report results/first --out results/page.html"
  check "engines are not there yet" inside 1000:1000 "touchstone list methods --engines | grep -q 'not available'"
  check "the rest is installed" inside root \
    "apt-get install -y -q --no-install-recommends ./packages/touchstone-*.deb"
  check "now they are" inside 1000:1000 "! touchstone list methods --engines | grep 'not available'"
  check "and run" inside 1000:1000 "touchstone run --quiet --engines --method 'ode_trimesh|mujoco' --case spikes --repeats 1 --out results/engines"
  # shellcheck disable=SC2016 # expanded within
  check "a plug-in is built" inside 1000:1000 'gcc -O2 -shared -fPIC -o results/vertex_face.so \
    /usr/share/doc/touchstone/examples/plugins/vertex_face.c $(pkg-config --cflags touchstone) -lm'
  check "and runs" inside 1000:1000 \
    "touchstone run --quiet --plugin results/vertex_face.so --method vertex_face --repeats 1 --out results/mine"
  check "the tree of touchstone is there" quietly copy_tree "$chroot/tmp/tree"
  check "and what does a workflow" inside root "apt-get install -y -q --no-install-recommends python3-yaml"
  check "the example of a repository passes, step by step" inside root \
    "cp -r /usr/share/doc/touchstone/examples/plugin_repository example && tree/tests/ci/run_workflow.py example tree .github/workflows/contacts.yml"
  if [ -d "$work/touchstone/usr/share/man" ]; then
    check "the manual is there" inside 1000:1000 "man touchstone | grep -q touchstone"
  else
    echo "not checked: there are no manual pages"
  fi
  if [ -d "$work/touchstone/usr/share/bash-completion" ]; then
    # shellcheck disable=SC2016 # expanded within
    check "bash completes a command" inside 1000:1000 'bash -c ". /usr/share/bash-completion/bash_completion; \
      _completion_loader touchstone; complete -p touchstone"'
  else
    echo "not checked: there are no completions"
  fi
  check "all of it is removed" inside root "apt-get purge -y -q 'touchstone*'"
  check "and nothing is left" same_text "$(ours)" ""
}
if [ -z "$chroot" ]; then
  echo "not checked: installation; give a bare chroot for it"
elif [ "$(id -u)" -ne 0 ]; then
  check "installation into $chroot, which needs root" false
else
  check_chroot
fi

echo "package: $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 20 ]
