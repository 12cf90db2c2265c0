# Sourced by the scripts of the folder above, which set $here to that folder.
# Sets $root (the checkout) and $python (the interpreter of its virtual environment) and makes the
# environment if it is missing, half made, or made from another lock file.
# POSIX sh; on Windows it runs under the shell that comes with git.

root=$(CDPATH='' cd -- "$here/.." && pwd) || exit 3

# Whether $1 is a Python of at least 3.11 and below 3.$2 that can make an environment with pip in it.
fits() {
  answer=$("$1" -I -c "import sys, venv, ensurepip; print((3, 11) <= sys.version_info < (3, $2))" 2>/dev/null)
  case $answer in True*) return 0 ;; *) return 1 ;; esac
}

# Sets $base_python: what KCP_PYTHON names, or else the first that fits, the person's usual one before others.
find_base_python() {
  if [ -n "${KCP_PYTHON:-}" ]; then
    base_python=$KCP_PYTHON
    fits "$base_python" 99 && return
    echo "kcp-agent: KCP_PYTHON=$KCP_PYTHON is not a Python of 3.11 or later with venv and pip" >&2
    exit 3
  fi
  # A Python newer than the lock file was made for is the last resort: it may have to build packages.
  for below in 15 99; do
    for base_python in python3 python3.14 python3.13 python3.12 python3.11 python; do
      fits "$base_python" $below && return
    done
  done
  echo "kcp-agent: needs Python 3.11 or later with venv and pip; none found (on Debian: apt install python3-venv)" >&2
  exit 3
}

# What builds the binary has an environment of its own: a compiler of Python that nothing else needs.
case ${0##*/} in
  build-binary) venv=.venv-build lock=requirements-build.lock ;;
  *) venv=.venv lock=requirements.lock ;;
esac
if [ -d "$root/$venv/Scripts" ]; then
  python=$root/$venv/Scripts/python.exe
else
  python=$root/$venv/bin/python
fi

# The copy of the lock file is written last, so an environment that has it is whole.
if ! { [ -x "$python" ] && cmp -s "$root/$lock" "$root/$venv/$lock"; }; then
  find_base_python
  "$base_python" -I "$root/scripts/lib/set_up.py" "$venv" "$lock" || exit
  [ -x "$python" ] || python=$root/$venv/Scripts/python.exe
fi
