#!/usr/bin/env bash
# Fails where a shell script does not parse.   shell.sh TREE
cd "${1:?usage: shell.sh TREE}" || exit 2
bad=0
is_shell() {
  local first
  [[ $1 == *.sh ]] || { read -r first <"$1" && [[ $first == '#!'*sh ]]; } 2>/dev/null
}
while IFS= read -r script; do
  ! is_shell "$script" || bash -n "$script" || bad=1
done < <(find .ci docs scripts tests -type f ! -path '*/corpus/*')
for script in scripts/_{packages,cross_root,deb_rpm} tests/cases/{_ci,_lib,_host} tests/integration/{_lib,_herd} tests/hosts/{_hosts,_runs} tests/release/_lib; do bash -n "$script" || bad=1; done
exit $bad
