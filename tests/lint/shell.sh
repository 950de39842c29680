#!/usr/bin/env bash
# Fails where a shell script does not parse, or where a test has a line `! command`: it fails nothing, whatever -e says; say
# `|| broken ...` behind it.   shell.sh TREE
cd "${1:?usage: shell.sh TREE}" || exit 2
bad=0
is_shell() {
  local first
  [[ $1 == *.sh ]] || { read -r first <"$1" && [[ $first == '#!'*sh ]]; } 2>/dev/null
}
while IFS= read -r script; do
  ! is_shell "$script" || bash -n "$script" || bad=1
done < <(find .ci docs scripts tests -type f ! -path '*/corpus/*')
for script in scripts/_{packages,cross_root,deb_rpm,whl} tests/cases/{_ci,_lib,_host} tests/integration/{_lib,_herd} tests/hosts/{_hosts,_runs} tests/release/_lib; do bash -n "$script" || bad=1; done
! grep -rnE '^\s*! [^|&\]*$' tests --include='*.sh' || bad=1
exit $bad
