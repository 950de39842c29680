// Format `mllog`: MLPerf's log, a JSON object a line. Values are numbered by the samples trained so far, else
// by the step, else by the epoch; from where epochs repeat (BERT) or are fractions (DLRM), they are counted.
// `tracked_stats` holds several values of a step. `run_stop` tells whether the run converged.
//
//   :::MLLOG {"namespace": "", "time_ms": 1, "event_type": "POINT_IN_TIME", "key": "eval_accuracy", "value":
//   0.72, "metadata": {"file": "a.py", "lineno": 12, "samples_count": 3072}}
//   :::MLLOG {"metadata": {"step": 32.0}, "key": "tracked_stats", "value": {"train_step_time": 0.43,
//   "reduced_train_loss": 7.9}}
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

namespace gate::extract {

namespace mllog {
namespace {

// What numbers a value; the first that is printed counts.
constexpr FieldRow samples{"metadata.samples_count", the_step};
constexpr FieldRow step{"metadata.step", the_step};
constexpr FieldRow step_num{"metadata.step_num", the_step};
constexpr FieldRow epoch{"metadata.epoch_num", the_order};

constexpr FieldRow learning_rate{
    .printed = "metadata.lr", .metric = "learning_rate", .when = Printed::sometimes};

constexpr std::array loss_fields{samples, step, step_num, epoch, FieldRow{"value", "lm_loss"}, learning_rate};
constexpr std::array tracked_loss_fields{samples,
                                         step,
                                         step_num,
                                         epoch,
                                         FieldRow{"value.train_loss", "lm_loss"},
                                         FieldRow{"value.reduced_train_loss", "lm_loss"},
                                         FieldRow{"value.loss", "lm_loss"},
                                         learning_rate};
constexpr std::array tracked_fields{samples,
                                    step,
                                    step_num,
                                    epoch,
                                    FieldRow{"value.throughput", "samples_per_second"},
                                    FieldRow{"value.train_step_time", "iteration_time", ms_per_s},
                                    FieldRow{"value.validation_loss", "validation_loss"},
                                    FieldRow{"value.val_loss", "validation_loss"},
                                    FieldRow{"value.eval_loss", "validation_loss"},
                                    FieldRow{"value.eval_accuracy", "eval_accuracy"}};
constexpr std::array speed_fields{samples, step, step_num, epoch, FieldRow{"value", "samples_per_second"}};
constexpr std::array accuracy_fields{samples, step, step_num, epoch, FieldRow{"value", "eval_accuracy"}};
constexpr std::array error_fields{samples, step, step_num, epoch, FieldRow{"value", "validation_loss"}};
constexpr std::array stop_fields{FieldRow{"metadata.status", "converged"}};

constexpr std::array<std::string_view, 3> tracked_losses{"value.train_loss", "value.reduced_train_loss",
                                                         "value.loss"};

// The keys of each kind.
constexpr std::array<std::string_view, 1> loss_keys{"train_loss"};
constexpr std::array<std::string_view, 1> tracked_keys{"tracked_stats"};
constexpr std::array<std::string_view, 1> speed_keys{"throughput"};
constexpr std::array<std::string_view, 1> accuracy_keys{"eval_accuracy"};
constexpr std::array<std::string_view, 2> error_keys{"eval_error", "eval_loss"};
constexpr std::array<std::string_view, 1> start_keys{"run_start"};
constexpr std::array<std::string_view, 1> stop_keys{"run_stop"};

constexpr std::array expected{FieldRow{"train_loss", "lm_loss"}};

constexpr RecordKind kind(std::string_view extractor, std::string_view literal,
                          std::span<const std::string_view> keys, std::span<const FieldRow> fields) {
  return {.extractor = extractor,
          .literal = literal,
          .head = R"(:::MLLOG \{)",
          .fields = fields,
          .body = Body::literal,
          .role = Role::follower,
          .steps = Steps::by_order,
          .told_by = "key",
          .tells = keys};
}

constexpr RecordKind step_of(RecordKind kind, std::span<const std::string_view> one_of = {}) {
  kind.role = Role::leader;
  kind.expected = expected;
  kind.one_of = one_of;
  return kind;
}

constexpr RecordKind start_of(RecordKind kind) {
  kind.role = Role::start;
  return kind;
}

constexpr std::array kinds{
    start_of(kind("mllog.run_start", "\"run_start\"", start_keys, {})),
    step_of(kind("mllog.train_loss", "\"train_loss\"", loss_keys, loss_fields)),
    step_of(kind("mllog.tracked_loss", "\"tracked_stats\"", tracked_keys, tracked_loss_fields),
            tracked_losses),
    kind("mllog.tracked_stats", "\"tracked_stats\"", tracked_keys, tracked_fields),
    kind("mllog.eval_accuracy", "\"eval_accuracy\"", accuracy_keys, accuracy_fields),
    kind("mllog.eval_error", "\"eval_", error_keys, error_fields),
    kind("mllog.throughput", "\"throughput\"", speed_keys, speed_fields),
    kind("mllog.run_stop", "\"run_stop\"", stop_keys, stop_fields),
};

}  // namespace
}  // namespace mllog

FormatSpec mllog_format() {
  return make_format({.row = {"mllog", "MLPerf: :::MLLOG events"}, .kinds = mllog::kinds});
}

}  // namespace gate::extract
