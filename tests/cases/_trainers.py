#!/usr/bin/env python3
"""Trains nothing. Under the names torchrun, python and python3, first on PATH, it reads the words that a case of a real
checkout passes, refuses what the tool would refuse, and prints the tool's own lines.

Beside it lie:
  fault    lines `CASE KIND`: what goes wrong in a case (see FAULTS)
  image/   what stands at the root of the image that the case expects: /data, /home/ci_resource, ...
  words    each call: the case, its words, one a line, and `--`

Numbers are those of the case's golden file in the checkout, read as the tool wrote them; without one, a curve that falls.
"""
import argparse, ast, glob, importlib, json, os, re, struct, subprocess, sys, time, types

HERE = os.path.dirname(os.path.abspath(sys.argv[0]))
CASE = os.environ.get("GATE_CASE", "")
GOLDENS = os.environ.get("GOLDENS", ".")  # the checkout as it was
FAULTS = "loss nan slow memory cut exit hang rank last resume".split()


def fault():
    path = os.path.join(HERE, "fault")
    found = [line.split()[1] for line in open(path) if line.split()[0] == CASE] if os.path.exists(path) else []
    assert all(kind in FAULTS for kind in found), found
    return found[0] if found else ""


FAULT = fault()
SECOND = os.environ.get("RUN_NUMBER") == "2"


def refuse(why):
    sys.exit(f"{os.path.basename(sys.argv[0])}: error: {why}")


def in_image(path):
    return os.path.exists(path) or os.path.exists(HERE + "/image" + path)


def say(line):
    print(line, flush=True)


# --- numbers ----------------------------------------------------------------------------------------

