#!/usr/bin/env bash
# The tests under every Python and numpy that are supported: tests/matrix.sh [pytest's options and files]
#
# Interpreters are found by name (python3.10 ... python3.13); one that is missing is told and skipped. Environments are
# made by uv if it is there, else by venv and pip. Prints a line for each pair; exits 1 if one failed.
set -uo pipefail
cd "$(dirname "$0")/.."

pairs=(
  "3.10 1.26.*" "3.10 2.2.*"
  "3.11 1.26.*" "3.11 2.*"
  "3.12 1.26.*" "3.12 2.*"
  "3.13 2.1.*" "3.13 2.*"
)
# numpy 1.26 has no wheels for Python 3.13, and 2.2 is the last for 3.10

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
for pair in "${pairs[@]}"; do
  python="python${pair% *}"
  numpy="numpy==${pair#* }"
  place="$folder/${pair% *}-${pair#* }"
  if ! "$python" -c '' 2>/dev/null; then
    printf '%s, %s: skipped, there is no %s\n' "$python" "$numpy" "$python"
    continue
  fi
  if command -v uv >/dev/null; then
    uv venv --quiet --python "$("$python" -c 'import sys; print(sys.executable)')" "$place" &&
      uv pip install --quiet --python "$place/bin/python" -e '.[test]' "$numpy"
  else
    "$python" -m venv "$place" &&
      "$place/bin/pip" install --quiet --disable-pip-version-check -e '.[test]' "$numpy"
  fi
  installed=$?
  found=$("$place/bin/python" -c 'import platform, numpy; print(f"Python {platform.python_version()}, numpy {numpy.__version__}")')
  if [ "$installed" -ne 0 ]; then
    printf '%s, %s: cannot be installed\n' "$python" "$numpy"
    failed=1
    continue
  fi
  "$place/bin/python" -m pytest -q -p no:cacheprovider "$@" >"$folder/log" 2>&1
  status=$?
  printf '%s: %s\n' "$found" "$(tail -n 1 "$folder/log")"
  if [ "$status" -ne 0 ]; then
    grep -E '^(FAILED|ERROR|E  )' "$folder/log" | head -40
    failed=1
  fi
done
exit "$failed"
