#!/bin/sh
# Install kcp-agent for one person, without sudo.
#
#   sh install.sh [--from URL] [--prefix DIR] [--sha256 HEX] [--uninstall]
#
# Fetches the archive for this system from URL, the download page of a release, compares it with the SHA256SUMS
# there (and with HEX, if given), and unpacks it below DIR, ~/.local by default:
#   DIR/lib/kcp-agent/VERSION-HASH/   the program with all it needs
#   DIR/bin/kcp-agent                 a link to it, changed in one step, when the new program has run
#   DIR/share/man/man1/kcp-agent.1    a link to the manual page
# Earlier versions stay where they are. Nothing else is changed; --uninstall takes it all away. Exit codes: 0 done, 2 wrong use, 3 not installed.
set -eu

# A release has its own address here.
from='@BASE@'
prefix=${HOME:-}/.local
wanted=
uninstall=
scratch=
staged=

fail() {
  echo "install.sh: $1" >&2
  exit "${2:-3}"
}

clean_up() {
  [ -z "$scratch" ] || rm -rf "$scratch"
  [ -z "$staged" ] || rm -rf "$staged"
}

read_arguments() {
  while [ $# -gt 0 ]; do
    case $1 in
      --uninstall) uninstall=yes; shift; continue ;;
      --from | --prefix | --sha256) [ $# -ge 2 ] || fail "$1 needs a value" 2 ;;
      *) fail "unknown argument: $1 (usage: install.sh [--from URL] [--prefix DIR] [--sha256 HEX] [--uninstall])" 2 ;;
    esac
    case $1 in
      --from) from=${2%/} ;;
      --prefix) prefix=${2%/} ;;
      --sha256) wanted=$2 ;;
    esac
    shift 2
  done
  case $prefix in
    /.local) fail "HOME is not set; say where to install with --prefix" 2 ;;
    /*) ;;
    *) prefix=$PWD/$prefix ;;
  esac
  home=$prefix/lib/kcp-agent
  link=$prefix/bin/kcp-agent
  page=$prefix/share/man/man1/kcp-agent.1
}

# Whether $1 is nothing, or a link that an earlier run of this script made.
ours() {
  [ -e "$1" ] || [ -L "$1" ] || return 0
  [ -L "$1" ] || return 1
  case $(readlink "$1") in "$home"/*) return 0 ;; *) return 1 ;; esac
}

remove() {
  for each in "$link" "$page"; do
    if [ -L "$each" ] && ours "$each"; then rm -f "$each"; fi
  done
  rm -rf "$home"
  echo "removed kcp-agent from $prefix"
}

check_address() {
  case $from in
    https://*) ;;
    http://127.0.0.1:* | http://localhost:* | 'http://[::1]:'*) ;;
    @*) fail "this is not the copy of a release; say where to fetch from with --from URL" 2 ;;
    *) fail "--from must be an https:// address, not $from" 2 ;;
  esac
}

# fetch NAME: into $scratch, at most 100 MB.
fetch() {
  if command -v curl >/dev/null 2>&1; then
    protocols='=https'
    case $from in http:*) protocols='=http' ;; esac
    curl --proto "$protocols" --proto-redir "$protocols" --fail --silent --show-error --location --retry 2 \
      --max-time 600 --max-filesize 104857600 --output "$scratch/$1" "$from/$1"
  elif command -v wget >/dev/null 2>&1; then
    only=--https-only
    case $from in http:*) only= ;; esac
    # shellcheck disable=SC2086 # no word where there is no option
    wget $only --quiet --tries 3 --timeout 60 --output-document "$scratch/$1" "$from/$1"
  else
    fail "needs curl or wget"
  fi || fail "cannot fetch $from/$1"
}

# The SHA-256 of a file, in small letters.
digest() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum <"$1"
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 <"$1"
  elif command -v openssl >/dev/null 2>&1; then
    openssl dgst -sha256 -r <"$1"
  else
    fail "needs sha256sum, shasum or openssl"
  fi | cut -d ' ' -f 1
}

# Sets $archive and $sum: the one archive for this system in SHA256SUMS.
choose() {
  system=$(uname -s | tr '[:upper:]' '[:lower:]')-$(uname -m)
  line=$(grep -E "^[0-9a-f]{64}  kcp-agent-[0-9][0-9A-Za-z.+-]*-$system\\.tar\\.xz\$" "$scratch/SHA256SUMS" || :)
  case $line in
    '') fail "this release has no archive for $system" ;;
    *'
'*) fail "SHA256SUMS has several archives for $system" ;;
  esac
  sum=${line%%  *}
  archive=${line#*  }
  version=${archive#kcp-agent-}
  version=${version%"-$system.tar.xz"}
}

compare() {
  got=$(digest "$scratch/$archive")
  [ "$got" = "$sum" ] || fail "$archive is not what SHA256SUMS says: $got, not $sum"
  [ -z "$wanted" ] || [ "$got" = "$wanted" ] || fail "$archive is not what --sha256 says: $got, not $wanted"
}

unpack() {
  mkdir -p "$home" "${link%/*}" "${page%/*}"
  staged=$(mktemp -d "$home/.new.XXXXXX")
  chmod 755 "$staged"
  tar -C "$staged" -xf "$scratch/$archive" || fail "cannot unpack $archive (is xz installed?)"
  said=$("$staged/kcp-agent/kcp-agent" --version) || fail "the program does not run on this system"
  [ "$said" = "kcp-agent $version" ] || fail "the archive is of $version, the program says: $said"
}

# point LINK TARGET: in one step, so that there is always a program.
point() {
  ln -s "$2" "$1.new.$$" && mv -f "$1.new.$$" "$1"
}

settle() {
  place=$home/$version-$(echo "$sum" | cut -c 1-12)
  if [ -e "$place" ]; then
    # The same bytes, installed before; what is there may be damaged, what was just unpacked is not.
    mv "$place" "$staged/old"
  fi
  mv "$staged/kcp-agent" "$place"
  point "$link" "$place/kcp-agent"
  if ours "$page"; then point "$page" "$place/share/man/man1/kcp-agent.1"; fi
}

main() {
  umask 022
  read_arguments "$@"
  ours "$link" || fail "$link is there already and not from here; remove it first"
  if [ -n "$uninstall" ]; then
    remove
    return
  fi
  check_address
  trap clean_up EXIT
  trap 'exit 130' HUP INT TERM
  scratch=$(mktemp -d)
  fetch SHA256SUMS
  choose
  fetch "$archive"
  compare
  unpack
  settle
  echo "installed kcp-agent $version: $link"
  case :$PATH: in
    *":${link%/*}:"*) ;;
    *) echo "${link%/*} is not on your PATH" ;;
  esac
  echo "completions for your shell: kcp-agent completion bash|zsh|fish|powershell"
}

# All of it, or nothing where the script itself came only in part.
main "$@"
