// Specimens of format `llm.c`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::llm_c_log {

inline constexpr std::string_view cuda =
    "step    1/18865 | loss 11.009690 (+nanz)| norm 15.3586 (+nanz)| lr 0.00e+00 | 3062.93 ms | 56.9% bf16 "
    "MFU | 171195 tok/s\n"
    "val loss 10.950000\n"
    "step    2/18865 | loss 10.960000 (+1.25z)| norm 15.2 (-0.50z)| lr 8.57e-07 | 3062.11 ms | 56.9% bf16 "
    "MFU | 171240 tok/s\n";

inline constexpr std::string_view padded =
    "step    1/19560 | loss     nan (+nanz)| norm    nan (+nanz)| lr 8.57e-07 | 4130.25 ms | 32.7% bf16 MFU "
    "| 123000 tok/s\n"
    "val loss -nan\n"
    "step    2/19560 | loss     inf (+nanz)| norm   -nan (+nanz)| lr 9.00e-07 | 4130.50 ms | 32.7% bf16 MFU "
    "| 123000 tok/s\n";

inline constexpr std::string_view file =
    "s:0 tel:11.0250\n"
    "s:0 trl:11.0100 lr:0.000003 norm:15.25\n"
    "s:0 eval:0.2450\n"
    "s:1 trl:nan lr:0.000006 norm:nan\n";

inline constexpr std::string_view twin_file =
    "s:0 tel:11.025000\n"
    "s:0 trl:11.010000\n"
    "s:1 trl:10.900000\n";

inline constexpr std::string_view twin =
    "step    1/10 | train loss 5.270007 | norm 30.0 | lr 1.00e-04 | (380.92 ms | 10752 tok/s)\n"
    "step 2/10: train loss 4.367631 (acc 4.367631) (80.6 ms, 50816 tok/s)\n"
    "step 3/10: train loss 4.25 (80.5 ms, 50817 tok/s)\n";

inline constexpr std::string_view cpu =
    "val loss 5.325\n"
    "step 0: train loss 5.356189 (took 1253.4 ms)\n"
    "step 1: train loss 4.301069 (took 1229.1 ms)\n"
    "val loss 4.25\n";

inline std::vector<Specimen> specimens() {
  return {{"CUDA",
           cuda,
           {{"lm_loss", -1, 1, "11.009690"},
            {"lm_loss", -1, 2, "10.960000"},
            {"grad_norm", -1, 1, "15.3586"},
            {"grad_norm", -1, 2, "15.2"},
            {"learning_rate", -1, 1, "0.00e+00"},
            {"learning_rate", -1, 2, "8.57e-07"},
            {"iteration_time", -1, 1, "3062.93"},
            {"iteration_time", -1, 2, "3062.11"},
            {"mfu", -1, 1, "56.9%"},
            {"mfu", -1, 2, "56.9%"},
            {"validation_loss", -1, 1, "10.950000"}}},
          {"CUDA, nan as wide as a number",
           padded,
           {{"lm_loss", -1, 1, "nan"},
            {"lm_loss", -1, 2, "inf"},
            {"grad_norm", -1, 1, "nan"},
            {"grad_norm", -1, 2, "-nan"},
            {"learning_rate", -1, 1, "8.57e-07"},
            {"learning_rate", -1, 2, "9.00e-07"},
            {"iteration_time", -1, 1, "4130.25"},
            {"iteration_time", -1, 2, "4130.50"},
            {"mfu", -1, 1, "32.7%"},
            {"mfu", -1, 2, "32.7%"},
            {"validation_loss", -1, 1, "-nan"}}},
          {"main.log of the twin",
           twin_file,
           {{"lm_loss", -1, 0, "11.010000"},
            {"lm_loss", -1, 1, "10.900000"},
            {"validation_loss", -1, 0, "11.025000"}}},
          {"main.log of CUDA",
           file,
           {{"lm_loss", -1, 0, "11.0100"},
            {"lm_loss", -1, 1, "nan"},
            {"grad_norm", -1, 0, "15.25"},
            {"grad_norm", -1, 1, "nan"},
            {"learning_rate", -1, 0, "0.000003"},
            {"learning_rate", -1, 1, "0.000006"},
            {"validation_loss", -1, 0, "11.0250"},
            {"eval_accuracy", -1, 0, "0.2450"}}},
          {"PyTorch, and CUDA before",
           twin,
           {{"lm_loss", -1, 1, "5.270007"},
            {"lm_loss", -1, 2, "4.367631"},
            {"lm_loss", -1, 3, "4.25"},
            {"grad_norm", -1, 1, "30.0"},
            {"learning_rate", -1, 1, "1.00e-04"},
            {"iteration_time", -1, 1, "380.92"},
            {"iteration_time", -1, 2, "80.6"},
            {"iteration_time", -1, 3, "80.5"}}},
          {"C",
           cpu,
           {{"lm_loss", -1, 0, "5.356189"},
            {"lm_loss", -1, 1, "4.301069"},
            {"iteration_time", -1, 0, "1253.4"},
            {"iteration_time", -1, 1, "1229.1"},
            {"validation_loss", -1, 0, "5.325"},
            {"validation_loss", -1, 1, "4.25"}}}};
}

}  // namespace gate::extract::llm_c_log
