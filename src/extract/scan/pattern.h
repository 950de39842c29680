// RE2 as this room uses it.
#pragma once

#include <re2/re2.h>

#include <string_view>

namespace gate::extract {

// Latin-1, because in UTF-8 mode RE2 loses lines with bad bytes in silence.
inline RE2::Options pattern_options() {
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1);
  options.set_log_errors(false);
  return options;
}

inline re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

inline std::string_view view(const re2::StringPiece& text) { return {text.data(), text.size()}; }

}  // namespace gate::extract
