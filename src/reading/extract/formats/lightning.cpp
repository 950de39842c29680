// Format `lightning`: the progress bar of PyTorch Lightning. A bar is drawn again and again, first with the
// values of the step before: the last drawing of a step counts, and one of no step does not. The step is the
// epoch times the batches of an epoch and the batch in it; where the bar does not know how many there are
// (`5/?`) only the first epoch is read. Its it/s is an average over the run, not the step's, and is left
// unread.
//
//   Epoch 0:  50%|#####     | 5/10 [00:01<00:01,  4.50it/s, v_num=0, train_loss_step=2.31]
//   Epoch 0, global step 10: 'val_loss' reached 2.10000 (best 2.10000), saving model to ...
//
// metrics.csv of its CSVLogger names its columns in the first line. A loss that is logged by step and by
// epoch stands in two columns: that of the step is the training loss, that of the epoch a metric of its own.
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

constexpr std::array csv_fields{
    FieldRow{"train_loss_step", "lm_loss"},
    FieldRow{"train/loss_step", "lm_loss"},
    FieldRow{"loss_step", "lm_loss"},
    FieldRow{"train_loss", "lm_loss"},
    FieldRow{"train/loss", "lm_loss"},
    FieldRow{"training_loss", "lm_loss"},
    FieldRow{"loss", "lm_loss"},
    FieldRow{"val_loss", "validation_loss"},
    FieldRow{"val/loss", "validation_loss"},
    FieldRow{"valid_loss", "validation_loss"},
    FieldRow{"validation_loss", "validation_loss"},
    FieldRow{"val_loss_epoch", "validation_loss"},
    FieldRow{"test_loss", "test_loss"},
    FieldRow{"test/loss", "test_loss"},
    FieldRow{"grad_norm", "grad_norm"},
    FieldRow{"grad_2.0_norm_total", "grad_norm"},
    FieldRow{"lr", "learning_rate"},
    FieldRow{"learning_rate", "learning_rate"},
    FieldRow{"lr-*", "learning_rate"},
};
constexpr std::array<std::string_view, 2> csv_needs{"epoch", "step"};
constexpr std::array<std::string_view, 1> csv_unread{"epoch"};

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

}  // namespace
}  // namespace lightning

FormatSpec lightning_format() {
  return make_format({.row = {"lightning", "PyTorch Lightning: the progress bar of an epoch, metrics.csv"},
                      .kinds = lightning::kinds,
                      .bar = R"(\b(Epoch +\d+: [^|\[]*\|[^|]*\| *\d+/\S+) \[)",
                      .csv = {.extractor = "lightning.row",
                              .literal = ",step",
                              .needs = lightning::csv_needs,
                              .step = "step",
                              .loss = "lm_loss",
                              .fields = lightning::csv_fields,
                              .unread = lightning::csv_unread}});
}

}  // namespace gate::extract
