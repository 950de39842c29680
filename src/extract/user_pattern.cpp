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
constexpr int most_tries = 16;

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

std::optional<int> read_rank(std::string_view word, Record& record) {
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
  reader.row_ = std::make_unique<FieldRow>(FieldRow{metric, metric, pattern.scale, Whose::rank});
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
std::optional<bool> PatternReader::match(std::string_view text, std::size_t at) {
  if (simple_) return simple_->match(text, at, groups_);
  return regex_->Match(piece(text), at, text.size(), RE2::ANCHOR_START, groups_.data(), count());
}

// A match is looked for where its beginning stands. A line on which it often stands in vain is searched in
// one go: RE2 looks at each byte once.
bool PatternReader::find(std::string_view text, std::size_t at) {
  for (int i = 0; i < most_tries && !beginning_.empty(); ++i, ++at) {
    at = text.find(beginning_, at);
    if (at == std::string_view::npos) return false;
    const std::optional<bool> found = match(text, at);
    if (found == true) return true;
    if (!found) break;
  }
  return regex_->Match(piece(text), at, text.size(), RE2::UNANCHORED, groups_.data(), count());
}

void PatternReader::read(const CleanLine& line, const FormatReader::Take& take) {
  std::size_t at = 0;
  for (int i = 0; i < most_matches && at < line.own; ++i) {
    if (!find(line.text, at)) return;
    const auto begin = static_cast<std::size_t>(groups_[0].data() - line.text.data());
    if (begin >= line.own) return;
    at = begin + std::max<std::size_t>(groups_[0].size(), 1);
    ++matches_;
    take(to_record(), {line.place, line.source});
  }
}

const Record& PatternReader::to_record() {
  record_.number.reset();
  record_.rank.reset();
  record_.fields.clear();
  record_.faults.clear();
  record_.fields.push_back({row_.get(), view(groups_[value_])});
  if (took_part(groups_, step_)) record_.number = read_integer(view(groups_[step_]), "step", record_);
  if (took_part(groups_, rank_)) record_.rank = read_rank(view(groups_[rank_]), record_);
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
