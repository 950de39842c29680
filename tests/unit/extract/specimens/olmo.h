// Specimens of format `olmo`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::olmo_log {

inline constexpr std::string_view olmo =
    "[2024-04-17 09:42:26] INFO     [olmo.train:816, rank=0] [step=1/739328]\n"
    "    train/CrossEntropyLoss=11.25\n"
    "    train/Perplexity=76,631\n"
    "    throughput/total_tokens=4,194,304\n"
    "    throughput/device/tokens_per_second=45,538\n"
    "    System/Peak GPU Memory (MB)=42,133\n"
    "[2024-04-17 09:42:26] INFO     [olmo.train:816, rank=1] [step=1/739328]\n"
    "[2024-04-17 09:42:27] INFO     [olmo.eval:90, rank=0] [eval_step=1/10]\n";

inline constexpr std::string_view core =
    "2025-01-10 12:00:01.123 host:0 olmo_core.train.callbacks.console_logger:72 INFO "
    "[step=10/1000,epoch=1,eta=0:10:00]\n"
    "    optim/total grad norm=0.5021\n"
    "    train/CE loss=10.91\n"
    "    throughput/device/MFU=41.20\n"
    "    throughput/device/TPS=12,345\n"
    "    throughput/device/TPS (actual avg)=11,111\n"
    "    system/GPU active mem (GiB)=20.5\n";

inline std::vector<Specimen> specimens() {
  return {{"OLMo, two ranks",
           olmo,
           {{"lm_loss", -1, 1, "11.25"},
            {"consumed_tokens", -1, 1, "4,194,304"},
            {"tokens_per_second", -1, 1, "45,538"},
            {"memory_max_allocated", -1, 1, "42,133"}}},
          {"OLMo-core",
           core,
           {{"lm_loss", -1, 10, "10.91"},
            {"grad_norm", -1, 10, "0.5021"},
            {"mfu", -1, 10, "41.20"},
            {"tokens_per_second", -1, 10, "12,345"},
            {"memory_allocated", -1, 1, "20.5"}}}};
}

}  // namespace gate::extract::olmo_log
