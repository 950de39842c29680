#include <algorithm>
#include <optional>

#include "gate/base/text.h"
#include "gate/config/script_flags.h"

namespace gate::config {

namespace {

// A feature as a name says it.
struct SaidFeature {
  const FeatureRow* row = nullptr;
  std::optional<std::int64_t> number = {};

  std::string word() const { return std::string(row->name) + (number ? std::to_string(*number) : ""); }
};

struct NameWords {
  std::vector<SaidFeature> said;
  bool has_model = false;  // a free word before the first of them
};

// Words that hold the name of a feature and are free.
constexpr std::array<std::string_view, 1> free_words{"mem_recompute"};

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

std::string last_part(std::string_view case_name) {
  std::string_view part = case_name.substr(case_name.rfind('/') + 1);  // npos + 1 is 0
  if (part.ends_with(".sh")) part.remove_suffix(3);
  return std::string(part);
}

// Tell whether the text begins with the word, and that ends there.
bool begins_with_word(std::string_view text, std::string_view word) {
  return text.starts_with(word) && (text.size() == word.size() || text[word.size()] == '_');
}

// `tp2` in front of a text, the longest feature that fits.
std::optional<SaidFeature> size_in_front(std::string_view& text) {
  const FeatureRow* best = nullptr;
  for (const FeatureRow& row : features()) {
    const bool fits = row.kind == FeatureKind::size && !row.name.empty() && text.starts_with(row.name) &&
                      text.size() > row.name.size() && is_digit(text[row.name.size()]);
    if (fits && (best == nullptr || row.name.size() > best->name.size())) best = &row;
  }
  if (best == nullptr) return std::nullopt;
  text.remove_prefix(best->name.size());
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto number = parse_integer(text.substr(0, digits));
  text.remove_prefix(digits);
  return number ? std::optional(SaidFeature{best, *number}) : std::nullopt;
}

// `tp2`, `tp2pp1`; nothing where the word is of something else.
std::vector<SaidFeature> sizes_in(std::string_view word) {
  std::vector<SaidFeature> said;
  while (!word.empty()) {
    const std::optional<SaidFeature> one = size_in_front(word);
    if (!one) return {};
    said.push_back(*one);
  }
  return said;
}

// Of a name in lower case whose words are parted by `_`.
NameWords words_of_name(std::string_view rest) {
  NameWords words;
  while (!rest.empty()) {
    const auto* const is_free =
        std::ranges::find_if(free_words, [&](std::string_view word) { return begins_with_word(rest, word); });
    const auto row = std::ranges::find_if(features(), [&](const FeatureRow& one) {
      return one.kind != FeatureKind::size && !one.name.empty() && begins_with_word(rest, one.name);
    });
    std::size_t size = std::min(rest.find('_'), rest.size());
    if (is_free != free_words.end())
      size = is_free->size();
    else if (row != features().end())
      words.said.push_back({&*row}), size = row->name.size();
    else
      std::ranges::move(sizes_in(rest.substr(0, size)), std::back_inserter(words.said));
    words.has_model = words.has_model || (words.said.empty() && size > 0);
    rest.remove_prefix(std::min(size + 1, rest.size()));
  }
  return words;
}

// Tell whether the name is of that form, as far as what stands between its holes goes.
bool has_form(std::string_view naming, std::string_view name, const NameWords& words) {
  std::string glob;
  for (; !naming.empty(); naming.remove_prefix(1)) {
    if (naming[0] == '{') {
      naming.remove_prefix(std::min(naming.find('}'), naming.size() - 1));
      glob += "?*";
    } else {
      glob += naming[0];
    }
  }
  return glob_match(glob, name) && (!glob.starts_with("?*_") || words.has_model);
}

class NameCheck {
 public:
  NameCheck(std::string_view script) : flags_(read_script_flags(script)) {}

  void compare(const SaidFeature& said) {
    const auto use = flags_.features.find(said.row->name);
    if (use == flags_.features.end()) return compare_with_none(said);
    if (said.row->kind != FeatureKind::size) return;
    const std::vector<std::int64_t>& numbers = use->second.numbers;
    if (numbers.empty())
      found.hints.push_back(said.word() + " cannot be compared: the script's text does not tell " +
                            printable(use->second.text, 80));
    else if (std::ranges::find(numbers, *said.number) == numbers.end())
      found.contradictions.push_back("the name says " + said.word() + ", the script " + written(use->second));
  }

  void tell_unsaid(const std::vector<SaidFeature>& said) {
    for (const FeatureRow& row : features()) {
      const auto use = flags_.features.find(row.name);
      const bool is_said = std::ranges::find(said, &row, &SaidFeature::row) != said.end();
      if (row.kind != FeatureKind::size || is_said || use == flags_.features.end()) continue;
      const std::vector<std::int64_t>& numbers = use->second.numbers;
      if (!numbers.empty() && numbers.back() > 1)
        found.hints.push_back("the script has " + std::string(row.name) + std::to_string(numbers.back()) +
                              " (" + written(use->second) + "), and the name does not tell it");
    }
  }

  NameFindings found = {};

 private:
  void compare_with_none(const SaidFeature& said) {
    if (said.number == 1) return;
    const std::string flag = "the script has no " + std::string(said.row->flags[0]);
    if (flags_.further.empty())
      found.contradictions.push_back("the name says " + said.word() + ", and " + flag);
    else
      found.hints.push_back(said.word() + " cannot be compared: " + flag + " in its text, and " +
                            printable(flags_.further, 80) + " may bring it");
  }

  // With the number that a variable in it has.
  static std::string written(const FlagUse& use) {
    const bool is_variable = use.text.find('$') != std::string::npos;
    return printable(use.text, 80) + (is_variable ? " = " + std::to_string(use.numbers[0]) : "");
  }

  ScriptFlags flags_;
};

}  // namespace

NameFindings check_name(std::string_view naming, std::string_view case_name, std::string_view script) {
  const std::string name = last_part(case_name);
  std::string parted = lower(name);
  std::ranges::replace(parted, '-', '_');
  const NameWords words = words_of_name(parted);
  NameCheck check(script);
  if (!has_form(naming, name, words) || words.said.empty())
    check.found.form = "the name is not of the form " + printable(naming, 80);
  for (const SaidFeature& said : words.said) check.compare(said);
  check.tell_unsaid(words.said);
  return std::move(check.found);
}

}  // namespace gate::config
