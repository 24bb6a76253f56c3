#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Measures layered depth images and draws the results: convergence, time against triangles, time
# against resolution. usage: ldi_plots.sh BUILD_DIR OUT_DIR [--draw-only]
#
# Writes accuracy.csv, times.csv and the pictures, as SVG and as PNG, into OUT_DIR. With --draw-only
# existing CSV files are drawn again: equal files give equal SVGs, to the byte. Options of
# the programs come from LDI_ACCURACY_OPTIONS and BENCHMARK_LDI_OPTIONS.
set -euo pipefail
usage="usage: ldi_plots.sh BUILD_DIR OUT_DIR [--draw-only]"
build=${1:?$usage}
out=${2:?$usage}
mode=${3:-measure}
case $mode in
  measure | --draw-only) ;;
  *)
    echo "$usage" >&2
    exit 2
    ;;
esac
if ! command -v gnuplot >/dev/null; then
  echo "ldi_plots.sh: gnuplot is missing; install gnuplot-nox" >&2
  exit 2
fi
mkdir -p "$out"
if [ "$mode" = measure ]; then
  # shellcheck disable=SC2086 # options are words
  "$build/tests/benchmark/ldi_accuracy" ${LDI_ACCURACY_OPTIONS-} --csv "$out/accuracy.csv"
  # shellcheck disable=SC2086
  "$build/tests/benchmark/benchmark_ldi" ${BENCHMARK_LDI_OPTIONS-} --csv "$out/times.csv"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# select_rows FILE X Y [Z] -- COLUMN=VALUE...: those columns of the rows that have the values. The
# columns must come before any column that contains a comma.
select_rows() {
  awk -F, -v arguments="$*" '
    BEGIN { count = split(arguments, word, "\t") }
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { line = ""; fits = 1; conditions = 0
      for (i = 2; i <= count; i++) {
        if (word[i] == "--") { conditions = 1; continue }
        if (!conditions) { line = line " " $(at[word[i]]); continue }
        split(word[i], pair, "=")
        if ($(at[pair[1]]) != pair[2]) fits = 0
      }
      if (fits) print substr(line, 2) }' "$1"
}

index=0
scenes=()
IFS=$'\t'
while read -r scene; do
  index=$((index + 1))
  scenes+=("$scene")
  for what in volume gradient; do
    select_rows "$out/accuracy.csv" resolution_px "${what}_error_median" "${what}_error_max" -- \
      "scene=$scene" >"$work/$what$index.dat"
  done
done < <(awk -F, 'NR > 1 && !seen[$1]++ { print $1 }' "$out/accuracy.csv")

for setting in triangles resolution; do
  x=triangles
  [ "$setting" = resolution ] && x=resolution_px
  select_rows "$out/times.csv" "$x" time_ns_min -- "setting=$setting" backend=cpu threads=1 \
    >"$work/${setting}_cpu1.dat"
  select_rows "$out/times.csv" "$x" time_ns_min -- "setting=$setting" backend=cpu threads=2 \
    >"$work/${setting}_cpu2.dat"
  select_rows "$out/times.csv" "$x" time_ns_min -- "setting=$setting" backend=egl \
    >"$work/${setting}_egl.dat"
