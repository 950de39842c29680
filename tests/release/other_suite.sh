#!/usr/bin/env bash
# The .deb and the wheel for x86_64 in another Debian than the builder's: installed by that one's dpkg, gate gates the sample
# suite beside that one's libraries and shells, and is removed; that one's pip installs the wheel. The root is made once, from the sources that apt is configured with, and
# kept packed in build/release-roots.
. "$(dirname "$0")/_lib"

roots=$SOURCE/build/release-roots

# Each mirror and the Debian it is asked for.
mirrors() {
  apt-get indextargets --format '$(SITE) $(CODENAME) $(REPO_URI)' 'Created-By: Packages' 'Component: main' | awk '$2 !~ /-/ { print $3 }' | sort -u
}

# make_root SUITE: roots/SUITE.tar, if there is none yet.
make_root() {
  local suite=$1 mirror
  [[ ! -f $roots/$suite.tar ]] || return 0
  for mirror in $(mirrors); do
    rm -rf "${WORK:?}/made"
    debootstrap --variant=minbase --include=python3-venv "$suite" "$WORK/made" "$mirror" >"$WORK/debootstrap.log" 2>&1 || continue
    tar -C "$WORK/made" --exclude './var/cache/apt/*' --exclude './var/lib/apt/lists/*' --exclude './dev/*' -cf "$roots/$suite.tar.next" .
    mv "$roots/$suite.tar.next" "$roots/$suite.tar"
    rm -rf "${WORK:?}/made"
    return 0
  done
  tail -n 3 "$WORK/debootstrap.log" 2>/dev/null || true
  return 1
}

try_suite_of() {
  local suite=$1
  empty_root "$suite"
  rmdir "$root/bin"
  tar -C "$root" -xf "$roots/$suite.tar"
  add_suite
  cp "$FILES/gate_$VERSION-1_amd64.deb" "$root/gate.deb"
  expect 0 "" in_root dpkg --install /gate.deb
  expect 0 "" in_root dpkg --verify gate
  try_gate /usr/bin/gate
  try_suite x86_64 gate
  expect 0 "" in_root dpkg --purge gate
  expect 0 "" test -z "$(find "$root/usr" -name gate -o -name 'gate.*' -o -name _gate)"
  cp "$FILES/llm_gate-$VERSION-py3-none-"*x86_64.whl "$root"
  expect 0 "" in_root python3 -m venv /venv
  expect 0 "" in_root /venv/bin/pip install --no-index "/$(cd "$root" && echo llm_gate-*.whl)"
  try_gate /venv/bin/gate
  echo "tried in $suite"
}

mkdir -p "$roots"
tried=0
for suite in bullseye trixie; do
  if make_root "$suite"; then
    try_suite_of "$suite"
    tried=$((tried + 1))
  else
    missing "$suite" "no mirror of apt's has it"
  fi
done
((tried > 0)) || skip "no other Debian could be made"
