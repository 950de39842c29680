#!/usr/bin/env bash
# The packages of both architectures: lintian finds no error, and each is installed into a root of its own, runs there, and
# leaves nothing behind when it is removed.
. "$(dirname "$0")/_lib"

# What is below the root and not of the package tools.
things_in() { (cd "$1" && find . \( -path ./var -o -path ./etc \) -prune -o ! -type d -print -o -type d -path '*gate*' -print | sort); }

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
  for package in "$FILES"/gate_"$VERSION"*.deb; do
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
  expect 0 "" "${tool[@]}" --purge gate
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
  expect 0 "" "${tool[@]}" --erase gate
  expect 0 "" test -z "$(things_in "$root")"
}

lintian_is_content
try_deb "$FILES/gate_$VERSION-1_amd64.deb" x86_64 amd64
try_deb "$FILES/gate_$VERSION-1_arm64.deb" aarch64 arm64
try_rpm "$FILES/gate-$VERSION-1.x86_64.rpm" x86_64
try_rpm "$FILES/gate-$VERSION-1.aarch64.rpm" aarch64
