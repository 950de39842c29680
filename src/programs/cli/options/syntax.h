// What a command takes, as the parser knows it: for the man pages and for completion.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace gate::cli {

// A flag, or the words of a command that are none.
struct OptionSyntax {
  std::vector<std::string> names;  // `-q`, `--quiet`; of words none
  std::string value;               // what it takes: `FILE`, `text|json`; empty: nothing
  std::string range;               // what each value is held against: `INT in [1 - 64]`, `{text,markdown}`
  std::string built_in = {};       // what holds where a setting is not given
  std::string doc;
  int least = 0, most = 0;  // values in one place
  bool is_repeatable = false, is_required = false, is_setting = false;
};

struct CommandSyntax {
  std::string name;  // `baseline record`
  std::string doc;
  std::vector<OptionSyntax> options;  // as --help lists them
  std::optional<OptionSyntax> words;
};

// Return what the parser of a command takes, without the commands below it.
CommandSyntax syntax_of(const CLI::App& command, std::string name, std::string doc);

// Return the flag that has the name, or nullptr.
const OptionSyntax* find_option(const CommandSyntax& command, const std::string& name);

}  // namespace gate::cli
