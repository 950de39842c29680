// Memory that ran out, on a device or on the host.
#include "extract/messages/rows.h"

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
     R"(CUDA out of memory|cudaErrorMemoryAllocation|CUDA error: out of memory|cuda\.OutOfMemoryError: )",
     {"[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 GiB. GPU 3 has a total "
      "capacity of 79.33 GiB of which 3.81 GiB is free.",
      "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 MiB (GPU 0; 15.90 GiB total "
      "capacity; 14.96 GiB already allocated)",
      "RuntimeError: CUDA error: out of memory",
      "cudaMalloc failed: cudaErrorMemoryAllocation: out of memory",
      "torch.cuda.OutOfMemoryError: Allocation on device 0 would exceed allowed memory. (out of memory)"}},
    {"npu_out_of_memory",
     crashed,
     root,
     "NPU out of memory",
     "Use less memory per device: a smaller micro batch, recomputation, more tensor or pipeline parallelism; "
     "PYTORCH_NPU_ALLOC_CONF=expandable_segments:True helps against fragments. If much was free, another "
     "process holds the device (npu-smi info).",
     {"NPU out of memory", "EL0004", "207018", "ACL_ERROR_RT_MEMORY_ALLOCATION"},
     R"(NPU out of memory|\bEL0004\b|error code:? ?(?:is|=)? ?207018|ACL_ERROR_RT_MEMORY_ALLOCATION)",
     {"RuntimeError: NPU out of memory. Tried to allocate 52.00 MiB (NPU 0; 60.96 GiB total capacity; 59.36 "
      "GiB already allocated; 59.36 GiB current active; 9.52 MiB free)",
      "EL0004: [PID: 4242] 2025-04-08-18:07:20.444.436 Failed to allocate memory. Possible Cause: Available "
      "memory is insufficient.",
      "RuntimeError: NPU function error: aclrtMallocAlign32, error code is 207018",
      "[ERROR] RUNTIME(4242,python): rtMalloc failed: ACL_ERROR_RT_MEMORY_ALLOCATION"}},
    {"hip_out_of_memory",
     crashed,
     root,
     "HIP out of memory",
     "Use less memory per device: a smaller micro batch, recomputation, more tensor or pipeline parallelism.",
     {"HIP out of memory", "hipErrorOutOfMemory"},
     R"(HIP out of memory|hipErrorOutOfMemory)",
     {"torch.OutOfMemoryError: HIP out of memory. Tried to allocate 8.00 GiB. GPU 0 has a total capacity of "
      "63.98 GiB",
      "RuntimeError: HIP error: hipErrorOutOfMemory"}},
    {"shared_memory",
     crashed,
     root,
     "no shared memory left",
     "Data loader workers share tensors through /dev/shm: give the container more (--shm-size), or use fewer "
     "workers.",
     {"insufficient shared memory", "/dev/shm", "unable to write to file </torch_",
      "unable to allocate shared "
      "memory"},
     R"(insufficient shared memory|No space left on device.*/dev/shm|/dev/shm.*No space left|)"
     R"(unable to write to file </torch_|unable to allocate shared memory)",
     {"ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory "
      "(shm).",
      "OSError: [Errno 28] No space left on device: '/dev/shm/nccl-AbCdEf'",
      "RuntimeError: unable to write to file </torch_4242_1234_5>: No space left on device (28)",
      "RuntimeError: unable to allocate shared memory(shm) for file </torch_4242_7>: Cannot allocate "
      "memory"}},
    {"oom_killed",
     crashed,
     root,
     "the kernel killed a process: out of host memory",
     "The host or the container's memory limit ran out: use fewer data loader workers, less offloading or "
     "pinned memory, or raise the limit. dmesg says which process.",
     {"oom-kill", "Out of memory: Kill", "OOM Killed", "oom_kill", "Killed process"},
     R"(oom-kill|oom_kill event|Out of memory: Kill(?:ed)? process|Memory cgroup out of memory: Killed process|)"
     R"(\bOOM Killed\b)",
     {"slurmstepd: error: Detected 1 oom-kill event(s) in StepId=4242.0. Some of the step tasks have been "
      "OOM "
      "Killed.",
      "[4242.420000] Out of memory: Killed process 4242 (python) total-vm:123456kB",
      "[4242.420000] Memory cgroup out of memory: Killed process 4242 (python) total-vm:123456kB",
      "srun: error: node7: task 3: Out Of Memory, OOM Killed",
      "slurmstepd: error: Detected 1 oom_kill event "
      "in StepId=4242.batch."}},
    {"worker_killed",
     crashed,
     root,
     "a data loader worker was killed",
     "Mostly the kernel, out of host memory: use fewer workers or a smaller prefetch factor; dmesg says "
     "whether.",
     {"is killed by signal", "exited unexpectedly"},
     R"(DataLoader worker \(pid(?:\(s\))? [\d, ]+\) (?:is killed by signal: \S+|exited unexpectedly))",
     {"RuntimeError: DataLoader worker (pid 4242) is killed by signal: Killed. ",
      "RuntimeError: DataLoader worker (pid(s) 4242, 4243) exited unexpectedly"}},
    {"host_out_of_memory",
     crashed,
     root,
     "out of host memory",
     "The host or the container's memory limit ran out: use fewer data loader workers, less offloading or "
     "pinned memory, or raise the limit (ulimit -v, cgroup).",
     {"Cannot allocate memory", "std::bad_alloc", "MemoryError", "DefaultCPUAllocator"},
     R"(Cannot allocate memory|std::bad_alloc|(?:^|[\s:.])MemoryError(?::|\s*$)|DefaultCPUAllocator: )"
     R"((?:can't|not enough))",
     {"OSError: [Errno 12] Cannot allocate memory",
      "terminate called after throwing an instance of 'std::bad_alloc'",
      "Traceback (most recent call last):\n  File \"train.py\", line 4, in <module>\nMemoryError",
      "numpy.core._exceptions.MemoryError: Unable to allocate 7.45 GiB for an array with shape (1000000000,)",
      "RuntimeError: [enforce fail at alloc_cpu.cpp:75] err == 0. DefaultCPUAllocator: can't allocate "
      "memory: "
      "you tried to allocate 4096 bytes."}},
};

}  // namespace

std::span<const MessageRow> memory_messages() { return memory_rows; }

}  // namespace gate::extract
