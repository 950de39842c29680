// Memory that ran out, on a device or on the host.
#include "extract/messages/message_rows.h"

namespace gate::extract {

namespace {

using enum MessageClass;
using enum MessageWeight;

constexpr MessageRow memory_rows[] = {
    {"cuda_out_of_memory",
     crashed,
     root,
     {"CUDA out of memory", "CUDA 显存不足"},
     {"Use less memory per device: a smaller micro batch, recomputation, more tensor or pipeline "
      "parallelism. "
      "If the numbers in the message leave much free, another process holds the device (nvidia-smi).",
      "减少每个设备的显存：更小的 micro "
      "batch、重计算、更多的张量并行或流水线并行。如果报错里的数字显示还有很多空闲，则是其他进程占用了设备 "
      "(nvidia-smi)。"},
     {"CUDA out of memory", "cudaErrorMemoryAllocation", "CUDA error: out of memory",
      "cuda.OutOfMemoryError: "},
     R"(CUDA out of memory|cudaErrorMemoryAllocation|CUDA error: out of memory|cuda\.OutOfMemoryError: )"},
    {"npu_out_of_memory",
     crashed,
     root,
     {"NPU out of memory", "NPU 显存不足"},
     {"Use less memory per device: a smaller micro batch, recomputation, more tensor or pipeline "
      "parallelism; "
      "PYTORCH_NPU_ALLOC_CONF=expandable_segments:True helps against fragments. If much was free, another "
      "process holds the device (npu-smi info).",
      "减少每个设备的显存：更小的 micro "
      "batch、重计算、更多的张量并行或流水线并行；PYTORCH_NPU_ALLOC_CONF=expandable_segments:True "
      "可减少碎片。如果还有很多空闲，则是其他进程占用了设备（用 npu-smi info 查看）。"},
     {"NPU out of memory", "EL0004", "207018", "ACL_ERROR_RT_MEMORY_ALLOCATION"},
     R"(NPU out of memory|\bEL0004\b|error code:? ?(?:is|=)? ?207018|ACL_ERROR_RT_MEMORY_ALLOCATION)"},
    {"hip_out_of_memory",
     crashed,
     root,
     {"HIP out of memory", "HIP 显存不足"},
     {"Use less memory per device: a smaller micro batch, recomputation, more tensor or pipeline "
      "parallelism.",
      "请降低每个设备的显存占用：减小 micro batch、开启重计算，或加大张量并行、流水线并行。"},
     {"HIP out of memory", "hipErrorOutOfMemory"},
     R"(HIP out of memory|hipErrorOutOfMemory)"},
    {"shared_memory",
     crashed,
     root,
     {"no shared memory left", "共享内存耗尽"},
     {"Data loader workers share tensors through /dev/shm: give the container more (--shm-size), or use "
      "fewer "
      "workers.",
      "data loader worker 通过 /dev/shm 共享张量：请给容器更多 (--shm-size)，或减少 worker。"},
     {"insufficient shared memory", "/dev/shm", "unable to write to file </torch_",
      "unable to allocate shared memory"},
     R"(insufficient shared memory|No space left on device.*/dev/shm|/dev/shm.*No space left|)"
     R"(unable to write to file </torch_|unable to allocate shared memory)"},
    {"oom_killed",
     crashed,
     root,
     {"the kernel killed a process: out of host memory", "内核杀死了一个进程：主机内存不足"},
     {"The host or the container's memory limit ran out: use fewer data loader workers, less offloading or "
      "pinned memory, or raise the limit. dmesg says which process.",
      "主机内存或容器的内存限额用尽：请减少 data loader worker、offload 或 pinned memory，或提高限额。dmesg "
      "说明是哪个进程。"},
     {"oom-kill", "Out of memory: Kill", "OOM Killed", "oom_kill", "Killed process"},
     R"(oom-kill|oom_kill event|Out of memory: Kill(?:ed)? process|Memory cgroup out of memory: Killed process|)"
     R"(\bOOM Killed\b)"},
    {"worker_killed",
     crashed,
     root,
     {"a data loader worker was killed", "一个 data loader worker 被杀死"},
     {"Usually the kernel, out of host memory: use fewer workers or a smaller prefetch factor; dmesg "
      "confirms it.",
      "多半是主机内存不足，被内核杀死：请减少 worker 或减小 prefetch factor；dmesg 可确认。"},
     {"is killed by signal", "exited unexpectedly"},
     R"(DataLoader worker \(pid(?:\(s\))? [\d, ]+\) (?:is killed by signal: \S+|exited unexpectedly))"},
    {"host_out_of_memory",
     crashed,
     root,
     {"out of host memory", "主机内存不足"},
     {"The host or the container's memory limit ran out: use fewer data loader workers, less offloading or "
      "pinned memory, or raise the limit (ulimit -v, cgroup).",
      "主机内存或容器的内存限额用尽：请减少 data loader worker、offload 或 pinned memory，或提高限额（ulimit "
      "-v、cgroup）。"},
     {"Cannot allocate memory", "std::bad_alloc", "MemoryError", "DefaultCPUAllocator"},
     R"(Cannot allocate memory|std::bad_alloc|(?:^|[\s:.])MemoryError(?::|\s*$)|DefaultCPUAllocator: )"
     R"((?:can't|not enough))"},
};

}  // namespace

constinit const std::span<const MessageRow> memory_messages = memory_rows;

}  // namespace gate::extract
