// The files of Megatron-LM's functional tests as values: model_config.yaml of a case, and recipes, which say
// which cases are run where. Text in, values out; nothing is executed.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/diagnostics.h"
#include "gate/config/policy.h"

namespace gate::config {

// A name with its value, as text as it is written.
struct MegatronSetting {
  std::string name;
  std::string value;
  Position at;  // of the name
};

// A flag of MODEL_ARGS with the words behind it: none where its value is `true`.
struct MegatronArgument {
  std::string flag;
  std::vector<std::string> words;
  Position at;
};

struct MegatronCase {
  std::string test_type;  // regular, ckpt-resume, frozen-start, ...; "" where it is not told
  std::vector<std::string> metrics;
  std::vector<MegatronSetting> env;
  std::vector<MegatronArgument> args;
  std::optional<std::vector<MegatronArgument>> args_2;  // of the second run, in place of `args`
  std::string launcher, mode, before_script, after_script;
  std::vector<MegatronSetting> throughput_params;
  std::vector<MegatronSetting> other;  // keys that gate does not know: their names and places, no values
  std::map<std::string, Position, std::less<>> keys;  // where each stands

  // Return where the key stands; of one that does not, no place.
  Position at(std::string_view key) const;

  // Return the value of the variable, or null.
  const std::string* variable(std::string_view name) const;

  bool trains() const;  // MODE says so, or nothing

  // Tell whether the case says that its numbers may differ from run to run.
  bool is_deterministic() const;  // NVTE_ALLOW_NONDETERMINISTIC_ALGO is not 1
  bool skips_comparison() const;  // SKIP_PYTEST is 1: launched, and not compared

  // Return after how many steps it ends: --exit-interval, else --train-iters; nothing where neither is a
  // number above 0.
  std::optional<std::int64_t> steps() const;

  // Return the number behind --train-iters, 100 where there is none, as Megatron's run script takes it.
  std::int64_t train_iters() const;

  // Return the flags of run 1 or 2.
  std::span<const MegatronArgument> args_of(int run) const { return run == 2 && args_2 ? *args_2 : args; }
};

// Return the case of model_config.yaml. Flags are as Megatron's run script makes words of them: `true` is the
// flag alone, "" leaves it out, no value is the word `null`, `[a b]` and lists are one word each, any other
// text (`false`, one with blanks) is one word; a flag that stands twice is there twice. Mistakes are those of
// YAML, a key of another kind than it is to be, names of variables that no shell takes, values that are
// missing (`--flag:`), and a file that is none of a case: without MODEL_ARGS. Of a case that does not train
// only those of YAML count.
Parsed<MegatronCase> read_megatron_case(std::string_view text, const std::string& file);

// Return the text with every `${NAME}` replaced by the variable's value, once. A name that is not among them
// is a mistake at the place; `$NAME`, and `${` that is not closed around a name, stay.
Parsed<std::string> expand_variables(std::string_view text, const Position& at,
                                     const std::map<std::string, std::string, std::less<>>& variables);

// Return the names of the variables that stand in the text as `${NAME}`, in their order.
std::vector<std::string> variables_in(std::string_view text);

// A row of a recipe: a case in one environment on one platform.
struct MegatronRow {
  std::string model, test_case, environment, scope, platform, build, name, script, script_setup;
  std::vector<std::string> cadence;          // when it is run; empty where it is not told
  std::optional<int> nodes, gpus, n_repeat;  // gpus of a node
  std::optional<std::int64_t> time_limit;    // seconds
  std::vector<MegatronSetting> other;        // axes that gate does not know
  Position at;                               // of its product
};

// Return what a row's script gives the runner of tests as that argument, `NAME=value` as a word of its own:
// TRAINING_SCRIPT_PATH, DATA_PATH. `{model}`, `{test_case}`, `{environment}` and `{platforms}` in it are the
// row's. Nothing where it gives none, or one with another placeholder or variable.
std::optional<std::string> recipe_argument(const MegatronRow& row, std::string_view name);

// Return the rows of a recipe, in its order: each product's lists multiplied out over `spec`, whose values
// hold where the product says nothing. A recipe without products has none. Mistakes are those of YAML,
// another format_version than 1, a value of another kind than it is to be, a product without test_case,
// counts that are none, and more than 10000 rows. `{placeholders}` stay as they are.
Parsed<std::vector<MegatronRow>> read_megatron_recipe(std::string_view text, const std::string& file);

}  // namespace gate::config
