#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Does what the Dockerfile says where there is no Docker: each stage in a copy of a bare system of Debian 12
# (debootstrap --variant=minbase bookworm BASE), by chroot, as root. Then runs the image as Docker would,
# with a folder of somebody else's. An instruction that is not understood here fails.
# usage: check_dockerfile.sh BASE WORK
#   WORK is made, and holds the stages; it is kept for a look at them.
set -euo pipefail
usage="usage: check_dockerfile.sh BASE WORK"
base=$(realpath "${1:?$usage}")
stages=${2:?$usage}
root=$(realpath "$(dirname "$(realpath "$0")")/../..")
[ "$(id -u)" -eq 0 ] || { echo "check_dockerfile: chroot needs root"; exit 1; }
[ ! -e "$stages" ] || { echo "check_dockerfile: $stages is there already: remove it first"; exit 1; }
mkdir -p "$stages"
stages=$(realpath "$stages")

stage='' folder=/ user=0:0 entry=()
declare -A named

# inside USER FOLDER COMMAND...: in the stage; $mount, if set, is at /work.
inside() {
  # shellcheck disable=SC2016 # expanded within
  unshare --mount --pid --fork -- bash -c 'mount -t proc proc "$1/proc"
    [ -z "$4" ] || mount --bind "$4" "$1/work"
    stage=$1 user=$2 folder=$3; shift 4
    exec chroot --userspec="$user" "$stage" /usr/bin/env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      sh -c "cd \"\$0\" && exec \"\$@\"" "$folder" "$@"' inside "$stage" "$1" "$2" "${mount:-}" "${@:3}"
}

do_from() { # IMAGE [AS NAME]
  [[ $1 == debian:12-slim ]] || { echo "FROM $1 is not understood here"; return 1; }
  stage=$stages/${3:-last} folder=/ user=0:0
  cp -a "$base" "$stage"
  cp /etc/resolv.conf "$stage/etc/resolv.conf"
  named[${3:-last}]=$stage
}

do_copy() { # [--from=NAME] SOURCE TO
  local to=$stage${*: -1}
  mkdir -p "$to"
  case $1 in
    --from=*)
      # shellcheck disable=SC2086 # the pattern is meant to be expanded
      cp -a ${named[${1#--from=}]}$2 "$to"
      ;;
    .) git -C "$root" ls-files -co --exclude-standard -z | (cd "$root" && xargs -0 cp --parents -t "$to") ;;
    *) echo "COPY $* is not understood here" && return 1 ;;
  esac
}

do_instruction() { # WORD REST
  echo "== $1 $2"
  local words
  read -ra words <<<"$2"
  case $1 in
    FROM) do_from "${words[@]}" ;;
    COPY) do_copy "${words[@]}" ;;
    RUN) inside "$user" "$folder" sh -c "$2" >"$stages/log" 2>&1 || { tail -n 30 "$stages/log"; return 1; } ;;
    WORKDIR) folder=$2 && mkdir -p "$stage$folder" ;;
    USER) user=$(awk -F: -v name="$2" '$1 == name { print $3 ":" $4 }' "$stage/etc/passwd") && [ -n "$user" ] ;;
    ENTRYPOINT) mapfile -t entry < <(grep -oE '"[^"]*"' <<<"$2" | tr -d '"') ;;
    *) echo "$1 is not understood here" && return 1 ;;
  esac
}

while read -r word rest; do
  [[ -z $word || $word == \#* ]] || do_instruction "$word" "$rest"
done < <(sed -e ':more' -e '/\\$/{N;s/\\\n */ /;b more' -e '}' "$root/Dockerfile")

echo "== run, as the user of the image: list"
inside "$user" "$folder" "${entry[@]}" list methods --engines | tee "$stages/methods" | tail -n 2
if grep 'not available' "$stages/methods"; then exit 1; fi
echo "== run, as somebody else, in their folder"
mount=$stages/mounted
mkdir "$mount"
chown 1234:1234 "$mount"
inside 1234:1234 "$folder" "${entry[@]}" run --engines --method 'semi_local|ode_trimesh' --repeats 1 --out results/now | tail -n 12
inside 1234:1234 "$folder" "${entry[@]}" report results/now --out page.html
[ "$(stat -c %u "$mount/results/now/summary.csv" "$mount/page.html" | sort -u)" = 1234 ]
du -sh --exclude=proc "$stage" | cut -f1 | sed 's/^/== size of the last stage: /'
echo "check_dockerfile: passed"
