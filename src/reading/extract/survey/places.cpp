#include "extract/survey/places.h"

#include <re2/re2.h>

#include <algorithm>
#include <map>
#include <set>

#include "extract/patterns/user_pattern.h"
#include "extract/scan/re2_pattern.h"
#include "gate/base/text.h"
#include "gate/model/numbers/guessed_metric.h"

namespace gate::extract {

namespace {

using WholeNumbers = std::vector<std::int64_t>;

// The whole numbers that the group of a pattern holds in lines; -1 where it holds none.
WholeNumbers numbers_in(const std::string& pattern, const std::string& group,
                        std::span<const std::string_view> lines) {
  const RE2 regex(pattern, pattern_options());
  WholeNumbers numbers;
  const auto at = regex.ok() ? regex.NamedCapturingGroups().find(group) : regex.NamedCapturingGroups().end();
  if (at == regex.NamedCapturingGroups().end()) return WholeNumbers(lines.size(), -1);
  std::vector<re2::StringPiece> groups(static_cast<std::size_t>(at->second) + 1);
  for (const std::string_view line : lines) {
    const bool is_read = regex.Match(piece(line), 0, line.size(), RE2::UNANCHORED, groups.data(),
                                     static_cast<int>(groups.size()));
    const char* const end = is_read ? groups.back().data() + groups.back().size() : nullptr;
    const bool goes_on =
        is_read && end + 1 < line.data() + line.size() && *end == ',' && is_digit(end[1]);  // `3,700`
    numbers.push_back(is_read && !goes_on ? parse_integer(view(groups.back())).value_or(-1) : -1);
  }
  return numbers;
}

bool are_all_read(const WholeNumbers& numbers) {
  return std::ranges::all_of(numbers, [](std::int64_t number) { return number >= 0; });
}

// How numbers go on from line to line.
struct NumberCourse {
  std::size_t rises = 0, falls = 0, stays = 0;
  std::map<std::int64_t, std::size_t> by;  // how much they rise, how often

  void add(std::int64_t before, std::int64_t now) {
    if (now > before) ++rises, ++by[now - before];
    if (now < before) ++falls;
    if (now == before) ++stays;
  }
  bool is_strict() const { return falls == 0 && stays == 0; }
  // By the same amount mostly: what a person would call counting.
  bool is_even() const {
    constexpr std::size_t most = 4;
    const auto it = std::ranges::max_element(by, {}, [](const auto& one) { return one.second; });
    return it != by.end() && it->second * (most + 1) >= rises * most;
  }
  bool begins_anew() const {
    constexpr std::size_t often = 4;
    return falls > 0 && stays == 0 && rises >= falls * often;
  }
};

// The lines of each rank for themselves.
std::vector<std::vector<std::size_t>> by_rank(const WholeNumbers& ranks, std::size_t count) {
  std::map<std::int64_t, std::vector<std::size_t>> all;
  for (std::size_t i = 0; i < count; ++i) all[ranks.empty() ? 0 : ranks[i]].push_back(i);
  std::vector<std::vector<std::size_t>> lines;
  for (auto& [rank, own] : all) lines.push_back(std::move(own));
  return lines;
}

NumberCourse course_of(const WholeNumbers& numbers, const std::vector<std::vector<std::size_t>>& ranks) {
  NumberCourse course;
  for (const auto& lines : ranks)
    for (std::size_t i = 1; i < lines.size(); ++i) course.add(numbers[lines[i - 1]], numbers[lines[i]]);
  return course;
}

// Tell whether what lines call a rank is one: several ranks print the same steps. Of a number of another name
// they print all of them, and beside each other.
bool are_ranks(const WholeNumbers& ranks, const WholeNumbers& steps, bool is_named) {
  std::map<std::int64_t, std::set<std::int64_t>> printed;  // steps, by rank
  std::map<std::int64_t, int> by_step;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    if (printed[ranks[i]].insert(steps[i]).second) ++by_step[steps[i]];
  const auto common = std::ranges::count_if(by_step, [](const auto& step) { return step.second > 1; });
  if (common < 2 || !are_all_read(ranks)) return false;
  if (is_named) return true;
  std::size_t fewest = SIZE_MAX, most = 0;
  for (const auto& [rank, own] : printed) {
    fewest = std::min(fewest, own.size());
    most = std::max(most, own.size());
  }
  const auto last_begin = [&] {
    std::size_t last = 0;
    for (const auto& [rank, own] : printed)
      last = std::max(last, static_cast<std::size_t>(std::ranges::find(ranks, rank) - ranks.begin()));
    return last;
  };
  const auto first_end = [&] {
    std::size_t first = SIZE_MAX;
    for (const auto& [rank, own] : printed) {
      const auto end = std::find(ranks.rbegin(), ranks.rend(), rank);
      first = std::min(first, static_cast<std::size_t>(ranks.rend() - end) - 1);
    }
    return first;
  };
  return by_step.size() == most && fewest + 1 >= most && last_begin() < first_end();
}

// One way to read steps: a number of the line, maybe within an epoch.
struct StepWay {
  PlacePatterns patterns;
  WholeNumbers steps;
  NumberCourse course;
};

class PlaceFinder {
 public:
  PlaceFinder(std::span<const std::string_view> lines, bool is_drawn, std::span<const char* const> measured)
      : lines_(lines), is_drawn_(is_drawn) {
    for (const std::string& pattern : step_patterns(lines.front())) add(pattern, named_);
    for (const std::string& pattern : counter_patterns(lines.front()))
      if (std::ranges::find(measured, group_in(pattern, lines.front(), "step").data()) == measured.end())
        add(pattern, counters_);
    for (const std::string& pattern : epoch_patterns(lines.front()))
      if (WholeNumbers numbers = numbers_in(pattern, "epoch", lines); are_all_read(numbers))
        epochs_.emplace_back(pattern, std::move(numbers));
    for (const auto& [pattern, numbers] : counters_) {  // `[0][ 10/5005]`: an epoch need not be called one
      std::string epoch = pattern;
      RE2::GlobalReplace(&epoch, R"(\(\?P<step>)", "(?P<epoch>");
      if (std::ranges::is_sorted(numbers) && numbers.front() != numbers.back())
        unnamed_.emplace_back(epoch, numbers);
    }
  }

