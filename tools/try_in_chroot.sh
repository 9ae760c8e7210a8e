#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs a command in a fresh clone inside a bare Debian, as somebody with a new machine would.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: tools/try_in_chroot.sh [--root FOLDER] [--worktree] COMMAND...

  tools/try_in_chroot.sh ./dev test

Needs root and debootstrap. FOLDER (default: build/chroot) gets a minimal Debian of the host's
release from the host's mirror, and keeps what the command installs; remove it to start bare again.
The clone is made anew each time, of HEAD; --worktree takes the files as they stand instead.
../shared/data comes along where it exists.
TEXT
}

tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
root=$tree/build/chroot
worktree=no
while [ $# -gt 0 ]; do
  case $1 in
    --root) root=$2; shift 2 ;;
    --worktree) worktree=yes; shift ;;
    -h | --help) usage; exit 0 ;;
    *) break ;;
  esac
done
[ $# -gt 0 ] || { usage >&2; exit 2; }
[ "$(id -u)" = 0 ] || { echo "try_in_chroot: needs root" >&2; exit 1; }

if [ ! -x "$root/usr/bin/apt-get" ]; then
  read -r mirror release < <(apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI) $(CODENAME)' \
    'Created-By: Packages' | awk '$1 == "Debian" && $2 == "Debian" && $4 !~ /-/ {print $3, $4; exit}')
  mkdir -p "$root"
  debootstrap --variant=minbase "$release" "$root" "$mirror"
  # The host's way to the mirror (proxy and the like).
  apt-config dump Acquire | grep -v IndexTargets > "$root/etc/apt/apt.conf.d/90host"
fi

home=$root/root
rm -rf "$home/sgood" "$home/shared"
if [ "$worktree" = yes ]; then
  mkdir "$home/sgood"
  (cd "$tree" && git ls-files -z -co --exclude-standard | tar -c --null -T -) | tar -x -C "$home/sgood"
else
  git clone -q "file://$tree" "$home/sgood"
fi
if [ -d "$tree/../shared/data" ]; then
  mkdir "$home/shared"
  cp -r "$tree/../shared/data" "$home/shared/data"
fi
exec env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM="${TERM:-dumb}" \
  chroot "$root" sh -c 'cd /root/sgood && exec "$@"' sh "$@"
