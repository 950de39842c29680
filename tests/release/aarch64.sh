#!/usr/bin/env bash
# The archive for aarch64, emulated: in a root where it is alone with the emulator, and in one with busybox, where it gates
# the sample suite. The shells of the scripts are the builder's; gate and the trainer are aarch64's. Nothing is registered
# with the host's kernel.
. "$(dirname "$0")/_lib"

unpack aarch64
emulator=$(command -v qemu-aarch64-static)

empty_root empty
cp "$unpacked/bin/gate" "$root/bin/gate"
cp "$emulator" "$root/bin/"
mountable=no try_gate /bin/qemu-aarch64-static /bin/gate

busybox_root busybox
cp "$unpacked/bin/gate" "$root/bin/gate"
cp "$emulator" "$root/bin/"
try_gate /bin/qemu-aarch64-static /bin/gate
try_suite aarch64 /bin/qemu-aarch64-static /bin/gate
