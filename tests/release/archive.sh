#!/usr/bin/env bash
# The archive for x86_64: what is in it, that its gate needs nothing but itself, and how large it is.
. "$(dirname "$0")/_lib"

the_sums_are_right() { (cd "$FILES" && sha256sum --quiet --strict -c SHA256SUMS); }

it_holds_what_it_should() {
  local file
  unpack x86_64
  for file in bin/gate lib/gate/gate-agent-x86_64 share/man/{man1/gate.1,man1/gate-run.1,man5/gate.toml.5} \
    share/{bash-completion/completions/gate,zsh/site-functions/_gate,fish/vendor_completions.d/gate.fish} \
    share/doc/gate/{README.md,LICENSE,built-with.txt,docs/how-to/ci.md,docs/zh/README.md,scripts/ci/github/action.yml} share/doc/gate/licences/{libre2-dev,libc6-dev,uplot}.txt; do
    [[ -s $unpacked/$file ]] || { echo "no $file in the archive" >&2 && exit 1; }
  done
  expect 0 "" test -z "$(find "$unpacked" ! -user 0 -o ! -group 0 -o -perm /022 ! -type l)"
}

it_works_in_an_empty_root() {
  empty_root empty
  cp "$unpacked/bin/gate" "$root/bin/gate"
  mountable=no try_gate /bin/gate
  mountable=no expect 0 'missing    bash: ' in_root /bin/gate --version -v
  cp "$unpacked/lib/gate/gate-agent-x86_64" "$root/bin/gate-agent"
  mountable=no expect 0 'gate-agent 1.' in_root /bin/gate-agent version
}

it_gates_the_sample_suite_beside_busybox() {
  [[ -n $(command -v busybox) && -n $(command -v bash-static) ]] || { missing "a root with busybox" "busybox-static and bash-static are not installed" && return; }
  busybox_root busybox
  cp "$unpacked/bin/gate" "$root/bin/gate"
  try_gate /bin/gate
  try_suite x86_64 /bin/gate
  [[ $mountable == no ]] || try_agent
}

# Nothing but busybox and bash is where the agent runs; what stands for ssh starts its line there.
try_agent() {
  local tries=0
  cp "$unpacked/lib/gate/gate-agent-x86_64" "$root/bin/gate-agent-x86_64"
  printf '#!/bin/sh\nwhile [ "$1" != -- ]; do shift; done\nexec sh -c "$3"\n' >"$root/bin/ssh"
  chmod +x "$root/bin/ssh"
  expect 0 "GREEN: 2 passed" in_root /bin/gate -C /suite run 'tinygpt/*' --platform cpu --hosts box
  expect 0 "cpu on box" in_root /bin/busybox cat /suite/.gate/latest/result.json
  expect 1 "RED: 1 regressed" in_root /bin/gate -C /suite run tinygpt/dp1 --platform cpu --hosts box -- --lr 0.01
  until no_session_is_left; do ((tries++ < 1200)) || expect 0 "" no_session_is_left; sleep 0.05; done
}

no_session_is_left() { [[ -z $(find "$root/tmp/.cache/gate/sessions" -mindepth 1) ]]; } # an agent goes somewhat later than its gate

it_is_small() {
  local bytes
  bytes=$(stat -c %s "$unpacked/bin/gate")
  echo "$bytes bytes"
  expect 0 "" test "$bytes" -le 16000000
  expect 0 "" test "$(stat -c %s "$unpacked/lib/gate/gate-agent-x86_64")" -le 3000000
}

the_sums_are_right
it_holds_what_it_should
it_works_in_an_empty_root
it_gates_the_sample_suite_beside_busybox
it_is_small
