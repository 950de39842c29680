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

inline constexpr std::string_view hosts =
    "worker-3: 2025-12-07 17:31:01.755\tgreen:0\tolmo.train:979\tINFO\t[step=1/12,epoch=0]\n"
    "worker-4: 2025-12-07 17:31:01.756\tgreen:1\tolmo.train:979\tINFO\t[step=1/12,epoch=0]\n"
    "worker-3:     train/CrossEntropyLoss=8.9\n"
    "worker-4:     optim/total_grad_norm=2.5\n"
    "worker-3:     throughput/device/tokens_per_second=49,296\n"
    "worker-4:     train/CrossEntropyLoss=8.9\n";

// No launcher is known to print these; the first writer's record is broken by the other's.
inline constexpr std::string_view unknown_words =
    "2025-12-07T17:31:01.755123Z stdout F blue-a | 2025-12-07 17:31:01.755\tgreen:0\tINFO\t[step=1/12]\n"
    "2025-12-07T17:31:01.755200Z stdout F blue-b | 2025-12-07 17:31:01.755\tgreen:1\tINFO\t[step=1/12]\n"
    "2025-12-07T17:31:01.755300Z stdout F blue-a |     train/CrossEntropyLoss=8.75\n"
    "2025-12-07T17:31:01.755400Z stdout F blue-b |     some=1\n"
    "2025-12-07T17:31:01.755450Z stdout F blue-b | a line of its own\n"
    "2025-12-07T17:31:01.755500Z stdout F blue-a |     optim/total_grad_norm=1.5\n"
    "2025-12-07T17:31:02.755500Z stdout F blue-a | 2025-12-07 17:31:02.755\tgreen:0\tINFO\t[step=2/12]\n"
    "2025-12-07T17:31:02.755600Z stdout F blue-a |     train/CrossEntropyLoss=8.5\n"
    "2025-12-07T17:31:02.755700Z stdout F blue-a |     optim/total_grad_norm=1.25\n";

inline constexpr std::string_view ranks =
    "[rank0]:2025-12-07 17:31:01.755 green:0 INFO [step=1/12]\n"
    "[rank0]:    train/CE loss=8.25\n"
    "0: [default0]:2025-12-07 17:31:02.755 green:0 INFO [step=2/12]\n"
    "0: [default0]:    train/CE loss=8.125\n";

inline std::vector<Specimen> specimens() {
  return {{"OLMo, two ranks",
           olmo,
           {{"lm_loss", -1, 1, "11.25"},
            {"consumed_tokens", -1, 1, "4,194,304"},
            {"tokens_per_second", -1, 1, "45,538"},
            {"memory_max_allocated", -1, 1, "42,133"}}},
          {"two hosts at once",
           hosts,
           {{"lm_loss", -1, 1, "8.9"}, {"grad_norm", -1, 1, "2.5"}, {"tokens_per_second", -1, 1, "49,296"}}},
          {"behind words that nobody knows",
           unknown_words,
           {{"lm_loss", -1, 1, "8.75"},
            {"grad_norm", -1, 1, "1.5"},
            {"lm_loss", -1, 2, "8.5"},
            {"grad_norm", -1, 2, "1.25"}}},
          {"behind ranks", ranks, {{"lm_loss", -1, 1, "8.25"}, {"lm_loss", -1, 2, "8.125"}}},
          {"OLMo-core",
           core,
           {{"lm_loss", -1, 10, "10.91"},
            {"grad_norm", -1, 10, "0.5021"},
            {"mfu", -1, 10, "41.20"},
            {"tokens_per_second", -1, 10, "12,345"},
            {"memory_allocated", -1, 1, "20.5"}}}};
}

}  // namespace gate::extract::olmo_log
