#include "extract/patterns/user_pattern.h"

#include <re2/filtered_re2.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <tuple>

#include "extract/records/fields.h"
#include "extract/scan/re2_pattern.h"
#include "gate/base/columns.h"
#include "gate/base/utf8.h"

namespace gate::extract {

namespace {

// --- where RE2 stumbled --------------------------------------------------------------------------

// RE2 tells what it stumbled over, and not where; of an unbalanced parenthesis it tells the whole pattern. So
// the place is found by trying: the shortest beginning of the pattern that is refused for the same reason
// ends where RE2 stumbled. Of `missing )` it is the last parenthesis that nothing closes: the pattern from
// there on lacks one as well, and no backslash or bracket before makes it an ordinary character.
constexpr std::size_t longest_tried = 400;

RE2::ErrorCode error_of(std::string_view pattern) {
  return RE2(piece(pattern), pattern_options()).error_code();
}

// Tell whether a parenthesis stands there that nothing closes.
bool is_open(std::string_view pattern, std::size_t at) {
  if (pattern[at] != '(' || error_of(pattern.substr(at)) != RE2::ErrorMissingParen) return false;
  const RE2::ErrorCode before = error_of(pattern.substr(0, at));
  return before == RE2::NoError || before == RE2::ErrorMissingParen;
}

// Return the length of the shortest beginning that is refused for the same reason.
std::optional<std::size_t> refused_length(std::string_view pattern, const RE2& regex) {
  const bool tells_all = regex.error_arg() == pattern;
  for (std::size_t length = 1; length <= pattern.size(); ++length) {
    const RE2 beginning(piece(pattern.substr(0, length)), pattern_options());
    if (beginning.error_code() == regex.error_code() &&
        (tells_all || beginning.error_arg() == regex.error_arg()))
      return length;
  }
  return std::nullopt;
}

std::optional<std::size_t> place_of(std::string_view pattern, const RE2& regex) {
  if (regex.error_code() == RE2::ErrorMissingParen) {
    for (std::size_t at = pattern.size(); at-- > 0;)
      if (is_open(pattern, at)) return at;
    return std::nullopt;
  }
  if (regex.error_code() == RE2::ErrorTrailingBackslash) return pattern.size() - 1;
  if (regex.error_arg().empty()) return std::nullopt;
  const std::optional<std::size_t> length = refused_length(pattern, regex);
  if (!length) return std::nullopt;
  if (regex.error_code() == RE2::ErrorUnexpectedParen) return *length - 1;
  const std::size_t at = pattern.substr(0, *length).rfind(regex.error_arg());
  return at == std::string_view::npos ? std::nullopt : std::optional(at);
}

// --- what stands in every match ------------------------------------------------------------------

constexpr std::size_t shortest_literal = 2;

// RE2's prefilter turns a pattern into a formula of literals, `loss` and (`train` or `eval`) say, and tells
// of a set of literals whether a text that holds these alone might match. Asked with all literals but a few,
// it answers no exactly where every match holds one of these few.
class LiteralFormula {
 public:
  explicit LiteralFormula(const std::string& pattern) : filter_(static_cast<int>(shortest_literal)) {
    int id = 0;
    ok_ = filter_.Add(pattern, pattern_options(), &id) == RE2::NoError;
    if (ok_) filter_.Compile(&literals_);
  }

  const std::vector<std::string>& literals() const { return literals_; }

  // Tell whether each match holds one of the literals that are marked.
  bool demands(const std::vector<bool>& marked) const {
    std::vector<int> others, might;
    for (std::size_t i = 0; i < literals_.size(); ++i)
      if (!marked[i]) others.push_back(static_cast<int>(i));
    if (ok_) filter_.AllPotentials(others, &might);
    return ok_ && might.empty();
  }

