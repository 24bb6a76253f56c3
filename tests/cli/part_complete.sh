# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Completion: what the program offers, and that bash, zsh and fish make words of it.
# covers: harness/help/complete.c
: "${work:?}" "${here:?}" "${touchstone:?}" # set by run_cli.sh

scripts=$(realpath "$here/../../packaging/completions")

# offers WORDS... gives EXPECTED...: the last of the words may become exactly these.
offers() {
  local words=() answer
  while [ "$1" != gives ]; do words+=("$1") && shift; done
  shift
  run complete "${words[@]}"
  answer=$(cut -f 1 "$work/out" | xargs)
  check "after \"${words[*]}\" comes: ${*:-nothing}" same_text "$answer" "$*"
}

first_column() { "$touchstone" "$@" | cut -f 1; }

offers -- gives --help --version
offers r gives run reproduce relate report
offers run --metho gives --method
offers run --case wa gives wall
offers run --case=wa gives --case=wall
offers run --case 'spikes|wedges|wal' gives 'spikes|wedges|wall'
offers run --case wall --case wal gives wall
offers run --jobs 2 --jo gives
offers run --jobs '' gives
offers run --suite er gives erleben
offers run --preset noi gives noise
offers run --contacts '' gives all bad none
offers run --set laye gives :noblank layers=
offers run --set wall.lay gives :noblank wall.layers=
offers run --set scoring.reference=pub gives scoring.reference=published
offers run --set=reference=pub gives --set=reference=published
offers run --scene '' gives :files
offers run --scene=x gives :files
offers run --out '' gives :folders
offers run --method control_ide gives
offers run --controls --method control_ide gives control_ideal
offers export --method control_ide gives control_ideal
offers plot results --format svg,p gives svg,pdf svg,png
offers report '' gives :files
offers report --format googl gives google-benchmark
offers list form gives formats
offers list formats '' gives --controls --engines --plugin --markdown --help
offers describe case wall '' gives --set --scene --plugin --engines --help
offers dataset '' gives --out --check --help
offers dataset --out d '' gives --check --help
offers explain wal gives wall
offers explain --step 3 wall oppo gives opposing
offers explain --scene s.json oppo gives opposing
offers explain wall opposing '' gives :files
offers explain wall opposing r '' gives "$(first_column complete explain -- | xargs)"
offers score scene.json '' gives :files
offers history a b gives :files
offers history a --figure quality_p gives quality_percent
offers history a --figure outc gives
offers describe scoring --set refe gives :noblank reference=
offers describe scoring --set laye gives :noblank
offers describe case wall --set laye gives :noblank layers=
offers describe case arch --set laye gives :noblank
offers describe method growth --set laye gives :noblank
offers run --plugin ./mine.so --method mine gives
offers describe sc gives scoring
offers describe case wal gives wall
offers describe --set layers=2 case wal gives wall
offers describe method opp gives opposing
offers help res gives results
offers help com gives compare
offers run -- --ca gives
offers nonsense '' gives

run complete run --case wal
check "a word comes with its meaning" grep -qP '^wall\tBricks' "$work/out"
cases=$(sed -n 's/^CASE(\(.*\))$/\1/p' "$here/../../cases/cases.def" | xargs)
offers describe case '' gives "$cases"
commands=$(sed -n 's/^COMMAND(\(.*\), .*$/\1/p' "$here/../../harness/plan/commands.def" | xargs)
offers '' gives "$commands"
for command in $commands; do
  # Every option of the help, and nothing else.
  "$touchstone" "$command" --help >"$work/help"
  mapfile -t options < <(sed -n 's/^  \(--[a-z-]*\).*/\1/p' "$work/help")
  offers "$command" -- gives "${options[@]}"
done

# Fast enough to be asked at each key: not more than the time of --version and a few milliseconds.
fastest_ms() { # ARGUMENTS...
  local start end best=100000
  for _ in 1 2 3 4 5; do
    start=$(date +%s%N)
    "$touchstone" "$@" >/dev/null
    end=$(date +%s%N)
    [ $(((end - start) / 1000000)) -ge $best ] || best=$(((end - start) / 1000000))
  done
  echo "$best"
}
check "names of methods and parameters come within 50 ms" test "$(fastest_ms complete run --set '')" -lt 50

