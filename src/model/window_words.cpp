// The words of windows, reduces and rank modes.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "gate/base/text.h"
#include "gate/model/grammar.h"
#include "gate/model/rule.h"

namespace gate {

namespace {

constexpr std::string_view window_forms =
    "write \"all\", \"first 15\", \"last 10\", \"6..15\", \"after 5\" or \"step 1\"";

struct CountedWindow {
  std::string_view word;
  Window::Kind kind;
  std::int64_t least;
};

constexpr std::array<CountedWindow, 4> counted{{
    {"first", Window::Kind::first, 1},
    {"last", Window::Kind::last, 1},
    {"after", Window::Kind::after, 0},
    {"step", Window::Kind::step, 0},
}};

// Words that other tools use for what gate calls otherwise.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> synonyms{{
    {"avg", "mean"},
    {"average", "mean"},
    {"maximum", "max"},
    {"minimum", "min"},
    {"p50", "median"},
    {"final", "last"},
    {"every", "each"},
    {"all", "each"},
    {"hmean", "harmonic_mean"},
    {"any", "each"},
}};

tl::unexpected<Error> bad_window(std::string_view text, const std::string& what) {
  return fail("window \"" + printable(text, 80) + "\": " + what);
}

Result<Window> counted_window(std::string_view text, const CountedWindow& row, std::string_view word) {
  const std::optional<std::int64_t> number = parse_integer(word);
  if (!number) return bad_window(text, '"' + printable(word, 40) + "\" is not a whole number");
  if (*number < row.least)
    return bad_window(text,
                      '"' + std::string(row.word) + "\" needs a number from " + std::to_string(row.least));
  return Window{row.kind, *number, 0};
}

Result<Window> range_window(std::string_view text, std::size_t dots) {
  const std::optional<std::int64_t> a = parse_integer(trim(text.substr(0, dots)));
  const std::optional<std::int64_t> b = parse_integer(trim(text.substr(dots + 2)));
  if (!a || !b || *a < 0) return bad_window(text, "a range is two whole numbers, \"6..15\"");
  if (*a > *b)
    return bad_window(
        text, "it ends before it begins; \"" + std::to_string(*b) + ".." + std::to_string(*a) + "\"?");
  return Window{Window::Kind::between, *a, *b};
}

std::string suggest_window(std::string_view word) {
  std::vector<std::string> words{"all"};
  for (const CountedWindow& row : counted) words.emplace_back(row.word);
  const std::string meant = did_you_mean(word, words);
  return meant.empty() ? std::string(window_forms) : meant.substr(2);
}

template <typename Value>
Result<Value> by_name(std::string_view noun, std::string_view text, const std::vector<Value>& values) {
  const std::string word = to_lower(trim(text));
  std::vector<std::string> names;
  for (const Value value : values) {
    if (to_string(value) == word) return value;
    names.emplace_back(to_string(value));
  }
  const auto synonym =
      std::find_if(synonyms.begin(), synonyms.end(), [&](const auto& s) { return s.first == word; });
  const bool known =
      synonym != synonyms.end() && std::find(names.begin(), names.end(), synonym->second) != names.end();
  std::string hint =
      known ? "; did you mean \"" + std::string(synonym->second) + "\"?" : did_you_mean(word, names);
  if (hint.empty()) hint = "; one of " + join(names, ", ");
  return fail("unknown " + std::string(noun) + " \"" + printable(trim(text), 40) + '"' + hint);
}

}  // namespace

Result<Window> parse_window(std::string_view text) {
  const std::vector<std::string_view> words = split_words(text);
  if (words.empty()) return bad_window(text, "empty; " + std::string(window_forms));
  if (const std::size_t dots = text.find(".."); dots != std::string_view::npos)
    return range_window(text, dots);
  const std::string name = to_lower(words.front());
  if (name == "all" && words.size() == 1) return Window{};
  const auto row =
      std::find_if(counted.begin(), counted.end(), [&](const auto& r) { return r.word == name; });
  if (row == counted.end() || words.size() != 2)
    return bad_window(
        text, row == counted.end() && name != "all" ? suggest_window(name) : std::string(window_forms));
  return counted_window(text, *row, words[1]);
}

Result<Reduce> parse_reduce(std::string_view text) {
  return by_name("reduce", text, std::vector<Reduce>(all_reduces.begin(), all_reduces.end()));
}

Result<RankMode> parse_rank_mode(std::string_view text) {
  return by_name<RankMode>("rank mode", text, {RankMode::each, RankMode::max, RankMode::min, RankMode::mean});
}

}  // namespace gate