  LinePlaces find() {
    for (const PrintedRank& rank : printed_ranks(lines_.front(), "")) {
      const WholeNumbers ranks = numbers_in(rank.pattern, "rank", lines_);
      if (!are_all_read(ranks)) continue;
      auto way = likeliest(ranks);
      if (!way || !are_ranks(ranks, way->steps, rank.is_named)) continue;
      way->patterns.rank = rank.pattern;
      way->patterns.step = behind(way->patterns.step, as_value(rank.pattern, "rank"));
      if (way->patterns.step.empty()) continue;
      return places_of(std::move(*way));
    }
    if (auto way = likeliest({})) return places_of(std::move(*way));
    return {};
  }

 private:
  using Candidates = std::vector<std::pair<std::string, WholeNumbers>>;

  void add(const std::string& pattern, Candidates& all) {
    WholeNumbers numbers = numbers_in(pattern, "step", lines_);
    if (are_all_read(numbers)) all.emplace_back(pattern, std::move(numbers));
  }

  std::optional<StepWay> likeliest(const WholeNumbers& ranks) const {
    const auto lines = by_rank(ranks, lines_.size());
    const auto is_strict = [](const NumberCourse& course) { return course.is_strict(); };
    const auto counts = [](const NumberCourse& course) { return course.is_strict() && course.is_even(); };
    const bool is_one = lines_.size() == 1;
    if (auto way = best(named_, lines, is_strict)) return in_epoch(std::move(*way));
    if (auto way = within_epochs(named_, epochs_, lines)) return way;
    if (auto way = within_epochs(named_, unnamed_, lines)) return way;
    if (auto way = is_one ? std::nullopt : best(counters_, lines, counts)) return in_epoch(std::move(*way));
    if (auto way = within_epochs(counters_, epochs_, lines)) return way;
    if (auto way = within_epochs(counters_, unnamed_, lines)) return way;
    if (!is_drawn_) return std::nullopt;
    const auto is_redrawn = [](const NumberCourse& course) { return course.falls == 0 && course.rises > 1; };
    if (auto way = best(named_, lines, is_redrawn)) return way;
    return best(counters_, lines, is_redrawn);
  }

  template <class Holds>
  static std::optional<StepWay> best(const Candidates& candidates,
                                     const std::vector<std::vector<std::size_t>>& lines, const Holds& holds) {
    for (const auto& [pattern, numbers] : candidates)
      if (const NumberCourse course = course_of(numbers, lines); holds(course))
        return StepWay{{pattern, "", ""}, numbers, course};
    return std::nullopt;
  }

  // Steps that rise may still be those of the only epoch that there is so far.
  std::optional<StepWay> in_epoch(StepWay way) const {
    for (const auto& [pattern, numbers] : epochs_)  // `Epoch 1/15`: it is called by its word
      if (numbers == way.steps) {
        way.patterns.step = pattern;
        RE2::GlobalReplace(&way.patterns.step, R"(\(\?P<epoch>)", "(?P<step>");
        return way;
      }
    for (const auto& [epoch, numbers] : epochs_) {
      const bool is_first = std::ranges::count(numbers, numbers.front()) == std::ssize(numbers);
      const std::string with_each = with_total(way.patterns.step, lines_.front());
      if (!is_first || numbers.front() > 1 || with_each.empty()) continue;
      if (auto composed = compose(way.patterns.step, way.steps, epoch, numbers, true)) return composed;
    }
    return way;
  }

  std::optional<StepWay> within_epochs(const Candidates& candidates, const Candidates& epochs,
                                       const std::vector<std::vector<std::size_t>>& lines) const {
    for (const auto& [pattern, steps] : candidates)
      for (const auto& [epoch, numbers] : epochs) {
        if (course_of(steps, lines).falls == 0) continue;
        auto way = compose(pattern, steps, epoch, numbers, false);
        if (!way || steps == numbers) continue;
        way->course = course_of(way->steps, lines);
        const NumberCourse by_epoch = course_of(numbers, lines), raw = course_of(steps, lines);
        const bool is_restarted = way->course.begins_anew() && way->course.falls < raw.falls;
        if (by_epoch.rises > 0 && (way->course.is_strict() || is_restarted)) return way;
      }
    return std::nullopt;
  }

