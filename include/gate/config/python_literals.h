// Files of Python that hold settings, `NAME = literal` at their top level: read as text. Nothing of them is
// executed, so what a file computes is not told.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/diagnostics.h"
#include "gate/config/policy.h"

namespace gate::config {

struct PythonValue {
  enum class Kind : std::uint8_t {
    none,
    boolean,
    integer,
    real,
    text,
    bytes,
    list,
    tuple,
    set,
    dictionary,
    untold,  // no literal, or changed by a statement that is no assignment of one
  };
  Kind kind = Kind::untold;
  std::string text;  // None, True; a number as written, without its `_`; a text without quotes; else ""
  std::vector<PythonValue> items;  // of a dictionary: a key, its value, the next key, ...
  Position at{};                   // where it begins; of what was changed, where that is

  // Tell whether it and all that it holds are told.
  bool is_told() const;
};

using PythonKind = PythonValue::Kind;

// Return the value as Python writes it, a text in single quotes; `(not told)` for what is not.
std::string to_string(const PythonValue& value);

struct PythonSetting {
  std::string name;
  Position at;  // of the name where it was set last
  PythonValue value;
};

// `from MODULE import *` of a module that could not be had: names that are set elsewhere.
struct StarImport {
  std::string module;
  Position at;
};

struct PythonFile {
  std::vector<PythonSetting> settings;  // each name once, in the order in which they were set first
  std::vector<StarImport> imports;

  // Return the setting of the name, or null.
  const PythonSetting* find(std::string_view name) const;
};

// Return what the module sets that a file names in `from MODULE import *`, as written there: `config_common`,
// `.model_params`; nothing where it cannot be had.
using PythonImporter = std::function<std::optional<PythonFile>(const std::string& module)>;

// Return what a file sets at its top level: `NAME = literal`, `NAME: type = literal`, and `NAME += [...]`
// where NAME is a list. Literals are texts (all quotes, prefixes r b u, pieces side by side), numbers with a
// sign, True, False, None, lists, tuples, dictionaries and sets of literals. Everything else is passed over;
// what it may have changed is not told: names that are set inside blocks (`if`, `def`), that a call or a
// `del` mentions, that come before `exec` or before `from x import *` of a module that cannot be had. What
// another module sets stands at its places there.
//
// Fails at the first place where a text or a bracket is not closed, brackets are nested more than 32 deep, a
// NUL byte stands, and for a file of more than a megabyte.
Parsed<PythonFile> read_python(std::string_view text, const std::string& file,
                               const PythonImporter& importer = {});

}  // namespace gate::config
