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
     {"uncorrectable ECC error of a GPU", "GPU 出现不可纠正的 ECC 错误"},
     {"The device's memory is faulty: drain the host, reset the device (nvidia-smi -r) or replace it.",
      "设备显存有故障：请腾空该主机，复位设备 (nvidia-smi -r) 或更换。"},
     {"ncorrectable ECC error", "cudaErrorECCUncorrectable"},
     R"([Uu]ncorrectable ECC error|cudaErrorECCUncorrectable)"},
    {"gpu_lost",
     infra,
     root,
     {"a GPU was lost", "一个 GPU 掉线"},
     {"The device no longer answers: drain the host and reboot it; look at dmesg for the Xid.",
      "设备不再应答：请腾空并重启该主机；在 dmesg 里查看 Xid。"},
     {"fallen off the bus", "GPU is lost", "GPU has been lost", "Unable to determine the device handle"},
     R"([Ff]allen off the bus|GPU (?:is|has been) lost|Unable to determine the device handle for)"},
    {"gpu_xid",
     infra,
     root,
     {"the GPU's driver reports a hardware fault (Xid)", "GPU 驱动报告硬件故障 (Xid)"},
     {"Drain the host; NVIDIA's Xid catalogue says what the number means.",
      "请腾空该主机；NVIDIA 的 Xid 目录说明编号的含义。"},
     {"Xid (PCI:"},
     R"(Xid \(PCI:[^)]*\): (?:48|63|64|74|79|92|94|95|119|120)\b)"},
    {"gpu_hung",
     infra,
     root,
     {"an AMD GPU hung and was reset", "一个 AMD GPU 卡死并被复位"},
     {"Drain the host; look at dmesg for the reason of the reset.",
      "请腾空该主机；在 dmesg 里查看复位的原因。"},
     {"GPU Hang", "GPU reset begin"},
     R"(HSA_STATUS_ERROR_\w*.*GPU Hang|: ?GPU Hang\b|amdgpu.*GPU reset begin)"},
    {"cuda_driver",
     crashed,
     root,
     {"CUDA and its driver do not fit, or there is no GPU", "CUDA 与驱动不匹配，或者没有 GPU"},
     {"Check that the container sees the devices (nvidia-smi, CUDA_VISIBLE_DEVICES) and that the driver is "
      "as "
      "new as the CUDA of this PyTorch.",
      "检查容器能否看到设备（nvidia-smi、CUDA_VISIBLE_DEVICES），以及驱动是否不旧于 PyTorch 所带的 CUDA。"},
     {"CUDA driver version is insufficient", "no CUDA-capable device", "not compiled with CUDA enabled",
      "NVIDIA driver on your system is too old", "No CUDA GPUs are available"},
     R"(CUDA driver version is insufficient|no CUDA-capable device is detected|)"
     R"(Torch not compiled with CUDA enabled|NVIDIA driver on your system is too old|No CUDA GPUs are available)"},
    {"gpu_busy",
     crashed,
     root,
     {"the GPU is busy or not available", "GPU 正忙或不可用"},
     {"Another process holds it, or it is in exclusive mode: nvidia-smi says who.",
      "被其他进程占用，或处于独占模式：nvidia-smi 可查看。"},
     {"busy or unavailable"},
     R"(CUDA-capable device\(s\) is/are busy or unavailable|CUDA-capable devices are busy or unavailable)"},
    {"cuda_assert",
     crashed,
     root,
     {"an assertion failed in a CUDA kernel", "CUDA kernel 里的断言失败"},
     {"Mostly an index out of range: a token id above the vocabulary, a label above the classes. "
      "CUDA_LAUNCH_BLOCKING=1 shows where.",
      "多半是索引越界：token id 超过词表，或标签超过类别数。CUDA_LAUNCH_BLOCKING=1 可定位。"},
     {"device-side assert"},
     R"(device-side assert)"},
    {"cuda_illegal_access",
     crashed,
     root,
     {"a CUDA kernel read or wrote outside of its memory", "CUDA kernel 越界读写内存"},
     {"CUDA_LAUNCH_BLOCKING=1 or compute-sanitizer show which kernel.",
      "CUDA_LAUNCH_BLOCKING=1 或 compute-sanitizer 可查出是哪个 kernel。"},
     {"illegal memory access", "misaligned address", "unspecified launch failure", "cudaErrorLaunchFailure"},
     R"(illegal memory access|CUDA error: misaligned address|unspecified launch failure|cudaErrorLaunchFailure)"},
    {"cuda_library",
     crashed,
     root,
     {"cuBLAS or cuDNN failed", "cuBLAS 或 cuDNN 失败"},
     {"Often out of memory just before: check earlier lines and memory; else incompatible versions.",
      "常见原因是此前显存已耗尽：请看更早的行和显存；否则是版本不匹配。"},
     {"CUBLAS_STATUS_", "CUDNN_STATUS_", "cuDNN error"},
     R"((?:error|Error|failed).*CUBLAS_STATUS_\w+|cuDNN error: \w+|(?:error|Error|failed).*CUDNN_STATUS_\w+)"},
    {"hip_error",
     crashed,
     root,
     {"a HIP call failed", "一次 HIP 调用失败"},
     {"AMD_SERIALIZE_KERNEL=3 shows which kernel; rocm-smi shows whether the device is healthy.",
      "AMD_SERIALIZE_KERNEL=3 可查出是哪个 kernel；rocm-smi 可查看设备是否正常。"},
     {"HIP error", "hipErrorIllegalAddress", "hipErrorLaunchFailure"},
     R"(HIP error: |hipErrorIllegalAddress|hipErrorLaunchFailure)"},
    {"cuda_error",
     crashed,
     symptom,
     {"a CUDA call failed", "一次 CUDA 调用失败"},
     {"CUDA_LAUNCH_BLOCKING=1 shows which call.", "CUDA_LAUNCH_BLOCKING=1 可查出是哪个调用。"},
     {"CUDA error: ", "Cuda failure"},
     R"(CUDA error: (.{1,80})|Cuda failure (?:\d+ )?'([^']{1,80}))"},
};

}  // namespace

constinit const std::span<const MessageRow> gpu_messages = gpu_rows;

}  // namespace gate::extract
