// Specimens of the known messages.
#pragma once

#include <string_view>
#include <vector>

namespace gate::extract {

struct MessageSpecimens {
  std::string_view message;
  std::vector<std::string_view> logs;  // of one or more lines for which its row is chosen
};

// One row for each message, in the order of the table.
inline const std::vector<MessageSpecimens> message_specimens{
    // memory.cpp
    {"cuda_out_of_memory",
     {"[rank3]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 20.00 GiB. GPU 3 has a total "
      "capacity of 79.33 GiB of which 3.81 GiB is free.",
      "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 MiB (GPU 0; 15.90 GiB total "
      "capacity; 14.96 GiB already allocated)",
      "RuntimeError: CUDA error: out of memory",
      "cudaMalloc failed: cudaErrorMemoryAllocation: out of memory",
      "torch.cuda.OutOfMemoryError: Allocation on device 0 would exceed allowed memory. (out of memory)"}},
    {"npu_out_of_memory",
     {"RuntimeError: NPU out of memory. Tried to allocate 52.00 MiB (NPU 0; 60.96 GiB total capacity; 59.36 "
      "GiB already allocated; 59.36 GiB current active; 9.52 MiB free)",
      "EL0004: [PID: 4242] 2025-04-08-18:07:20.444.436 Failed to allocate memory. Possible Cause: Available "
      "memory is insufficient.",
      "RuntimeError: NPU function error: aclrtMallocAlign32, error code is 207018",
      "[ERROR] RUNTIME(4242,python): rtMalloc failed: ACL_ERROR_RT_MEMORY_ALLOCATION"}},
    {"hip_out_of_memory",
     {"torch.OutOfMemoryError: HIP out of memory. Tried to allocate 8.00 GiB. GPU 0 has a total capacity of "
      "63.98 GiB",
      "RuntimeError: HIP error: hipErrorOutOfMemory"}},
    {"shared_memory",
     {"ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory "
      "(shm).",
      "OSError: [Errno 28] No space left on device: '/dev/shm/nccl-AbCdEf'",
      "RuntimeError: unable to write to file </torch_4242_1234_5>: No space left on device (28)",
      "RuntimeError: unable to allocate shared memory(shm) for file </torch_4242_7>: Cannot allocate "
      "memory"}},
    {"oom_killed",
     {"slurmstepd: error: Detected 1 oom-kill event(s) in StepId=4242.0. Some of the step tasks have been "
      "OOM "
      "Killed.",
      "[4242.420000] Out of memory: Killed process 4242 (python) total-vm:123456kB",
      "[4242.420000] Memory cgroup out of memory: Killed process 4242 (python) total-vm:123456kB",
      "srun: error: node7: task 3: Out Of Memory, OOM Killed",
      "slurmstepd: error: Detected 1 oom_kill event "
      "in StepId=4242.batch."}},
    {"worker_killed",
     {"RuntimeError: DataLoader worker (pid 4242) is killed by signal: Killed. ",
      "RuntimeError: DataLoader worker (pid(s) 4242, 4243) exited unexpectedly"}},
    {"host_out_of_memory",
     {"OSError: [Errno 12] Cannot allocate memory",
      "terminate called after throwing an instance of 'std::bad_alloc'",
      "Traceback (most recent call last):\n  File \"train.py\", line 4, in <module>\nMemoryError",
      "numpy.core._exceptions.MemoryError: Unable to allocate 7.45 GiB for an array with shape (1000000000,)",
      "RuntimeError: [enforce fail at alloc_cpu.cpp:75] err == 0. DefaultCPUAllocator: can't allocate "
      "memory: "
      "you tried to allocate 4096 bytes."}},
    // gpu.cpp
    {"gpu_ecc",
     {"RuntimeError: CUDA error: uncorrectable ECC error encountered",
      "cudaErrorECCUncorrectable: uncorrectable ECC error encountered",
      "NCCL WARN Cuda failure 'Uncorrectable ECC error encountered'"}},
    {"gpu_lost",
     {"NVRM: GPU at PCI:0000:3b:00: GPU has fallen off the bus.",
      "Unable to determine the device handle for GPU 0000:3B:00.0: GPU is lost.  Reboot the system to "
      "recover "
      "this GPU",
      "nvml error: GPU has been lost"}},
    {"gpu_xid",
     {"[4242.420000] NVRM: Xid (PCI:0000:3b:00): 74, pid=4242, NVLink: fatal error detected on link 6"}},
    {"gpu_hung",
     {"HW Exception by GPU node-4 (Agent handle: 0x5581) reason :GPU Hang",
      "[4242.420000] amdgpu 0000:c1:00.0: amdgpu: GPU reset begin!"}},
    {"cuda_driver",
     {"RuntimeError: CUDA error: CUDA driver version is insufficient for CUDA runtime version",
      "RuntimeError: CUDA error: no CUDA-capable device is detected",
      "AssertionError: Torch not compiled with CUDA enabled",
      "RuntimeError: The NVIDIA driver on your system is too old (found version 11040).",
      "RuntimeError: No CUDA GPUs are available"}},
    {"gpu_busy",
     {"RuntimeError: CUDA error: CUDA-capable device(s) is/are busy or unavailable",
      "RuntimeError: CUDA error: all CUDA-capable devices are busy or unavailable"}},
    {"cuda_assert", {"RuntimeError: CUDA error: device-side assert triggered"}},
    {"cuda_illegal_access",
     {"RuntimeError: CUDA error: an illegal memory access was encountered",
      "RuntimeError: CUDA error: misaligned address", "RuntimeError: CUDA error: unspecified launch failure",
      "kernel failed: cudaErrorLaunchFailure"}},
    {"cuda_library",
     {"RuntimeError: CUDA error: CUBLAS_STATUS_EXECUTION_FAILED when calling `cublasGemmEx( handle)`",
      "RuntimeError: cuDNN error: CUDNN_STATUS_MAPPING_ERROR"}},
    {"hip_error",
     {"RuntimeError: HIP error: invalid device function", "kernel failed: hipErrorIllegalAddress",
      "kernel failed: hipErrorLaunchFailure"}},
    {"cuda_error",
     {"RuntimeError: CUDA error: invalid device ordinal",
      "node7:4242:4299 [0] NCCL WARN Cuda failure 'peer "
      "access is not supported between these two devices'"}},
    // ascend.cpp
    {"npu_ecc",
     {"RuntimeError: NPU function error: AclrtSynchronizeDeviceWithTimeout, error code is 507053",
      "RuntimeError: NPU function error: c10_npu::acl::AclrtSynchronizeStreamWithTimeout, error code is "
      "507054",
      "RuntimeError: ProcessGroupHCCL.cpp:88 NPU function error: UCE ERROR., error code is 5",
      "RuntimeError: NPU function error: HBM MULTI BIT ECC ERROR., error code is 5"}},
    {"npu_repair",
     {"2024-10-30 10:00:00,123 - [WARNING] - rank:7 catch UCE ERROR exception, ex instance:UCE ERROR.",
      "rank:15 catch FORCE STOP exception, ex instance:FORCE STOP. device id is: 7",
      "WARNING rank:3 catch STEP FINISH exception, ex instance:STEP FINISH",
      "WARNING: rank:0 catch HCCL OP RETRY FAILED exception, ex instance:HCCL OP RETRY FAILED"}},
    {"npu_lost",
     {"RuntimeError: NPU function error: aclrtSynchronizeStream, error code is 507010",
      "[ERROR] RUNTIME(4242,python): device(3) ts lost heartbeat",
      "[ERROR] DRV(4242,python): Device heartbeat lost, devid=3",
      "RuntimeError: NPU function error: aclrtSynchronizeDevice, error code is 507056",
      "RuntimeError: NPU function error: HCCS LINK ERROR., error code is 5"}},
    {"npu_setup",
     {"RuntimeError: NPU function error: aclrtSetDevice, error code is 507033",
      "[ERROR] DRV(4242,python): open device failed, ret=DRV_ERROR_NO_DEVICE",
      "RuntimeError: Get npu device count failed"}},
    {"npu_kernel_timeout",
     {"RuntimeError: NPU function error: aclrtSynchronizeDevice, error code is 507014",
      "RuntimeError: NPU function error: aclrtSynchronizeStream, error code is 507017",
      "RuntimeError: NPU function error: aclrtSynchronizeStream, error code is 507034",
      "RuntimeError: npuSynchronizeDevice NPU function error: AclrtSynchronizeDeviceWithTimeout, error code "
      "is 507048",
      "[ERROR] RUNTIME(4242,python): rtStreamSynchronize: aicore timeout"}},
    {"npu_kernel_exception",
     {"RuntimeError: ACL stream synchronize failed, error code:507018",
      "RuntimeError: NPU function error: aclrtSynchronizeDevice, error code is 507015",
      "RuntimeError: NPU function error: c10_npu::acl::AclrtSynchronizeStreamWithTimeout(copy_stream), error "
      "code is 507035",
      "RuntimeError: NPU function error: AclrtSetOpWaitTimeout, error code 507049",
      "[ERROR] RUNTIME(4242,python): rtStreamSynchronize: aicore exception"}},
    {"hccl_notify_timeout",
     {"EI0002: 2024-08-05-18:15:21.270.506 The wait execution of the Notify register times out. Reason: The "
      "Notify register has not received the Notify record from remote rank [1].",
      "rank 5: HCCL notify wait timeout"}},
    {"hccl_connect_timeout",
     {"EI0006: 2024-08-05-18:15:21.270.506 Getting socket times out. Reason: Remote Rank did not send the "
      "data "
      "in time.",
      "[rank1]: EI0006: [PID: 4242] 2025-04-08-18:07:20.444.436 Communication_Error_Get_Socket",
      "[ERROR] HCCL(4242,python3): [Wait][LinkEstablish]wait socket establish timeout, role[1] rank[12] "
      "timeout[120]"}},
    {"hccl_config",
     {"EI0001: [PID: 4242] 2025-04-08-18:07:20.444.436 Environment variable [HCCL_IF_IP] is invalid. Reason: "
      "not an address.",
      "EI0004: [PID: 4242] 2025-04-08-18:07:20.444.436 The ranktable config is invalid, Reason:[size of "
      "deviceList is 8]"}},
    {"hccl_mismatch",
     {"EI0005: [PID: 4242] 2025-04-08-18:07:20.444.436 The arguments for collective communication are "
      "inconsistent between ranks: parameter count, local 4096, remote 2048"}},
    {"hccl_resource",
     {"EI0007: [PID: 4242] 2025-04-08-18:07:20.444.436 Failed to allocate resource[DeviceMemory] with info "
      "[size: 209715200]"}},
    {"hccl_error",
     {"EI9999: Inner Error!",
      "RuntimeError: ProcessGroupHCCL.cpp:88 HCCL function error: "
      "hcclCommInitRootInfoConfig, error code is 7",
      "RuntimeError: InnerRunOpApi OPS function error: HcclAllreduce, error code is 6",
      "[ERROR] HcclGetRootInfo failed, error code is 19", "RuntimeError: HCCL error",
      "[E ProcessGroupHCCL.cpp:341] Some HCCL operations have failed or timed out."}},
    {"npu_op_unsupported",
     {"EZ3002: [PID: 4242] Optype [Foo] of Ops kernel [AIcoreEngine] is unsupported.",
      "EZ3003: [PID: 4242] No supported Ops kernel and engine are found for [Foo], optype [Foo].",
      "EZ1001: [PID: 4242] dtype of self should be in dtype support list [DT_FLOAT,DT_FLOAT16]."}},
    {"npu_inner_error",
     {"EZ9999: Inner Error!", "EH9999: Inner Error!", "E39999: Inner Error, Please contact support engineer!",
      "EE1001: [PID: 4242] The argument is invalid.Reason: rtGetDevMsg execute failed",
      "E30003: [PID: 4242] AI CPU task failed"}},
    // collective.cpp
    {"nccl_timeout",
     {"[rank9]:[E218 04:54:22.061694977 ProcessGroupNCCL.cpp:616] [Rank 0] Watchdog caught collective "
      "operation timeout: WorkNCCL(SeqNum=66, OpType=ALLREDUCE, NumelIn=1) ran for 600029 milliseconds",
      "[E ProcessGroupNCCL.cpp:916] [Rank 3] NCCL watchdog thread terminated with exception: CUDA is gone",
      "[E ProcessGroupNCCL.cpp:341] Some NCCL operations have failed or timed out. Due to the asynchronous "
      "nature of CUDA kernels, subsequent GPU operations might run on corrupted/incomplete data. To avoid "
      "this inconsistency, we are taking the entire process down.",
      "[E ProcessGroupNCCL.cpp:474] To avoid data inconsistency, we are taking the entire process down."}},
    {"nccl_error",
     {"torch.distributed.DistBackendError: NCCL error in: "
      "../torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:1333, unhandled cuda error (run with "
      "NCCL_DEBUG=INFO for details), NCCL version 2.18.6",
      "RuntimeError: NCCL error: unhandled system error, NCCL version 2.18.6",
      "ncclInternalError: Internal check failed.",
      "ncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error."}},
    {"nccl_peer_lost",
     {"ncclRemoteError: A call failed possibly due to a network error or a remote process exiting "
      "prematurely.",
      "torch.distributed.DistBackendError: NCCL error: remote process exited or there was a network error, "
      "NCCL version 2.18.6",
      "RuntimeError: NCCL communicator was aborted on rank 3."}},
    {"gloo_connection",
     {"RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:534] Connection closed by peer "
      "[10.0.0.2]:4242",
      "RuntimeError: [../third_party/gloo/gloo/transport/tcp/unbound_buffer.cc:81] Timed out waiting "
      "1800000ms for recv operation to complete",
      "RuntimeError: Gloo connectFullMesh failed with [../third_party/gloo/gloo/transport/tcp/pair.cc:144] "
      "no "
      "error"}},
    {"store_timeout",
     {"torch.distributed.DistNetworkError: The client socket has timed out after 60s while trying to connect "
      "to (10.0.0.1, 29500).",
      "torch.distributed.DistStoreError: Timed out after 1801 seconds waiting for clients. 1/2 clients "
      "joined.",
      "RuntimeError: [1] is setting up NCCL communicator and retrieving ncclUniqueId from [0] via c10d "
      "key-value store by key '0', but store->get('0') got error: Socket Timeout",
      "torch.distributed.elastic.rendezvous.api.RendezvousTimeoutError",
      "torch.distributed.elastic.rendezvous.api.RendezvousConnectionError: The connection to the C10d store "
      "has failed."}},
    {"store_lost",
     {"torch.distributed.DistNetworkError: recvValue failed on SocketImpl(fd=4, addr=[node1]:4242): "
      "Connection "
      "reset by peer",
      "[E TCPStore.cpp:100] sendBytes failed on SocketImpl(fd=4): Broken pipe",
      "BrokenPipeError: [Errno 32] Broken pipe"}},
    {"connection_lost",
     {"ConnectionRefusedError: [Errno 111] Connection refused",
      "ConnectionResetError: [Errno 104] Connection reset by peer",
      "RuntimeError: store error: Connection reset by peer",
      "TimeoutError: [Errno 110] Connection timed out"}},
    {"host_unreachable",
     {"OSError: [Errno 113] No route to host", "ssh: connect to host node7 port 22: Connection timed out"}},
    {"no_network",
     {"OSError: [Errno 101] Network is unreachable",
      "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='huggingface.co', port=443): Max "
      "retries "
      "exceeded with url: /gpt2/resolve/main/vocab.json (Caused by NewConnectionError)"}},
    {"host_unknown",
     {"ssh: Could not resolve hostname node7: Name or service not known",
      "socket.gaierror: [Errno -2] Name or service not known",
      "curl: (6) Temporary failure in name resolution"}},
    {"address_in_use",
     {"OSError: [Errno 98] Address already in use",
      "torch.distributed.DistNetworkError: The server socket has failed to listen on any local network "
      "address. port: 29500, useIpv6: false, code: -98, name: EADDRINUSE",
      "EJ0003: [PID: 4242] Failed to bind the IP port. Reason: The IP address and port have been bound "
      "already."}},
    // system.cpp
    {"no_space",
     {"OSError: [Errno 28] No space left on device: 'checkpoints/iter_10'",
      "RuntimeError: [enforce fail at inline_container.cc:424] . PytorchStreamWriter failed writing file "
      "data/7: file write failed"}},
    {"quota", {"OSError: [Errno 122] Disk quota exceeded"}},
    {"missing_library",
     {"ImportError: libhccl.so: cannot open shared object file: No such file or directory",
      "python: error while loading shared libraries: libcudart.so.12: cannot open shared object file: No "
      "such "
      "file or directory"}},
    {"undefined_symbol",
     {"ImportError: /opt/lib/fused.so: undefined symbol: _ZN3c104cuda9SetDeviceEi",
      "ImportError: libstdc++.so.6: version `GLIBCXX_3.4.29' not found (required by libfoo.so)",
      "./a.out: libc.so.6: version `GLIBC_2.34' not found (required by ./a.out)"}},
    {"segfault",
     {"scripts/train.sh: line 12:  4242 Segmentation fault      (core dumped) python train.py",
      "Fatal Python error: Segmentation fault", "  traceback : Signal 11 (SIGSEGV) received by PID 4242",
      "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -11) local_rank: 0 (pid: 4242) "
      "of binary: /usr/bin/python3",
      "  exitcode  : -11 (pid: 4242)"}},
    {"bus_error",
     {"scripts/train.sh: line 12:  4242 Bus error               (core dumped) python train.py",
      "  traceback : Signal 7 (SIGBUS) received by PID 4242",
      "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -7) local_rank: 0 (pid: 4242) "
      "of "
      "binary: /usr/bin/python3"}},
    {"illegal_instruction",
     {"scripts/train.sh: line 12:  4242 Illegal instruction     (core dumped) python train.py",
      "  traceback : Signal 4 (SIGILL) received by PID 4242"}},
    {"aborted",
     {"terminate called after throwing an instance of 'c10::Error'",
      "scripts/train.sh: line 12:  4242 Aborted                 (core dumped) python train.py",
      "  traceback : Signal 6 (SIGABRT) received by PID 4242",
      "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -6) local_rank: 0 (pid: 4242) "
      "of "
      "binary: /usr/bin/python3",
      "Fatal Python error: Aborted", "line 3: 12345 Aborted   torchrun train.py", "Aborted (core dumped)"}},
    {"killed",
     {"scripts/train.sh: line 12:  4242 Killed                  python train.py",
      "  traceback : Signal 9 (SIGKILL) received by PID 4242",
      "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -9) local_rank: 0 (pid: 4242) "
      "of "
      "binary: /usr/bin/python3",
      "  exitcode  : -9 (pid: 4242)", "Killed", "line 3: 12345 Killed   torchrun train.py"}},
    {"signal",
     {"scripts/train.sh: line 12:  4242 Floating point exception(core dumped) python train.py",
      "line 3: 12345 Trace/breakpoint trap   torchrun train.py", "Floating point exception (core dumped)",
      "Killed by signal 9.",
      "torch.multiprocessing.spawn.ProcessExitedException: process 1 terminated with signal SIGSEGV"}},
    {"container_failed",
     {"docker: Error response from daemon: could not select device driver \"\" with capabilities: [[gpu]]."}},
    {"script_missing",
     {"python: can't open file '/suite/pretrain_gpt.py': [Errno 2] No such file or directory",
      "ModuleNotFoundError: No module named '__main__.train'; '__main__' is not a package"}},
    {"shell_command",
     {"scripts/train.sh: line 3: torchrun: command not found", "/bin/sh: 1: /opt/python: not found"}},
    {"shell_file",
     {"scripts/train.sh: line 3: /opt/ascend/set_env.sh: No such file or directory",
      "ls: cannot access 'data/gpt2-vocab.json': No such file or directory"}},
    {"shell_permission",
     {"scripts/train.sh: line 3: ./run.sh: Permission denied",
      "mkdir: cannot create directory '/data/out': Permission denied"}},
    // python.cpp
    {"missing_module",
     {"[rank0]: ModuleNotFoundError: No module named 'apex'",
      "ImportError: cannot import name 'mpu' from 'megatron.core'"}},
    {"missing_file",
     {"FileNotFoundError: [Errno 2] No such file or directory: 'data/alpaca_text_document.idx'"}},
    {"permission", {"PermissionError: [Errno 13] Permission denied: '/data/out'"}},
    {"wrong_arguments",
     {"pretrain_gpt.py: error: unrecognized arguments: --use-mcore-model",
      "pretrain_gpt.py: error: the following arguments are required: --tokenizer-type",
      "pretrain_gpt.py: error: argument --num-layers: invalid int value: 'x'",
      "pretrain_gpt.py: error: ambiguous option: --no could match --no-load-rng"}},
    {"nan_found",
     {"AssertionError: Rank 13: found NaN in local grad norm in backward pass before data-parallel "
      "communication collective. Device: 5, node: node7",
      "RuntimeError: Rank 0, node node7, device 0, iteration 12: found Inf in local grad norm for bucket #0",
      "RuntimeError: Rank 0, node node7, device 0, iteration 12: Unexpected result nan (message='found NaN')",
      "RuntimeError: Loss is nan, stopping training", "RuntimeError: Found NaN in the gradients"}},
    {"checkpoint_mismatch",
     {"\tsize mismatch for word_embeddings.weight: copying a param with shape torch.Size([50304, 512])",
      "RuntimeError: Error(s) in loading state_dict for GPTModel:",
      "\tUnexpected key(s) in state_dict: \"decoder.final_norm.bias\".",
      "\tMissing key(s) in state_dict: \"decoder.final_norm.weight\"."}},
    {"terminated",
     {"torch.distributed.elastic.multiprocessing.api.SignalException: Process 4242 got signal: 15",
      "Process 4242 got signal: 15",
      "Traceback (most recent call last):\n  File \"train.py\", line 4, in <module>\nKeyboardInterrupt",
      "[rank: 0] Received SIGTERM: 15", "SIGTERM received, saving a checkpoint"}},
    {"child_failed",
     {"torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ",
      "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: 1) local_rank: 3 (pid: 4242) of "
      "binary: /usr/bin/python3",
      "[2024-01-02 03:04:05,678] [ERROR] [launch.py:321:sigkill_handler] ['/usr/bin/python3', '-u', "
      "'train.py', "
      "'--local_rank=0'] exits with return code = 1",
      "  exitcode  : 1 (pid: 4242)"}},
    {"job_failed",
     {"mpirun noticed that process rank 3 with PID 4242 on node node7 exited on signal 9 (Killed).",
      "a non-zero exit code. Per user-direction, the job has been aborted.",
      "mpirun detected that one or more processes exited with non-zero status, thus causing",
      "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES",
      "[ERROR] ME(4242:139,MainProcess):2025-01-02-03:04:05.6 [_api.py:251] Worker process 4243 exit with "
      "exception.",
      "RuntimeError: Distributed job exited with exception. Please check logs in directory: log."}},
    {"command_failed",
     {"subprocess.CalledProcessError: Command '['/usr/bin/python3', '-u', 'train.py', '--local_rank=7']' "
      "returned non-zero exit status 1.",
      "Killing subprocess 4242",
      "[2024-01-02 03:04:05,678] [INFO] [launch.py:315:sigkill_handler] Killing "
      "subprocess 4242",
      "WARNING:torch.distributed.elastic.multiprocessing.api:Sending process 4242 closing signal SIGTERM",
      "2024-01-02 03:04:05,678 [ERROR] [container_main.py,66]Run cmd failed. 1",
      "[2024-01-02 03:04:05,678] [INFO] [launch.py:300:sigkill_handler] Main process received SIGINT, "
      "exiting"}},
    {"own_error",
     {"[ERROR] no data in /d", "2024-01-02 03:04:05 - FATAL - no data", "CRITICAL: no data", "Error: no data",
      "fatal: no data"}},
    {"traceback",
     {"Exception ignored in: <function f>\nTraceback (most recent call last):\n  File \"train.py\", line 4, "
      "in "
      "f\nValueError: closed",
      "Exception in thread Thread-1:\nTraceback (most recent call last):\n  File \"train.py\", line 4, in "
      "f\nValueError: closed",
      "Traceback (most recent call last):\n  File \"train.py\", line 4, in <module>\n    main()\n"
      "ValueError: hidden size 100 is not divisible by 8\n",
      "[rank3]: Traceback (most recent call last):\n[rank3]:   File \"train.py\", line 4, in "
      "<module>\n[rank3]:  "
      "   assert a == b\n[rank3]: AssertionError\n",
      "2024-01-02 03:04:05 ERROR Traceback (most recent call last):\n  File \"train.py\", line 4, in "
      "<module>\n"
      "KeyError: 'lm_head'\n"}},
    // scheduler.cpp
    {"slurm_node_failed",
     {"slurmstepd: error: *** STEP 4242.0 ON node7 CANCELLED AT 2024-01-02T03:04:05 DUE TO NODE FAILURE, SEE "
      "SLURMCTLD LOG FOR DETAILS ***",
      "srun: error: Node failure on node7"}},
    {"slurm_preempted",
     {"slurmstepd: error: *** JOB 4242 ON node7 CANCELLED AT 2024-01-02T03:04:05 DUE TO PREEMPTION ***",
      "slurmstepd: error: *** JOB 4242 ON node7 CANCELLED AT 2024-01-02T03:04:05 DUE to PREEMPTION ***",
      "slurmstepd: error: *** JOB 4242 ON node7 CANCELLED AT 2024-01-02T03:04:05 DUE TO JOB REQUEUE ***"}},
    {"slurm_failed",
     {"srun: error: Unable to contact slurm controller (connect failure)",
      "srun: error: Unable to confirm allocation for job 4242: Unable to contact slurm controller"}},
    {"slurm_time_limit",
     {"slurmstepd: error: *** JOB 4242 ON node7 CANCELLED AT 2024-01-02T03:04:05 DUE TO TIME LIMIT ***"}},
    {"job_time_limit",
     {"=>> PBS: job killed: walltime 3661 exceeded limit 3600",
      "TERM_RUNLIMIT: job killed after reaching LSF run time limit."}},
    {"slurm_cancelled", {"slurmstepd: error: *** STEP 4242.0 ON node7 CANCELLED AT 2024-01-02T03:04:05 ***"}},
    {"slurm_task_failed",
     {"srun: error: node7: task 3: Exited with exit code 1", "srun: error: node7: tasks 0-7: Killed"}},
};

}  // namespace gate::extract