 private:
  re2::FilteredRE2 filter_;
  std::vector<std::string> literals_;
  bool ok_ = false;
};

// Return the longest part that is ASCII: what a byte above it is in another case is not asked here.
std::string_view ascii_part(std::string_view literal) {
  std::string_view best;
  for (auto begin = literal.begin(); begin != literal.end();) {
    const auto end = std::find_if_not(begin, literal.end(), is_ascii);
    const std::string_view part(begin, end);
    if (part.size() > best.size()) best = part;
    begin = end == literal.end() ? end : end + 1;
  }
  return best;
}

// --- what a pattern reads ------------------------------------------------------------------------

constexpr std::string_view name_prefix = "pattern.";
constexpr std::array<std::string_view, 5> place_groups{"step", "rank", "epoch", "nth_epoch", "each"};
constexpr int most_beginnings = 16;

std::string name_of(const UserPattern& pattern) {
  return pattern.origin.empty() ? "metrics." + pattern.metric + ".pattern" : pattern.origin;
}

std::size_t group_of(const RE2& regex, const std::string& name) {
  const auto it = regex.NamedCapturingGroups().find(name);
  return it == regex.NamedCapturingGroups().end() ? 0 : static_cast<std::size_t>(it->second);
}

std::optional<std::int64_t> read_integer(std::string_view word, std::string_view what, Record& record) {
  const std::optional<std::int64_t> number = parse_integer(word);
  if (!number)
    record.faults.push_back(
        say({"{} `{}` is no whole number", "{} `{}` 不是整数"}, what, printable(word, 40)));
  return number;
}

std::optional<int> rank_of(std::string_view word, Record& record) {
  const std::optional<std::int64_t> rank = read_integer(word, "rank", record);
  if (!rank) return std::nullopt;
  if (*rank >= 0 && *rank <= std::numeric_limits<int>::max()) return static_cast<int>(*rank);
  record.faults.push_back(say({"rank {} is out of range", "rank {} 超出范围"}, *rank));
  return std::nullopt;
}

// Tell whether the pattern has the group, and the match did not pass it by as an optional one.
bool took_part(const std::vector<re2::StringPiece>& groups, std::size_t group) {
  return group != 0 && groups[group].data() != nullptr;
}

Status check_regex(const RE2& regex, const UserPattern& pattern) {
  if (!regex.ok()) return fail(name_of(pattern) + ": " + refusal_text(regex));
  if (group_of(regex, pattern.group) != 0) return {};
  return fail(name_of(pattern) + ": the number needs a group of the name " + pattern.group + ": (?P<" +
              pattern.group + ">\\S+) in '" + printable(pattern.regex) + "'");
}

}  // namespace

std::vector<std::string> required_literals(const std::string& pattern) {
  const LiteralFormula formula(pattern);
  std::vector<bool> marked(formula.literals().size(), true);
  if (marked.empty() || !formula.demands(marked)) return {};
  std::vector<std::size_t> order(marked.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return formula.literals()[i].size(); });
  for (const std::size_t i : order) {
    marked[i] = false;
    marked[i] = !formula.demands(marked);
  }
  std::vector<std::string> required;
  for (std::size_t i = 0; i < marked.size(); ++i)
    if (marked[i]) required.emplace_back(ascii_part(formula.literals()[i]));
  const auto is_short = [](const std::string& literal) { return literal.size() < shortest_literal; };
  return std::ranges::any_of(required, is_short) ? std::vector<std::string>{} : required;
}

std::string refusal_text(const RE2& regex) {
  const std::string& pattern = regex.pattern();
  std::string text = printable(regex.error(), longest_tried);
  if (pattern.find("(?<") != std::string::npos) text += "; a named group is written (?P<value>...)";
  text += "\n  '" + safe(printable(pattern, longest_tried)) + "'";
  if (pattern.size() > longest_tried) return text;
  const std::optional<std::size_t> place = place_of(pattern, regex);
  if (!place) return text;
  const int before = columns("  '" + safe(pattern.substr(0, *place)));
  return text + "\n" + std::string(static_cast<std::size_t>(before), ' ') + "^";
}

Status check_pattern(const UserPattern& pattern) {
  const RE2 regex(pattern.regex, pattern_options());
  if (regex.ok() && group_of(regex, pattern.metric) != 0) return {};
  return check_regex(regex, pattern);
}

std::vector<std::string> metrics_in(const std::string& regex) {
  const RE2 compiled(regex, pattern_options());
  std::vector<std::string> names;
  for (const auto& [number, name] : compiled.CapturingGroupNames())  // in the order of the pattern
    if (std::ranges::find(place_groups, name) == place_groups.end()) names.push_back(name);
  return names;
}

PatternReader::CompiledPattern::CompiledPattern(const UserPattern& pattern)
    : regex(pattern.regex, pattern_options()),
      name(std::string(name_prefix) + pattern.metric),
      origin(name_of(pattern)) {
  if (!regex.ok()) return;
  value = group_of(regex, pattern.group);
  step = group_of(regex, "step");
  rank = group_of(regex, "rank");
  epoch = group_of(regex, "epoch");
  nth_epoch = group_of(regex, "nth_epoch");
  each = group_of(regex, "each");
  word = WordPattern::parse(pattern.regex);
  beginning = leading_literal(pattern.regex);
  literals = required_literals(pattern.regex);
  const std::string_view metric = std::string_view(name).substr(name_prefix.size());
  row = {.printed = metric, .metric = metric, .factor = pattern.scale, .scope = Scope::rank};
  if (pattern.thousands) row.thousands = Thousands::expected;
}

PatternReader::PatternReader(std::shared_ptr<const CompiledPattern> pattern)
    : pattern_(std::move(pattern)),
      groups_(static_cast<std::size_t>(pattern_->regex.NumberOfCapturingGroups()) + 1) {
  record_.role = Role::follower;
  record_.fields.push_back({&pattern_->row, ""});
  record_.whole = Whole::open;  // of prose the pattern may take a word for a value
}

Result<PatternReader> PatternReader::make(const UserPattern& pattern) {
  const auto made = std::make_shared<const CompiledPattern>(pattern);
  GATE_TRY_STATUS(check_regex(made->regex, pattern));
  return PatternReader(made);
}

bool PatternReader::begins_with_literal() const {
  return pattern_->literals.size() == 1 && to_lower(pattern_->beginning) == pattern_->literals[0];
}

