// What gate says to people: one value with a text in each language, made where it is said. So both languages
// stand beside one another in the source, and no text is ever searched, split or compared to be translated.
//
//   Sentence what = say({"{} of {} out of {}", "{1} 中有 {0} 个超出 {2}"}, 3, 15, "±0.01");
//   Sentence why = say({"{}: {}", "{}：{}"}, "lm_loss", what);
//   why.in(Language::chinese)    lm_loss：15 中有 3 个超出 ±0.01
//
// The compiler refuses a text whose holes the other does not have. An argument is put into both texts: a
// number or a text as it is (a name, a path, what others said), a sentence in the text's own language.
#pragma once

#include <fmt/format.h>

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gate {

enum class Language : std::uint8_t { english, chinese };

class Sentence {
 public:
  Sentence() = default;
  Sentence(std::string english, std::string chinese)
      : english_(std::move(english)), chinese_(std::move(chinese)) {}

  // What is the same in both languages: a name, a path, a number, what others said.
  Sentence(const std::string& text) : english_(text), chinese_(text) {}
  Sentence(std::string_view text) : english_(text), chinese_(text) {}
  Sentence(const char* text) : english_(text), chinese_(text) {}

  const std::string& in(Language language) const {
    return language == Language::english ? english_ : chinese_;
  }
  const std::string& english() const { return english_; }
  explicit operator std::string() const { return english_; }
  bool empty() const { return english_.empty(); }
  bool is_said() const { return english_ != chinese_; }  // in Chinese, otherwise than in English

  // Return it with each of its texts changed: masked, cut.
  template <class Change>
  Sentence with(const Change& change) const {
    return {change(english_), change(chinese_)};
  }

  Sentence& operator+=(const Sentence& more);
  friend Sentence operator+(Sentence first, const Sentence& second) { return first += second; }
  bool operator==(const Sentence& other) const { return english_ == other.english_; }
  std::strong_ordering operator<=>(const Sentence& other) const { return english_ <=> other.english_; }

 private:
  std::string english_, chinese_;
};

// Return what is the same in both languages: a name, a path, a number, what others said.
inline Sentence as_is(const std::string& text) { return {text, text}; }

// Names by what is said of them, in the order of the English texts.
using NamesBySentence = std::map<Sentence, std::vector<std::string>>;

// Return the texts as they are: names, lines that others said.
inline std::vector<Sentence> sentences_of(const std::vector<std::string>& texts) {
  return {texts.begin(), texts.end()};
}

// The same in a table of constants.
struct TableText {
  std::string_view english, chinese;

  Sentence said() const { return {std::string(english), std::string(chinese)}; }
};

// What stands between two sentences.
inline const Sentence comma{", ", "，"}, semicolon{"; ", "；"}, colon{": ", "："}, column{"  ", "  "};

// Return the sentences, without the empty ones, with the separator between each two.
Sentence join(std::span<const Sentence> sentences, const Sentence& separator);

// Return the first of the names, at most so many, and how many more there are: `a, b and 3 more`.
Sentence first_of(std::span<const Sentence> names, std::size_t most);

// Return which holes, `{}` or `{1}`, the text has: a bit for each.
constexpr std::uint64_t holes_in(std::string_view text) {
  std::uint64_t holes = 0;
  unsigned next = 0;
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (text[at] == '}' && text[at + 1] == '}') ++at;
    if (text[at] != '{') continue;
    const char behind = text[++at];
    if (behind == '{') continue;
    const bool is_numbered = behind >= '0' && behind <= '9';
    holes |= std::uint64_t{1} << (is_numbered ? static_cast<unsigned>(behind - '0') : next++);
  }
  return holes;
}

// A sentence's two texts, for arguments of these types.
template <class... Arguments>
struct BothTexts {
  template <std::size_t n, std::size_t m>
  consteval BothTexts(const char (&in_english)[n], const char (&in_chinese)[m])
      : english(in_english), chinese(in_chinese) {
    if (holes_in(in_english) != holes_in(in_chinese)) throw "one language has a hole that the other lacks";
  }
  fmt::format_string<Arguments...> english, chinese;
};

namespace holes {

template <class Argument>
struct Put {
  using Type = Argument;
  static const Argument& in(Language, const Argument& argument) { return argument; }
};
template <>
struct Put<Sentence> {
  using Type = std::string;
  static std::string in(Language language, const Sentence& argument) { return argument.in(language); }
};

}  // namespace holes

// Return the sentence with the arguments put into its holes; in the holes, format as fmt has it.
template <class... Arguments>
Sentence say(BothTexts<const typename holes::Put<Arguments>::Type&...> texts, const Arguments&... arguments) {
  const auto in = [&]([[maybe_unused]] Language language, fmt::string_view text) {
    return fmt::vformat(text, fmt::make_format_args(holes::Put<Arguments>::in(language, arguments)...));
  };
  return {in(Language::english, texts.english), in(Language::chinese, texts.chinese)};
}

// Return the first of the names, at most so many, and how many more there are: `a, b and 3 more`.
Sentence listed(std::span<const std::string> names, std::size_t most);

// Return `1 step`, `2 steps`; in Chinese the number before the noun, which has its measure word: `2 步`.
Sentence count_of(std::int64_t count, std::string_view english, std::string_view chinese);

}  // namespace gate