# The shells, on a terminal. bash is required; the others are checked where they are.
mkdir -p "$work/bin" "$work/home" "$work/place/folder" "$work/place/folder2"
ln -s "$touchstone" "$work/bin/touchstone"
touch "$work/place/folder/a results.csv" "$work/home/visible.so"
mkdir -p "$work/home/ts/bin" && ln -s "$touchstone" "$work/home/ts/bin/touchstone"
cat >"$work/rc.bash" <<END
PS1='READY> '
PATH=$work/bin:\$PATH
shown() { printf 'shown:'; printf ' <%s>' "\$@"; echo; }
source '$scripts/touchstone.bash'
END
cat >"$work/home/.zshrc" <<END
PS1='READY> '
PATH=$work/bin:\$PATH
fpath=('$scripts' \$fpath)
autoload -Uz compinit && compinit -u -D
shown() { printf 'shown:'; printf ' <%s>' "\$@"; echo; }
unsetopt prompt_sp
bindkey -e
END
cat >"$work/rc.fish" <<END
set -gx PATH $work/bin \$PATH
set -g fish_greeting
set -g fish_autosuggestion_enabled 0
function fish_prompt; echo -n 'READY> '; end
function shown; printf 'shown:'; printf ' <%s>' \$argv; echo; end
source '$scripts/touchstone.fish'
END

# A terminal is waited for most of the time, so that several are typed into at once: lines are
# collected here, and checked by check_typed.
typed_shells=() typed_texts=() typed_expected=()

# typed SHELL TEXT EXPECTED [PROGRAM]: what the line is once TEXT and a tab were typed.
typed() {
  typed_shells+=("$1") typed_texts+=("$2") typed_expected+=("<${4:-touchstone}> $3")
}

# answer_of LINE: what the shell makes of a collected line.
answer_of() {
  local shell=()
  case ${typed_shells[$1]} in
    bash) shell=(bash --noprofile --rcfile "$work/rc.bash" -i) ;;
    zsh) shell=(zsh -d -i) ;;
    fish) shell=(fish --private --no-config -C "source $work/rc.fish" -i) ;;
  esac
  (cd "$work/place" && env HOME="$work/home" ZDOTDIR="$work/home" TERM=xterm \
    timeout 60 python3 "$here/type_in_shell.py" "${typed_texts[$1]}" "${shell[@]}" 2>&1)
}

check_typed() {
  local line first
  for ((first = 0; first < ${#typed_shells[@]}; first += 6)); do
    for ((line = first; line < first + 6 && line < ${#typed_shells[@]}; line++)); do
      answer_of "$line" >"$work/answer$line" &
    done
    wait
  done
  for line in "${!typed_shells[@]}"; do
    check "${typed_shells[$line]} makes ${typed_expected[$line]} of \"${typed_texts[$line]}\"" \
      same_text "$(cat "$work/answer$line")" "${typed_expected[$line]}"
  done
}

for shell in bash zsh fish; do
  if ! command -v $shell >/dev/null && [ $shell != bash ]; then
    echo "not checked, $shell is not installed"
    continue
  fi
  typed $shell 'touchstone ru' '<run>'
  typed $shell 'touchstone run --case=wal' '<run> <--case=wall>'
  typed $shell 'touchstone run --set laye' '<run> <--set> <layers=>'
  typed $shell 'touchstone run --set=scoring.reference=pu' '<run> <--set=scoring.reference=published>'
  typed $shell 'touchstone plot x --format svg,pd' '<plot> <x> <--format> <svg,pdf>'
  # Quotes that are open, programs and paths as people type them.
  # shellcheck disable=SC2088,SC2016 # the shell that is typed into expands them
  {
    typed $shell "touchstone run --case 'wal" '<run> <--case> <wall>'
    typed $shell 'touchstone run --case "wal' '<run> <--case> <wall>'
    typed $shell '~/ts/bin/touchstone run --case=wal' '<run> <--case=wall>' "$work/home/ts/bin/touchstone"
    typed $shell '$HOME/ts/bin/touchstone run --case=wal' '<run> <--case=wall>' "$work/home/ts/bin/touchstone"
    typed $shell 'touchstone run --plugin ~/vis' "<run> <--plugin> <$work/home/visible.so>"
    typed $shell 'touchstone run --plugin $HOME/vis' "<run> <--plugin> <$work/home/visible.so>"
  }
  typed $shell 'touchstone report "folder/a' '<report> <folder/a results.csv>'
  typed $shell 'touchstone report folder/a\ re' '<report> <folder/a results.csv>'
  typed $shell 'touchstone report folder/a' '<report> <folder/a results.csv>'
  # zsh takes the slash away again when the word ends there.
  slash=/
  [ $shell != zsh ] || slash=
  typed $shell 'touchstone run --out folder2' "<run> <--out> <folder2$slash>"
done
check_typed
