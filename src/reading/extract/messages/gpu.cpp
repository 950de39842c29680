// NVIDIA and AMD devices, their drivers and libraries.
#include "extract/messages/message_rows.h"

namespace gate::extract {

namespace {

using enum MessageClass;
using enum MessageWeight;

constexpr MessageRow gpu_rows[] = {
    {"gpu_ecc",
     infra,
     root,
     "uncorrectable ECC error of a GPU",
     "The device's memory is faulty: drain the host, reset the device (nvidia-smi -r) or replace it.",
     {"ncorrectable ECC error", "cudaErrorECCUncorrectable"},
     R"([Uu]ncorrectable ECC error|cudaErrorECCUncorrectable)"},
    {"gpu_lost",
     infra,
     root,
     "a GPU was lost",
     "The device no longer answers: drain the host and reboot it; look at dmesg for the Xid.",
     {"fallen off the bus", "GPU is lost", "GPU has been lost", "Unable to determine the device handle"},
     R"([Ff]allen off the bus|GPU (?:is|has been) lost|Unable to determine the device handle for)"},
    {"gpu_xid",
     infra,
     root,
     "the GPU's driver reports a hardware fault (Xid)",
     "Drain the host; NVIDIA's Xid catalogue says what the number means.",
     {"Xid (PCI:"},
     R"(Xid \(PCI:[^)]*\): (?:48|63|64|74|79|92|94|95|119|120)\b)"},
    {"gpu_hung",
     infra,
     root,
     "an AMD GPU hung and was reset",
     "Drain the host; look at dmesg for the reason of the reset.",
     {"GPU Hang", "GPU reset begin"},
     R"(HSA_STATUS_ERROR_\w*.*GPU Hang|: ?GPU Hang\b|amdgpu.*GPU reset begin)"},
    {"cuda_driver",
     crashed,
     root,
     "CUDA and its driver do not fit, or there is no GPU",
     "Check that the container sees the devices (nvidia-smi, CUDA_VISIBLE_DEVICES) and that the driver is as "
     "new as the CUDA of this PyTorch.",
     {"CUDA driver version is insufficient", "no CUDA-capable device", "not compiled with CUDA enabled",
      "NVIDIA driver on your system is too old", "No CUDA GPUs are available"},
     R"(CUDA driver version is insufficient|no CUDA-capable device is detected|)"
     R"(Torch not compiled with CUDA enabled|NVIDIA driver on your system is too old|No CUDA GPUs are available)"},
    {"gpu_busy",
     crashed,
     root,
     "the GPU is busy or not available",
     "Another process holds it, or it is in exclusive mode: nvidia-smi says who.",
     {"busy or unavailable"},
     R"(CUDA-capable device\(s\) is/are busy or unavailable|CUDA-capable devices are busy or unavailable)"},
    {"cuda_assert",
     crashed,
     root,
     "an assertion failed in a CUDA kernel",
     "Mostly an index out of range: a token id above the vocabulary, a label above the classes. "
     "CUDA_LAUNCH_BLOCKING=1 shows where.",
     {"device-side assert"},
     R"(device-side assert)"},
    {"cuda_illegal_access",
     crashed,
     root,
     "a CUDA kernel read or wrote outside of its memory",
     "CUDA_LAUNCH_BLOCKING=1 or compute-sanitizer show which kernel.",
     {"illegal memory access", "misaligned address", "unspecified launch failure", "cudaErrorLaunchFailure"},
     R"(illegal memory access|CUDA error: misaligned address|unspecified launch failure|cudaErrorLaunchFailure)"},
    {"cuda_library",
     crashed,
     root,
     "cuBLAS or cuDNN failed",
     "Often memory that ran out a moment before: look at earlier lines and at memory; else versions that do "
     "not fit together.",
     {"CUBLAS_STATUS_", "CUDNN_STATUS_", "cuDNN error"},
     R"((?:error|Error|failed).*CUBLAS_STATUS_\w+|cuDNN error: \w+|(?:error|Error|failed).*CUDNN_STATUS_\w+)"},
    {"hip_error",
     crashed,
     root,
     "a HIP call failed",
     "AMD_SERIALIZE_KERNEL=3 shows which kernel; rocm-smi says whether the device is well.",
     {"HIP error", "hipErrorIllegalAddress", "hipErrorLaunchFailure"},
     R"(HIP error: |hipErrorIllegalAddress|hipErrorLaunchFailure)"},
    {"cuda_error",
     crashed,
     symptom,
     "a CUDA call failed",
     "CUDA_LAUNCH_BLOCKING=1 shows which call.",
     {"CUDA error: ", "Cuda failure"},
     R"(CUDA error: (.{1,80})|Cuda failure (?:\d+ )?'([^']{1,80}))"},
};

}  // namespace

constinit const std::span<const MessageRow> gpu_messages = gpu_rows;

}  // namespace gate::extract
