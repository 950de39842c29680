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

}  // namespace
}  // namespace lightning

FormatSpec lightning_format() {
  return make_format({.row = {"lightning", "PyTorch Lightning: the progress bar of an epoch"},
                      .kinds = lightning::kinds,
                      .bar = R"(\b(Epoch +\d+: [^|\[]*\|[^|]*\| *\d+/\S+) \[)"});
}

}  // namespace gate::extract
