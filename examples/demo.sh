#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The main job on molecules that Debian's rdkit-data ships: learn one chemical series, then tell its
# held-out members from other compounds.
#   in-distribution  CHEMBL2321810: about 1,000 aryl sulfonamides with measured activities
#   other            the first 5,000 compounds of NCI's open collection
# An easy pair: a series resembles itself more than anything else. `sgood bench` measures on hard ones.
# usage: examples/demo.sh SGOOD FOLDER    the program, and where to write
set -euo pipefail
sgood=$1
out=$2
rdkit=${RDKIT_DATA:-/usr/share/RDKit}
series=$rdkit/Contrib/FreeWilson/data/CHEMBL2321810
nci=$rdkit/Data/NCI/first_5K.smi
for file in "$series.smi" "${series}_act.csv" "$nci"; do
  [ -r "$file" ] || { echo "demo: $file is missing (Debian package: rdkit-data)" >&2; exit 1; }
done
mkdir -p "$out"

# Class = activity at or above the median; every fifth molecule is held out for testing.
median=$(tail -n +2 "${series}_act.csv" | cut -d, -f2 | sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}')
awk -v median="$median" -v train="$out/id_train.csv" -v test="$out/id_test.csv" '
  BEGIN { print "id,smiles,class" > train; print "id,smiles,class" > test }
  NR == FNR { split($1, field, ","); activity[field[1]] = field[2]; next }
  $2 in activity {
    print $2 "," $1 "," (activity[$2] >= median ? "active" : "inactive") > (count++ % 5 == 4 ? test : train)
  }' "${series}_act.csv" "$series.smi"

step() { printf '\n$ sgood %s\n' "$*"; "$sgood" "$@"; }
step fit "$out/id_train.csv" --labels class -o "$out/model.sgood" --seed 0
step score "$out/model.sgood" "$nci" -o "$out/scores.csv"
printf '\nthe first rows of %s:\n' "$out/scores.csv"
head -n 4 "$out/scores.csv"
step eval "$out/model.sgood" --id "$out/id_test.csv" --ood "$nci" --plot "$out/scores.svg"
step report "$out/model.sgood" --data "$nci" -o "$out/report.html"
printf '\nmodel: %s   scores: %s   picture: %s   report: %s\n' "$out/model.sgood" "$out/scores.csv" "$out/scores.svg" "$out/report.html"
