#!/usr/bin/env bash
# Fails where a shell script does not parse.   shell.sh TREE
cd "${1:?usage: shell.sh TREE}" || exit 2
bad=0
while IFS= read -r script; do
  bash -n "$script" || bad=1
done < <(find .ci docs scripts tests -type f ! -path '*/corpus/*' -exec sh -c '
  case $1 in *.sh) exit 0 ;; esac; head -c 64 "$1" | grep -qE "^#!.*sh$"' sh {} \; -print
  printf '%s\n' scripts/_packages tests/cases/_lib tests/integration/_lib tests/integration/_herd)
exit $bad
