// Which features of a training a script asks for by its flags, as far as its text tells it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/sentence.h"

namespace gate::config {

enum class FeatureKind : std::uint8_t {
  size,    // its flag has a number, and so has its word in names: `tp2`; 1 is the same as no flag
  on_off,  // its flag stands there or not
  value,   // its flag has a value, whatever it is
};

// A feature that gate knows.
struct FeatureRow {
  std::string_view name;  // as names of cases have it: `tp`, `dist_opt`; "": they do not tell it
  FeatureKind kind = FeatureKind::size;
  std::array<std::string_view, 2> flags;  // any of them
  TableText title;                        // `tensor parallel`
  TableText group;                        // `parallelism`
  bool is_mcore_only = false;             // the Legacy models of Megatron-LM do not have it
  std::string_view variable = {};         // of the environment, in the place of flags: `HCCL_DETERMINISTIC`
};

// Return the features that gate knows.
std::span<const FeatureRow> features();

// Whatever its number, this flag asks for virtual stages.
inline constexpr std::string_view layers_of_stage_flag = "--num-layers-per-virtual-pipeline-stage";

// A feature's flag as a script has it.
struct FlagUse {
  std::string text;  // `--tensor-model-parallel-size $TP`
  // Of a size: what it may mean. None: the text does not tell it. Several: layers of a virtual stage say how
  // many stages there are, too, where layers and stages are told.
  std::vector<std::int64_t> numbers = {};
};

struct ScriptFlags {
  std::map<std::string_view, FlagUse> features;  // by the name of the row; absent: no such flag
  std::string further;  // what may bring more of them: `"$@"`, `source a.sh`; "": nothing
};

// Return what the flags of a script say: `--flag 2`, `--flag=2`, in arrays, in variables and over several
// lines. Comments are not read. A number in a variable counts where the script assigns it once, as a number;
// what else a script computes, takes from its environment or says twice is not told.
ScriptFlags read_script_flags(std::string_view script);

// Tell whether the Python files that a script runs only convert, checkpoints or data: `convert_ckpt.py`.
bool converts_alone(std::string_view script);

// Return the switches that say whether a training is deterministic, as the script sets them: its flags, and
// what it exports or puts before a command. What may not run, or is computed, sets none.
std::map<std::string, std::string> read_script_switches(std::string_view script);

// How many tokens a sample has, as a script's flags tell it.
struct SequenceLength {
  std::string text;  // the flags: `--seq-length $SEQ_LENGTH`; "": none
  std::optional<std::int64_t> number = {};
  std::string variable = {};  // that has the number: where there is none, in the environment
};

// Return what `--seq-length 4096` and its like in a script say, or in a file of settings `--seq-length:
// 4096`. A variable counts where the script assigns it once, to a number or to another variable; one that it
// does not assign, or to itself alone as in `N=${N:-4096}`, is of the environment. Where flags differ there
// is neither a number nor a variable.
SequenceLength read_sequence_length(std::string_view script);

// Return the number of such a value: whole, from 1 to a thousand million; nothing where it is none.
std::optional<std::int64_t> sequence_length_of(std::string_view text);

// What is wrong with the name of a case.
struct NameFindings {
  std::vector<std::string> contradictions;  // it says what the script does not
  std::string form;                         // that it is not of the form; "": it is
  std::vector<std::string> hints;           // it does not say what the script does; or nobody can compare it
};

// Compare the name of a case, its last part without `.sh`, with what its script's flags say. `naming` is
// `naming`, such as `{model}_{parallelism}`; words of the name that are no features are free.
NameFindings check_name(std::string_view naming, std::string_view case_name, std::string_view script);

}  // namespace gate::config
