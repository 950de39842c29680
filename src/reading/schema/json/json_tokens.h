// Where the tokens of a JSON text stand. nlohmann's parser decides what is JSON. It gives neither places nor
// the text of integers, but it reports every token in order, so a cursor that follows its reports through the
// text finds both.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gate::schema {

// Every function but is_quoted() goes over a token and returns where it starts.
class TokenCursor {
 public:
  // Starts at the offset, behind a byte order mark there.
  explicit TokenCursor(std::string_view text, std::size_t from = 0);

  std::size_t bracket();
  std::size_t text();  // in its quotes
  std::size_t word();  // a number, true, false or null

  // Tell whether the next token stands in quotes.
  bool is_quoted() const;

  std::string_view text_from(std::size_t from) const { return text_.substr(from, at_ - from); }

 private:
  std::size_t start() const;

  std::string_view text_;
  std::size_t at_;
};

// Return nlohmann's message without the places that it counts in its own way.
std::string plain_message(std::string_view message);

// Return what to do about the offset that is no JSON: `; the file is cut off: ...` or the like, or "".
std::string advice_on(std::string_view text, std::size_t offset);

// Return the text, or lines of texts, with the words NaN, Infinity and -Infinity, which Python's json writes
// as values, in quotes at the cost of their letters, so that every byte stays at its place; "" where there
// are none.
std::string quote_non_finite(std::string_view text);

}  // namespace gate::schema
