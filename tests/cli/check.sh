# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Shared by the checks of the command line: running, checking, counting. Sourced by run_cli.sh.
: "${work:?}" "${touchstone=}" # set by the script that sources this

passed=0
failed=0
status=0

# check WHAT COMMAND...: the command must succeed.
check() {
  local what=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
    echo "ok: $what"
  else
    failed=$((failed + 1))
    echo "FAILED: $what"
    echo "  check: $*"
    [ -s "$work/out" ] && sed 's/^/  stdout: /' "$work/out" | head -n 8
    [ -s "$work/err" ] && sed 's/^/  stderr: /' "$work/err" | head -n 8
  fi
}

# run ARGUMENTS...: runs the program; leaves $work/out, $work/err and $status.
run() {
  "$touchstone" "$@" >"$work/out" 2>"$work/err"
  status=$?
}

is_status() { [ "$status" -eq "$1" ]; }
out_has() { grep -qF -- "$1" "$work/out"; }
err_has() { grep -qF -- "$1" "$work/err"; }
is_quiet() { [ ! -s "$work/err" ]; }
is_absent() { [ ! -e "$1" ]; }
is_empty_folder() { [ -z "$(ls -A "$1")" ]; }
same_text() { [ "$1" = "$2" ]; }

# One line on standard error, ours.
is_one_message() { [ "$(wc -l <"$work/err")" -eq 1 ] && grep -q '^touchstone: ' "$work/err"; }

# refused WHAT WORD ARGUMENTS...: exit 2, one message that contains the word, no output.
refused() {
  local what=$1 word=$2
  shift 2
  run "$@"
  check "$what is refused" is_refused "$word"
}
is_refused() { is_status 2 && is_one_message && err_has "$1" && [ ! -s "$work/out" ]; }

# interrupted SIGNAL FILE LINES ARGUMENTS...: as run, but sends the program the signal once the file has
# that many lines, however busy the machine is. SIGINT is not ignored, as it is in a script's child.
interrupted() {
  local signal=$1 file=$2 lines=$3 child tries=0
  shift 3
  env --default-signal="$signal" "$touchstone" "$@" >"$work/out" 2>"$work/err" &
  child=$!
  until [ "$(wc -l 2>/dev/null <"$file" || echo 0)" -ge "$lines" ] || [ $((tries += 1)) -gt 1200 ]; do
    sleep 0.05
  done
  kill -s "$signal" "$child"
  wait "$child"
  status=$?
}

# The columns of FILE.csv that are compared (all but the "not compared"), in order; quotes and line
# breaks within fields are understood.
compared() {
  "$touchstone" list columns | awk -v file="$(basename "$1")" '
    /^[a-z]+\.csv$/ { inside = $1 == file; next }
    inside && /not compared/ { print $1 }' >"$work/skipped"
  awk -v skipped="$work/skipped" '
    BEGIN { while ((getline name < skipped) > 0) drop[name] = 1 }
    { text = text == "" ? $0 : text "\n" $0
      if (gsub(/"/, "\"", text) % 2) next
      count = 0; field = ""; quoted = 0
      for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        if (c == "\"") quoted = !quoted
        if (c == "," && !quoted) { fields[++count] = field; field = "" } else field = field c
      }
      fields[++count] = field
      sub(/\r$/, "", fields[count])
      if (!header) { header = count; for (i = 1; i <= count; i++) keep[i] = !(fields[i] in drop) }
      line = ""
      for (i = 1; i <= count; i++) if (keep[i]) line = line fields[i] ","
      print line
      text = "" }' "$1"
}

# same_rows A B: two results folders are equal, except for times.
same_rows() {
  local file
  for file in summary contacts; do
    compared "$1/$file.csv" >"$work/rows_a"
    compared "$2/$file.csv" >"$work/rows_b"
    [ -s "$work/rows_a" ] && cmp -s "$work/rows_a" "$work/rows_b" || return 1
  done
  for file in regions poses; do
    [ -s "$1/$file.csv" ] && cmp -s "$1/$file.csv" "$2/$file.csv" || return 1
  done
  [ "$(wc -l <"$1/samples.csv")" -eq "$(wc -l <"$2/samples.csv")" ]
}

# rows FOLDER: rows of its summary.
rows() {
  local lines=1
  [ -e "$1/summary.csv" ] && lines=$(wc -l <"$1/summary.csv")
  echo $((lines > 0 ? lines - 1 : 0))
}

# cells_with FOLDER METHOD OUTCOME: rows of the summary of that method and outcome.
cells_with() { compared "$1/summary.csv" | grep -c ",$2,.*,$3,"; }

# column FILE NAME [COLUMN=VALUE...]: of the rows that have these values, one a line.
column() {
  local file=$1 name=$2
  shift 2
  awk -F, -v name="$name" -v wanted="$*" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; count = split(wanted, pairs, " "); next }
    {
      for (i = 1; i <= count; i++) {
        split(pairs[i], pair, "=")
        if ($at[pair[1]] != pair[2]) next
      }
      print $at[name]
    }' "$file"
}

# right METHOD FOLDER...: rows without blame, of how many.
right() {
  local method=$1
  shift
  awk -F, -v method="$method" '
    function none(column) { return $at[column] == "nan" || $at[column] == 0 }
    FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["method"] == method {
      all++
      ok += $at["quality_percent"] == 100 && $at["coverage_percent"] == 100 &&
        $at["excess_factor"] == 1 && none("phantom") && none("regions_missed") &&
        none("gaps_wrong") && none("contacts_missing") && none("normals_flipped") &&
        none("speculative_wrong") && none("blocked_wrongly_percent") &&
        none("freed_wrongly_percent") && none("blocked_wrongly_sliding_percent") &&
        none("blocked_wrongly_given_percent")
    }
    END { print ok + 0 " of " all + 0 }' "${@/%//summary.csv}"
}
