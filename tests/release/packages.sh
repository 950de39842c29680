#!/usr/bin/env bash
# The packages of both architectures: lintian finds no error, and each is installed into a root of its own, runs there, and
# leaves nothing behind when it is removed; with gate-worker, which asks for the librdkafka of its host.
. "$(dirname "$0")/_lib"

# What is below the root and not of the package tools.
things_in() { (cd "$1" && find . \( -path ./var -o -path ./etc \) -prune -o ! -type d -print -o -type d -path '*gate*' -print | sort); }

# worker_runs ROOT ARCH: the gate-worker installed in it does, with the C library and the librdkafka of this host.
worker_runs() {
  [[ $2 == x86_64 ]] || return 0
  local library
  for library in $(ldd "$1/usr/bin/gate-worker" | grep -oE '/[^ ]+'); do install -D "$library" "$1/$library"; done
  expect 0 "gate-worker $VERSION" chroot "$1" /usr/bin/gate-worker --version
}

# Take the libraries away again, and the links by which they are found.
without_libraries() { rm -rf "${1:?}"/lib* "${1:?}"/usr/lib/*-linux-gnu; }

# runs ROOT ARCH: the gate installed in it does.
runs() {
  if [[ $2 == x86_64 ]]; then
    expect 0 "gate $VERSION" chroot "$1" /usr/bin/gate --version
  else
    expect 0 "gate $VERSION" "qemu-$2-static" "$1/usr/bin/gate" --version
  fi
}

lintian_is_content() {
  local package
  for package in "$FILES"/gate{,-worker}_"$VERSION"*.deb; do
    expect 0 "" lintian --allow-root --fail-on error "$package"
  done
}

# try_deb DEB ARCH DEB-ARCH
try_deb() {
  local root=$WORK/deb-$2 tool
  mkdir -p "$root"/var/lib/dpkg/{info,updates,triggers}
  touch "$root"/var/lib/dpkg/{status,available}
  printf '%s\n' amd64 "$3" | sort -u >"$root/var/lib/dpkg/arch"
  tool=(dpkg --root="$root" --log="$WORK/dpkg.log" --force-not-root --force-script-chrootless)
  expect 0 "" "${tool[@]}" --install "$1"
  expect 0 "install ok installed" dpkg-query --root="$root" -W -f '${Status} ${Version}\n' gate
  expect 0 "" "${tool[@]}" --verify gate
  runs "$root" "$2"
  expect 0 "" "${tool[@]}" --force-depends --install "${1/gate_/gate-worker_}"
  expect 0 "gate (= $VERSION-1), libc6 (>= 2." dpkg-query --root="$root" -W -f '${Depends}\n' gate-worker
  expect 1 "depends on gate (= $VERSION-1)" "${tool[@]}" --purge gate
  worker_runs "$root" "$2"
  without_libraries "$root"
  expect 0 "" "${tool[@]}" --purge gate-worker gate
  expect 0 "" test -z "$(things_in "$root")"
}

# try_rpm RPM ARCH
try_rpm() {
  local root=$WORK/rpm-$2 tool
  mkdir -p "$root"
  tool=(rpm --root "$root" --dbpath /var/lib/rpm)
  expect 0 "" "${tool[@]}" --initdb
  expect 0 "" "${tool[@]}" --install --ignorearch --nosignature "$1"
  expect 0 "gate-$VERSION-1.$2" "${tool[@]}" -q gate
  expect 0 "" "${tool[@]}" --verify --nomtime gate
  expect 0 "share/doc/gate/LICENSE" "${tool[@]}" -q --docfiles gate
  runs "$root" "$2"
  expect 1 "librdkafka.so.1()(64bit) is needed by gate-worker" "${tool[@]}" --install --ignorearch --nosignature "${1/gate-/gate-worker-}"
  expect 0 "" "${tool[@]}" --install --nodeps --ignorearch --nosignature "${1/gate-/gate-worker-}"
  worker_runs "$root" "$2"
  without_libraries "$root"
  expect 0 "" "${tool[@]}" --erase gate-worker gate
  expect 0 "" test -z "$(things_in "$root")"
}

lintian_is_content
try_deb "$FILES/gate_$VERSION-1_amd64.deb" x86_64 amd64
try_deb "$FILES/gate_$VERSION-1_arm64.deb" aarch64 arm64
try_rpm "$FILES/gate-$VERSION-1.x86_64.rpm" x86_64
try_rpm "$FILES/gate-$VERSION-1.aarch64.rpm" aarch64
