// Format `jsonl`: lines of JSON (or dictionaries of Python) that tell their step. A line with a loss is a
// training step; what else stands in it, or in lines of its own, belongs to that step. Nested names are
// joined with points. Times, memory and the like are read where the name tells the unit; [jsonl] and
// [metrics.NAME] of gate.toml give any other name.
//
//   {"step": 10, "loss": 2.31, "lr": 1e-05, "grad_norm": 0.5, "step_time_ms": 512.5}
#include "extract/patterns/jsonl.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <iterator>
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
constexpr std::array<std::string_view, 1> over{"deepspeed"};
constexpr std::array<std::string_view, 5> over_if_named{"jsonl", "hf-trainer", "ms-swift", "llama-factory",
                                                        "deepspeed"};

// The rows and kinds of one such format, all in one place for good: they point at one another.
struct Tables {
  JsonNames names;
  std::vector<FieldRow> step_fields, value_fields;
  std::vector<std::string_view> steps, losses;
  std::array<RecordKind, 2> kinds;
};

bool is_replaced(const FieldRow& row, const JsonNames& names) {
  if (row.metric == step_of_total) return !names.step.empty();
  return row.metric == the_total ? !names.total.empty() : !names.rank.empty();
}

void add_number(const std::string& name, std::string_view meaning, std::vector<FieldRow>& rows) {
  if (!name.empty()) rows.push_back({name, meaning});
}

std::vector<FieldRow> numbers(const JsonNames& names) {
  std::vector<FieldRow> rows;
  add_number(names.step, step_of_total, rows);
  add_number(names.total, the_total, rows);
  add_number(names.rank, the_rank, rows);
  std::copy_if(number_rows.begin(), number_rows.end(), std::back_inserter(rows),
               [&](const FieldRow& row) { return !is_replaced(row, names); });
  return rows;
}

void add_rows(Tables& tables) {
  tables.step_fields = tables.value_fields = numbers(tables.names);
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

std::shared_ptr<const Tables> make_tables(const JsonNames& names) {
  const auto tables = std::make_shared<Tables>();
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

// Of nested names the last one stands in the log.
void add_sign(const std::string& name, std::string& sign) {
  if (name.empty()) return;
  sign += sign.empty() ? "(?:" : "|";
  sign += RE2::QuoteMeta(name.substr(name.rfind('.') + 1));
}

std::string sign_of(const JsonNames& names) {
  std::string sign;
  for (const std::string* name : {&names.step, &names.total, &names.rank}) add_sign(*name, sign);
  for (const JsonMetric& metric : names.metrics) add_sign(metric.key, sign);
  return sign.empty() ? sign : sign + ")[\"']";
}

constexpr std::string_view lines =
    "2026-01-07 10:00:00 INFO {\"step\": 1, \"total_steps\": 4, \"loss\": 2.5, \"lr\": 1e-05, "
    "\"step_time_ms\": 512.5, \"tokens_per_second\": 7000, \"peak_memory_gb\": 1.5, \"val_loss\": null}\n"
    "{\"global_step\": \"2/4\", \"train\": {\"loss\": \"2.25\"}, \"lr\": 1e-05, \"val_loss\": 2.75}\n"
    "{\"step\": 3, \"loss\": NaN, \"lr\": Infinity, \"reward\": 0.5}\n"
    "{\"step\": 3, \"event\": \"checkpoint\"}\n"
    "{\"enabled\": true, \"loss_scale\": 0}\n"
    "{\"step\": 4, \"loss\": null, \"lr\": 1e-05}\n"
    "{\"loss\": 2.5, \"st";

bool is_suffix(std::string_view end, std::string_view word) { return end != word && word.ends_with(end); }

// Each kind of record has a name of a step or a loss, with its quote behind it. Of nested names the last one
// stands there.
std::vector<std::string> marks_of(const Tables& tables) {
  std::vector<std::string> names, marks;
  for (const auto* all : {&tables.steps, &tables.losses})
    for (const std::string_view name : *all) names.emplace_back(name.substr(name.rfind('.') + 1));
  for (const std::string& name : names)
    if (std::none_of(names.begin(), names.end(), [&](const auto& end) { return is_suffix(end, name); }))
      for (const char quote : {'"', '\''}) marks.push_back(name + quote);
  return marks;
}

std::vector<Specimen> specimens() {
  return {{"steps and what belongs to them",
           lines,
           {{"lm_loss", -1, 1, "2.5"},
            {"learning_rate", -1, 1, "1e-05"},
            {"iteration_time", -1, 1, "512.5"},
            {"tokens_per_second", -1, 1, "7000"},
            {"memory_max_allocated", -1, 1, "1.5"},
            {"lm_loss", -1, 2, "\"2.25\""},
            {"learning_rate", -1, 2, "1e-05"},
            {"validation_loss", -1, 2, "2.75"},
            {"lm_loss", -1, 3, "NaN"},
            {"learning_rate", -1, 3, "Infinity"},
            {"reward", -1, 3, "0.5"},
            {"lm_loss", -1, 4, ""},
            {"learning_rate", -1, 4, "1e-05"}}}};
}

}  // namespace
}  // namespace jsonl

FormatSpec jsonl_format(const JsonNames& names) {
  const std::shared_ptr<const jsonl::Tables> tables = jsonl::make_tables(names);
  const std::string sign = jsonl::sign_of(names);
  FormatTable table{.row = {"jsonl", "JSON lines with a step; other names are given in gate.toml"},
                    .kinds = tables->kinds,
                    .specimens = jsonl::specimens,
                    .over = jsonl::over,
                    .sign = sign};
  if (!names.empty()) table.over = jsonl::over_if_named;
  FormatSpec format = make_format(table);
  format.marks = jsonl::marks_of(*tables);
  format.author = names.empty() ? Author::gate : Author::person;
  format.scan = [tables, scan = std::move(format.scan)](std::string_view text) { return scan(text); };
  return format;
}

FormatSpec jsonl_format() { return jsonl_format(JsonNames{}); }

}  // namespace gate::extract