  // The words before a counter may hold the epoch, too: `Epoch:[1/1](20/4292)`. Then what stands behind it is
  // kept.
  std::string behind(const std::string& step, const std::string& other) const {
    if (!with_places(other, {step, "", ""}, lines_.front()).empty()) return step;
    const std::size_t group = step.find("(?P<step>"), number = step.rfind(R"(\d+)", group);
    if (number == std::string::npos) return "";
    const std::string rest = step.substr(number + 3);
    return with_places(other, {rest, "", ""}, lines_.front()).empty() ? "" : rest;
  }

  static std::string as_value(std::string pattern, const std::string& group) {
    RE2::GlobalReplace(&pattern, R"(\(\?P<)" + group + ">", "(?P<value>");
    return pattern;
  }

  // Number through as a pattern with these groups does.
  std::optional<StepWay> compose(const std::string& found, const WholeNumbers& steps,
                                 const std::string& epoch, const WholeNumbers& epochs,
                                 bool needs_total) const {
    const std::string step = behind(found, as_value(epoch, "epoch"));
    if (step.empty()) return std::nullopt;
    const std::string with_each = with_total(step, lines_.front());
    const WholeNumbers each = with_each.empty() ? WholeNumbers() : numbers_in(with_each, "each", lines_);
    const auto most = *std::ranges::max_element(steps);
    const bool is_told = !each.empty() && are_all_read(each) && most <= each.front() &&
                         std::ranges::all_of(each, [&](auto one) { return one == each.front(); });
    if (needs_total && !is_told) return std::nullopt;
    const bool from_one = *std::ranges::min_element(epochs) >= 1;
    StepWay way{{is_told ? with_each : step, epoch, ""}, {}, {}};
    if (from_one && is_told) RE2::GlobalReplace(&way.patterns.epoch, R"(\(\?P<epoch>)", "(?P<nth_epoch>");
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const std::int64_t epoch_before = epochs[i] - (from_one && is_told ? 1 : 0);
      std::int64_t number = 0;
      if (__builtin_mul_overflow(epoch_before, is_told ? each.front() : steps_of_unknown_epoch, &number) ||
          __builtin_add_overflow(number, steps[i], &number))
        return std::nullopt;
      way.steps.push_back(number);
    }
    return way;
  }

  LinePlaces places_of(StepWay way) const {
    LinePlaces places{std::move(way.patterns), Pick::none, std::move(way.steps)};
    const NumberCourse course = course_of(places.steps, by_rank({}, lines_.size()));
    if (is_drawn_ && course.stays > 0 && places.patterns.rank.empty()) places.pick = Pick::last;
    return places;
  }

  std::span<const std::string_view> lines_;
  bool is_drawn_;
  Candidates named_, counters_, epochs_, unnamed_;
};

bool is_step_name(const std::string& name) {
  static const std::set<std::string, std::less<>> words{
      "step", "steps", "iter", "iteration", "iterations", "batch", "update", "updates", "it"};
  return std::ranges::any_of(name_words(name), [&](const std::string& word) { return words.contains(word); });
}

bool is_epoch_name(const std::string& name) {
  const std::vector<std::string> words = name_words(name);
  return std::ranges::find(words, "epoch") != words.end() || words == std::vector<std::string>{"e"};
}

}  // namespace

LinePlaces find_places(std::span<const std::string_view> lines, bool is_drawn,
                       std::span<const char* const> measured) {
  return lines.empty() ? LinePlaces{} : PlaceFinder(lines, is_drawn, measured).find();
}

bool rises(std::span<const std::int64_t> numbers) {
  return std::ranges::adjacent_find(numbers, std::greater_equal{}) == numbers.end();
}

std::optional<std::size_t> step_column(const std::vector<std::vector<std::string>>& rows,
                                       std::span<const std::string> names, std::optional<std::size_t> rank) {
  const auto column = [&](std::size_t at) {
    WholeNumbers numbers;
    for (const auto& row : rows) numbers.push_back(parse_integer(row[at]).value_or(-1));
    return numbers;
  };
  const auto lines = by_rank(rank ? column(*rank) : WholeNumbers(), rows.size());
  std::optional<std::size_t> by_epoch, by_rise;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const WholeNumbers numbers = column(i);
    const bool is_epoch = is_epoch_name(names[i]);
    const NumberCourse course = course_of(numbers, lines);
    if (!are_all_read(numbers) || i == rank) continue;
    if (is_step_name(names[i]) && course.falls == 0 && course.rises > 0) return i;
    if (!course.is_strict()) continue;
    if (is_step_name(names[i])) return i;
    if (is_epoch && !by_epoch) by_epoch = i;
    if (course.is_strict() && (course.is_even() || rows.size() == 1) && !by_rise) by_rise = i;
  }
  return by_epoch ? by_epoch : by_rise;
}

}  // namespace gate::extract
