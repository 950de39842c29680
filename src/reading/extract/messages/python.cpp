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
     {"a Python module cannot be imported", "无法导入 Python 模块"},
     {"Install it into the environment that the script uses, or put its folder into PYTHONPATH.",
      "请装进脚本所用的环境，或把它的目录加入 PYTHONPATH。"},
     {"ModuleNotFoundError: ", "ImportError: "},
     R"((?:ModuleNotFoundError|ImportError): (.{1,120}))"},
    {"missing_file",
     crashed,
     root,
     {"a file is missing", "缺少文件"},
     {"Check the path: data, tokenizer and checkpoint come from the script's own variables.",
      "检查路径：数据、tokenizer 和检查点的路径来自脚本自己的变量。"},
     {"FileNotFoundError: "},
     R"(FileNotFoundError: (?:\[Errno 2\] No such file or directory: )?(.{1,120}))"},
    {"permission",
     crashed,
     root,
     {"a permission is missing", "缺少权限"},
     {"Check owner and mode of the file and of its folders.", "检查文件及其目录的属主和权限。"},
     {"PermissionError: "},
     R"(PermissionError: (?:\[Errno 13\] Permission denied: )?(.{1,120}))"},
    {"wrong_arguments",
     crashed,
     root,
     {"the program does not take these arguments", "程序不接受这些参数"},
     {"The script and the code are of different versions, or a flag is misspelt.",
      "脚本和代码的版本不同，或选项拼写有误。"},
     {": error: unrecognized arguments", ": error: the following arguments are required",
      ": error: argument ", ": error: ambiguous option"},
     R"(: error: ((?:unrecognized arguments|the following arguments are required|argument |ambiguous option))"
     R"(.{0,120}))"},
    {"nan_found",
     crashed,
     root,
     {"the framework stopped at a NaN", "框架遇到 NaN 而停止"},
     {"Look at the steps before it (gate explain CASE); compare data, learning rate, loss scale and the last "
      "kernel change.",
      "查看它之前的步 (gate explain CASE)；应对照的有数据、学习率、loss scale 和最近一次 kernel 改动。"},
     {"found NaN in", "found Inf in", "Unexpected result nan", "Loss is nan", "Found NaN"},
     R"([Ff]ound NaN in|found Inf in local grad norm|Unexpected result nan|\bLoss is nan\b)"},
    {"checkpoint_mismatch",
     crashed,
     root,
     {"the checkpoint does not fit the model", "检查点与模型不匹配"},
     {"Its sizes or its parallel layout differ from what the script asks for: convert it, or correct the "
      "script.",
      "它的尺寸或并行切分与脚本要求的不同：请转换检查点，或更正脚本。"},
     {"size mismatch for", "Error(s) in loading state_dict", "Unexpected key(s) in state_dict",
      "Missing key(s) in state_dict"},
     R"(size mismatch for ([^:]+)|Error\(s\) in loading state_dict for (\w+)|)"
     R"((?:Unexpected|Missing) key\(s\) in state_dict)"},
    {"terminated",
     crashed,
     hint,
     {"a process was told to stop", "一个进程被要求停止"},
     {"It received a signal; earlier lines say why.", "有人或某个程序给它发了信号；之前的内容说明原因。"},
     {"SignalException: ", "got signal: ", "KeyboardInterrupt", "eceived SIGTERM", "SIGTERM received"},
     R"(SignalException: |Process \d+ got signal: (\d+)|\bKeyboardInterrupt\s*$|\b[Rr]eceived SIGTERM|)"
     R"(\bSIGTERM received)",
     Said::to_run},
    {"child_failed",
     crashed,
     hint,
     {"the launcher says that a rank failed", "启动器报告有 rank 失败"},
     {"The rank's own lines say why.", "该 rank 自己的日志行说明原因。"},
     {"ChildFailedError", "failed (exitcode: ", "exits with return code", "exitcode  : "},
     R"(ChildFailedError|failed \((exitcode: -?\d+\) local_rank: \d+)|exits with return code = (-?[1-9]\d*)|)"
     R"(exitcode  : (-?[1-9]\d*))"},
    {"job_failed",
     crashed,
     hint,
     {"the launcher says that a process of the job failed", "启动器报告作业的一个进程失败"},
     {"The process's own lines say why.", "该进程自己的日志行说明原因。"},
     {"exited on signal", "a non-zero exit code", "exited with non-zero status",
      "BAD TERMINATION OF ONE OF YOUR APPLICATION", " with exception"},
     R"((exited on signal \d+ \([^)]+\))|a non-zero exit code\. *Per user-direction|)"
     R"(processes exited with non-zero status|BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES|)"
     R"(((?:Worker|Scheduler) process \d+ exit|Distributed job exited) with exception)"},
    {"command_failed",
     crashed,
     hint,
     {"a launcher says that its command failed, or ends its processes",
      "启动器报告它的命令失败，或正在终止它的进程"},
     {"The process's own lines say why.", "该进程自己的日志行说明原因。"},
     {"CalledProcessError: Command '[", "Killing subprocess ", "closing signal SIG", "Run cmd failed",
      "Main process received "},
     R"(^(?:\S+: ?)?(?:subprocess\.)?CalledProcessError: Command '\[.*\bpython|\bKilling subprocess \d+\s*$|)"
     R"(Sending process \d+ closing signal SIG\w+|\w+\.py,\d+\]\s*Run cmd failed|)"
     R"(Main process received (?:SIG\w+|\d+), exiting)"},
    {own_error_name,
     crashed,
     hint,
     {"the script says that something failed: its line, where it stands once",
      "脚本自己说有错误：原样引用只出现一次的那一行"},
     {"Read it, and the lines around it.", "请阅读这一行和它前后的行。"},
     {"ERROR", "FATAL", "CRITICAL", "rror: ", "atal: "},
     R"(^(?:.{0,80}?[\[ (|>-])?(?:ERROR|FATAL|CRITICAL)[\]:|) ][ \]:|)-]*[^ ]|^(?:[Ee]rror|[Ff]atal): [^ ])"},
    {traceback_name,
     crashed,
     symptom,
     {"a Python exception", "Python 异常"},
     {"Read the traceback above the line, of the first rank that printed one.",
      "出错位置见该行上方的 traceback；请先看最早打印它的 rank。"},
     {"Traceback (most recent call last)", "Exception ignored ", "Exception in thread "},
     ""},
};

}  // namespace

constinit const std::span<const MessageRow> python_messages = python_rows;

}  // namespace gate::extract
