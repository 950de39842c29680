// Format `mllog`: MLPerf's log, a JSON object a line. Values are numbered by the samples trained so far, else
// by the step, else by the epoch, which must be a whole number. `run_stop` tells whether the run converged.
//
//   :::MLLOG {"namespace": "", "time_ms": 1, "event_type": "POINT_IN_TIME", "key": "eval_accuracy", "value":
//   0.72, "metadata": {"file": "a.py", "lineno": 12, "samples_count": 3072}}
#include <array>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

namespace gate::extract {

namespace mllog {
namespace {

constexpr std::array by_samples{
    FieldRow{"samples_count", the_step},
    FieldRow{"train_loss", "lm_loss"},
    FieldRow{.printed = "lr", .metric = "learning_rate", .when = Printed::sometimes},
    FieldRow{"accuracy", "eval_accuracy"},
    FieldRow{"error", "validation_loss"},
    FieldRow{"speed", "samples_per_second"},
};

constexpr std::array by_epoch{
    FieldRow{"step", the_step},
    FieldRow{"step_num", the_step},
    FieldRow{"epoch_num", the_step},
    FieldRow{"train_loss", "lm_loss"},
    FieldRow{.printed = "lr", .metric = "learning_rate", .when = Printed::sometimes},
    FieldRow{"accuracy", "eval_accuracy"},
    FieldRow{"error", "validation_loss"},
    FieldRow{"speed", "samples_per_second"},
};

constexpr std::array stop_fields{FieldRow{"status", "converged"}};

constexpr std::array<std::string_view, 1> samples_needs{"samples_count"};
constexpr std::array<std::string_view, 1> stop_needs{"status"};

// Each ends at the brace of the metadata, which are read as a dictionary.
constexpr std::string_view loss =
    R"(:::MLLOG \{[^\n]*?"key": ?"train_loss", ?"value": ?(?P<train_loss>[^,\s]+), ?"metadata": ?\{)";
constexpr std::string_view accuracy =
    R"(:::MLLOG \{[^\n]*?"key": ?"eval_accuracy", ?"value": ?(?P<accuracy>[^,\s]+), ?"metadata": ?\{)";
constexpr std::string_view error =
    R"re(:::MLLOG \{[^\n]*?"key": ?"eval_(?:error|loss)", ?"value": ?(?P<error>[^,\s]+), ?"metadata": ?\{)re";
constexpr std::string_view speed =
    R"re(:::MLLOG \{[^\n]*?"key": ?"(?:throughput|tracked_stats)", ?"value": ?)re"
    R"re((?:\{[^{}]*?"throughput": ?)?(?P<speed>[^,\s{}]+)[^{}]*\}?, ?"metadata": ?\{)re";
constexpr std::string_view stop =
    R"re(:::MLLOG \{[^\n]*?"key": ?"run_stop", ?"value": ?[^,\s]+, ?"metadata": ?\{)re";

constexpr std::array expected{FieldRow{"train_loss", "lm_loss"}};

constexpr RecordKind kind(std::string_view extractor, std::string_view literal, std::string_view head,
                          std::span<const FieldRow> fields, std::span<const std::string_view> needs) {
  return {.extractor = extractor,
          .literal = literal,
          .head = head,
          .fields = fields,
          .body = Body::literal,
          .role = Role::follower,
          .needs = needs};
}

constexpr RecordKind step(std::string_view extractor, std::span<const FieldRow> fields,
                          std::span<const std::string_view> needs) {
  RecordKind step = kind(extractor, "\"train_loss\"", loss, fields, needs);
  step.role = Role::leader;
  step.expected = expected;
  return step;
}

constexpr std::array kinds{
    step("mllog.train_loss", by_samples, samples_needs),
    step("mllog.train_loss_by_epoch", by_epoch, {}),
    kind("mllog.eval_accuracy", "\"eval_accuracy\"", accuracy, by_samples, samples_needs),
    kind("mllog.eval_accuracy_by_epoch", "\"eval_accuracy\"", accuracy, by_epoch, {}),
    kind("mllog.eval_error", "\"eval_", error, by_samples, samples_needs),
    kind("mllog.eval_error_by_epoch", "\"eval_", error, by_epoch, {}),
    kind("mllog.throughput", "throughput\"", speed, by_samples, samples_needs),
    kind("mllog.throughput_by_epoch", "throughput\"", speed, by_epoch, {}),
    kind("mllog.run_stop", "\"run_stop\"", stop, stop_fields, stop_needs),
};

}  // namespace
}  // namespace mllog

FormatSpec mllog_format() {
  return make_format({.row = {"mllog", "MLPerf: :::MLLOG events"}, .kinds = mllog::kinds});
}

}  // namespace gate::extract