done
unset IFS
# The name of the graphics card, without versions.
device=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
  $(at["backend"]) == "egl" { name = $(at["device"]); gsub(/"/, "", name)
    sub(/ *[(\/].*/, "", name); print name; exit }' "$out/times.csv")

# draw TERMINAL SUFFIX: every picture. Colours are those of Okabe and Ito; each series has a mark
# and a dash of its own, so that it is distinct in grey, too.
draw() {
  gnuplot <<GNUPLOT
set terminal $1
set encoding utf8
set style line 1 lc rgb "#0072b2" lw 2 pt 7 ps 0.8 dt 1
set style line 2 lc rgb "#d55e00" lw 2 pt 5 ps 0.8 dt (12,5)
set style line 3 lc rgb "#009e73" lw 2 pt 9 ps 1.0 dt (3,4)
set style line 8 lc rgb "#555555" lw 1 dt (2,3)
set style line 9 lc rgb "#e0e0e0" lw 0.5 dt 1
set border 3 lc rgb "#555555"
set tics nomirror out
set grid ls 9
set logscale xy
set format y "10^{%T}"

set output "$out/convergence.$2"
set multiplot layout 1,2 margins 0.09,0.98,0.14,0.90 spacing 0.09,0
set xrange [13:650]
set yrange [1e-8:10]
set xtics (16, 32, 64, 128, 256, 512)
set xlabel "resolution [px along the longest side of the overlap box]" offset screen 0.21,0
set ylabel "relative error (mark: median, bar: up to the maximum)"
set key bottom left reverse Left samplen 3 spacing 1.15
guide(px, p, from) = from * (px / 16.0)**p
set title "volume"
set label 1 "slope -1" at 512, guide(512, -1, 3e-1) right offset 0,1.2 tc rgb "#555555"
set label 2 "slope -2" at 512, guide(512, -2, 3e-1) right offset 0,1.6 tc rgb "#555555"
plot guide(x, -1, 3e-1) ls 8 notitle, guide(x, -2, 3e-1) ls 8 notitle, \
  "$work/volume1.dat" using (\$1*0.95):2:2:3 with yerrorbars ls 1 dt 1 lw 1 ps 0.02 notitle, \
  "" using (\$1*0.95):2 with linespoints ls 1 title "${scenes[0]}", \
  "$work/volume2.dat" using 1:2:2:3 with yerrorbars ls 2 dt 1 lw 1 ps 0.02 notitle, \
  "" using 1:2 with linespoints ls 2 title "${scenes[1]}", \
  "$work/volume3.dat" using (\$1*1.05):2:2:3 with yerrorbars ls 3 dt 1 lw 1 ps 0.02 notitle, \
  "" using (\$1*1.05):2 with linespoints ls 3 title "${scenes[2]}"
unset key
unset xlabel
unset ylabel
set title "gradient (by rigid motions)"
set label 1 "slope -1" at 512, guide(512, -1, 3) right offset 0,1.2 tc rgb "#555555"
set label 2 "slope -2" at 512, guide(512, -2, 3) right offset 0,1.6 tc rgb "#555555"
plot guide(x, -1, 3) ls 8 notitle, guide(x, -2, 3) ls 8 notitle, \
  "$work/gradient1.dat" using (\$1*0.95):2:2:3 with yerrorbars ls 1 dt 1 lw 1 ps 0.02 notitle, \
  "" using (\$1*0.95):2 with linespoints ls 1 notitle, \
  "$work/gradient2.dat" using 1:2:2:3 with yerrorbars ls 2 dt 1 lw 1 ps 0.02 notitle, \
  "" using 1:2 with linespoints ls 2 notitle, \
  "$work/gradient3.dat" using (\$1*1.05):2:2:3 with yerrorbars ls 3 dt 1 lw 1 ps 0.02 notitle, \
  "" using (\$1*1.05):2 with linespoints ls 3 notitle
unset multiplot
GNUPLOT
  draw_times "$1" "$2" triangles "triangles of each torus" 1 "in proportion to the triangles" \
    'set format x "10^{%T}"' "two tori at 256 px: place, volume and gradient of three views"
  draw_times "$1" "$2" resolution "resolution [px along the longest side of the overlap box]" 2 \
    "in proportion to the pixels" 'set xtics (64, 128, 256, 512, 1024)' \
    "two tori of 100,000 triangles: place, volume and gradient of three views"
}

# range COLUMN FILE...: minimum / 1.4 to maximum * 1.4 of a column, in gnuplot's syntax.
range() {
  awk -v c="$1" 'NF > 1 { v = $c * 1
    if (!n++ || v < low) low = v
    if (v > high) high = v }
    END { printf "[%.6g:%.6g]", low / 1.4, high * 1.4 }' "${@:2}"
}

# draw_times TERMINAL SUFFIX SETTING XLABEL SLOPE SLOPE_TITLE TICS TITLE: the guide starts at the
# largest value of the first series, to show which part of the time is proportional.
draw_times() {
  local egl="" x y last
  local -a files=("$work/$3_cpu1.dat" "$work/$3_cpu2.dat" "$work/$3_egl.dat")
  x=$(range 1 "${files[@]}")
  y=$(awk 'NF > 1 { print 1, $2 / 1e6 }' "${files[@]}" | range 2 /dev/stdin)
  last=$(sort -g "${files[0]}" | tail -n 1)
  if [ -s "${files[2]}" ]; then
    egl=", \"${files[2]}\" using 1:(\$2/1e6) with linespoints ls 3 title \"egl on $device\""
  fi
  gnuplot <<GNUPLOT
set terminal $1
set encoding utf8
set style line 1 lc rgb "#0072b2" lw 2 pt 7 ps 0.8 dt 1
set style line 2 lc rgb "#d55e00" lw 2 pt 5 ps 0.8 dt (12,5)
set style line 3 lc rgb "#009e73" lw 2 pt 9 ps 1.0 dt (3,4)
set style line 8 lc rgb "#555555" lw 1 dt (2,3)
set style line 9 lc rgb "#e0e0e0" lw 0.5 dt 1
set border 3 lc rgb "#555555"
set tics nomirror out
set grid ls 9
set logscale xy
set output "$out/time_$3.$2"
set title "$8"
set xlabel "$4"
set ylabel "time [ms], fastest repeat"
set xrange $x
set yrange $y
set ytics (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
$7
set key outside right center vertical reverse Left samplen 4 spacing 1.3
guide(x) = ${last#* } / 1e6 * (x / ${last% *})**$5
plot guide(x) ls 8 title "$6", \
  "${files[0]}" using 1:(\$2/1e6) with linespoints ls 1 title "cpu, 1 thread", \
  "${files[1]}" using 1:(\$2/1e6) with linespoints ls 2 title "cpu, 2 threads"$egl
GNUPLOT
}

draw 'svg size 900,460 dynamic font "sans-serif,13" background "#ffffff"' svg
draw 'pngcairo size 900,460 font "sans,10" background "#ffffff"' png
echo "ldi_plots.sh: $out/convergence.svg, time_triangles.svg, time_resolution.svg"
