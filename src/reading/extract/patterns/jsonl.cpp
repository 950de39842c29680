// Format `jsonl`: lines of JSON (or dictionaries of Python) that tell their step. A line with a loss is a
// training step; what else stands in it, or in lines of its own, belongs to that step. Nested names are
// joined with points. Times, memory and the like are read if the name tells the unit; [jsonl] and
// [metrics.NAME] of gate.toml give any other name.
//
//   {"step": 10, "loss": 2.31, "lr": 1e-05, "grad_norm": 0.5, "step_time_ms": 512.5}
#include "extract/patterns/jsonl.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "extract/records/record_kind.h"
#include "extract/records/table_formats.h"

namespace gate::extract {

namespace jsonl {
namespace {

constexpr std::array number_rows{
    FieldRow{"step", step_of_total},
    FieldRow{"global_step", step_of_total},
    FieldRow{"trainer/global_step", step_of_total},
    FieldRow{"train/global_step", step_of_total},
    FieldRow{"iteration", step_of_total},
    FieldRow{"iter", step_of_total},
    FieldRow{"current_step", step_of_total},
    FieldRow{"current_steps", step_of_total},
    FieldRow{"train_step", step_of_total},
    FieldRow{"num_updates", step_of_total},
    FieldRow{"_step", step_of_total},
    FieldRow{"total_steps", the_total},
    FieldRow{"max_steps", the_total},
    FieldRow{"total_iterations", the_total},
    FieldRow{"train_iters", the_total},
    FieldRow{"rank", the_rank},
    FieldRow{"global_rank", the_rank},
};

constexpr std::array step_rows{
    FieldRow{"loss", "lm_loss"},
    FieldRow{"lm_loss", "lm_loss"},
    FieldRow{"lm loss", "lm_loss"},
    FieldRow{"train_loss", "lm_loss"},
    FieldRow{"training_loss", "lm_loss"},
    FieldRow{"train/loss", "lm_loss"},
    FieldRow{"train.loss", "lm_loss"},
    FieldRow{"grad_norm", "grad_norm"},
    FieldRow{"train/grad_norm", "grad_norm"},
    FieldRow{"learning_rate", "learning_rate"},
    FieldRow{"lr", "learning_rate"},
    FieldRow{"train/learning_rate", "learning_rate"},
    FieldRow{"train/lr", "learning_rate"},
};

constexpr std::array value_rows{
    FieldRow{"eval_loss", "validation_loss"},
    FieldRow{"val_loss", "validation_loss"},
    FieldRow{"valid_loss", "validation_loss"},
    FieldRow{"validation_loss", "validation_loss"},
    FieldRow{"eval/loss", "validation_loss"},
    FieldRow{"val/loss", "validation_loss"},
    FieldRow{"tokens_per_second", "tokens_per_second"},
    FieldRow{"tokens_per_sec", "tokens_per_second"},
    FieldRow{"samples_per_second", "samples_per_second"},
    FieldRow{"samples_per_sec", "samples_per_second"},
    FieldRow{"tflops_per_gpu", "throughput"},
    FieldRow{"tflops_per_device", "throughput"},
    FieldRow{"step_time_ms", "iteration_time"},
    FieldRow{"iteration_time_ms", "iteration_time"},
    FieldRow{"elapsed_time_per_iteration_ms", "iteration_time"},
    FieldRow{"step_time_s", "iteration_time", ms_per_s},
    FieldRow{"iteration_time_s", "iteration_time", ms_per_s},
    FieldRow{"memory_allocated_gb", "memory_allocated", mib_per_gib, Scope::rank},
    FieldRow{"max_memory_allocated_gb", "memory_max_allocated", mib_per_gib, Scope::rank},
    FieldRow{"peak_memory_gb", "memory_max_allocated", mib_per_gib, Scope::rank},
    FieldRow{"memory_reserved_gb", "memory_reserved", mib_per_gib, Scope::rank},
    FieldRow{"max_memory_reserved_gb", "memory_max_reserved", mib_per_gib, Scope::rank},
    FieldRow{"loss_scale", "loss_scale"},
    FieldRow{"consumed_samples", "consumed_samples"},
    FieldRow{"consumed_tokens", "consumed_tokens"},
    FieldRow{"token_accuracy", "token_accuracy"},
    FieldRow{"reward", "reward"},
    FieldRow{"kl", "kl"},
    FieldRow{"entropy", "entropy"},
};

constexpr std::string_view its_loss = "lm_loss";
constexpr std::array expected{FieldRow{"loss", its_loss}};
constexpr std::array<std::string_view, 1> superseded{"deepspeed"};
constexpr std::array<std::string_view, 5> superseded_if_named{"jsonl", "hf-trainer", "ms-swift",
                                                              "llama-factory", "deepspeed"};

// The rows and kinds of one such format, all in one place for good: they point at one another.
struct JsonTables {
  JsonNames names;
  std::vector<FieldRow> step_fields, value_fields;
  std::vector<std::string_view> steps, losses;
  std::array<RecordKind, 2> kinds;
};

// Return the rows of the given names, and the usual ones of the numbers that have none.
std::vector<FieldRow> number_rows_of(const JsonNames& names) {
  std::vector<FieldRow> rows;
  if (!names.step.empty()) rows.push_back({names.step, step_of_total});
  if (!names.total.empty()) rows.push_back({names.total, the_total});
  if (!names.rank.empty()) rows.push_back({names.rank, the_rank});
  const std::vector<FieldRow> given = rows;
  for (const FieldRow& row : number_rows)
    if (std::ranges::find(given, row.metric, &FieldRow::metric) == given.end()) rows.push_back(row);
  return rows;
}

void add_rows(JsonTables& tables) {
  tables.step_fields = tables.value_fields = number_rows_of(tables.names);
  for (const JsonMetric& metric : tables.names.metrics) {
    const bool loss = metric.metric == its_loss;
    const FieldRow row{metric.key, metric.metric, metric.scale, loss ? Scope::run : Scope::rank};
    (loss ? tables.step_fields : tables.value_fields).push_back(row);
  }
  tables.step_fields.insert(tables.step_fields.end(), step_rows.begin(), step_rows.end());
  tables.value_fields.insert(tables.value_fields.end(), value_rows.begin(), value_rows.end());
  for (const FieldRow& row : tables.step_fields) {
    if (row.metric == step_of_total) tables.steps.push_back(row.printed);
    if (row.metric == its_loss) tables.losses.push_back(row.printed);
  }
}

std::shared_ptr<const JsonTables> make_tables(const JsonNames& names) {
  const auto tables = std::make_shared<JsonTables>();
  tables->names = names;
  add_rows(*tables);
  tables->kinds = {RecordKind{.extractor = "jsonl.step",
                              .literal = "{",
                              .head = R"(\{)",
                              .fields = tables->step_fields,
                              .body = Body::literal,
                              .expected = expected,
                              .one_of = tables->losses},
                   RecordKind{.extractor = "jsonl.value",
                              .literal = "{",
                              .head = R"(\{)",
                              .fields = tables->value_fields,
                              .body = Body::literal,
                              .role = Role::follower,
                              .one_of = tables->steps}};
  return tables;
}

// Return RE2 of one of the names, or "". Of nested names the last one stands in the log.
std::string signature_of(const JsonNames& names) {
  std::vector<std::string> all{names.step, names.total, names.rank};
  for (const JsonMetric& metric : names.metrics) all.push_back(metric.key);
  std::string signature;
  for (const std::string& name : all)
    if (!name.empty())
      signature += (signature.empty() ? "(?:" : "|") + RE2::QuoteMeta(name.substr(name.rfind('.') + 1));
  return signature.empty() ? "" : signature + ")[\"']";
}

// Each kind of record has a name of a step or a loss, with its quote behind it. Of nested names the last one
// stands there.
std::vector<std::string> marks_of(const JsonTables& tables) {
  std::vector<std::string> names, marks;
  for (const auto* all : {&tables.steps, &tables.losses})
    for (const std::string_view name : *all) names.emplace_back(name.substr(name.rfind('.') + 1));
  for (const std::string& name : names) {
    const auto is_its_end = [&](const std::string& end) { return end != name && name.ends_with(end); };
    if (std::ranges::any_of(names, is_its_end)) continue;
    for (const char quote : {'"', '\''}) marks.push_back(name + quote);
  }
  return marks;
}

}  // namespace
}  // namespace jsonl

FormatSpec jsonl_format(const JsonNames& names) {
  const std::shared_ptr<const jsonl::JsonTables> tables = jsonl::make_tables(names);
  const std::string signature = jsonl::signature_of(names);
  FormatTable table{.row = {"jsonl", "JSON lines with a step; other names in gate.toml"},
                    .kinds = tables->kinds,
                    .supersedes = jsonl::superseded,
                    .signature = signature};
  if (!names.empty()) table.supersedes = jsonl::superseded_if_named;
  FormatSpec format = make_format(table);
  format.marks = jsonl::marks_of(*tables);
  format.author = names.empty() ? Author::gate : Author::person;
  format.scan = [tables, scan = std::move(format.scan)](std::string_view text) { return scan(text); };
  return format;
}

FormatSpec jsonl_format() { return jsonl_format(JsonNames{}); }

}  // namespace gate::extract
