#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the Debian package of the tool, and runs the tool as it lies in the package.
# usage: deb_test.sh CPACK BUILD_FOLDER WORK_FOLDER
set -euo pipefail
cpack=$1
build=$2
work=$3
for program in dpkg-deb dpkg-shlibdeps file; do
  command -v "$program" >/dev/null || { echo "SKIPPED: $program is not installed"; exit 77; }
done
rm -rf "$work"
mkdir -p "$work/root"
"$cpack" --config "$build/CPackConfig.cmake" -B "$work" -D CPACK_COMPONENTS_ALL=tool
package=$(echo "$work"/sgood_*.deb)
dpkg-deb -x "$package" "$work/root"

dpkg-deb -f "$package" Depends | tee "$work/depends"
grep -q libzip "$work/depends"
dpkg-deb -f "$package" Recommends | grep -q gnuplot
share=$work/root/usr/share
for file in doc/sgood/copyright man/man1/sgood.1 man/man1/sgood-fit.1 bash-completion/completions/sgood \
    zsh/vendor-completions/_sgood fish/vendor_completions.d/sgood.fish; do
  [ -s "$share/$file" ] || { echo "$package lacks $file" >&2; exit 1; }
done
if ldd "$work/root/usr/bin/sgood" | grep 'not found'; then exit 1; fi
"$work/root/usr/bin/sgood" --version
