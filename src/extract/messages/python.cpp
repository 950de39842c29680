// What Python and training frameworks raise.
#include "extract/messages/rows.h"

namespace gate::extract {

namespace {

using enum MessageClass;
using enum MessageWeight;

constexpr MessageRow python_rows[] = {
    {"missing_module",
     crashed,
     root,
     "a Python module cannot be imported",
     "Install it into the environment that the script uses, or put its folder into PYTHONPATH.",
     {"ModuleNotFoundError: ", "ImportError: "},
     R"((?:ModuleNotFoundError|ImportError): (.{1,120}))",
     {"[rank0]: ModuleNotFoundError: No module named 'apex'",
      "ImportError: cannot import name 'mpu' from 'megatron.core'"}},
    {"missing_file",
     crashed,
     root,
     "a file is missing",
     "Check the path: data, tokenizer and checkpoint come from the script's own variables.",
     {"FileNotFoundError: "},
     R"(FileNotFoundError: (?:\[Errno 2\] No such file or directory: )?(.{1,120}))",
     {"FileNotFoundError: [Errno 2] No such file or directory: 'data/alpaca_text_document.idx'"}},
    {"permission",
     crashed,
     root,
     "a permission is missing",
     "Check owner and mode of the file and of its folders.",
     {"PermissionError: "},
     R"(PermissionError: (?:\[Errno 13\] Permission denied: )?(.{1,120}))",
     {"PermissionError: [Errno 13] Permission denied: '/data/out'"}},
    {"wrong_arguments",
     crashed,
     root,
     "the program does not take these arguments",
     "The script and the code are of different versions, or a flag is misspelt.",
     {": error: unrecognized arguments", ": error: the following arguments are required",
      ": error: argument ", ": error: ambiguous option"},
     R"(: error: ((?:unrecognized arguments|the following arguments are required|argument |ambiguous option))"
     R"(.{0,120}))",
     {"pretrain_gpt.py: error: unrecognized arguments: --use-mcore-model",
      "pretrain_gpt.py: error: the following arguments are required: --tokenizer-type",
      "pretrain_gpt.py: error: argument --num-layers: invalid int value: 'x'",
      "pretrain_gpt.py: error: ambiguous option: --no could match --no-load-rng"}},
    {"nan_found",
     crashed,
     root,
     "the framework stopped at a NaN",
     "Look at the steps before it (gate explain CASE); data, learning rate, loss scale, and the last change "
     "of "
     "a kernel are what to compare.",
     {"found NaN in", "found Inf in", "Unexpected result nan", "Loss is nan", "Found NaN"},
     R"([Ff]ound NaN in|found Inf in local grad norm|Unexpected result nan|\bLoss is nan\b)",
     {"AssertionError: Rank 13: found NaN in local grad norm in backward pass before data-parallel "
      "communication collective. Device: 5, node: node7",
      "RuntimeError: Rank 0, node node7, device 0, iteration 12: found Inf in local grad norm for bucket #0",
      "RuntimeError: Rank 0, node node7, device 0, iteration 12: Unexpected result nan (message='found NaN')",
      "RuntimeError: Loss is nan, stopping training", "RuntimeError: Found NaN in the gradients"}},
    {"checkpoint_mismatch",
     crashed,
     root,
     "the checkpoint does not fit the model",
     "Its sizes or its parallel layout differ from what the script asks for: convert it, or correct the "
     "script.",
     {"size mismatch for", "Error(s) in loading state_dict", "Unexpected key(s) in state_dict",
      "Missing key(s) in state_dict"},
     R"(size mismatch for ([^:]+)|Error\(s\) in loading state_dict for (\w+)|)"
     R"((?:Unexpected|Missing) key\(s\) in state_dict)",
     {"\tsize mismatch for word_embeddings.weight: copying a param with shape torch.Size([50304, 512])",
      "RuntimeError: Error(s) in loading state_dict for GPTModel:",
      "\tUnexpected key(s) in state_dict: \"decoder.final_norm.bias\".",
      "\tMissing key(s) in state_dict: \"decoder.final_norm.weight\"."}},
    {"terminated",
     crashed,
     hint,
     "a process was told to stop",
     "Somebody or something sent it a signal; what came before says why.",
     {"SignalException: ", "got signal: ", "KeyboardInterrupt"},
     R"(SignalException: |Process \d+ got signal: (\d+)|\bKeyboardInterrupt\s*$)",
     {"torch.distributed.elastic.multiprocessing.api.SignalException: Process 4242 got signal: 15",
      "Process 4242 got signal: 15",
      "Traceback (most recent call last):\n  File \"train.py\", line 4, in <module>\nKeyboardInterrupt"}},
    {"child_failed",
     crashed,
     hint,
     "the launcher says that a rank failed",
     "The rank's own lines say why.",
     {"ChildFailedError", "failed (exitcode: ", "exits with return code", "exitcode  : "},
     R"(ChildFailedError|failed \((exitcode: -?\d+\) local_rank: \d+)|exits with return code = (-?[1-9]\d*)|)"
     R"(exitcode  : (-?[1-9]\d*))",
     {"torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ",
      "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: 1) local_rank: 3 (pid: 4242) of "
      "binary: /usr/bin/python3",
      "[2024-01-02 03:04:05,678] [ERROR] [launch.py:321:sigkill_handler] ['/usr/bin/python3', '-u', "
      "'train.py', "
      "'--local_rank=0'] exits with return code = 1",
      "  exitcode  : 1 (pid: 4242)"}},
    {traceback_name,
     crashed,
     symptom,
     "a Python exception",
     "The traceback above the line says where; the first rank that printed one is the one to read.",
     {"Traceback (most recent call last)"},
     "",
     {"Traceback (most recent call last):\n  File \"train.py\", line 4, in <module>\n    main()\n"
      "ValueError: hidden size 100 is not divisible by 8\n",
      "[rank3]: Traceback (most recent call last):\n[rank3]:   File \"train.py\", line 4, in "
      "<module>\n[rank3]:  "
      "   assert a == b\n[rank3]: AssertionError\n",
      "2024-01-02 03:04:05 ERROR Traceback (most recent call last):\n  File \"train.py\", line 4, in "
      "<module>\n"
      "KeyError: 'lm_head'\n"}},
};

}  // namespace

std::span<const MessageRow> python_messages() { return python_rows; }

}  // namespace gate::extract
