// RE2 as this room uses it.
#pragma once

#include <re2/re2.h>

#include <mutex>
#include <optional>
#include <string>
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

// A regular expression that is compiled when it is first used, in any thread: those of all formats together
// would take half of a short run's time.
class LazyRegex {
 public:
  explicit LazyRegex(std::string_view pattern) : pattern_(pattern) {}

  const RE2& operator*() const {
    std::call_once(once_, [this] { regex_.emplace(pattern_, pattern_options()); });
    return *regex_;
  }

 private:
  std::string pattern_;
  mutable std::once_flag once_;
  mutable std::optional<RE2> regex_;
};

}  // namespace gate::extract
