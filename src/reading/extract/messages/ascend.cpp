// Ascend devices, CANN and HCCL.
#include "extract/messages/message_rows.h"

namespace gate::extract {

namespace {

using enum MessageClass;
using enum MessageWeight;

constexpr MessageRow ascend_rows[] = {
    {"npu_ecc",
     infra,
     root,
     "uncorrectable memory error of an NPU",
     "The device's memory is faulty: drain the host and have the device looked at (npu-smi info -t ecc).",
     {"507053", "507054", "UCE ERROR", "HBM MULTI BIT ECC ERROR"},
     R"(error code:? ?(?:is|=)? ?50705[34]\b|\bUCE ERROR\b|HBM MULTI BIT ECC ERROR)"},
    {"npu_lost",
     infra,
     root,
     "an NPU was lost",
     "The device no longer answers: drain the host; npu-smi info and the device's log (plog) say more.",
     {"507010", "ts lost heartbeat", "evice heartbeat lost", "507056", "HCCS LINK ERROR"},
     R"(error code:? ?(?:is|=)? ?507010\b|error code:? ?(?:is|=)? ?507056\b|)"
     R"(\bts lost heartbeat\b|\b[Dd]evice heartbeat lost\b|HCCS LINK ERROR)"},
    {"npu_setup",
     crashed,
     root,
     "an NPU could not be set up",
     "Another process or container may hold it, or the driver does not see it: npu-smi info; "
     "ASCEND_RT_VISIBLE_DEVICES.",
     {"507033", "DRV_ERROR", "Get npu device count failed"},
     R"(error code:? ?(?:is|=)? ?507033\b|DRV_ERROR_\w+|Get npu device count failed)"},
    {"npu_kernel_timeout",
     crashed,
     root,
     "an operator ran too long on an NPU",
     "AI core time-out: the plog names the operator; look for its input shapes, or for a hung device.",
     {"507014", "507017", "507034", "507048", "aicore timeout"},
     R"(error code:? ?(?:is|=)? ?(?:507014|507017|507034|507048)\b|\baicore timeout\b)"},
    {"npu_kernel_exception",
     crashed,
     root,
     "an operator failed on an NPU",
     "AI core, AI CPU or vector core exception: the plog names the operator; ASCEND_LAUNCH_BLOCKING=1 shows "
     "where.",
     {"507015", "507018", "507035", "507049", "aicore exception"},
     R"(error code:? ?(?:is|=)? ?(?:507015|507018|507035|507049)\b|\baicore exception\b)"},
    {"hccl_notify_timeout",
     crashed,
     symptom,
     "HCCL: a rank waited too long for another one (EI0002)",
     "Find the rank that did not take part: the one with an earlier error, or the slowest. HCCL_EXEC_TIMEOUT "
     "is the limit.",
     {"EI0002", "otify wait timeout", "Notify register times out"},
     R"(\bEI0002\b|[Nn]otify wait timeout|wait execution of the Notify register times out)"},
    {"hccl_connect_timeout",
     crashed,
     symptom,
     "HCCL: the ranks could not connect in time (EI0006)",
     "Find the rank that failed or started late; check that HCCL_IF_IP and the network reach every host. "
     "HCCL_CONNECT_TIMEOUT is the limit.",
     {"EI0006", "Getting socket times out", "wait socket establish timeout"},
     R"(\bEI0006\b|Getting socket times out|wait socket establish timeout)"},
    {"hccl_config",
     crashed,
     root,
     "HCCL: the rank table or an environment variable is not valid (EI0001, EI0004)",
     "Compare the rank table and HCCL_* variables with the hosts and devices that the run uses.",
     {"EI0001", "EI0004"},
     R"(\bEI000[14]\b)"},
    {"hccl_mismatch",
     crashed,
     root,
     "HCCL: ranks call different collectives (EI0005)",
     "The ranks disagree on an operation, its size or its type: look at what differs between them, e.g. the "
     "data of a batch or a condition on the rank.",
     {"EI0005"},
     R"(\bEI0005\b)"},
    {"hccl_resource",
     crashed,
     root,
     "HCCL: no resources left for communication (EI0007)",
     "Too many groups or streams, or no device memory for them: fewer process groups, a smaller "
     "HCCL_BUFFSIZE.",
     {"EI0007"},
     R"(\bEI0007\b)"},
    {"hccl_error",
     crashed,
     symptom,
     "HCCL failed",
     "Look at the first rank with an error, and at its plog.",
     {"EI9999", "HCCL function error", "OPS function error: Hccl", "HcclGetRootInfo"},
     R"(\bEI9999\b|HCCL function error|OPS function error: Hccl\w+|HcclGetRootInfo.*(?:fail|error))"},
    {"npu_op_unsupported",
     crashed,
     root,
     "an operator or its arguments are not supported on the NPU",
     "Use another operator or data type, or a CANN that has it; the line names the operator.",
     {"EZ3002", "EZ3003", "EZ1001"},
     R"(\bEZ(?:3002|3003|1001)\b)"},
    {"npu_inner_error",
     crashed,
     symptom,
     "CANN failed",
     "The lines below it and the plog say where; EZ is an operator, EE the runtime, EH the interface, E3 the "
     "AI CPU.",
     {"Inner Error", "EE1001", "E30003", "E39999"},
     R"(\bE[A-Z0-9]\d{4}: ?(?:\[PID.*)?Inner Error|\bE[A-Z1-9]9999: |\bEE1001: |\bE30003: )"},
};

}  // namespace

constinit const std::span<const MessageRow> ascend_messages = ascend_rows;

}  // namespace gate::extract
