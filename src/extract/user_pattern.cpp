#include "extract/user_pattern.h"

#include <algorithm>
#include <limits>

#include "extract/pattern.h"
#include "extract/pattern_place.h"
#include "extract/required_literals.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::string_view name_prefix = "pattern.";
constexpr int most_matches = 64;
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

}  // namespace

Result<PatternReader> PatternReader::make(const UserPattern& pattern) {
  PatternReader reader;
  reader.regex_ = std::make_unique<RE2>(pattern.regex, pattern_options());
  if (!reader.regex_->ok()) return fail(name_of(pattern) + ": " + refusal_text(*reader.regex_));
  reader.value_ = group(*reader.regex_, pattern.group);
  if (reader.value_ == 0) return fail(no_value(pattern));
  reader.origin_ = name_of(pattern);
  reader.simple_ = SimplePattern::parse(pattern.regex);
  reader.beginning_ = reader.simple_ ? reader.simple_->beginning() : leading_literal(pattern.regex);
  reader.literals_ = required_literals(pattern.regex);
  reader.groups_.resize(static_cast<std::size_t>(reader.regex_->NumberOfCapturingGroups()) + 1);
  reader.record_.role = Role::follower;
  reader.step_ = group(*reader.regex_, "step");
  reader.rank_ = group(*reader.regex_, "rank");
  reader.name_ = std::make_unique<std::string>(std::string(name_prefix) + pattern.metric);
  const std::string_view metric = std::string_view(*reader.name_).substr(name_prefix.size());
  reader.row_ = std::make_unique<FieldRow>(
      FieldRow{metric, metric, pattern.scale, Whose::rank, Turn::times, Printed::always,
               pattern.thousands ? Thousands::expected : Thousands::plain});
  reader.record_.fields.push_back({reader.row_.get(), ""});
  return reader;
}

std::string PatternReader::why_slow() const {
  if (!literals_.empty()) return "";
  return origin_ +
         ": a match need not hold any two characters, such as `loss=`, that could be searched for: each line "
         "is "
         "tried, which takes several times as long";
}

// Tell whether a match begins there; nothing where that is too much to tell of one place.
std::optional<bool> PatternReader::match(std::size_t at) {
  if (simple_) return simple_->match(text_, at, groups_);
  return regex_->Match(piece(text_), at, text_.size(), RE2::ANCHOR_START, groups_.data(), count());
}

std::size_t PatternReader::find_beginning(std::size_t at) {
  if (!places_) return text_.find(beginning_, at);
  std::span<const LiteralPlace>& places = *places_;
  while (!places.empty() && places[0].at < at) places = places.subspan(1);
  return places.empty() ? std::string_view::npos : places[0].at;
}

// A match is looked for where its beginning stands. A line on which it often stands in vain is searched in
// one go: RE2 looks at each byte once.
bool PatternReader::find() {
  std::size_t at = at_;
  for (int i = 0; i < most_beginnings && !beginning_.empty(); ++i, ++at) {
    at = find_beginning(at);
    if (at == std::string_view::npos) return false;
    const std::optional<bool> found = match(at);
    if (found == true) return true;
    if (!found) break;
  }
  return regex_->Match(piece(text_), at, text_.size(), RE2::UNANCHORED, groups_.data(), count());
}

void PatternReader::begin(const CleanLine& line) {
  text_ = line.text;
  own_ = line.own;
  at_ = 0;
  matched_ = 0;
  places_.reset();
}

void PatternReader::begin(const CleanLine& line, std::span<const LiteralPlace> places) {
  begin(line);
  places_ = places;
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

const Record& PatternReader::to_record() {
  record_.fields[0].word = view(groups_[value_]);
  if (step_ == 0 && rank_ == 0) return record_;
  record_.number.reset();
  record_.rank.reset();
  record_.faults.clear();
  if (took_part(groups_, step_)) record_.number = read_integer(view(groups_[step_]), "step", record_);
  if (took_part(groups_, rank_)) record_.rank = rank_of(view(groups_[rank_]), record_);
  return record_;
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
