// Any bytes as lines of text: tokens without blanks that stay what they are, and scores within their bounds.
// The first line is held against the second, and against itself.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/text.h"
#include "gate/score/text_score.h"
#include "score/code_points.h"
#include "score/tokens.h"
#include "score/unicode_tables.h"
#include "targets.h"

namespace {

using namespace gate::score;

constexpr std::array tokenizers{Tokenizer::t13a, Tokenizer::intl, Tokenizer::zh, Tokenizer::character,
                                Tokenizer::none};

void fail_text(std::string_view what, std::string_view text) {
  std::fprintf(stderr, "%.*s: `%s`\n", static_cast<int>(what.size()), what.data(),
               gate::printable(text).c_str());
  std::abort();
}

// Return the text's characters but the blanks, which splitting must not change. 13a takes some away and
// unescapes others.
std::string without_blanks(std::string_view text) {
  std::string valid, rest;
  text = replace_invalid(text, valid);
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint here = code_point_at(text, at);
    if (!is_blank(here.value)) append_code_point(rest, here.value);
    at += here.length;
  }
  return rest;
}

void check_tokens(Tokenizer tokenizer, std::string_view line) {
  LineTokenizer splitter(tokenizer, false);
  const LineTokens& tokens = splitter.split(line);
  std::string joined;
  for (const std::string_view token : tokens) {
    if (token.empty()) fail_text("a token is empty", line);
    if (without_blanks(token) != token) fail_text("a blank is in a token", line);
    joined += token;
  }
  if (!tokens.empty() && splitter.end() != tokens.back().data() + tokens.back().size())
    fail_text("another end", line);
  if (tokenizer != Tokenizer::t13a && joined != without_blanks(line)) fail_text("characters are lost", line);
  if (tokenizer != Tokenizer::t13a && without_blanks(tokenize(tokenizer, line)) != joined)
    fail_text("two ways to split", line);
}

using Text = std::u32string;

Text read(std::string_view text) {
  std::vector<char32_t> characters;
  decode(text, characters);
  return {characters.begin(), characters.end()};
}

// Every pair of characters, from the left, of which the first and the second are such, with blanks around
// one.
template <class IsFirst, class IsSecond>
Text split_pairs(const Text& text, IsFirst is_first, IsSecond is_second, bool around_first) {
  Text out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (at + 1 == text.size() || !is_first(text[at]) || !is_second(text[at + 1])) {
      out += text[at];
      continue;
    }
    out += around_first ? Text{' ', text[at], ' ', text[at + 1]} : Text{text[at], ' ', text[at + 1], ' '};
    ++at;
  }
  return out;
}

template <class IsSingle>
Text split_singles(const Text& text, IsSingle is_single) {
  Text out;
  for (const char32_t c : text) out += is_single(c) ? Text{' ', c, ' '} : Text{c};
  return out;
}

template <class IsNumber, class IsMark>
Text split_marks(const Text& text, IsNumber is_a_number, IsMark is_mark) {
  const auto is_other = [&](char32_t c) { return !is_a_number(c); };
  return split_pairs(split_pairs(text, is_other, is_mark, false), is_mark, is_other, true);
}

// What mteval says, pass by pass.
Text split_slowly(Tokenizer tokenizer, Text text) {
  if (tokenizer == Tokenizer::intl)
    return split_singles(split_marks(text, is_number, is_punctuation), is_symbol);
  if (tokenizer == Tokenizer::t13a) text = U" " + text + U" ";
  const auto is_ascii_digit = [](char32_t c) { return c >= '0' && c <= '9'; };
  const auto is_mark = [](char32_t c) { return c == '.' || c == ','; };
  const auto is_single = [](char32_t c) {
    return c >= ' ' && c < 0x7F && !gate::is_letter_or_digit(static_cast<char>(c)) && c != '\'' && c != '-' &&
           c != '.' && c != ',';
  };
  text = split_marks(split_singles(text, is_single), is_ascii_digit, is_mark);
  return split_pairs(
      text, is_ascii_digit, [](char32_t c) { return c == '-'; }, false);
}

void check_passes(Tokenizer tokenizer, std::string_view line) {
  std::string slow;
  for (const char32_t c : split_slowly(tokenizer, read(line))) append_code_point(slow, is_blank(c) ? ' ' : c);
  LineTokens words;
  append_words(words, slow);
  std::string joined;
  for (const std::string_view word : words) joined += (joined.empty() ? "" : " ") + std::string(word);
  if (tokenize(tokenizer, line) != joined) fail_text("other tokens than pass by pass", line);
}

// Tell whether 13a and zh do no more than the passes: they unescape nothing, and split nothing Chinese. Not
// of bytes that are no UTF-8.
bool is_plain_text(std::string_view text) {
  const auto is_wide = [](char32_t c) { return c >= 0x2000; };
  const Text characters = read(text);
  return text.find_first_of("&<\n") == std::string_view::npos && std::ranges::none_of(characters, is_wide);
}

double value_of(const TextOptions& options, std::string_view actual, std::string_view golden) {
  const auto scorer = make_text_scorer(options, 1);
  if (!scorer) fail_text(scorer.error().message, actual);
  (*scorer)->add(actual, std::array{golden});
  const Score score = (*scorer)->score();
  if (score.compared != 1 || score.differing != (actual == golden ? 0 : 1))
    fail_text("counted wrong", actual);
  if (score.first.has_value() != (actual != golden)) fail_text("a line differs, and is not told", actual);
  if (!std::isfinite(score.value) || score.value < 0) fail_text(options.metric, actual);
  return score.value;
}

bool is_share(std::string_view metric) {
  return metric != "ter" && metric != "cer" && metric != "wer" && metric != "first_divergence";
}

void check_metric(const MetricRow& row, std::string_view actual, std::string_view golden) {
  TextOptions options{.metric = std::string(row.name)};
  if (row.name == "bleu") options.tokenizer = choose_tokenizer(has_han(golden));
  if (row.name == "bleu") options.effective_order = true;
  const double value = value_of(options, actual, golden), same = value_of(options, golden, golden);
  if (is_share(row.name) && value > 1) fail_text("more than one", actual);
  if (row.better == gate::Better::lower && same != 0) fail_text("a text differs from itself", golden);
  if (is_share(row.name) && same != 0 && same != 1) fail_text("a text is partly itself", golden);
  if (row.name == "edit_similarity" && same != 1) fail_text("a text is not itself", golden);
  if (row.name == "first_divergence" && same != static_cast<double>(count_code_points(golden) + 1))
    fail_text("another length", golden);
  if (row.name == "first_divergence" && value > static_cast<double>(count_code_points(actual) + 1))
    fail_text("too far", actual);
}

}  // namespace

int tokenizers_fuzz(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view actual = text.substr(0, end), golden = text.substr(std::min(end + 1, text.size()));
  for (const Tokenizer tokenizer : tokenizers) {
    check_tokens(tokenizer, text);
  }
  check_passes(Tokenizer::intl, text);
  if (is_plain_text(actual)) {
    check_passes(Tokenizer::t13a, actual);
    check_passes(Tokenizer::zh, strip_both(actual));
  }
  for (const MetricRow& row : metrics())
    if (row.input == Input::text) check_metric(row, actual, golden);
  return 0;
}
