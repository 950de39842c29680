// A YAML document as values at their places: all that this room needs of the YAML library.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gate/config/policy.h"

namespace gate::config {

struct YamlEntry;

// A value. All that stands in it is text as it is written: `true` is the text true, `1e-2` the text 1e-2.
struct YamlTree {
  enum class Kind : std::uint8_t { text, list, table };
  Kind kind = Kind::text;
  std::string text;
  bool is_quoted = false;  // in quotes or as a block: never null
  std::vector<YamlTree> items;
  std::vector<YamlEntry> entries;  // in the order of the file
  Position at;

  bool is_text() const { return kind == Kind::text; }
  bool is_null() const;

  // Return the value of the key, or null.
  const YamlTree* find(std::string_view key) const;
};

struct YamlEntry {
  std::string key;
  Position at;
  YamlTree value;
};

enum class YamlKeys { once, often };  // whether a key may stand several times in a table

// Return the one document of the text; a text without one is a null. Aliases stand for what their anchors are
// of, and a merge key (`<<`) for the keys of its table, or of each table of its list, that the table around
// it does not have. Fails at the first mistake of syntax, a key that stands twice where it must not or is no
// text, a NUL byte, a merge key of something else, a second document, an alias without an anchor or inside of
// what it names, more than 32 levels, more than 100000 values (those that aliases repeat counted), and for a
// text of more than a megabyte.
Parsed<YamlTree> parse_yaml(std::string_view text, const std::string& file, YamlKeys keys = YamlKeys::once);

}  // namespace gate::config
