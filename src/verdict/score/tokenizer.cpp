#include <algorithm>
#include <array>
#include <bit>

#include "gate/base/text.h"
#include "score/code_points.h"
#include "score/tokens.h"
#include "score/unicode_tables.h"

namespace gate::score {

namespace {

// What a character is to the tokenizers. A mark is split from what is no number; a single is a token.
enum class Sort : std::uint8_t { plain, number, blank, single, mark, dash };

struct Sorted {
  Sort sort = Sort::plain;
  std::size_t length = 1;
};

constexpr std::array<Sort, 128> ascii_sorts = [] {
  std::array<Sort, 128> sorts{};
  const auto fill = [&](std::size_t first, std::size_t last, Sort sort) {
    for (std::size_t c = first; c <= last; ++c) sorts[c] = sort;
  };
  fill(0x09, 0x0D, Sort::blank), fill(0x1C, 0x20, Sort::blank);
  fill(0x21, 0x7E, Sort::single), fill('0', '9', Sort::number);
  fill('A', 'Z', Sort::plain), fill('a', 'z', Sort::plain), fill('\'', '\'', Sort::plain);
  fill('-', '-', Sort::dash), fill(',', ',', Sort::mark), fill('.', '.', Sort::mark);
  return sorts;
}();

// The bytes with which characters begin that may be neither plain nor a number.
using Stops = std::array<bool, 256>;

constexpr Stops stops_at(std::string_view further_ascii, std::string_view wide) {
  Stops stops{};
  for (std::size_t c = 0; c < 128; ++c) stops[c] = ascii_sorts[c] > Sort::number;
  for (const char c : further_ascii) stops[static_cast<unsigned char>(c)] = true;
  for (const char c : wide) stops[static_cast<unsigned char>(c)] = true;
  return stops;
}

constexpr Stops stops_from(std::size_t first_wide) {
  Stops stops = stops_at("'", "");
  for (std::size_t c = first_wide; c < 256; ++c) stops[c] = true;
  return stops;
}

// What sacreBLEU's zh tokenizer takes for a Chinese character. (Its table means U+20000..U+2A6D6 and
// U+2F800..U+2FA1D, too, and says U+2000 to U+2A6D and U+2F80 to U+2FA1 with a digit behind each.)
constexpr std::array<CodePointRange, 13> zh_ranges{{{0x2001, 0x2A6D},
                                                    {0x2E80, 0x2FDF},
                                                    {0x2FF0, 0x303F},
                                                    {0x3100, 0x312F},
                                                    {0x31A0, 0x31EF},
                                                    {0x3200, 0x4DB5},
                                                    {0x4E00, 0x9FBB},
                                                    {0xF900, 0xFA2D},
                                                    {0xFA30, 0xFA6A},
                                                    {0xFA70, 0xFAD9},
                                                    {0xFE10, 0xFE1F},
                                                    {0xFE30, 0xFE4F},
                                                    {0xFF00, 0xFFEF}}};

bool is_zh(char32_t value) {
  if (value >= 0x4E00 && value <= 0x9FBB) return true;
  return std::ranges::any_of(
      zh_ranges, [&](const CodePointRange& range) { return value >= range.first && value <= range.last; });
}

// The characters of mteval-v13a, and with `zh` Chinese ones.
template <bool zh>
struct MtevalSorts {
  static constexpr Stops stops = zh ? stops_from(0xC2) : stops_at("", "\xC2\xE1\xE2\xE3");

  static Sorted at(std::string_view text, std::size_t place) {
    const auto byte = static_cast<unsigned char>(text[place]);
    if (byte < 0x80) return {ascii_sorts[byte], 1};
    const CodePoint here = code_point_at(text, place);
    if (is_blank(here.value)) return {Sort::blank, here.length};
    return {zh && is_zh(here.value) ? Sort::single : Sort::plain, here.length};
  }

  static bool is_number_before(std::string_view text, std::size_t place) { return is_digit(text[place - 1]); }
};

// The characters of mteval-v14.
struct InternationalSorts {
  static constexpr Stops stops = stops_from(0xC2);

  static Sort sort_of(char32_t value) {
    if (is_blank(value)) return Sort::blank;
    if (is_punctuation(value)) return Sort::mark;
    if (is_symbol(value)) return Sort::single;
    return is_number(value) ? Sort::number : Sort::plain;
  }

  static Sorted at(std::string_view text, std::size_t place) {
    const CodePoint here = code_point_at(text, place);
    return {sort_of(here.value), here.length};
  }

  static bool is_number_before(std::string_view text, std::size_t place) {
    return is_number(code_point_at(text, last_start(text.substr(0, place))).value);
  }
};

// Splits a text in one pass as the passes of mteval's regular expressions do. `padded`: a blank stands at
// both ends of it.
template <class Sorts>
class Splitter {
 public:
  Splitter(LineTokens& tokens, std::string_view text, bool padded)
      : tokens_(tokens), text_(text), padded_(padded) {}

  void split() {
    for (std::size_t block = 0; block < text_.size(); block += 64)
      for (std::uint64_t stops = stops_in(text_.substr(block, 64)); stops != 0; stops &= stops - 1)
        stop_at(block + static_cast<std::size_t>(std::countr_zero(stops)));
    at_ = text_.size();
    end_token();
  }

 private:
  // Return a bit for each byte of the block that is a stop.
  static std::uint64_t stops_in(std::string_view block) {
    std::uint64_t stops = 0;
    for (std::size_t i = 0; i < block.size(); ++i)
      stops |= static_cast<std::uint64_t>(Sorts::stops[static_cast<unsigned char>(block[i])]) << i;
    return stops;
  }

