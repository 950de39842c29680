#!/usr/bin/env bash
# Weights as outputs: a conversion there and back, one file or shards, each fault told, nothing old counted.
. "$(dirname "$0")/_lib"

cat >"$WORK/convert.py" <<'PY'
# Usage: convert.py FOLDER SHARDS [KEY=VALUE]...: writes weights, changed as the words say.
import json, os, struct, sys
folder, shards, words = sys.argv[1], int(sys.argv[2]), dict(w.split("=") for w in sys.argv[3:])
if words.get("value") == "another":  # each time
    open("count", "a").write(".")
    words["value"] = os.path.getsize("count")
bf16 = lambda *values: b"".join(struct.pack("<f", value)[2:] for value in values)
tensors = {"wte.weight": ("BF16", [2, 3], bf16(1, 2, 3, 4, float(words.get("value", 5)), 6)),
           "ln.bias": ("F32", [3], struct.pack("<3f", 0, 0.5, -1)),
           "step": ("I64", [], struct.pack("<q", 7)), "none": ("F16", [0], b"")}
if "drop" in words: del tensors[words["drop"]]
if "dtype" in words: tensors["ln.bias"] = (words["dtype"],) + tensors["ln.bias"][1:]
os.makedirs(folder, exist_ok=True)
names = sorted(tensors)
shard_of = {name: f"model-{at % shards + 1}.safetensors" if shards > 1 else "model.safetensors" for at, name in enumerate(names)}
for file in sorted(set(shard_of.values())):
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name in names:
        if shard_of[name] != file or words.get("lose") == name: continue
        dtype, shape, raw = tensors[name]
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header).encode()
    if file != words.get("skip"):
        open(f"{folder}/{file}", "wb").write(struct.pack("<Q", len(text)) + text + data[: len(data) - int(words.get("cut", 0))])
if shards > 1: json.dump({"metadata": {}, "weight_map": shard_of}, open(f"{folder}/model.safetensors.index.json", "w"))
PY

suite
python3 "$WORK/convert.py" golden 1
script convert <<<"python3 $WORK/convert.py out 2 \$WORDS"
cat >gate.toml <<'TOML'
[case.convert.outputs.hf]
file = "out/model.safetensors.index.json"
golden = "golden"
metric = "unequal_tensors"
tolerance = "<= 0"
[case.convert.outputs.near]
file = "out/model.safetensors.index.json"
golden = "golden/model.safetensors"
metric = "max_abs_error"
tolerance = "<= 0.01"
key = ["wte.*", "ln.*"]
TOML

expect_exit 0 gate run --report json=out.json
expect_json out.json '.cases[0].outputs[0].scores[0] | .compared == 4 and (.signature | test("^tensors:4\\|values:10\\|unequal:0\\|sha256:[0-9a-f]{64}$"))'
expect_file ".gate/runs/$(latest)/convert/outputs/hf/model-2.safetensors"
expect_exit 0 gate run --determinism 2
expect_out 'output hf'
expect_exit 1 gate run --determinism 2 --env WORDS=value=another
expect_out 'not deterministic: output hf of run 2'

# --- each fault is told ------------------------------------------------------------------------------
expect_exit 1 gate run --env WORDS=value=5.0625 --report json=out.json
expect_out 'hf.unequal_tensors: 1 of 4 tensors differs'
expect_out 'wte.weight[1, 1], the first and the worst'
expect_out 'golden  5'
expect_out 'actual  5.0625'
expect_out 'near.max_abs_error'
expect_json out.json '.cases[0].outputs[1].scores[0] | .value == 0.0625 and .first.place == "wte.weight[1, 1]" and .first.number == 5'
expect_exit 1 gate run --env WORDS=value=nan
expect_exit 0 gate run --env WORDS=drop=step --set outputs.hf.metric=max_abs_error --set 'outputs.hf.key=wte.*'
expect_exit 1 gate run --env WORDS=drop=ln.bias
expect_out 'golden  F32 3'
expect_out 'other tensors than the golden ones: ln.bias is missing'
expect_exit 1 gate run --env WORDS=dtype=I32
expect_out 'actual  I32 3'
for row in 'cut=1|the file is cut off' 'skip=model-2.safetensors|the script wrote no such file' 'lose=step|which model.safetensors.index.json says it has'; do
  rm -rf out
  expect_exit 4 gate run --env "WORDS=${row%|*}"
  expect_out "${row#*|}"
done

# --- a shard of an earlier launch does not count, and is not lost ----------------------------------------
python3 "$WORK/convert.py" out 2
cp out/model-2.safetensors kept
expect_exit 4 gate run --env WORDS=skip=model-2.safetensors
expect_out 'the script wrote no such file that matches out/model*.safetensors'
expect_same kept out/model-2.safetensors

# --- weights that change while a script runs are no golden ones --------------------------------------------
cp golden/model.safetensors golden.kept
echo "python3 $WORK/convert.py golden 1 value=9" >>scripts/convert.sh
expect_exit 3 gate run
expect_out 'was written while the script ran'
cp golden.kept golden/model.safetensors

# --- gate score ---------------------------------------------------------------------------------------
for metric in unequal_tensors max_abs_error mean_abs_error rmse max_relative_error; do
  expect_exit 0 gate score out golden --metric $metric --tolerance '<= 0'
done
cp out/model-2.safetensors out/real && ln -sf real out/model-2.safetensors
expect_exit 4 gate score out golden --metric unequal_tensors --tolerance '<= 0'
expect_out 'is a symbolic link'
expect_exit 3 gate score golden out --metric unequal_tensors --tolerance '<= 0'
expect_exit 4 gate score golden golden/model.safetensors --metric unequal_tensors --tolerance '<= 0'
expect_out 'is the golden file itself'
expect_exit 3 gate score out golden --metric rmse --key 'wpe.*'
for file in model.bin model.pt model.pth model.ckpt pytorch_model.bin.index.json; do
  expect_exit 2 gate score "$file" golden --metric max_abs_error
  expect_err 'safe_serialization=True'
done
expect_exit 2 gate score golden/model.safetensors out --metric cosine
expect_err 'cosine is no metric of weights; those are unequal_tensors'
