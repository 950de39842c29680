// Where records begin.
//
// A regular expression that is searched for in a whole line looks at each byte of it, whatever stands there.
// Most heads begin with a text of their own (`\bstep=(\d+)` with `step=`), which is found much faster: the
// expression is then only tried where that text stands.
#pragma once

#include <re2/re2.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace gate::extract {

inline constexpr std::size_t npos = std::string_view::npos;

// Return where the needle, which is not empty, stands in the text at `from` or behind it, or npos, as
// string_view::find does; it takes the same time whatever letters the text is made of.
std::size_t find_text(std::string_view text, std::string_view needle, std::size_t from = 0);

class HeadPattern {
 public:
  static constexpr std::size_t most_groups = 11;  // besides group 0, the whole head
  using Groups = std::array<re2::StringPiece, most_groups + 1>;

  explicit HeadPattern(std::string_view pattern);

  // Find the leftmost head that begins at `from` or behind it. Of a pattern that is not ok(), or has more
  // groups than that, none is found.
  bool find(std::string_view text, std::size_t from, Groups& groups) const;

  const RE2& regex() const { return *regex_; }

 private:
  bool matches(std::string_view text, std::size_t from, RE2::Anchor anchor, Groups& groups) const;

  std::unique_ptr<RE2> regex_;
  int groups_ = 0;
  std::string begin_;   // what each head begins with
  bool plain_ = false;  // that is all of it
};

}  // namespace gate::extract