Sentence PatternReader::why_slow() const {
  if (!pattern_->literals.empty()) return {};
  return say({"{}: a match need not hold any two characters, such as `loss=`, that could be searched for: "
              "each line is "
              "tried, which takes several times as long",
              "{}：匹配不一定含有可供搜索的两个字符（例如 `loss=`）：每行都要尝试，用时是几倍"},
             pattern_->origin);
}

[[gnu::always_inline]] inline bool PatternReader::match(std::size_t from, RE2::Anchor anchor) {
  return pattern_->regex.Match(piece(text_), from, text_.size(), anchor, groups_.data(), count());
}

[[gnu::always_inline]] inline std::size_t PatternReader::find_beginning(std::size_t at) {
  if (!places_) return text_.find(pattern_->beginning, at);
  std::span<const LiteralPlace>& places = *places_;
  while (!places.empty() && places[0].at < at) places = places.subspan(1);
  return places.empty() ? std::string_view::npos : places[0].at;
}

// A match is looked for where its beginning stands. A line on which it often stands in vain is searched in
// one go: RE2 looks at each byte once.
[[gnu::always_inline]] inline bool PatternReader::find() {
  std::size_t at = at_;
  for (int i = 0; i < most_beginnings && !pattern_->beginning.empty(); ++i, ++at) {
    at = find_beginning(at);
    if (at == std::string_view::npos) return false;
    if (match(at, RE2::ANCHOR_START)) return true;
  }
  return match(at, RE2::UNANCHORED);
}

void PatternReader::begin(const CleanLine& line, std::optional<std::span<const LiteralPlace>> places) {
  text_ = line.text;
  own_ = line.own;
  at_ = 0;
  matched_ = 0;
  places_ = places;
}

[[gnu::always_inline]] inline const Record& PatternReader::to_record() {
  const std::size_t step = pattern_->step, rank = pattern_->rank;
  record_.fields[0].word = view(groups_[pattern_->value]);
  if (step == 0 && rank == 0) return record_;
  record_.number.reset();
  record_.rank.reset();
  record_.faults.clear();
  if (took_part(groups_, step)) record_.number = read_integer(view(groups_[step]), "step", record_);
  if (took_part(groups_, rank)) record_.rank = rank_of(view(groups_[rank]), record_);
  if (pattern_->epoch != 0 || pattern_->nth_epoch != 0) read_epoch();
  return record_;
}

void PatternReader::read_epoch() {
  const auto [epoch, nth, each] = std::tuple(pattern_->epoch, pattern_->nth_epoch, pattern_->each);
  record_.epoch.reset();
  record_.steps_an_epoch = steps_of_unknown_epoch;
  if (took_part(groups_, epoch)) record_.epoch = read_integer(view(groups_[epoch]), "epoch", record_);
  if (took_part(groups_, nth)) {
    record_.epoch = read_integer(view(groups_[nth]), "epoch", record_);
    count_epoch_from_zero(record_);
  }
  if (took_part(groups_, each))
    record_.steps_an_epoch = read_integer(view(groups_[each]), "steps an epoch", record_);
  number_in_epoch(record_);
}

const Record* PatternReader::next() {
  if (matched_ == most_matches || at_ >= own_ || !find()) return nullptr;
  const auto begin = static_cast<std::size_t>(groups_[0].data() - text_.data());
  if (begin >= own_) return nullptr;
  at_ = begin + std::max<std::size_t>(groups_[0].size(), 1);
  ++matched_;
  ++matches_;
  return &to_record();
}

void PatternReader::note_ending(std::string_view word, const std::optional<std::int64_t>& step) {
  ending_.note(word);
  if (!step) return;
  stride_ = std::max(stride_, *step - last_step_.value_or(*step));
  last_step_ = step;
}

void PatternReader::note_ending(const StretchColumn& column) {
  constexpr int enough = 2;
  int noted = 0;
  for (const auto& sample : column.samples) {
    note_ending(sample.text, column.numbered ? std::optional(sample.number) : std::nullopt);
    if (++noted == enough) break;
  }
  if (column.numbered && noted > 0) last_step_ = column.samples.last_number();
}

bool PatternReader::may_be_cut(const Record& record, std::string_view text) const {
  const auto ends = [&](std::string_view word) {
    return !word.empty() && word.data() + word.size() == text.data() + text.size();
  };
  const std::string_view word = record.fields[0].word;
  if (ends(word) && !ending_.is_of(word) && !ending_.has_most_digits(word)) return true;
  if (!record.number || pattern_->step == 0 || !ends(view(groups_[pattern_->step]))) return false;
  return !last_step_ || *record.number < *last_step_ || *record.number - *last_step_ > stride_;
}

Result<std::vector<UserPattern>> patterns_of(const std::string& regex, const std::string& origin) {
  UserPattern pattern{"value", regex, Decimal{1, 0}, "value", origin};
  std::vector<UserPattern> patterns;
  for (const std::string& name : metrics_in(regex)) {
    pattern.metric = pattern.group = name;
    patterns.push_back(pattern);
  }
  if (!patterns.empty()) return patterns;
  return PatternReader::make(pattern).map([&](const PatternReader&) { return std::vector{pattern}; });
}

}  // namespace gate::extract
