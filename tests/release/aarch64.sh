#!/usr/bin/env bash
# The archive for aarch64, emulated: in a root where it is alone with the emulator, and in one with busybox, where it gates
# the sample suite. The shells of the scripts are the builder's; gate and the trainer are aarch64's. Nothing is registered
# with the host's kernel. The wheel is installed for that architecture by the builder's pip.
. "$(dirname "$0")/_lib"

unpack aarch64
emulator=$(command -v qemu-aarch64-static)

empty_root empty
cp "$unpacked/bin/gate" "$root/bin/gate"
cp "$emulator" "$root/bin/"
mountable=no try_gate /bin/qemu-aarch64-static /bin/gate

python3 -m venv "$WORK/env"
expect 0 "" "$WORK/env/bin/pip" install --no-index --only-binary :all: --platform manylinux2014_aarch64 --target "$root/installed" \
  "$FILES/llm_gate-$VERSION-py3-none-"*aarch64.whl
mountable=no try_gate /bin/qemu-aarch64-static /installed/bin/gate

busybox_root busybox
cp "$unpacked/bin/gate" "$root/bin/gate"
cp "$emulator" "$root/bin/"
try_gate /bin/qemu-aarch64-static /bin/gate
try_suite aarch64 /bin/qemu-aarch64-static /bin/gate
