// What Python and training frameworks raise.
#include "extract/messages/message_rows.h"

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
     R"((?:ModuleNotFoundError|ImportError): (.{1,120}))"},
    {"missing_file",
     crashed,
     root,
     "a file is missing",
     "Check the path: data, tokenizer and checkpoint come from the script's own variables.",
     {"FileNotFoundError: "},
     R"(FileNotFoundError: (?:\[Errno 2\] No such file or directory: )?(.{1,120}))"},
    {"permission",
     crashed,
     root,
     "a permission is missing",
     "Check owner and mode of the file and of its folders.",
     {"PermissionError: "},
     R"(PermissionError: (?:\[Errno 13\] Permission denied: )?(.{1,120}))"},
    {"wrong_arguments",
     crashed,
     root,
     "the program does not take these arguments",
     "The script and the code are of different versions, or a flag is misspelt.",
     {": error: unrecognized arguments", ": error: the following arguments are required",
      ": error: argument ", ": error: ambiguous option"},
     R"(: error: ((?:unrecognized arguments|the following arguments are required|argument |ambiguous option))"
     R"(.{0,120}))"},
    {"nan_found",
     crashed,
     root,
     "the framework stopped at a NaN",
     "Look at the steps before it (gate explain CASE); data, learning rate, loss scale, and the last change "
     "of a kernel are what to compare.",
     {"found NaN in", "found Inf in", "Unexpected result nan", "Loss is nan", "Found NaN"},
     R"([Ff]ound NaN in|found Inf in local grad norm|Unexpected result nan|\bLoss is nan\b)"},
    {"checkpoint_mismatch",
     crashed,
     root,
     "the checkpoint does not fit the model",
     "Its sizes or its parallel layout differ from what the script asks for: convert it, or correct the "
     "script.",
     {"size mismatch for", "Error(s) in loading state_dict", "Unexpected key(s) in state_dict",
      "Missing key(s) in state_dict"},
     R"(size mismatch for ([^:]+)|Error\(s\) in loading state_dict for (\w+)|)"
     R"((?:Unexpected|Missing) key\(s\) in state_dict)"},
    {"terminated",
     crashed,
     hint,
     "a process was told to stop",
     "Somebody or something sent it a signal; what came before says why.",
     {"SignalException: ", "got signal: ", "KeyboardInterrupt", "eceived SIGTERM", "SIGTERM received"},
     R"(SignalException: |Process \d+ got signal: (\d+)|\bKeyboardInterrupt\s*$|\b[Rr]eceived SIGTERM|)"
     R"(\bSIGTERM received)",
     Said::to_run},
    {"child_failed",
     crashed,
     hint,
     "the launcher says that a rank failed",
     "The rank's own lines say why.",
     {"ChildFailedError", "failed (exitcode: ", "exits with return code", "exitcode  : "},
     R"(ChildFailedError|failed \((exitcode: -?\d+\) local_rank: \d+)|exits with return code = (-?[1-9]\d*)|)"
     R"(exitcode  : (-?[1-9]\d*))"},
    {own_error_name,
     crashed,
     hint,
     "the script says that something failed: its line, where it stands once",
     "Read it, and the lines around it.",
     {"ERROR", "FATAL", "CRITICAL", "rror: ", "atal: "},
     R"(^(?:.{0,80}?[\[ (|>-])?(?:ERROR|FATAL|CRITICAL)[\]:|) ][ \]:|)-]*[^ ]|^(?:[Ee]rror|[Ff]atal): [^ ])"},
    {traceback_name,
     crashed,
     symptom,
     "a Python exception",
     "The traceback above the line says where; the first rank that printed one is the one to read.",
     {"Traceback (most recent call last)"},
     ""},
};

}  // namespace

constinit const std::span<const MessageRow> python_messages = python_rows;

}  // namespace gate::extract
