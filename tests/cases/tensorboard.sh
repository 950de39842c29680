# Files of trackers: TensorBoard's event files, W&B's offline files, MLflow's metrics. Read beside logs, their checksums
# verified, several of one run.
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

# wandb FILE ID FIRST VALUE...   writes a loss a step from FIRST on
cat >wandb.py <<'PY'
import os, struct, sys, zlib

def field(number, payload):
    tag = number << 3 | 2
    head = bytes([tag]) if tag < 128 else bytes([tag & 127 | 128, tag >> 7])
    return head + bytes([len(payload)]) + payload

def item(name, value):
    return field(1, field(2, name.encode()) + field(16, value.encode()))

name, run, first = sys.argv[1], sys.argv[2].encode(), int(sys.argv[3])
os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
records = [field(17, field(1, run))]
for i, value in enumerate(sys.argv[4:]):
    records.append(field(2, item("train/loss", value) + item("_step", str(first + i))))
with open(name, "wb") as out:
    out.write(b":W&B\xe1\xbe\0")
    for record in records:
        out.write(struct.pack("<IHB", zlib.crc32(b"\1" + record), len(record), 1) + record)
PY
wandb() { python3 wandb.py "$@"; }

wandb w/run-1-abc/run-abc.wandb abc 1 2.5 2.25 2.125 2.0
wandb w/run-2-abc/run-abc.wandb abc 3 2.125 2.0 1.5
mkdir w/run-1-abc/files && echo '{"train/loss": 9, "_step": 4}' >w/run-1-abc/files/wandb-summary.json
wandb whole.wandb abc 1 2.5 2.25 2.125 2.0 1.5
expect_exit 0 gate extract w
expect_out 'format wandb'
expect_out_match '^lm_loss +step 1-5 +2.5 +1.5 '
expect_out 'attempt 2 resumed at step 3'
expect_exit 0 gate check w --baseline whole.wandb
wandb moved.wandb abc 1 2.5 2.25 2.125 2.25 1.5
expect_exit 1 gate check moved.wandb --baseline whole.wandb
expect_out 'step 4: 2.0 -> 2.25'
head -c -10 whole.wandb >cut.wandb
expect_exit 0 gate extract cut.wandb
expect_out_match '^lm_loss +step 1-4 '
expect_out_match 'torn +cut.wandb'
expect_exit 4 gate check cut.wandb --baseline whole.wandb
python3 -c 'b = bytearray(open("whole.wandb", "rb").read()); b[-6] ^= 1; open("bad.wandb", "wb").write(b)'
expect_exit 4 gate check bad.wandb --baseline whole.wandb
expect_out_match 'bad.wandb.*record 6.*CRC'

run=mlruns/0/4d5e6f
mkdir -p $run/metrics/train $run/params
echo 'step 1 loss: 9' >$run/params/note && echo 'status: 3' >$run/meta.yaml
for step in 1 2 3 4 5; do echo "170000000000$step 2.$step $step"; done >$run/metrics/train/loss
echo '1700000000005 0.5 5' >$run/metrics/my_score
expect_exit 0 gate extract $run
expect_out 'format mlflow'
expect_out_match '^lm_loss +step 1-5 +2.1 +2.5 '
expect_out_match '^my_score +step 5 '
expect_exit 0 gate compare $run $run/metrics/train/loss
expect_out 'equal at all 5 steps'
expect_exit 1 gate check $run --baseline whole.wandb

# As further logs of a case, with the link that the script prints.
suite
script a <<'SH'
#GATE steps=3
mkdir -p mlruns/0/4d5e6f/metrics
python3 "$WORK/wandb.py" wandb/run-1-x/run-x.wandb x 1 2.5 2.25 ${LAST:-2.0}
for step in 1 2 3; do echo "170000000000$step 0.$step $step"; done >mlruns/0/4d5e6f/metrics/grad_norm
echo 'wandb: View run brisk-lake at: https://wandb.ai/a/b/runs/x'
SH
cat >gate.toml <<'TOML'
[defaults]
devices = 0
log = ["wandb/**", "mlruns/**"]
[rules.lm_loss]
window = "all"
reduce = "each"
tolerance = "exact"
[rules.grad_norm]
window = "all"
reduce = "each"
tolerance = "exact"
TOML
export WORK
expect_exit 0 gate baseline record a
expect_exit 0 gate baseline accept a --reason "the first"
rm -r wandb mlruns
expect_exit 1 env LAST=2.125 "$GATE" run --report html=report.html
expect_out 'step 3: 2.0 -> 2.125'
expect_out 'W&B run https://wandb.ai/a/b/runs/x'
grep -q '<a href="https://wandb.ai/a/b/runs/x" rel="noreferrer">https://wandb.ai/a/b/runs/x</a>' report.html || broken 'no link in the report'
rm -r wandb mlruns
expect_exit 0 gate run
cd ..

# Files that others wrote, where they are at hand.
data=${GATE_REAL_DATA:-$SOURCE/../shared/data}/tfevents
[[ -d $data ]] || { echo "no event files of others here (GATE_REAL_DATA names their folder)" && exit 0; }
for real in "$data"/*; do
  expect_exit 0 gate extract "$real"
  expect_out 'format tensorboard'
  ! grep -q '^problems' "$WORK/.last/out" || broken "$real: $(grep -A3 '^problems' "$WORK/.last/out")"
done
