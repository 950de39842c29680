#include "extract/patterns/user_pattern.h"

#include <algorithm>
#include <limits>

#include "extract/patterns/pattern_place.h"
#include "extract/scan/pattern.h"
#include "extract/scan/required_literals.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::string_view name_prefix = "pattern.";
constexpr int most_beginnings = 16;

std::string name_of(const UserPattern& pattern) {
  return pattern.origin.empty() ? "metrics." + pattern.metric + ".pattern" : pattern.origin;
}

std::string no_value(const UserPattern& pattern) {
  return name_of(pattern) + ": the number needs a group of the name " + pattern.group + ": (?P<" +
         pattern.group + ">\\S+) in '" + printable(pattern.regex) + "'";
}

// Return the named groups in the order of the pattern.
std::vector<std::string> group_names(const RE2& regex) {
  std::vector<std::string> names;
  for (const auto& [number, name] : regex.CapturingGroupNames()) names.push_back(name);
  return names;
}

std::size_t group(const RE2& regex, const std::string& name) {
  const auto it = regex.NamedCapturingGroups().find(name);
  return it == regex.NamedCapturingGroups().end() ? 0 : static_cast<std::size_t>(it->second);
}

std::optional<std::int64_t> read_integer(std::string_view word, std::string_view what, Record& record) {
  const std::optional<std::int64_t> number = parse_integer(word);
  if (!number)
    record.faults.push_back(std::string(what) + " `" + printable(word, 40) + "` is no whole number");
  return number;
}

std::optional<int> rank_of(std::string_view word, Record& record) {
  const std::optional<std::int64_t> rank = read_integer(word, "rank", record);
  if (!rank) return std::nullopt;
  if (*rank >= 0 && *rank <= std::numeric_limits<int>::max()) return static_cast<int>(*rank);
  record.faults.push_back("rank " + std::to_string(*rank) + " is out of range");
  return std::nullopt;
}

// Tell whether the pattern has the group, and the match did not pass it by as an optional one.
bool took_part(const std::vector<re2::StringPiece>& groups, std::size_t group) {
  return group != 0 && groups[group].data() != nullptr;
}

Status check_regex(const RE2& regex, const UserPattern& pattern) {
  if (!regex.ok()) return fail(name_of(pattern) + ": " + refusal_text(regex));
  if (group(regex, pattern.group) == 0) return fail(no_value(pattern));
  return {};
}

}  // namespace

Status check_pattern(const UserPattern& pattern) {
  return check_regex(RE2(pattern.regex, pattern_options()), pattern);
}

PatternReader::Pattern::Pattern(const UserPattern& pattern)
    : regex(pattern.regex, pattern_options()),
      name(std::string(name_prefix) + pattern.metric),
      origin(name_of(pattern)) {
  if (!regex.ok()) return;
  value = group(regex, pattern.group);
  step = group(regex, "step");
  rank = group(regex, "rank");
  simple = SimplePattern::parse(pattern.regex);
  beginning = simple ? simple->beginning() : leading_literal(pattern.regex);
  literals = required_literals(pattern.regex);
  const std::string_view metric = std::string_view(name).substr(name_prefix.size());
  row = {metric,
         metric,
         pattern.scale,
         Scope::rank,
         Turn::times,
         Printed::always,
         pattern.thousands ? Thousands::expected : Thousands::plain};
}

PatternReader::PatternReader(std::shared_ptr<const Pattern> pattern)
    : pattern_(std::move(pattern)),
      groups_(static_cast<std::size_t>(pattern_->regex.NumberOfCapturingGroups()) + 1) {
  record_.role = Role::follower;
  record_.fields.push_back({&pattern_->row, ""});
}

Result<PatternReader> PatternReader::make(const UserPattern& pattern) {
  const auto made = std::make_shared<const Pattern>(pattern);
  GATE_TRY_STATUS(check_regex(made->regex, pattern));
  return PatternReader(made);
}

bool PatternReader::begins_with_literal() const {
  return pattern_->literals.size() == 1 && to_lower(pattern_->beginning) == pattern_->literals[0];
}

std::string PatternReader::why_slow() const {
  if (!pattern_->literals.empty()) return "";
  return pattern_->origin +
         ": a match need not hold any two characters, such as `loss=`, that could be searched for: each line "
         "is tried, which takes several times as long";
}

// Tell whether a match begins there; nothing where that is too much to tell of one place.
[[gnu::always_inline]] inline std::optional<bool> PatternReader::match(std::size_t at) {
  if (pattern_->simple) return pattern_->simple->match(text_, at, groups_);
  return pattern_->regex.Match(piece(text_), at, text_.size(), RE2::ANCHOR_START, groups_.data(), count());
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
    const std::optional<bool> found = match(at);
    if (found == true) return true;
    if (!found) break;
  }
  return pattern_->regex.Match(piece(text_), at, text_.size(), RE2::UNANCHORED, groups_.data(), count());
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
  return record_;
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

Result<std::vector<UserPattern>> patterns_of(const std::string& regex, const std::string& origin) {
  UserPattern pattern{"value", regex, Decimal{1, 0}, "value", origin};
  const RE2 compiled(regex, pattern_options());
  std::vector<UserPattern> patterns;
  for (const std::string& name : group_names(compiled)) {
    if (name == "step" || name == "rank") continue;
    pattern.metric = pattern.group = name;
    patterns.push_back(pattern);
  }
  if (!patterns.empty()) return patterns;
  return PatternReader::make(pattern).map([&](const PatternReader&) { return std::vector{pattern}; });
}

}  // namespace gate::extract
