"""A loss that goes wrong behind step 15 is red, in each format that prints one.

Usage: rest_of_curve.py GATE

For each format a log of 30 steps whose loss falls from 4 to 2, and this log with a loss that doubles, is 10 % more, or
stays as it is behind step 15. Prints a line for each that is not red, and for a good one that is; ends with 1 where
there is one.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

STEPS = 30
BEGINNING = 15  # steps that are the same in every log


def deepspeed(step, loss):
    return f"steps: {step} loss: {loss} iter time (s): 15.170 samples/sec: 1.055"


def flagperf(step, loss):
    return (
        f'[PerfLog] {{"event": "STEP_END", "value": {{"loss": {loss}, "global_steps": {step}, "seq/s": 821.5}}, '
        f'"metadata": {{"file": "/w/run.py", "lineno": 1, "time_ms": 1669034171032, "rank": 0}}}}'
    )


def hf_trainer(step, loss):
    bar = f"{step * 3:3}%|#         | {step}/{STEPS} [00:01<00:07,  1.50s/it]"
    return f"{bar}{' ' * 20}{{'loss': {loss}, 'grad_norm': 4.250, 'learning_rate': 1.0e-05, 'epoch': 0.12}}"


def internlm(step, loss):
    return (
        "2023-07-07 12:28:50,802\tINFO train.py:323 in record_current_batch_training_metrics -- "
        f"tflops=63.2,step={step},loss={loss},tgs (tokens/gpu/second)=1424.6,lr=4e-07,grad_norm=63.6"
    )


def json_lines(step, loss):
    return f'{{"step": {step}, "total_steps": {STEPS}, "loss": {loss}, "lr": 1e-05}}'


def lightning(step, loss):
    bar = f"{step * 3:3}%|##        | {step}/{STEPS} [00:01<00:03,  4.50it/s"
    return f"Epoch 0: {bar}, v_num=0, train_loss_step={loss}]"


def llama_factory(step, loss):
    return (
        f'{{"current_steps": {step}, "total_steps": {STEPS}, "loss": {loss}, "lr": 1e-05, "epoch": 0.1667, '
        f'"percentage": {step * 3}.00, "elapsed_time": "0:00:09", "remaining_time": "0:05:00"}}'
    )


def llm_c(step, loss):
    return (
        f"step {step:4}/{STEPS} | loss {loss} (+nanz)| norm 14.3586 (+nanz)| lr 8.57e-07 | 3061.93 ms | "
        "56.9% bf16 MFU | 171196 tok/s"
    )


def megatron(step, loss):
    return f" iteration {step:8}/{STEPS:8} | consumed samples: {step:12} | lm loss: {loss}E+00 | grad norm: 1.000 |"


def mindformers(step, loss):
    return (
        "2025-04-07 15:34:01,308 - mindformers/output/log[mindformers/core/callback/callback.py:529] - INFO - "
        f"{{ Epoch:[  1/  1], step:[{step:5}/{STEPS:5}], loss: {loss}, per_step_time: 1753ms, lr: 1e-05, "
        "overflow cond: False, loss_scale: 1.0, global_norm: [43.750000], train_throughput_per_npu: 171.125T"
    )


def mllog(step, loss):
    return (
        '0: :::MLLOG {"namespace": "", "time_ms": 1721026805975, "event_type": "POINT_IN_TIME", "key": "train_loss", '
        f'"value": {loss}, "metadata": {{"file": "/w/callbacks.py", "lineno": 112, "samples_count": {step * 80}}}}}'
    )


def ms_swift(step, loss):
    return (
        f"{{'loss': '{loss}', 'grad_norm': '32.25', 'learning_rate': '1.000e-04', 'token_acc': '0.61', "
        f"'epoch': '0.1667', 'global_step/max_steps': '{step}/{STEPS}', 'elapsed_time': '8s', "
        "'remaining_time': '40s', 'memory(GiB)': '10.5', 'train_speed(s/it)': '7.5'}"
    )


def nanogpt(step, loss):
    return f"iter {step}: loss {loss}, time 512.34ms, mfu 41.20%"


def nanotron(step, loss):
    return (
        f"08/31/2024 14:37:31 [INFO|DP=0|PP=1|TP=0|ip-26-0-1]: iteration: {step} / {STEPS} | consumed_tokens: 1.05M | "
        f"elapsed_time_per_iteration_ms: 402 | lm_loss: {loss[:4]} | lr: 0.00015 | grad_norm: 2.86"
    )


def nemo(step, loss):
    return (
        f"Training epoch 0, iteration {step - 1}/{STEPS - 1} | lr: 4.5e-07 | global_batch_size: 256 | "
        f"global_step: {step - 1} | reduced_train_loss: {loss} | train_step_timing in s: 2.693"
    )


def olmo(step, loss):
    head = f"[2024-04-17 09:42:11] INFO     [olmo.train:816, rank=0] [step={step}/{STEPS}]"
    return f"{head}\n    train/CrossEntropyLoss={loss}\n    train/Perplexity=50.1"


def paddlenlp(step, loss):
    return (
        f"[2024-05-13 10:11:11,345] [    INFO] - loss: {loss}, learning_rate: 2e-06, global_step: {step}, "
        "interval_runtime: 1.1518, interval_samples_per_second: 0.9682, interval_steps_per_second: 0.9682"
    )


def torchtitan(step, loss):
    return (
        f"[rank0]:[titan] 2026-05-03 01:27:01,600 - root - INFO - step: {step:2}  loss:  {loss}  grad_norm:  0.8100  "
        "memory:  9.46GiB(11.83%)  tps: 7,001  tflops: 40.50  mfu: 17.10%"
    )


def verl(step, loss):
    return f"step:{step} - train/loss:{loss} - train/lr(1e-3):0.001"


def mindspeed_fsdp2(step, loss):
    return (
        f"INFO [2026-06-22 19:28:41] >>  iteration {step:8}/{STEPS:8} | consumed samples: {step * 8:10} | "
        f"elapsed time per iteration (ms): 1501.50 | tokens/s: 21001.00 | lm loss: {loss}E+00 | grad norm: 8.125 |"
    )


def mindspeed_mm(step, loss):
    return (
        f"\x1b[32m [2025-03-01 10:01:01] iteration {step:8}/{STEPS:8} | consumed samples: {step:12} | "
        f"elapsed time per iteration (ms): 1201.0 | global batch size:     8 | loss: {loss}E+00 | loss scale: 1.0 | "
        "grad norm: 5.125 | number of skipped iterations:   0 | number of nan iterations:   0 |\x1b[0m"
    )


FORMATS = (
    deepspeed,
    flagperf,
    hf_trainer,
    internlm,
    json_lines,
    lightning,
    llama_factory,
    llm_c,
    megatron,
    mindformers,
    mindspeed_fsdp2,
    mindspeed_mm,
    mllog,
    ms_swift,
    nanogpt,
    nanotron,
    nemo,
    olmo,
    paddlenlp,
    torchtitan,
    verl,
)


def doubled(losses):
    return [loss * 2 for loss in losses]


def a_tenth_more(losses):
    return [loss * 1.1 for loss in losses]


def constant(losses):
    return [losses[0]] * len(losses)


def main():
    gate = sys.argv[1]
    good = [4 - 2 * i / STEPS for i in range(1, STEPS + 1)]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        base, run = Path(folder) / "base.log", Path(folder) / "run.log"

        def check(write, path, losses):
            path.write_text("".join(write(i + 1, f"{loss:.5f}") + "\n" for i, loss in enumerate(losses)))
            return subprocess.run([gate, "check", run, "--baseline", base], capture_output=True).returncode

        for write in FORMATS:
            run.write_text("")
            check(write, base, good)
            ends = {"good": check(write, run, good)}
            for damage in (doubled, a_tenth_more, constant):
                ends[damage.__name__] = check(write, run, good[:BEGINNING] + damage(good[BEGINNING:]))
            for name, end in ends.items():
                if end != (0 if name == "good" else 1):
                    wrong += 1
                    print(f"{write.__name__}: {name}: exit {end}")
    print(f"{len(FORMATS)} formats, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
