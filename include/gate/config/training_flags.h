// What a training script turns on, as far as its text and the variables that gate gives it tell.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/config/script_flags.h"

namespace gate::config {

// A feature of trainings: one that gate knows, or that [features] of gate.toml names.
struct Feature {
  Sentence title;  // no other feature has it
  Sentence group;
  FeatureKind kind = FeatureKind::on_off;
  std::vector<std::string> flags;  // any of them
  bool is_mcore_only = false;
  std::string variable = {};  // of the environment; "": none
};

// Return a feature that gate knows as such a value.
Feature feature_of(const FeatureRow& row);

enum class Told : std::uint8_t { off, on, not_told };

struct FeatureUse {
  Told told = Told::off;
  std::string text =
      {};  // `--tensor-model-parallel-size $TP`; what may bring it: `$EXTRA_ARGS`; "" where it is off
};

// The flags of one training. A flag is told where it stands in a command that has flags or starts Python, or
// in the value of a variable that such a command is handed, directly or through others; in a comment it is
// none. It is not told, and never off,
//   - inside `if` and `case`, behind `&&`, `||` and `exit`, in a here document, in the words of `echo` and
//   `[`, in quotes with other words;
//   - in the value of a variable that no command is handed, or that gets another one;
//   - where its number is a variable that the script does not assign once and for sure, and gate does not
//   give;
//   - where it does not stand, and a command is handed a variable that nobody assigned, or nothing with flags
//   at all.
class TrainingFlags {
 public:
  // `text` is the script's and, behind it, the words that it is given: `"$@"` stands for no others.
  // `variables` are those that gate gives it; one that a command is handed as its words has flags, too.
  TrainingFlags(std::string_view text, const std::map<std::string, std::string>& variables);
  TrainingFlags(TrainingFlags&&) noexcept;
  TrainingFlags& operator=(TrainingFlags&&) noexcept;
  ~TrainingFlags();

  // Return whether the feature is on. One whose flag has a number is where that is 2 or more, or where it
  // counts the layers of a virtual stage.
  FeatureUse use_of(const Feature& feature) const;

  // Return whether the flag stands there.
  Told has(std::string_view flag) const;

  // Return the text of its value, with variables put in; nothing where it is not told, or told twice.
  std::optional<std::string> value_of(std::string_view flag) const;

  // Return the same as a number from 1 to 1,000,000,000.
  std::optional<std::int64_t> number_of(std::string_view flag) const;

  // Return what may bring flags that do not stand in the text: `$EXTRA_ARGS`, `source a.sh`; "": nothing.
  const Sentence& further() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gate::config
