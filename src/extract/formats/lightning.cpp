// Format `lightning`: the progress bar of PyTorch Lightning. A bar is drawn again and again, first with the
// values of the step before: the last drawing of a step counts, and one of no step does not. The step is the
// epoch times the batches of an epoch and the batch in it; where the bar does not know how many there are
// (`5/?`) only the first epoch is read. Its it/s is an average over the run, not the step's, and is left
// unread.
//
//   Epoch 0:  50%|#####     | 5/10 [00:01<00:01,  4.50it/s, v_num=0, train_loss_step=2.31]
//   Epoch 0, global step 10: 'val_loss' reached 2.10000 (best 2.10000), saving model to ...
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

namespace gate::extract {

namespace lightning {
namespace {

constexpr std::array fields{
    FieldRow{"loss", "lm_loss"},
    FieldRow{"grad_norm", "grad_norm"},
    FieldRow{"lr", "learning_rate"},
    FieldRow{"learning_rate", "learning_rate"},
};

constexpr std::array validation_fields{FieldRow{"val_loss", "validation_loss"}};

constexpr std::array expected{FieldRow{"loss", "lm_loss"}};

constexpr std::string_view bar_fields = R"(([A-Za-z_]\w*)=([^,\s\]]+)[,\]])";

// A loss such as `train_loss_step=2.3,` ends the head, so that its word is whole.
constexpr std::array kinds{
    RecordKind{
        .extractor = "lightning.step",
        .literal = "Epoch",
        .head = R"(\bEpoch +(?P<epoch>\d+): +(?:\d+%)?\|[^|]*\| *(?P<step>[1-9]\d*)/(?:(?P<each>\d+)|\?) \[)"
                R"([^\]]*?[ ,](?:train(?:ing)?[_/])?loss(?:_step)?=(?P<loss>[^,\s\]]+)[,\]])",
        .fields = fields,
        .body = Body::fields,
        .pattern = bar_fields,
        .expected = expected},
    RecordKind{.extractor = "lightning.validation",
               .literal = "'val_loss' reached",
               .head = R"(\bglobal step (?P<step>\d+): 'val_loss' reached (?P<val_loss>\S+) \()",
               .fields = validation_fields,
               .role = Role::follower},
};

constexpr std::string_view bars =
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

constexpr std::string_view endless =
    "Epoch 0: |          | 1/? [00:01<00:00,  0.90it/s, v_num=0, loss=2.500, grad_norm=1.25]\r"
    "Epoch 0: |          | 2/? [00:02<00:00,  0.95it/s, v_num=0, loss=2.250, grad_norm=1.5]\n";

std::vector<Specimen> specimens() {
  return {{"bars of two epochs and a validation",
           bars,
           {{"lm_loss", -1, 1, "2.500"},
            {"lm_loss", -1, 2, "2.250"},
            {"lm_loss", -1, 3, "nan.0"},
            {"validation_loss", -1, 2, "2.10000"}}},
          {"bars of an epoch without an end",
           endless,
           {{"lm_loss", -1, 1, "2.500"},
            {"lm_loss", -1, 2, "2.250"},
            {"grad_norm", -1, 1, "1.25"},
            {"grad_norm", -1, 2, "1.5"}}}};
}

}  // namespace
}  // namespace lightning

FormatSpec lightning_format() {
  return make_format({.row = {"lightning", "PyTorch Lightning: the progress bar of an epoch"},
                      .kinds = lightning::kinds,
                      .specimens = lightning::specimens,
                      .bar = R"(\b(Epoch +\d+: [^|\[]*\|[^|]*\| *\d+/\S+) \[)"});
}

}  // namespace gate::extract