class Curve:
    """steps; loss(step), seconds(step), memory(step), each with the fault in it; None: the tool prints none there."""

    def __init__(self, last, golden=None, first=1):
        self.golden = golden or {}
        self.first, self.last = first, last
        middle = first + (last - first) // 2
        self.off_from = middle if FAULT in ("loss", "nan") else first if FAULT == "resume" and SECOND else last + 1
        self.end = {"cut": first, "last": max(first, last - max(1, (last - first) // 5)), "hang": first + 1}.get(FAULT, last)

    def steps(self):
        return range(self.first, min(self.end, self.last) + 1)

    def value(self, name, step, otherwise):
        values = self.golden.get(name)
        return otherwise if values is None else values.get(step)

    def off(self, loss, step):
        if loss is None or step < self.off_from: return loss
        return float("nan") if FAULT == "nan" else loss * 1.06 + 0.01

    def loss(self, step): return self.off(self.value("loss", step, 9.0 - 4.0 * step / (step + 10)), step)
    def norm(self, step): return self.value("norm", step, 1.5)

    def seconds(self, step):
        taken = self.value("seconds", step, 0.5)
        return None if taken is None else taken * (1.25 if FAULT == "slow" else 1)

    def more(self): return 1.3 if FAULT == "memory" else 1.0


def by_step(values, total):
    """What the first lines lack, as where an iteration was skipped, is missing at the beginning."""
    return {total - len(values) + i + 1: float(value) for i, value in enumerate(values)} if values else None


def finish():
    """How it ends, after its last line."""
    if FAULT == "hang": time.sleep(1000)
    if FAULT == "exit":
        say("torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ")
        say("  exitcode  : 1 (pid: 4242)")
        sys.exit(1)


# --- event files ------------------------------------------------------------------------------------

def crc_table():
    for byte in range(256):
        for _ in range(8): byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        yield byte


TABLE = list(crc_table())


def masked_crc(data):
    value = 0xFFFFFFFF
    for byte in data: value = TABLE[(value ^ byte) & 0xFF] ^ value >> 8
    value ^= 0xFFFFFFFF
    return ((value >> 15 | value << 17) + 0xA282EAD8) & 0xFFFFFFFF


def varint(number):
    out = b""
    while number > 127: out, number = out + bytes([number & 127 | 128]), number >> 7
    return out + bytes([number])


class Events:
    def __init__(self, folder):
        os.makedirs(folder, exist_ok=True)
        self.out = open(os.path.join(folder, f"events.out.tfevents.{int(time.time())}.host.{os.getpid()}.0"), "wb")
        self.record(b"\x09" + struct.pack("<d", 1.0) + b"\x1a\x0dbrain.Event:2")

    def record(self, data):
        length = struct.pack("<Q", len(data))
        self.out.write(length + struct.pack("<I", masked_crc(length)) + data + struct.pack("<I", masked_crc(data)))

    def add(self, tag, number, step):
        if number is None: return
        value = b"\x0a" + varint(len(tag)) + tag.encode() + b"\x15" + struct.pack("<f", number)
        summary = b"\x0a" + varint(len(value)) + value
        self.record(b"\x09" + struct.pack("<d", 2.0 + step) + b"\x10" + varint(step) + b"\x2a" + varint(len(summary)) + summary)


# --- Megatron-LM, MindSpeed-LLM, MindSpeed-MM ---------------------------------------------------------

def megatron_words(words):
    parser = argparse.ArgumentParser(prog="pretrain", allow_abbrev=False)
    for name, kind in (("train-iters", int), ("exit-interval", int), ("log-interval", int), ("micro-batch-size", int),
                       ("global-batch-size", int), ("lr", float), ("tensor-model-parallel-size", int),
                       ("pipeline-model-parallel-size", int), ("context-parallel-size", int), ("save-interval", int)):
        parser.add_argument("--" + name, type=kind)
    for name in "save load tensorboard-dir data-path vocab-file merge-file tokenizer-model tokenizer-name-or-path mm-data mm-model mm-tool fsdp2-config-path".split():
        parser.add_argument("--" + name, nargs="*" if name == "data-path" else None)
    for name in "log-throughput log-timers-to-tensorboard log-memory-to-tensorboard log-num-zeros-in-grad log-params-norm mock-data".split():
        parser.add_argument("--" + name, action="store_true")
    args, _ = parser.parse_known_args(words)
    return args


def check_megatron(args):
    for name in ("train_iters", "lr", "micro_batch_size"):
        if getattr(args, name) is None: refuse(f"--{name.replace('_', '-')} is missing")
    for name in "vocab_file merge_file tokenizer_model tokenizer_name_or_path mm_data mm_model mm_tool fsdp2_config_path".split():
        path = getattr(args, name)
        if path and path.startswith("/") and not in_image(path): refuse(f"--{name}: no such file: {path}")
    for path in args.data_path or []:
        if path.startswith("/") and not any(in_image(path + end) for end in ("", ".bin")): refuse(f"no data: {path}")


def megatron_golden(total):
    """Of a case of Megatron-LM: {tag: {step: value}}."""
    platform = os.environ.get("GOLDEN", "dev_dgx_h100")
    path = f"{GOLDENS}/tests/functional_tests/test_cases/{CASE}/golden_values_{platform}.json"
    if not os.path.exists(path): return {}
    return {tag: {int(step): float(value) for step, value in series["values"].items() if value != "nan"}
            for tag, series in json.load(open(path)).items()}


def mindspeed_golden(total):
    name = CASE.rpartition("/")[2]
    for path in ("tests/st/baseline_results/", "tests/pipeline/st/baseline/"):
        path = f"{GOLDENS}/{path}{name}.json"
        if os.path.exists(path): return mindspeed_series(json.load(open(path)), total)
    return {}


def mindspeed_series(golden, total):
    times, losses = golden.get("time info", golden.get("time")) or [], golden.get("lm loss", golden.get("loss")) or []
    losses = losses[:1] * (len(times) - len(losses)) + losses  # a time stands where a loss does
    return {"loss": by_step(losses, total), "norm": by_step(golden.get("grad norm"), total),
            "seconds": by_step([ms / 1000 for ms in times], total),
            "throughput": by_step(golden.get("throughput"), total), "memory": golden.get("memo info") or []}


def megatron_lm(args):
    """Training, as Megatron-LM logs it: the line of the last rank, and the event file."""
    golden = megatron_golden(args.train_iters)
    last = min(args.train_iters, args.exit_interval or args.train_iters)
    first = 1
    tracker = os.path.join(args.load or "", "latest_checkpointed_iteration.txt")
    if args.load and os.path.exists(tracker): first = int(open(tracker).read()) + 1
    curve = Curve(last, {"loss": golden.get("lm loss"), "seconds": golden.get("iteration-time")}, first)
    events = Events(args.tensorboard_dir) if args.tensorboard_dir else None
    for step in curve.steps():
        numbers = {"lm loss": curve.loss(step), "iteration-time": curve.seconds(step)}
        for tag, values in golden.items(): numbers.setdefault(tag, values.get(step))
        for tag in numbers:
            if tag.startswith("mem-") and numbers[tag]: numbers[tag] *= curve.more()
        if step % (args.log_interval or 100) == 0: megatron_line(args, curve, step, numbers)
        if step == first: megatron_memory([{"rank": rank, "allocated memory": (numbers.get("mem-allocated-bytes") or 2**30) / 2**20,
                                            "max allocated memory": (numbers.get("mem-max-allocated-bytes") or 2**31) / 2**20}
                                           for rank in range(args.tensor_model_parallel_size or 1)], step, 1.0)
        if events:
            for tag, number in numbers.items(): events.add(tag, number, step)
    if events: events.out.close()
    if args.save:
        os.makedirs(args.save, exist_ok=True)
        with open(os.path.join(args.save, "latest_checkpointed_iteration.txt"), "w") as out: out.write(str(last))
    finish()


def megatron_line(args, curve, step, numbers, name="lm loss"):
    taken, loss = curve.seconds(step), curve.loss(step)
    nan = loss is not None and loss != loss
    line = (f" [2026-11-01 10:{step // 60:02}:{step % 60:02}] iteration {step:8d}/{curve.last:8d} | "
            f"consumed samples: {step * (args.global_batch_size or 8):12d} | "
            f"elapsed time per iteration (ms): {1000 * (taken if taken is not None else 20.0):.1f} |")
    if args.log_throughput: line += f" throughput per GPU (TFLOP/s/GPU): {curve.value('throughput', step, 100.0 / (taken or 1)):.1f} |"
    line += f" learning rate: {args.lr:.6E} | global batch size: {args.global_batch_size or 8:5d} |"
    if loss is not None and not nan: line += f" {name}: {loss:.6E} |"
    line += f" loss scale: 1.0 | grad norm: {curve.norm(step) or 1.0:.3f} |"
    if args.log_num_zeros_in_grad: line += f" num zeros: {numbers.get('num-zeros') or 0:.0f} |"
    say(line + f" number of skipped iterations: {int(loss is None):3d} | number of nan iterations: {int(nan):3d} |")


def megatron_memory(ranks, step, more):
    if FAULT == "rank": ranks = ranks[:-1]
    for rank in ranks:
        now, most = rank["allocated memory"] * more, rank["max allocated memory"] * more
        say(f"[Rank {rank['rank']}] (after {step} iterations) memory (MB) | allocated: {now} | max allocated: {most} | "
            f"reserved: {most + 100:.1f} | max reserved: {most + 100:.1f}")


def mindspeed(args):
    golden = mindspeed_golden(args.train_iters)
    curve = Curve(args.train_iters, golden)
    one_rank = [{"rank": 0, "allocated memory": 1000.0, "max allocated memory": 2000.0}]
    for step in curve.steps():
        megatron_line(args, curve, step, {}, "lm loss" if os.path.isdir("mindspeed_llm") else "loss")
        if step == 1: megatron_memory(golden.get("memory", one_rank), step, curve.more())
    finish()


def infer(words):
    check_megatron(megatron_words(words))
    for step in range(3): say(f"{step + 1}/3 prompts | 10.0 s")
    finish()


def yaml_number(path, *keys):
    for key in keys:
        found = re.search(rf"^\s+{key}\s*:\s*(\d+)", open(path).read(), re.M)
        if found: return int(found.group(1))
    refuse(f"{path} has no {' or '.join(keys)}")


def llm_fsdp2(config, words):
    """train_fsdp2.py CONFIG --section.key VALUE...: a line of TrainMonitor for each step."""
    for i, word in enumerate(words):
        if word.startswith("/") and not in_image(word): refuse(f"{words[i - 1]}: no such file: {word}")
    golden = mindspeed_golden(yaml_number(config, "max_steps"))
    curve = Curve(yaml_number(config, "max_steps"), golden)
    peaks = by_step([entry["max allocated memory"] for entry in golden.get("memory", [])], curve.last) or {}
    for step in curve.steps():
        loss, taken = curve.loss(step), curve.seconds(step) or 1.0
        say(f" iteration {step:8d}/{curve.last:8d} | consumed samples: {step * 16:10d} | consumed tokens: {step * 65536:10d} | "
            f"elapsed time per iteration (ms): {1000 * taken:.2f} | tokens/s: {65536 / taken:.2f} | mfu: 0.30 | "
            f"learning rate: 1.000000E-05 | global batch size:    16 | lm loss: {loss:.6E} | mtp loss: 0.000000E+00 | "
            f"grad norm: {curve.norm(step):.3f} | max_memory_allocated(GB): {peaks.get(step, 30.0) * curve.more():.2f} | "
            f"max_memory_reserved(GB): {peaks.get(step, 30.0) * curve.more() + 1:.2f} |")
    finish()


def mm_fsdp(config):
    """trainer.py CONFIG, pretrain_transformers.py CONFIG: a line of TrainEngine for each step, behind what logging says."""
    golden = mindspeed_golden(yaml_number(config, "train_iters"))
    curve = Curve(yaml_number(config, "train_iters"), golden)
    for step in curve.steps():
        say(f"2026-11-01 10:00:{step:02} [INFO] mindspeed_mm.fsdp.train.train_engine:  [2026-11-01 10:00:{step:02}] iteration {step:8d}/{curve.last:8d} | "
            f"consumed samples: {step * 8:12d} | elapsed time per iteration (ms): {1000 * curve.seconds(step):.1f} | "
            f"learning rate: 1.000000E-05 | global batch size:     8 | loss: {curve.loss(step):.6E} | grad norm: {curve.norm(step):.3f} |")
        if step == 1: megatron_memory(golden.get("memory", []), step, curve.more())
    finish()


# --- torchtitan ---------------------------------------------------------------------------------------

def titan(words, launcher):
    parser = argparse.ArgumentParser(prog="torchtitan.train", allow_abbrev=False)
    for name in ("module", "config"): parser.add_argument("--" + name, required=True)
    parser.add_argument("--dump_folder", default="./outputs")
    parser.add_argument("--training.steps", type=int, dest="steps")
    parser.add_argument("--metrics.log_freq", type=int, dest="log_freq", default=10)
    parser.add_argument("--metrics.enable_tensorboard", action="store_true", dest="tensorboard")
    parser.add_argument("--debug.deterministic", action="store_true")
    parser.add_argument("--debug.seed", type=int)
    args, unknown = parser.parse_known_args(words)
    if not args.steps: refuse("--training.steps is missing")
    if not any(os.path.isdir(root + args.module) for root in ("torchtitan/models/", "torchtitan/experiments/")): refuse(f"no module {args.module}")
    golden = next((path for path in (f"tests/assets/losses/{CASE}.txt",
                                     f"torchtitan/experiments/rl/tests/assets/losses/{CASE}.txt") if os.path.exists(path)), None)
    losses = None
    if golden: losses = {int(step): float(loss) for step, loss, *_ in (line.split() for line in open(golden) if not line.startswith("#"))}
    curve = Curve(args.steps, {"loss": losses})
    events = Events(os.path.join(args.dump_folder, "tb", "20261101-1000")) if args.tensorboard else None
    ranks = [int(rank) for rank in launcher.local_ranks_filter.split(",")]
    if FAULT == "rank": ranks = ranks[:-1]
    for step in curve.steps():
        loss, tps, memory = curve.loss(step), 8192 / curve.seconds(step), 1.31 * curve.more()
        for rank in ranks if step % args.log_freq == 0 or step == 1 else []:
            say(f"[rank{rank}]:[titan] 2026-11-01 10:00:{step % 60:02},123 - root - INFO - \x1b[31mstep: {step:2}  \x1b[32mloss: {loss:8.5f}  "
                f"\x1b[38;2;180;60;0mgrad_norm: {1.5:7.4f}  \x1b[38;2;54;234;195mmemory: {memory:5.2f}GiB({memory / 0.95:.2f}%)  "
                f"\x1b[34mtps: {round(tps):,}  \x1b[36mtflops: {tps / 14000:,.2f}  \x1b[35mmfu: {tps / 140000:.2f}%\x1b[39m")
        if events:
            for tag, number in (("loss_metrics/global_avg_loss", loss), ("grad_norm", 1.5), ("throughput(tps)", tps),
                                ("memory/max_reserved(GiB)", memory)): events.add(tag, number, step)
    if events: events.out.close()
    if FAULT == "": say("[rank0]:[titan] 2026-11-01 10:01:40,001 - root - INFO - Training completed")
    finish()


# --- FlagPerf -----------------------------------------------------------------------------------------

class Anything(types.ModuleType):
    """What a module of the image is to a config that imports it."""
    def __getattr__(self, name):
        if name.startswith("__"): raise AttributeError(name)
        return Anything(name)
    def __call__(self, *args, **kwargs): return self


def flagperf(script, words):
    """A rank of run_pretraining.py: FlagPerf's own reading of the layers, and its own logger."""
    home = os.path.dirname(os.path.abspath(script))
    sys.path[:0] = [home, os.path.dirname(os.path.dirname(home))]
    for name in ("torch", "numpy"): sys.modules.setdefault(name, Anything(name))
    from driver import config_manager, perf_logger, Event
    parser = argparse.ArgumentParser()
    for name in "extern_module_dir extern_config_dir extern_config_file data_dir vendor".split(): parser.add_argument("--" + name, required=True)
    parser.add_argument("--enable_extern_config", action="store_true")
    known, unknown = parser.parse_known_args(words)
    if not os.path.isdir(known.extern_module_dir): refuse(f"no folder {known.extern_module_dir}")
    config = importlib.import_module("config")
    mutable = getattr(config, "mutable_params")
    mutable = getattr(mutable, "mutable_params", mutable)
    config_manager.activate(config, mutable, known.extern_config_dir, known.extern_config_file, known.enable_extern_config, known, unknown)
    for key in ("train_data", "eval_data", "init_checkpoint"):
        path = getattr(config, key, None)
        if path and not os.path.exists(os.path.join(known.data_dir, path)): refuse(f"{key}: no such file: {path}")
    rank = int(os.environ["RANK"])
    logger = perf_logger.PerfLogger.get_default_logger(rank=rank)
    events(config, logger, Event, script, rank)


def events(config, logger, Event, script, rank):
    import logging
    logger.logger.addHandler(logging.StreamHandler(sys.stdout))
    if rank: return
    logger.log(Event.INIT_START)
    logger.log(Event.TRAIN_START)
    curve = Curve(20)
    sources = glob.glob(os.path.dirname(script) + "/train/*.py") + [script]
    tells_steps = any("STEP_END" in open(path).read() for path in sources)
    for step in curve.steps():
        if not tells_steps: break
        logger.log(Event.STEP_BEGIN, step=step)
        logger.log(Event.STEP_END, message={"global_steps": step, "loss": curve.loss(step), "learning_rate": 1e-5,
                                            "seq/s": 800.0 / curve.seconds(step)}, stacklevel=4)
    if FAULT in ("hang", "exit", "cut", "last"): return finish()
    logger.log(Event.TRAIN_END)
    logger.log(Event.FINISHED, message=finished(script, config, curve), stacklevel=0)


def finished(script, config, curve):
    """A number for each key that the model's own finished_info has."""
    keys = []
    for node in ast.walk(ast.parse(open(script).read())):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict) and getattr(node.targets[0], "id", "") == "finished_info":
            found = [key.value for key in node.value.keys]
            if len(found) > len(keys): keys = found
    target = max([value for name, value in vars(config).items() if name.startswith("target_") and isinstance(value, (int, float))] or [0.9])
    losses = [value for name, value in vars(config).items() if re.fullmatch(r"target_\w*loss", name) and isinstance(value, float)]
    slower = 1.25 if FAULT == "slow" else 1.0
    info = {}
    for key in keys:
        if key == "converged": info[key] = FAULT != "loss" and FAULT != "nan"
        elif "throughput" in key or "per_second" in key or "per_sec" in key: info[key] = 1600.0 / slower
        elif "time" in key: info[key] = 60.0 * slower
        elif "loss" in key: info[key] = curve.loss(curve.last) * (0.99 * losses[0] / 6.4 if losses else 1)
        elif key.startswith(("final", "rouge")): info[key] = target * (1.01 if FAULT != "loss" else 0.5)
        else: info[key] = 20
    return info


# --- who is called ------------------------------------------------------------------------------------

def launch(words):
    parser = argparse.ArgumentParser(prog="torchrun", allow_abbrev=False)
    for name, kind in (("nproc_per_node", int), ("nnodes", int), ("node_rank", int), ("master_addr", str), ("master_port", int),
                       ("rdzv_backend", str), ("rdzv_endpoint", str), ("local-ranks-filter", str), ("role", str), ("tee", str)):
        parser.add_argument("--" + name, "--" + name.replace("_", "-"), type=kind)
    parser.add_argument("-m", "--module", action="store_true")
    parser.add_argument("script")
    parser.add_argument("words", nargs=argparse.REMAINDER)
    args = parser.parse_args(words)
    if not args.nproc_per_node: refuse("--nproc_per_node is missing")
    devices = os.environ.get("CUDA_VISIBLE_DEVICES") or os.environ.get("ASCEND_RT_VISIBLE_DEVICES")
    if devices and len(devices.split(",")) != args.nproc_per_node: refuse(f"{args.nproc_per_node} ranks on the devices {devices}")
    if args.module: args.script = args.script.replace(".", "/") + ".py"
    if not os.path.isfile(args.script): refuse(f"can't open file '{args.script}'")
    train(args)


def train(launcher):
    name, words = os.path.basename(launcher.script), launcher.words
    if "torchtitan" in launcher.script: return titan(words, launcher)
    config = words[0] if words and words[0].endswith((".yaml", ".yml")) else None
    if config and not os.path.isfile(config): refuse(f"no such file: {config}")
    if config: return llm_fsdp2(config, words[1:]) if "fsdp2" in name else mm_fsdp(config)
    if name.startswith("inference"): return infer(words)
    args = megatron_words(words)
    check_megatron(args)
    return megatron_lm(args) if os.path.isdir("tests/functional_tests") else mindspeed(args)


def main():
    words = sys.argv[1:]
    with open(os.path.join(HERE, "words"), "a") as out: out.write("\n".join([CASE, *words, "--"]) + "\n")
    if os.path.basename(sys.argv[0]) == "torchrun": return launch(words)
    if words[:2] == ["-m", "torch.distributed.launch"]: return launch(words[2:])
    script = next((word for word in words if not word.startswith("-")), "")
    if os.path.basename(script) == "run_pretraining.py": return flagperf(script, words[words.index(script) + 1:])
    # Any other program of the checkout is itself, and finds this one again as its own interpreter.
    sys.path = [path for path in sys.path if path != HERE]
    os.execv(sys.executable, [sys.argv[0], *words])


main()
