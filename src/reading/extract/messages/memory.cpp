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
     "CUDA out of memory",
     "Use less memory per device: a smaller micro batch, recomputation, more tensor or pipeline parallelism. "
     "If the numbers in the message leave much free, another process holds the device (nvidia-smi).",
     {"CUDA out of memory", "cudaErrorMemoryAllocation", "CUDA error: out of memory",
      "cuda.OutOfMemoryError: "},
     R"(CUDA out of memory|cudaErrorMemoryAllocation|CUDA error: out of memory|cuda\.OutOfMemoryError: )"},
    {"npu_out_of_memory",
     crashed,
     root,
     "NPU out of memory",
     "Use less memory per device: a smaller micro batch, recomputation, more tensor or pipeline parallelism; "
     "PYTORCH_NPU_ALLOC_CONF=expandable_segments:True helps against fragments. If much was free, another "
     "process holds the device (npu-smi info).",
     {"NPU out of memory", "EL0004", "207018", "ACL_ERROR_RT_MEMORY_ALLOCATION"},
     R"(NPU out of memory|\bEL0004\b|error code:? ?(?:is|=)? ?207018|ACL_ERROR_RT_MEMORY_ALLOCATION)"},
    {"hip_out_of_memory",
     crashed,
     root,
     "HIP out of memory",
     "Use less memory per device: a smaller micro batch, recomputation, more tensor or pipeline parallelism.",
     {"HIP out of memory", "hipErrorOutOfMemory"},
     R"(HIP out of memory|hipErrorOutOfMemory)"},
    {"shared_memory",
     crashed,
     root,
     "no shared memory left",
     "Data loader workers share tensors through /dev/shm: give the container more (--shm-size), or use fewer "
     "workers.",
     {"insufficient shared memory", "/dev/shm", "unable to write to file </torch_",
      "unable to allocate shared memory"},
     R"(insufficient shared memory|No space left on device.*/dev/shm|/dev/shm.*No space left|)"
     R"(unable to write to file </torch_|unable to allocate shared memory)"},
    {"oom_killed",
     crashed,
     root,
     "the kernel killed a process: out of host memory",
     "The host or the container's memory limit ran out: use fewer data loader workers, less offloading or "
     "pinned memory, or raise the limit. dmesg says which process.",
     {"oom-kill", "Out of memory: Kill", "OOM Killed", "oom_kill", "Killed process"},
     R"(oom-kill|oom_kill event|Out of memory: Kill(?:ed)? process|Memory cgroup out of memory: Killed process|)"
     R"(\bOOM Killed\b)"},
    {"worker_killed",
     crashed,
     root,
     "a data loader worker was killed",
     "Mostly the kernel, out of host memory: use fewer workers or a smaller prefetch factor; dmesg says "
     "whether.",
     {"is killed by signal", "exited unexpectedly"},
     R"(DataLoader worker \(pid(?:\(s\))? [\d, ]+\) (?:is killed by signal: \S+|exited unexpectedly))"},
    {"host_out_of_memory",
     crashed,
     root,
     "out of host memory",
     "The host or the container's memory limit ran out: use fewer data loader workers, less offloading or "
     "pinned memory, or raise the limit (ulimit -v, cgroup).",
     {"Cannot allocate memory", "std::bad_alloc", "MemoryError", "DefaultCPUAllocator"},
     R"(Cannot allocate memory|std::bad_alloc|(?:^|[\s:.])MemoryError(?::|\s*$)|DefaultCPUAllocator: )"
     R"((?:can't|not enough))"},
};

}  // namespace

constinit const std::span<const MessageRow> memory_messages = memory_rows;

}  // namespace gate::extract