  void stop_at(std::size_t place) {
    if (place < at_) return;
    at_ = place;
    const Sorted here = Sorts::at(text_, at_);
    switch (here.sort) {
      case Sort::blank:
        end_token(), skip(here.length);
        break;
      case Sort::single:
        take_alone(here.length);
        break;
      case Sort::mark:
        take_marks(here.length);
        break;
      case Sort::dash:
        take_dash();
        break;
      default:
        at_ += here.length;
    }
  }

  void end_token() {
    if (at_ > begin_) tokens_.push_back(text_.substr(begin_, at_ - begin_));
    begin_ = at_;
  }

  void skip(std::size_t length) { begin_ = at_ += length; }

  void take_alone(std::size_t length) {
    end_token();
    at_ += length;
    end_token();
  }

  void take_dash() {
    if (at_ > 0 && Sorts::is_number_before(text_, at_))
      take_alone(1);
    else
      ++at_;
  }

  bool is_other_before() const { return at_ == 0 ? padded_ : !Sorts::is_number_before(text_, at_); }

  // Marks that follow one another are split from each other. A single mark is split from both sides unless
  // both are numbers or an end. The first pass takes characters in pairs, so that of more than one the last
  // stays with a number or the end behind it where it was not the second of a pair.
  void take_marks(std::size_t length) {
    const bool other_before = is_other_before();
    std::size_t end = at_ + length, last = length, count = 1;
    Sorted next;
    bool is_end = true;
    for (; end < text_.size(); end += next.length, last = next.length, ++count)
      if (next = Sorts::at(text_, end); next.sort != Sort::mark) {
        is_end = false;
        break;
      }
    const bool other_after = is_end ? padded_ : next.sort != Sort::number;
    const bool split_after = other_after || (count % 2 == 1) == other_before;
    if (count == 1 && !split_after) {
      at_ = end;
      return;
    }
    end_token();
    while (at_ < end - last) take_alone(Sorts::at(text_, at_).length);
    at_ = end;
    if (split_after) end_token();
  }

  LineTokens& tokens_;
  std::string_view text_;
  bool padded_;
  std::size_t begin_ = 0, at_ = 0;
};

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  std::size_t from = text.find(what);
  if (from == std::string::npos) return;
  std::size_t to = from;
  while (from < text.size()) {
    if (std::string_view(text).substr(from).starts_with(what)) {
      to = static_cast<std::size_t>(
          std::copy(by.begin(), by.end(), text.begin() + static_cast<std::ptrdiff_t>(to)) - text.begin());
      from += what.size();
    } else {
      text[to++] = text[from++];
    }
  }
  text.resize(to);
}

// Return the text as mteval-v13a unescapes it, which is the text itself where nothing is to be done.
std::string_view unescape(std::string_view text, std::string& buffer) {
  constexpr auto nowhere = std::string_view::npos;
  if (text.find('&') == nowhere && text.find('\n') == nowhere && text.find("<skipped>") == nowhere)
    return text;
  buffer.assign(text);
  replace_all(buffer, "<skipped>", "");
  replace_all(buffer, "-\n", "");
  replace_all(buffer, "\n", " ");
  replace_all(buffer, "&quot;", "\"");
  replace_all(buffer, "&amp;", "&");
  replace_all(buffer, "&lt;", "<");
  replace_all(buffer, "&gt;", ">");
  return buffer;
}

void append_characters(LineTokens& tokens, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint here = code_point_at(text, at);
    if (!is_blank(here.value)) tokens.push_back(text.substr(at, here.length));
    at += here.length;
  }
}

// Append the tokens of a text that is UTF-8. `unescaped` holds those that stand nowhere in the text.
void append_tokens(LineTokens& tokens, Tokenizer tokenizer, std::string_view text, std::string& unescaped) {
  switch (tokenizer) {
    case Tokenizer::t13a:
      return Splitter<MtevalSorts<false>>(tokens, unescape(text, unescaped), true).split();
    case Tokenizer::zh:
      return Splitter<MtevalSorts<true>>(tokens, strip_both(text), false).split();
    case Tokenizer::intl:
      return Splitter<InternationalSorts>(tokens, text, false).split();
    case Tokenizer::character:
      return append_characters(tokens, text);
    default:
      return append_words(tokens, text);
  }
}

std::string spaced_characters(std::string_view text) {
  std::string spaced;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = code_point_at(text, at).length;
    if (at > 0) spaced += ' ';
    spaced += text.substr(at, length);
    at += length;
  }
  return spaced;
}

}  // namespace

void append_words(LineTokens& tokens, std::string_view text) {
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint here = code_point_at(text, at);
    if (is_blank(here.value)) {
      if (at > begin) tokens.push_back(text.substr(begin, at - begin));
      begin = at + here.length;
    }
    at += here.length;
  }
  if (begin < text.size()) tokens.push_back(text.substr(begin));
}

const LineTokens& LineTokenizer::split(std::string_view line) {
  std::string_view text = replace_invalid(line, valid_);
  if (lowercase_) {
    lower_.clear();
    append_lower_case(lower_, text);
    text = lower_;
  }
  tokens_.clear();
  append_tokens(tokens_, tokenizer_, strip_end(text), unescaped_);
  if (!tokens_.empty()) end_ = tokens_.back().data() + tokens_.back().size();
  return tokens_;
}

std::string tokenize(Tokenizer tokenizer, std::string_view line) {
  std::string valid, unescaped;
  const std::string_view text = replace_invalid(line, valid);
  if (tokenizer == Tokenizer::none) return std::string(text);
  if (tokenizer == Tokenizer::character) return spaced_characters(text);
  LineTokens tokens;
  append_tokens(tokens, tokenizer, text, unescaped);
  std::string joined;
  for (const std::string_view token : tokens) {
    if (!joined.empty()) joined += ' ';
    joined += token;
  }
  return joined;
}

}  // namespace gate::score
