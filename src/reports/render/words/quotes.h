// What others said, inside a sentence of gate's.
#pragma once

#include <string>
#include <string_view>

#include "gate/words/chinese.h"

namespace gate::render {

// Bare for formats that are English in every language; marked for pages that translate what is around it.
enum class Quotes { bare, marked };

inline std::string quote(std::string_view text, Quotes quotes) {
  return quotes == Quotes::marked ? words::verbatim(text) : std::string(text);
}

}  // namespace gate::render
