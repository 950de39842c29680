// The shell, the loader, the disk, and signals.
#include "extract/messages/rows.h"

namespace gate::extract {

namespace {

using enum MessageClass;
using enum MessageWeight;

constexpr MessageRow system_rows[] = {
    {"no_space",
     crashed,
     root,
     "no space left on the disk",
     "Free some, or write elsewhere: df -h; checkpoints and caches are what grows.",
     {"No space left on device", "PytorchStreamWriter failed writing"},
     R"(No space left on device|PytorchStreamWriter failed writing)",
     {"OSError: [Errno 28] No space left on device: 'checkpoints/iter_10'",
      "RuntimeError: [enforce fail at inline_container.cc:424] . PytorchStreamWriter failed writing file "
      "data/7: file write failed"}},
    {"quota",
     crashed,
     root,
     "the disk quota is used up",
     "Free some, or write elsewhere: quota -s.",
     {"Disk quota exceeded"},
     R"(Disk quota exceeded)",
     {"OSError: [Errno 122] Disk quota exceeded"}},
    {"missing_library",
     crashed,
     root,
     "a shared library is missing",
     "Source the environment (set_env.sh of CANN, LD_LIBRARY_PATH of CUDA) or install what has it.",
     {"cannot open shared object file"},
     R"(([\w.+-]+\.so[\w.]*): cannot open shared object file)",
     {"ImportError: libhccl.so: cannot open shared object file: No such file or directory",
      "python: error while loading shared libraries: libcudart.so.12: cannot open shared object file: No "
      "such "
      "file or directory"}},
    {"undefined_symbol",
     crashed,
     root,
     "a library does not fit another one: undefined symbol",
     "An extension was built against another version (mostly of PyTorch): build or install it again.",
     {"undefined symbol", "GLIBCXX_", "GLIBC_"},
     R"(undefined symbol: (\S+)|version `(GLIBC(?:XX)?_[\d.]+)' not found)",
     {"ImportError: /opt/lib/fused.so: undefined symbol: _ZN3c104cuda9SetDeviceEi",
      "ImportError: libstdc++.so.6: version `GLIBCXX_3.4.29' not found (required by libfoo.so)",
      "./a.out: libc.so.6: version `GLIBC_2.34' not found (required by ./a.out)"}},
    {"segfault",
     crashed,
     root,
     "a process accessed memory that is not its own (segmentation fault)",
     "Look at the stack above or below; versions of compiled packages that do not fit are the usual reason.",
     {"egmentation fault", "SIGSEGV", "exitcode: -11", "exitcode  : -11"},
     R"([Ss]egmentation fault|Signal 11 \(SIGSEGV\)|\*\*\* SIGSEGV|exitcode ?(?: )?: -11\b)",
     {"scripts/train.sh: line 12:  4242 Segmentation fault      (core dumped) python train.py",
      "Fatal Python error: Segmentation fault", "  traceback : Signal 11 (SIGSEGV) received by PID 4242",
      "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -11) local_rank: 0 (pid: 4242) "
      "of binary: /usr/bin/python3",
      "  exitcode  : -11 (pid: 4242)"}},
    {"bus_error",
     crashed,
     root,
     "a process accessed memory that is not there (bus error)",
     "Mostly a full /dev/shm (--shm-size), or a file that shrank while it was mapped.",
     {"Bus error", "SIGBUS", "exitcode: -7"},
     R"(: line \d+: +\d+ Bus error|Fatal Python error: Bus error|Signal 7 \(SIGBUS\)|\*\*\* SIGBUS|)"
     R"(exitcode: -7\b)",
     {"scripts/train.sh: line 12:  4242 Bus error               (core dumped) python train.py",
      "  traceback : Signal 7 (SIGBUS) received by PID 4242",
      "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -7) local_rank: 0 (pid: 4242) "
      "of "
      "binary: /usr/bin/python3"}},
    {"illegal_instruction",
     crashed,
     root,
     "a process used an instruction that this CPU does not have",
     "A package was built for another CPU: build or install it for this one.",
     {"llegal instruction", "SIGILL"},
     R"([Ii]llegal instruction|Signal 4 \(SIGILL\))",
     {"scripts/train.sh: line 12:  4242 Illegal instruction     (core dumped) python train.py",
      "  traceback : Signal 4 (SIGILL) received by PID 4242"}},
    {"aborted",
     crashed,
     symptom,
     "a process aborted itself",
     "The lines before it say why.",
     {"terminate called", "Aborted", "SIGABRT", "exitcode: -6", "Fatal Python error"},
     R"(terminate called after throwing an instance of '([^']+)|terminate called without|)"
     R"(: line \d+: +\d+ Aborted|Signal 6 \(SIGABRT\)|exitcode: -6\b|Fatal Python error: (.{1,80}))",
     {"terminate called after throwing an instance of 'c10::Error'",
      "scripts/train.sh: line 12:  4242 Aborted                 (core dumped) python train.py",
      "  traceback : Signal 6 (SIGABRT) received by PID 4242",
      "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -6) local_rank: 0 (pid: 4242) "
      "of "
      "binary: /usr/bin/python3",
      "Fatal Python error: Aborted"}},
    {"killed",
     crashed,
     symptom,
     "a process was killed (SIGKILL)",
     "Where nobody did it, it was the kernel, out of host memory: dmesg says so.",
     {"Killed", "SIGKILL", "exitcode: -9", "exitcode  : -9"},
     R"(: line \d+: +\d+ Killed\b|^Killed$|Signal 9 \(SIGKILL\)|exitcode ?(?: )?: -9\b)",
     {"scripts/train.sh: line 12:  4242 Killed                  python train.py",
      "  traceback : Signal 9 (SIGKILL) received by PID 4242",
      "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -9) local_rank: 0 (pid: 4242) "
      "of "
      "binary: /usr/bin/python3",
      "  exitcode  : -9 (pid: 4242)", "Killed"}},
    {"script_missing",
     crashed,
     root,
     "the program to run is not there",
     "Check the path and the folder in which the script starts (gate list --explain CASE: cwd).",
     {"can't open file", "ModuleNotFoundError: No module named '__main__"},
     R"(can't open file '([^']+)': \[Errno 2\]|No module named '(__main__[^']*))",
     {"python: can't open file '/suite/pretrain_gpt.py': [Errno 2] No such file or directory",
      "ModuleNotFoundError: No module named '__main__.train'; '__main__' is not a package"}},
    {"shell_command",
     crashed,
     hint,
     "the shell did not find a command",
     "Install it, or put its folder into PATH.",
     {"command not found"},
     R"(: line \d+: (.{1,80}): command not found)",
     {"scripts/train.sh: line 3: torchrun: command not found"}},
    {"shell_file",
     crashed,
     hint,
     "a file is missing",
     "Check the path and the folder in which the script starts (gate list --explain CASE: cwd).",
     {"No such file or directory", "cannot access"},
     R"((?:: line \d+|^\w+): (?:cannot \w+ )?(.{1,120}): No such file or directory)",
     {"scripts/train.sh: line 3: /opt/ascend/set_env.sh: No such file or directory",
      "ls: cannot access 'data/gpt2-vocab.json': No such file or directory"}},
    {"shell_permission",
     crashed,
     hint,
     "a permission is missing",
     "Check owner and mode of the file and of its folders.",
     {": Permission denied"},
     R"((?:: line \d+|^\w+): (?:cannot \w+ )?(.{1,120}): Permission denied)",
     {"scripts/train.sh: line 3: ./run.sh: Permission denied",
      "mkdir: cannot create directory '/data/out': Permission denied"}},
};

}  // namespace

std::span<const MessageRow> system_messages() { return system_rows; }

}  // namespace gate::extract
