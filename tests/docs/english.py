"""The English in what gate prints to a Chinese reader: words that are no name, no path, no key and no command, and that nobody
else said.   english.py FOLDER < OUTPUT   prints each line that has some, with them; FOLDER is the suite's: its files are names."""

import os
import re
import sys

# What has this name in Chinese, too: tools, formats, units, metrics, statistics, letters of grids.
KEPT = set(
    """gate git rank bleu ter chrf em json junit csv html markdown pytest megatron mindspeed-llm modellink nccl hccl
    Slurm Kubernetes Megatron-LM FlagPerf Pod pod ssh CPU GPU NPU TFLOP MiB GiB kB MB GB tok samples device ms min Hz MHz
    sha uid pid CUDA NCCL HCCL Xid ECC cpu nan NaN inf OK Python torch numpy toolkit CANN ARGS JSON CSV JUnit HTML XML HEAD main
    throughput memory mfu acc mem loss samples score general absent empty reference shifted shot dev lts nvidia ascend
    record accept exit required tenfold truncated traceback dmesg nvidia-smi ModelLink MindSpeed Mcore GLM NAIE Pass Mistral measured published exec srun job pattern unreadable or""".split()
)
# In this order: markup, what others said, commands, options, paths and identifiers, files and keys, what has a digit, grids.
QUOTED = [
    r"</?\w+>|&\w+;|^```\w*",
    r"^\s*(类别|日志末尾|日志|基准|实际|原因|拒绝|运行时没有) .*|(未启动|剩下)：.*|^\s+(#|\w+=\$).*",
    r"来自 [^：]*：.*",
    r"\.gate/runs/\S+:\d+: .*|\d+ 行形如：.*|行带有 [^；]*|^\s*[^：]*\|.*\|.*|\b\w*Error: .*|\bTraceback .*",
    r"\S+:\d+\|.*",
    r'"[^"]*"|\b[A-Z][A-Z_]*=\S+',
    r"(?<![\w-])(?:gate|git|kubectl|env|podman|docker) [^，；（）。]*",
    r"\([^()]*:\d+\)|\([^()]*known\)",
    r"(?<![\w-])--?[a-z][\w-]*(?:=\S+)?",
    r"\[[a-z_. ]+\]|\b[a-z_.]+ = (?:(?:true|false)\b)?|\b\w+:\d+|\b(?:lm loss|grad norm|micro batch|time info(?: margin)?)\b",
    r"[\w@{}<>.*~-]*[/_=\\@~][\w@{}<>./*=:|+\\-]*",
    r"\b[\w-]+\.[\w.-]+",
    r"\b[a-f]{7}\b",  # a short commit without a digit
    r"\b[\w-]*\d[\w-]*\b",
    r"\b[A-Z.+?]{5,}\b",
]


def names_below(folder):
    """The parts of the names of all files, but of git's, and the words of each gate.toml."""
    names = set()
    for place, folders, files in os.walk(folder):
        folders[:] = [each for each in folders if each != ".git"]
        for name in folders + files:
            names.update([name, *re.split(r"[.\s]", name)])
        if "gate.toml" in files:
            with open(os.path.join(place, "gate.toml"), encoding="utf-8", errors="replace") as file:
                names.update(re.findall(r"[A-Za-z][\w-]*", file.read()))
    return names


def is_chinese(text):
    return re.search("[\u4e00-\u9fff]", text) is not None


def foreign(line, names):
    for quoted in QUOTED:
        line = re.sub(quoted, " ", line, flags=re.A)
    return [word for word in re.findall(r"[A-Za-z][A-Za-z'-]+", line, re.A) if word not in KEPT and word not in names]


def english_in(lines, folder, command=""):
    """Each line that has English, behind what it has; what the command says is no English."""
    names = names_below(folder) | {os.uname().nodename, *re.split(r"[\s/]", command)}
    told = [(foreign(re.sub("\x1b\\[[0-9;]*m", "", line), names), line) for line in lines]
    return [f"{' '.join(words)}: {line}" for words, line in told if words]


if __name__ == "__main__":
    found = english_in(sys.stdin.read().splitlines(), sys.argv[1])
    sys.exit("\n".join(found) or 0)
