// Dense arithmetic of one device, as data sheets have it: without sparsity, at the boost clock.
#include <array>
#include <span>

#include "gate/config/peaks.h"

namespace gate::config {

namespace {

constexpr std::string_view a100 = "NVIDIA A100 Tensor Core GPU data sheet",
                           h100 = "NVIDIA H100 Tensor Core GPU data sheet, SXM",
                           h100_pcie = "NVIDIA H100 Tensor Core GPU data sheet, PCIe",
                           h200 = "NVIDIA H200 Tensor Core GPU data sheet, SXM",
                           l40s = "NVIDIA L40S data sheet", mi300x = "AMD Instinct MI300X data sheet",
                           mi250x = "AMD Instinct MI250X data sheet, one of its two dies",
                           ascend = "Huawei, Ascend 910, 2019";

constexpr std::array peak_table{
    PublishedPeak{"nvidia-a100*", "bf16", 312, a100},
    PublishedPeak{"nvidia-a100*", "fp16", 312, a100},
    PublishedPeak{"nvidia-a100*", "tf32", 156, a100},
    PublishedPeak{"nvidia-a100*", "fp32", 19.5, a100},
    PublishedPeak{"nvidia-h100", "bf16", 989, h100},
    PublishedPeak{"nvidia-h100", "fp16", 989, h100},
    PublishedPeak{"nvidia-h100", "tf32", 494, h100},
    PublishedPeak{"nvidia-h100", "fp32", 67, h100},
    PublishedPeak{"nvidia-h100-pcie", "bf16", 756, h100_pcie},
    PublishedPeak{"nvidia-h100-pcie", "fp16", 756, h100_pcie},
    PublishedPeak{"nvidia-h200", "bf16", 989, h200},
    PublishedPeak{"nvidia-h200", "fp16", 989, h200},
    PublishedPeak{"nvidia-h200", "tf32", 494, h200},
    PublishedPeak{"nvidia-h200", "fp32", 67, h200},
    PublishedPeak{"nvidia-l40s", "bf16", 362, l40s},
    PublishedPeak{"nvidia-l40s", "fp16", 362, l40s},
    PublishedPeak{"amd-*mi300x", "bf16", 1307.4, mi300x},
    PublishedPeak{"amd-*mi300x", "fp16", 1307.4, mi300x},
    PublishedPeak{"amd-*mi250x", "bf16", 191.5, mi250x},
    PublishedPeak{"amd-*mi250x", "fp16", 191.5, mi250x},
    PublishedPeak{"ascend-910", "fp16", 256, ascend},
};

}  // namespace

std::span<const PublishedPeak> published_peaks() { return peak_table; }

}  // namespace gate::config
