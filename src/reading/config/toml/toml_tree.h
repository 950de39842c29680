// A TOML document as values at their places: all that this room needs of the TOML library.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/toml/toml_values.h"
#include "gate/config/policy.h"

namespace gate::config {

struct Branch;

// A value; a table has branches, in the order of the file, and a list items.
struct TomlTree {
  RawValue raw;
  std::vector<Branch> branches;
  std::vector<TomlTree> items;

  bool is_table() const { return raw.kind == RawValue::Kind::table; }
};

struct Branch {
  std::string key;
  Position at;  // of the key
  TomlTree tree;
};

// Return the table as one value, with its members and with the text that shows it:
// `{ args = "--profile", env = { A = "1" } }`.
RawValue table_value(const TomlTree& table);

// Return the document's root table, or why it is none: the first mistake of syntax, bad UTF-8, keys nested
// too deeply, or a text of more than a megabyte.
Parsed<TomlTree> parse_toml(std::string_view text, const std::string& file);

}  // namespace gate::config
