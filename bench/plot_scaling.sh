#!/bin/sh
# Plots cost against particle count: one curve for each machine, device and number of threads in CSV files made by
# bench_scaling and bench_gpu.
# usage: plot_scaling.sh BEADLET OUTPUT COLUMN RESULTS.csv...     (COLUMN: us_per_particle_step or another of the header)
set -eu
beadlet=$(realpath "$1") output=$(realpath "$2") column=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The plots of beadlet know numbers only: machine and device go into the name of the curve.
awk -F, -v folder="$folder" 'FNR > 1 {
    gsub("\"", "")
    name = folder "/" $1 ($2 == "cpu" ? ", " $3 ($3 == 1 ? " thread" : " threads") : "") ".csv"
    if (!(name in seen)) print "fluid,boundary,iterations,us_per_particle_iteration,us_per_particle_step,bytes_per_particle" > name
    seen[name] = 1
    print $4 "," $5 "," $6 "," $7 "," $8 "," $9 > name
}' "$@"
cd "$folder" # curves are named after their files
"$beadlet" plot *.csv --x fluid --y "$column" --logx --logy --ymin 0.0005 --ymax 10 --title "$column" -o "$output" -q
