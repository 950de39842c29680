// A JSON text as a tree whose nodes know their places and whose numbers keep their own text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/diagnostics.h"
#include "gate/base/result.h"

namespace gate::schema {

// What no file of gate or of the tools that it reads comes near.
inline constexpr std::size_t max_json_bytes = std::size_t{64} << 20;
inline constexpr std::size_t max_json_values = 1'000'000;
inline constexpr std::size_t max_json_depth = 64;

struct Json {
  enum class Kind : std::uint8_t { null, boolean, number, text, list, object };
  Kind kind = Kind::null;
  std::uint32_t at = 0;      // offset of its first byte
  std::uint32_t key_at = 0;  // of a member: offset of its key
  std::string key;           // of a member; "" in a list
  std::string text;          // a text's content; a number's own text; `true` or `false`
  std::vector<Json> items;   // of a list or an object, in their order
  std::size_t folded = 0;    // of a list: how many items stand in its text instead (see parse_folded)

  // Return the member of that key, or nullptr; one that is null counts as absent.
  const Json* find(std::string_view wanted) const;
};

// Return the kind with its article: `a list`, `null`.
std::string_view to_string(Json::Kind kind);

// Return the place of an offset in the text; columns count code points.
Position position_of(std::string_view text, std::size_t offset, const std::string& name);

// Fail where the text is empty, blank, larger than the limit or holds a NUL byte, behind which a parser would
// read no further; say what to do.
Status check_text(std::string_view text, const std::string& name, std::size_t limit = max_json_bytes);

// What the words NaN, Infinity and -Infinity are, which Python writes and JSON does not know.
enum class NonFinite : std::uint8_t { refused, taken };

// Return the tree of a whole text. Fails with `name:line:column` on what is not JSON (NaN, unless it is taken
// as a number, and comments are not), on a key twice in one object, and beyond the limits above, or beyond
// `most_values`.
Result<Json> parse_json(std::string_view text, const std::string& name,
                        NonFinite non_finite = NonFinite::refused, std::size_t most_values = max_json_values);

// Return the tree likewise. A list of that key which holds nothing but plain words in quotes, as number words
// are, has no items: its text is what stands between its brackets, a hundredth of what the items would take.
Result<Json> parse_folded(std::string_view text, const std::string& name, std::string_view key);

// Call `take` with each word of a folded list and the offset of its quote in the whole text.
template <class Take>
void each_folded(const Json& list, Take take) {
  const std::string_view text = list.text;
  for (std::size_t at = 0, left = list.folded; left > 0; --left) {
    const std::size_t from = text.find('"', at) + 1, end = text.find('"', from);
    take(text.substr(from, end - from), list.at + from);
    at = end + 1;
  }
}

}  // namespace gate::schema
