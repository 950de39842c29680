// Ascend devices, CANN and HCCL.
#include "extract/messages/rows.h"

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
     R"(error code:? ?(?:is|=)? ?50705[34]\b|\bUCE ERROR\b|HBM MULTI BIT ECC ERROR)",
     {"RuntimeError: NPU function error: AclrtSynchronizeDeviceWithTimeout, error code is 507053",
      "RuntimeError: NPU function error: c10_npu::acl::AclrtSynchronizeStreamWithTimeout, error code is "
      "507054",
      "RuntimeError: ProcessGroupHCCL.cpp:88 NPU function error: UCE ERROR., error code is 5",
      "RuntimeError: NPU function error: HBM MULTI BIT ECC ERROR., error code is 5"}},
    {"npu_lost",
     infra,
     root,
     "an NPU was lost",
     "The device no longer answers: drain the host; npu-smi info and the device's log (plog) say more.",
     {"507010", "ts lost heartbeat", "evice heartbeat lost", "507056", "HCCS LINK ERROR"},
     R"(error code:? ?(?:is|=)? ?507010\b|error code:? ?(?:is|=)? ?507056\b|)"
     R"(\bts lost heartbeat\b|\b[Dd]evice heartbeat lost\b|HCCS LINK ERROR)",
     {"RuntimeError: NPU function error: aclrtSynchronizeStream, error code is 507010",
      "[ERROR] RUNTIME(4242,python): device(3) ts lost heartbeat",
      "[ERROR] DRV(4242,python): Device heartbeat lost, devid=3",
      "RuntimeError: NPU function error: aclrtSynchronizeDevice, error code is 507056",
      "RuntimeError: NPU function error: HCCS LINK ERROR., error code is 5"}},
    {"npu_setup",
     crashed,
     root,
     "an NPU could not be set up",
     "Another process or container may hold it, or the driver does not see it: npu-smi info; "
     "ASCEND_RT_VISIBLE_DEVICES.",
     {"507033", "DRV_ERROR", "Get npu device count failed"},
     R"(error code:? ?(?:is|=)? ?507033\b|DRV_ERROR_\w+|Get npu device count failed)",
     {"RuntimeError: NPU function error: aclrtSetDevice, error code is 507033",
      "[ERROR] DRV(4242,python): open device failed, ret=DRV_ERROR_NO_DEVICE",
      "RuntimeError: Get npu device count failed"}},
    {"npu_kernel_timeout",
     crashed,
     root,
     "an operator ran too long on an NPU",
     "AI core time-out: the plog names the operator; look for its input shapes, or for a hung device.",
     {"507014", "507017", "507034", "507048", "aicore timeout"},
     R"(error code:? ?(?:is|=)? ?(?:507014|507017|507034|507048)\b|\baicore timeout\b)",
     {"RuntimeError: NPU function error: aclrtSynchronizeDevice, error code is 507014",
      "RuntimeError: NPU function error: aclrtSynchronizeStream, error code is 507017",
      "RuntimeError: NPU function error: aclrtSynchronizeStream, error code is 507034",
      "RuntimeError: npuSynchronizeDevice NPU function error: AclrtSynchronizeDeviceWithTimeout, error code "
      "is 507048",
      "[ERROR] RUNTIME(4242,python): rtStreamSynchronize: aicore timeout"}},
    {"npu_kernel_exception",
     crashed,
     root,
     "an operator failed on an NPU",
     "AI core, AI CPU or vector core exception: the plog names the operator; ASCEND_LAUNCH_BLOCKING=1 shows "
     "where.",
     {"507015", "507018", "507035", "507049", "aicore exception"},
     R"(error code:? ?(?:is|=)? ?(?:507015|507018|507035|507049)\b|\baicore exception\b)",
     {"RuntimeError: ACL stream synchronize failed, error code:507018",
      "RuntimeError: NPU function error: aclrtSynchronizeDevice, error code is 507015",
      "RuntimeError: NPU function error: c10_npu::acl::AclrtSynchronizeStreamWithTimeout(copy_stream), error "
      "code is 507035",
      "RuntimeError: NPU function error: AclrtSetOpWaitTimeout, error code 507049",
      "[ERROR] RUNTIME(4242,python): rtStreamSynchronize: aicore exception"}},
    {"hccl_notify_timeout",
     crashed,
     symptom,
     "HCCL: a rank waited too long for another one (EI0002)",
     "Find the rank that did not take part: the one with an earlier error, or the slowest. HCCL_EXEC_TIMEOUT "
     "is the limit.",
     {"EI0002", "otify wait timeout", "Notify register times out"},
     R"(\bEI0002\b|[Nn]otify wait timeout|wait execution of the Notify register times out)",
     {"EI0002: 2024-08-05-18:15:21.270.506 The wait execution of the Notify register times out. Reason: The "
      "Notify register has not received the Notify record from remote rank [1].",
      "rank 5: HCCL notify wait timeout"}},
    {"hccl_connect_timeout",
     crashed,
     symptom,
     "HCCL: the ranks could not connect in time (EI0006)",
     "Find the rank that failed or started late; check that HCCL_IF_IP and the network reach every host. "
     "HCCL_CONNECT_TIMEOUT is the limit.",
     {"EI0006", "Getting socket times out", "wait socket establish timeout"},
     R"(\bEI0006\b|Getting socket times out|wait socket establish timeout)",
     {"EI0006: 2024-08-05-18:15:21.270.506 Getting socket times out. Reason: Remote Rank did not send the "
      "data "
      "in time.",
      "[rank1]: EI0006: [PID: 4242] 2025-04-08-18:07:20.444.436 Communication_Error_Get_Socket",
      "[ERROR] HCCL(4242,python3): [Wait][LinkEstablish]wait socket establish timeout, role[1] rank[12] "
      "timeout[120]"}},
    {"hccl_config",
     crashed,
     root,
     "HCCL: the rank table or an environment variable is not valid (EI0001, EI0004)",
     "Compare the rank table and HCCL_* variables with the hosts and devices that the run uses.",
     {"EI0001", "EI0004"},
     R"(\bEI000[14]\b)",
     {"EI0001: [PID: 4242] 2025-04-08-18:07:20.444.436 Environment variable [HCCL_IF_IP] is invalid. Reason: "
      "not an address.",
      "EI0004: [PID: 4242] 2025-04-08-18:07:20.444.436 The ranktable config is invalid, Reason:[size of "
      "deviceList is 8]"}},
    {"hccl_mismatch",
     crashed,
     root,
     "HCCL: ranks call different collectives (EI0005)",
     "The ranks disagree on an operation, its size or its type: look at what differs between them, e.g. the "
     "data of a batch or a condition on the rank.",
     {"EI0005"},
     R"(\bEI0005\b)",
     {"EI0005: [PID: 4242] 2025-04-08-18:07:20.444.436 The arguments for collective communication are "
      "inconsistent between ranks: parameter count, local 4096, remote 2048"}},
    {"hccl_resource",
     crashed,
     root,
     "HCCL: no resources left for communication (EI0007)",
     "Too many groups or streams, or no device memory for them: fewer process groups, a smaller "
     "HCCL_BUFFSIZE.",
     {"EI0007"},
     R"(\bEI0007\b)",
     {"EI0007: [PID: 4242] 2025-04-08-18:07:20.444.436 Failed to allocate resource[DeviceMemory] with info "
      "[size: 209715200]"}},
    {"hccl_error",
     crashed,
     symptom,
     "HCCL failed",
     "Look at the first rank with an error, and at its plog.",
     {"EI9999", "HCCL function error", "OPS function error: Hccl", "HcclGetRootInfo"},
     R"(\bEI9999\b|HCCL function error|OPS function error: Hccl\w+|HcclGetRootInfo.*(?:fail|error))",
     {"EI9999: Inner Error!",
      "RuntimeError: ProcessGroupHCCL.cpp:88 HCCL function error: "
      "hcclCommInitRootInfoConfig, error code is 7",
      "RuntimeError: InnerRunOpApi OPS function error: HcclAllreduce, error code is 6",
      "[ERROR] HcclGetRootInfo failed, error code is 19"}},
    {"npu_op_unsupported",
     crashed,
     root,
     "an operator or its arguments are not supported on the NPU",
     "Use another operator or data type, or a CANN that has it; the line names the operator.",
     {"EZ3002", "EZ3003", "EZ1001"},
     R"(\bEZ(?:3002|3003|1001)\b)",
     {"EZ3002: [PID: 4242] Optype [Foo] of Ops kernel [AIcoreEngine] is unsupported.",
      "EZ3003: [PID: 4242] No supported Ops kernel and engine are found for [Foo], optype [Foo].",
      "EZ1001: [PID: 4242] dtype of self should be in dtype support list [DT_FLOAT,DT_FLOAT16]."}},
    {"npu_inner_error",
     crashed,
     symptom,
     "CANN failed",
     "The lines below it and the plog say where; EZ is an operator, EE the runtime, EH the interface, E3 the "
     "AI CPU.",
     {"Inner Error", "EE1001", "E30003", "E39999"},
     R"(\bE[A-Z0-9]\d{4}: ?(?:\[PID.*)?Inner Error|\bE[A-Z1-9]9999: |\bEE1001: |\bE30003: )",
     {"EZ9999: Inner Error!", "EH9999: Inner Error!", "E39999: Inner Error, Please contact support engineer!",
      "EE1001: [PID: 4242] The argument is invalid.Reason: rtGetDevMsg execute failed",
      "E30003: [PID: 4242] AI CPU task failed"}},
};

}  // namespace

std::span<const MessageRow> ascend_messages() { return ascend_rows; }

}  // namespace gate::extract
