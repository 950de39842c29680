// The flags in the text of a script: where each stands, what stands behind it, and how far its text tells
// that it is used.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "config/scripts/script_words.h"

namespace gate::config {

// A word of a command, or of the value of a variable.
struct FlagWord {
  std::string text;        // without quotes and brackets around it
  std::string owner = {};  // the variable in whose value it stands; "": it is a command's
  bool is_doubtful =
      false;               // inside a choice, a here document, behind `&&`: it may be none of the training's
  bool is_other = false;   // of a command that only looks at it, in quotes with others, behind `exit`
  bool is_launch = false;  // its command has flags, or starts Python
  std::string function = {};  // in whose body it stands; "": in none
};

// A flag as a script has it: `--flag 2`, `--flag=2`.
struct FoundFlag {
  std::string text;   // `--tensor-model-parallel-size $TP`
  std::string value;  // `$TP`; "" where nothing stands behind it
  std::size_t word = 0;
};

class FlagReader {
 public:
  explicit FlagReader(std::string_view script);

  const std::vector<FlagWord>& words() const { return words_; }

  // Return the flag each time that it stands there, with the next word as its value.
  std::vector<FoundFlag> all_of(std::string_view flag) const;

  // Return the number that a word is, or that the script assigns its variable, once; nothing where it is none
  // from 1 to 1,000,000.
  std::optional<std::int64_t> number_of(std::string_view word) const;

  // Return what a word is once its variables are put in: those that the script assigns once and for sure, and
  // of those that it does not assign the given ones. Nothing where the text does not tell it.
  std::optional<std::string> text_of(std::string_view word,
                                     const std::map<std::string, std::string>& variables) const;

  // Tell whether what the script assigns a variable, once or by adding to it, is handed to a command.
  bool is_used(const std::string& variable) const;

  // Return the value of the variable where it is assigned once, and whether that is sure.
  struct Assigned {
    std::string value;
    bool is_sure = false;
  };
  std::optional<Assigned> assigned(const std::string& variable) const;

  bool is_assigned(const std::string& variable) const { return values_.contains(variable); }

  // Return the variable of words that the word is and that nobody assigned here, or that is what a command
  // prints, `ARGS` of `${ARGS[@]}`; "" of any other word. The value of a flag is none, unless the variable is
  // called as many words are:
  // `$EXTRA_ARGS`.
  std::string unknown_words(std::size_t word) const;

  // Tell whether the word is the value of the flag before it, as far as that flag's name tells.
  bool is_value(std::size_t word) const;

  // Tell whether the word stands for the words that the script is given: `"$@"`.
  bool stands_for_arguments(std::size_t word) const;

  // Return the first line that reads another file, `source a.sh`; "" where none does.
  const std::string& source() const { return source_; }

  // Tell whether the script's commands see the variable in their environment.
  bool is_exported(const std::string& variable) const;

  // For numbers that must be those of the training: a variable may have another value than the one assigned.
  bool is_doubtful(const std::string& variable) const;

  // Tell whether any variable may, since another file or `eval` does what is not known.
  bool is_any_doubtful() const { return is_any_doubtful_; }

  // Return the values that the script assigns the variable.
  std::set<std::string> values_of(const std::string& variable) const;

 private:
  void add(const ScriptLine& line);
  void add(const std::string& word, const ScriptLine& line, bool is_sure);
  void begin_command(const std::vector<std::string>& words);
  void note_launch();
  std::vector<std::string> words_in(std::string_view line) const;
  bool goes_on(std::string_view line) const;
  void refer(std::string_view word, const std::string& owner);
  void doubt_all_in(std::string_view line);

  // The value of a variable that goes on over several words or lines.
  struct OpenValue {
    std::string owner;
    char quote = '\0';
    int brackets = 0;

    void begin(std::string name, std::string_view value);
    void feed(std::string_view text);
    bool is_open() const { return !owner.empty() && (quote != '\0' || brackets > 0); }
  };

  std::vector<FlagWord> words_;
  std::map<std::string, std::set<std::string>> values_;  // by variable, as they are assigned
  std::map<std::string, std::set<std::string>>
      refers_;                                      // variables in the values of a variable; "": in commands
  std::map<std::string, std::size_t> assigned_in_;  // the last line that assigns it
  std::string source_;
  std::size_t line_ = 0, last_source_ = 0;
  OpenValue open_;
  bool goes_on_ = false;           // the line before ends in a backslash
  bool is_looked_at_ = false;      // a command that only looks at its words
  std::size_t command_begin_ = 0;  // of words_
  OpenValue quoted_;               // of a command: words in quotes are one word
  bool is_over_ = false;           // behind `exit`
  bool is_export_ = false;         // a command that exports what it assigns
  std::string function_;           // in whose body the line stands; "": in none
  std::set<std::string> functions_, arrays_, exported_;
  static constexpr std::size_t no_line = static_cast<std::size_t>(-1);
  std::map<std::string, std::size_t>
      last_referred_;  // the last line of a command with the variable; no_line in a function
  std::set<std::string> first_assigned_,
      replaced_;  // variables that got a value; of these, another one later
  std::set<std::string> doubtful_;
  std::set<std::string> printed_;  // variables that are what a command prints, which may be flags
  bool is_any_doubtful_ = false;
};

// Return what the calls of a function are called among variables: `train()`; "" of none.
std::string called(const std::string& function);

// `TP` of `$TP` and `${TP}`; "" of anything else.
std::string_view variable_in(std::string_view word);

// `N` of `$N`, `${N}`, `${N:-4096}` and `${N-4096}`; "" of anything else.
std::string_view variable_or_default_in(std::string_view word);

}  // namespace gate::config
