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
     {"uncorrectable memory error of an NPU", "NPU 显存出现不可纠正的错误"},
     {"The device's memory is faulty: drain the host and have the device checked (npu-smi info -t ecc).",
      "设备显存有故障：请腾空该主机并检修设备 (npu-smi info -t ecc)。"},
     {"507053", "507054", "UCE ERROR", "HBM MULTI BIT ECC ERROR"},
     R"(error code:? ?(?:is|=)? ?50705[34]\b|\bUCE ERROR\b|HBM MULTI BIT ECC ERROR)",
     Said::by_run,
     Repair::possible},
    {"npu_repair",
     infra,
     symptom,
     {"MindIO stopped a rank to repair the training in place", "MindIO 让一个 rank 停下，以在线修复训练"},
     {"If the training did not go on, look for the rank that failed: it has an earlier error.",
      "如果训练没有继续，请找出失败的 rank：它有更早的错误。"},
     {"exception, ex instance"},
     R"(rank:\d+ catch ([A-Z][A-Z ]+) exception, ex instance)",
     Said::by_run,
     Repair::told},
    {"npu_lost",
     infra,
     root,
     {"an NPU was lost", "一个 NPU 掉线"},
     {"The device no longer answers: drain the host; npu-smi info and the device's log (plog) say more.",
      "设备不再应答：请腾空该主机；npu-smi info 和设备日志 (plog) 有更多说明。"},
     {"507010", "ts lost heartbeat", "evice heartbeat lost", "507056", "HCCS LINK ERROR"},
     R"(error code:? ?(?:is|=)? ?507010\b|error code:? ?(?:is|=)? ?507056\b|)"
     R"(\bts lost heartbeat\b|\b[Dd]evice heartbeat lost\b|HCCS LINK ERROR)"},
    {"npu_setup",
     crashed,
     root,
     {"an NPU could not be set up", "一个 NPU 无法初始化"},
     {"Another process or container may hold it, or the driver does not see it: npu-smi info; "
      "ASCEND_RT_VISIBLE_DEVICES.",
      "可能被其他进程或容器占用，或驱动看不到它：查看 npu-smi info 和 ASCEND_RT_VISIBLE_DEVICES。"},
     {"507033", "DRV_ERROR", "Get npu device count failed"},
     R"(error code:? ?(?:is|=)? ?507033\b|DRV_ERROR_\w+|Get npu device count failed)"},
    {"npu_kernel_timeout",
     crashed,
     root,
     {"an operator ran too long on an NPU", "一个算子在 NPU 上运行过久"},
     {"AI core time-out: the plog names the operator; look for its input shapes, or for a hung device.",
      "AI core 超时：plog 里有算子名；请检查它的输入形状，或设备是否卡死。"},
     {"507014", "507017", "507034", "507048", "aicore timeout"},
     R"(error code:? ?(?:is|=)? ?(?:507014|507017|507034|507048)\b|\baicore timeout\b)"},
    {"npu_kernel_exception",
     crashed,
     root,
     {"an operator failed on an NPU", "一个算子在 NPU 上失败"},
     {"AI core, AI CPU or vector core exception: the plog names the operator; ASCEND_LAUNCH_BLOCKING=1 shows "
      "where.",
      "AI core、AI CPU 或 vector core 异常：plog 里有算子名；ASCEND_LAUNCH_BLOCKING=1 可定位。"},
     {"507015", "507018", "507035", "507049", "aicore exception"},
     R"(error code:? ?(?:is|=)? ?(?:507015|507018|507035|507049)\b|\baicore exception\b)"},
    {"hccl_notify_timeout",
     crashed,
     symptom,
     {"HCCL: a rank waited too long for another one (EI0002)",
      "HCCL：一个 rank 等待另一个 rank 过久 (EI0002)"},
     {"Find the rank that did not take part: the one with an earlier error, or the slowest. "
      "HCCL_EXEC_TIMEOUT "
      "is the limit.",
      "找出没有参与的 rank：更早报错的，或最慢的那个。时限是 HCCL_EXEC_TIMEOUT。"},
     {"EI0002", "otify wait timeout", "Notify register times out"},
     R"(\bEI0002\b|[Nn]otify wait timeout|wait execution of the Notify register times out)"},
    {"hccl_connect_timeout",
     crashed,
     symptom,
     {"HCCL: the ranks could not connect in time (EI0006)", "HCCL：各 rank 未能及时建立连接 (EI0006)"},
     {"Find the rank that failed or started late; check that HCCL_IF_IP and the network reach every host. "
      "HCCL_CONNECT_TIMEOUT is the limit.",
      "找出失败或启动晚的 rank；检查 HCCL_IF_IP 和网络能否到达每台主机。时限是 HCCL_CONNECT_TIMEOUT。"},
     {"EI0006", "Getting socket times out", "wait socket establish timeout"},
     R"(\bEI0006\b|Getting socket times out|wait socket establish timeout)"},
    {"hccl_config",
     crashed,
     root,
     {"HCCL: the rank table or an environment variable is not valid (EI0001, EI0004)",
      "HCCL：rank table 或某个环境变量无效 (EI0001, EI0004)"},
     {"Compare the rank table and HCCL_* variables with the hosts and devices that the run uses.",
      "请把 rank table 和 HCCL_* 变量与运行所用的主机、设备对照。"},
     {"EI0001", "EI0004"},
     R"(\bEI000[14]\b)"},
    {"hccl_mismatch",
     crashed,
     root,
     {"HCCL: ranks call different collectives (EI0005)", "HCCL：各 rank 调用了不同的集合通信 (EI0005)"},
     {"The ranks disagree on an operation, its size or its type: look at what differs between them, e.g. the "
      "data of a batch or a condition on the rank.",
      "各 rank 的操作、大小或类型不一致：请检查它们之间的差别，例如一个 batch 的数据，或依赖 rank 的条件。"},
     {"EI0005"},
     R"(\bEI0005\b)"},
    {"hccl_resource",
     crashed,
     root,
     {"HCCL: no resources left for communication (EI0007)", "HCCL：通信资源耗尽 (EI0007)"},
     {"Too many groups or streams, or no device memory for them: fewer process groups, a smaller "
      "HCCL_BUFFSIZE.",
      "通信组或流太多，或显存不够：减少进程组，或减小 HCCL_BUFFSIZE。"},
     {"EI0007"},
     R"(\bEI0007\b)"},
    {"hccl_error",
     crashed,
     symptom,
     {"HCCL failed", "HCCL 失败"},
     {"Look at the first rank with an error, and at its plog.", "请看最先报错的 rank 和它的 plog。"},
     {"EI9999", "function error: ", "HcclGetRootInfo", "HCCL error", "HCCL operations have failed"},
     R"(\bEI9999\b|HCCL function error|OPS function error: Hccl\w+|HcclGetRootInfo.*(?:fail|error)|)"
     R"(Error: HCCL error\b|Some HCCL operations have failed or timed out)"},
    {"npu_op_unsupported",
     crashed,
     root,
     {"an operator or its arguments are not supported on the NPU", "NPU 不支持某个算子或它的参数"},
     {"Use another operator or data type, or a CANN that has it; the line names the operator.",
      "请换用其他算子或数据类型，或支持它的 CANN；该行写有算子名。"},
     {"EZ3002", "EZ3003", "EZ1001"},
     R"(\bEZ(?:3002|3003|1001)\b)"},
    {"npu_inner_error",
     crashed,
     symptom,
     {"CANN failed", "CANN 失败"},
     {"The lines below it and the plog say where; EZ is an operator, EE the runtime, EH the interface, E3 "
      "the "
      "AI CPU.",
      "其下的行和 plog 说明位置；EZ 是算子，EE 是运行时，EH 是接口，E3 是 AI CPU。"},
     {"Inner Error", "EE1001", "E30003", "E39999"},
     R"(\bE[A-Z0-9]\d{4}: ?(?:\[PID.*)?Inner Error|\bE[A-Z1-9]9999: |\bEE1001: |\bE30003: )"},
};

}  // namespace

constinit const std::span<const MessageRow> ascend_messages = ascend_rows;

}  // namespace gate::extract
