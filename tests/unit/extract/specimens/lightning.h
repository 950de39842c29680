// Specimens of format `lightning`.
#pragma once

#include "specimens/specimen.h"

namespace gate::extract::lightning_log {

inline constexpr std::string_view bars =
    "Epoch 0:   0%|          | 0/2 [00:00<?, ?it/s]\r"
    "Epoch 0:  50%|#####     | 1/2 [00:01<00:01,  0.90it/s]\r"
    "Epoch 0:  50%|#####     | 1/2 [00:01<00:01,  0.90it/s, v_num=0, train_loss_step=2.500]\r"
    "Epoch 0: 100%|##########| 2/2 [00:02<00:00,  0.95it/s, v_num=0, train_loss_step=2.500]\r"
    "Epoch 0: 100%|##########| 2/2 [00:02<00:00,  0.95it/s, v_num=0, train_loss_step=2.250]\r"
    "Validation DataLoader 0: 100%|##########| 1/1 [00:00<00:00, 9.1it/s]\r"
    "Epoch 0: 100%|##########| 2/2 [00:02<00:00,  0.9it/s, v_num=0, train_loss_step=2.250, "
    "train_loss_epoch=2.375]\n"
    "Epoch 0, global step 2: 'val_loss' reached 2.10000 (best 2.10000), saving model to '/tmp/a.ckpt'\n"
    "Epoch 1:  50%|#####     | 1/2 [00:01<00:01,  0.90it/s, v_num=0, train_loss_step=nan.0, "
    "train_loss_epoch=2.375]\n";

inline constexpr std::string_view endless =
    "Epoch 0: |          | 1/? [00:01<00:00,  0.90it/s, v_num=0, loss=2.500, grad_norm=1.25]\r"
    "Epoch 0: |          | 2/? [00:02<00:00,  0.95it/s, v_num=0, loss=2.250, grad_norm=1.5]\n";

inline constexpr std::string_view metrics_csv =
    "epoch,step,train_loss_epoch,train_loss_step,val_loss\n"
    "0,9,,2.5,\n"
    "0,19,,2.25,\n"
    "0,19,,,2.125\n"
    "0,19,2.375,,\n";

inline std::vector<Specimen> specimens() {
  return {{"bars of two epochs and a validation",
           bars,
           {{"lm_loss", -1, 1, "2.500"},
            {"lm_loss", -1, 2, "2.250"},
            {"lm_loss", -1, 3, "nan.0"},
            {"validation_loss", -1, 2, "2.10000"}}},
          {"metrics.csv",
           metrics_csv,
           {{"lm_loss", -1, 9, "2.5"},
            {"lm_loss", -1, 19, "2.25"},
            {"validation_loss", -1, 19, "2.125"},
            {"train_loss_epoch", -1, 19, "2.375"}}},
          {"bars of an epoch without an end",
           endless,
           {{"lm_loss", -1, 1, "2.500"},
            {"lm_loss", -1, 2, "2.250"},
            {"grad_norm", -1, 1, "1.25"},
            {"grad_norm", -1, 2, "1.5"}}}};
}

}  // namespace gate::extract::lightning_log
