# TensorBoard event files: read beside logs, their checksums verified, several of one run.
. "$(dirname "$0")/_lib"

# events FILE TAG FIRST VALUE...   writes a scalar a step from FIRST on
events() {
  python3 - "$@" <<'PY'
import struct, sys

def crc(data):
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
    value ^= 0xFFFFFFFF
    return ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF

def record(data):
    length = struct.pack("<Q", len(data))
    return length + struct.pack("<I", crc(length)) + data + struct.pack("<I", crc(data))

def field(number, payload):
    return bytes([number << 3 | 2, len(payload)]) + payload

name, tag, first = sys.argv[1], sys.argv[2].encode(), int(sys.argv[3])
out = record(b"\x09" + struct.pack("<d", 1.0) + field(3, b"brain.Event:2"))
for i, value in enumerate(sys.argv[4:]):
    scalar = field(1, tag) + b"\x15" + struct.pack("<f", float(value))
    out += record(b"\x09" + struct.pack("<d", 2.0 + i) + bytes([0x10, first + i]) + field(5, field(1, scalar)))
open(name, "wb").write(out)
PY
}

mkdir tb
events tb/events.out.tfevents.1.host 'lm loss' 1 2.5 2.25 2.125 2.0
expect_exit 0 gate extract tb --format csv
expect_out 'lm_loss,,4,2,,tb/events.out.tfevents.1.host,'
expect_exit 0 gate extract tb
expect_out 'format tensorboard'

# A run that goes on writes a file of its own.
events tb/events.out.tfevents.2.host 'lm loss' 3 2.0625 1.5 1.25
expect_exit 0 gate extract tb
expect_out_match '^lm_loss +step 1-5 +2.5 +1.25 '
expect_out 'attempt 2 resumed at step 3'
rm tb/*.2.host

# Judged, against itself and against a run that moved.
cp -r tb moved
events moved/events.out.tfevents.1.host 'lm loss' 1 2.5 2.25 2.375 2.0
expect_exit 0 gate check tb --baseline tb/events.out.tfevents.1.host
expect_exit 1 gate check moved --baseline tb/events.out.tfevents.1.host
expect_out 'step 3: 2.125 -> 2.375'

# A tag that means no known metric is one of its own.
events own.tfevents 'my score/x' 0 0.5 0.75
expect_exit 0 gate extract own.tfevents
expect_out_match '^my_score/x +step 0, 1 +0.5 +0.75 '

# Cut off: what was whole is there. A flipped byte: said, and not read.
file=tb/events.out.tfevents.1.host
head -c -10 $file >cut.tfevents
expect_exit 0 gate extract cut.tfevents
expect_out_match '^lm_loss +step 1-3 '
expect_out_match 'torn +cut.tfevents'
expect_exit 4 gate check cut.tfevents --baseline $file
python3 -c 'import sys; b = bytearray(open(sys.argv[1], "rb").read()); b[-6] ^= 1; open("bad.tfevents", "wb").write(b)' $file
expect_exit 0 gate extract bad.tfevents
expect_out_match '^lm_loss +step 1-3 '
expect_out_match 'bad.tfevents.*record 5.*checksum|bad.tfevents.*CRC'
expect_exit 4 gate check bad.tfevents --baseline $file

# Files that others wrote, where they are at hand.
data=${GATE_REAL_DATA:-$SOURCE/../shared/data}/tfevents
[[ -d $data ]] || { echo "no event files of others here (GATE_REAL_DATA names their folder)" && exit 0; }
for real in "$data"/*; do
  expect_exit 0 gate extract "$real"
  expect_out 'format tensorboard'
  ! grep -q '^problems' "$WORK/.last/out" || broken "$real: $(grep -A3 '^problems' "$WORK/.last/out")"
done
