// Lines that are no known messages.
#pragma once

#include <array>
#include <string_view>

namespace gate::extract {

// Ordinary lines of healthy logs that look like trouble: no row may match one.
inline constexpr std::array<std::string_view, 38> look_alikes{
    " iteration       10/     200 | elapsed time per iteration (ms): 995.3 | loss scale: 1.0 | number of "
    "skipped iterations:   0 | number of nan iterations:   0 |",
    "loss scale: 1.0 | number of nan iterations: 0 |",
    "error rate 0.1",
    "validation error: 0.0123 | perplexity 12.3",
    "WARNING: PYTORCH_CUDA_ALLOC_CONF is set, OOM-safe allocator enabled",
    "OOM-safe allocator enabled",
    "  nccl_timeout ............ 10",
    "  distributed_timeout_minutes ............ 10",
    "  error_injection_rate ............ 0",
    "  error_injection_type ............ transient_error",
    "  check_for_nan_in_loss_and_grad ............ True",
    "  exit_signal_handler ............ False",
    "  log_throughput_to_tensorboard ............ False",
    "  inference_out_of_memory_fallback ............ None",
    "[W socket.cpp:601] [c10d] The client socket has failed to connect to [localhost]:29500 (errno: 99 - "
    "Cannot "
    "assign requested address).",
    "[W socket.cpp:663] [c10d] The client socket has failed to connect to [node1]:29500 (errno: 111 - "
    "Connection refused).",
    "[rank0]:[W1121 03:04:05.678901234 ProcessGroupNCCL.cpp:1250] Warning: WARNING: process group has NOT "
    "been "
    "destroyed before we destruct ProcessGroupNCCL.",
    "192.168.205.202: [rank10]:[W326 00:35:03.830894131 TCPStore.cpp:125] [c10d] recvValue failed on "
    "SocketImpl(fd=114, addr=[::]:55999): Connection reset by peer",
    "[W socket.cpp:697] [c10d] The IPv6 network addresses of (node1, 29500) cannot be retrieved (gai error: "
    "-2 - "
    "Name or service not known).",
    "WARNING:git.py:CalledProcessError: Command '['git', 'rev-parse', 'HEAD']' returned non-zero exit status "
    "128.",
    "CalledProcessError: Command '['git', 'rev-parse', 'HEAD']' returned non-zero exit status 128.",
    "Error response from daemon: No such container: gate-4242",
    "[2024-01-02 03:04:05,678] [INFO] [launch.py:347:main] Process 4242 exits successfully.",
    "Sending process group to rank 3",
    "WARNING:megatron.core.utils:ModuleNotFoundError: No module named 'apex', using the native optimizer",
    "2024-01-02 03:04:05,678 - INFO - retry after ConnectionResetError: peer is busy",
    "[2024-01-02 03:04:05,678] [INFO] [launch.py:351:main] Process 4242 exits successfully.",
    "NCCL version 2.18.6+cuda12.1",
    "node7:4242:4299 [0] NCCL INFO NCCL_IB_TIMEOUT set by environment to 22.",
    "HCCL_EXEC_TIMEOUT=1800 HCCL_CONNECT_TIMEOUT=900",
    "> WARNING: could not find the metadata file checkpoints/latest_checkpointed_iteration.txt",
    "    will not load any checkpoints and will start from random",
    "training with fault tolerance: handles SIGTERM, restarts killed workers",
    "/opt/lib/python3.10/site-packages/torch/cuda/__init__.py:52: FutureWarning: The pynvml package is "
    "deprecated.",
    "step 507015 of 600000, samples 207018",
    "Aborted requests: 0, Killed requests: 0",
    "    except torch.cuda.OutOfMemoryError:",
    "    raise ValueError('not a traceback by itself')",
};

}  // namespace gate::extract
