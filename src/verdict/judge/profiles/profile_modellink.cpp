// The system tests of ModelLink (2024), MindSpeed-LLM (2026) and MindSpeed-MM.
//
// They compare lists by position: of the log every value in its order, whatever step or attempt it stands in.
// A line with a value that is no number does not match their patterns, so a step is left out of all lists
// where any of them has no number. Lists of different lengths are an error, an empty list of the run too.
// Losses and gradient norms are compared one by one as pytest.approx does; of times and throughputs the mean
// behind the first few; memory one by one in the order of the ranks, where less always passes.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "judge/profiles/pairs.h"
#include "judge/profiles/profiles.h"
#include "judge/rules/plan.h"

namespace gate::judge {

namespace {

// --- series as lists, in which the ModelLink family compares by position ---

// One value; without a sample where the file has a place without a number.
struct ListItem {
  std::optional<Sample> sample;
  std::optional<int> rank;
};
using List = std::vector<ListItem>;  // in the order of the ranks, each rank's values in their order

using NumberSet = std::set<std::int64_t>;

void append(List& list, const Series& series, const NumberSet& left_out) {
  for (const std::int64_t number : all_numbers(series))
    if (series.numbered() != Numbering::step || !left_out.contains(number))
      list.push_back({series.find(number), series.rank()});
}

List by_rank(List list) {
  std::ranges::stable_sort(list, {}, &ListItem::rank);
  return list;
}

// Return the steps that a log printed and that one of the compared metrics has no number at.
NumberSet torn_steps(std::span<const Series> all, std::span<const std::string_view> compared) {
  NumberSet torn;
  for (const Series& series : all) {
    if (std::ranges::count(compared, series.metric()) == 0 || series.numbered() != Numbering::step) continue;
    for (const Sample& sample : series.samples())
      if (!sample.value.is_finite() && sample.line > 0) torn.insert(sample.number);
  }
  return torn;
}

// Return the metric's list of the baseline's first run.
List expected_list(const Reference& reference, std::string_view metric) {
  List list;
  for (const ReferenceSeries& held : reference.series)
    if (held.runs.front().metric() == metric) append(list, held.runs.front(), {});
  for (const Series& series : reference.unrecorded)
    if (series.metric() == metric) append(list, series, {});
  return by_rank(std::move(list));
}

// Return the metric's list of the run, all attempts of a log one behind the other. A step whose line has no
// number for any of the compared metrics is in no list.
List actual_list(const Extraction& run, std::string_view metric, std::span<const std::string_view> compared) {
  List list;
  const auto append_all = [&](std::span<const Series> all) {
    const NumberSet torn = torn_steps(all, compared);
    for (const Series& series : all)
      if (series.metric() == metric) append(list, series, torn);
  };
  if (run.attempts.empty()) append_all(run.series);
  for (const Attempt& attempt : run.attempts) append_all(attempt.series);
  return by_rank(std::move(list));
}

// Return the value as a double; NaN where there is no number.
double item_value(const ListItem& item) {
  const bool finite = item.sample && item.sample->value.is_finite();
  return finite ? item.sample->value.number.to_double() : std::nan("");
}

// Return the values behind the first so many.
std::vector<double> values_behind(const List& list, std::size_t first) {
  std::vector<double> values;
  for (std::size_t i = first; i < list.size(); ++i) values.push_back(item_value(list[i]));
  return values;
}

// --- the tests ---

enum class How : std::uint8_t { each, mean_not_lower, mean_not_higher, memory };

// What a baseline without the list means: the tool stops, or leaves the comparison out.
enum class AbsentList : std::uint8_t { stops, left_out };

struct ModellinkTest {
  std::string_view metric;
  How how;
  Decimal margin;
  AbsentList lacking;
};

constexpr Decimal one_percent{1, -2}, two_percent{2, -2}, five_percent{5, -2}, ten_percent{10, -2};
constexpr std::size_t warm_up = 5;  // values, where the file says nothing else

constexpr std::array<ModellinkTest, 4> modellink{{
    {"lm_loss", How::each, one_percent, AbsentList::stops},
    {"throughput", How::mean_not_lower, five_percent, AbsentList::stops},
    {"memory_allocated", How::memory, ten_percent, AbsentList::stops},
    {"memory_max_allocated", How::memory, ten_percent, AbsentList::stops},
}};
constexpr std::array<ModellinkTest, 5> mindspeed_llm{{
    {"lm_loss", How::each, two_percent, AbsentList::left_out},
    {"grad_norm", How::each, ten_percent, AbsentList::left_out},
    {"iteration_time", How::mean_not_higher, five_percent, AbsentList::left_out},
    {"memory_allocated", How::memory, ten_percent, AbsentList::left_out},
    {"memory_max_allocated", How::memory, ten_percent, AbsentList::left_out},
}};
constexpr std::array<ModellinkTest, 4> mindspeed_mm{{
    {"lm_loss", How::each, one_percent, AbsentList::left_out},
    {"iteration_time", How::mean_not_higher, five_percent, AbsentList::left_out},
    {"memory_allocated", How::memory, ten_percent, AbsentList::left_out},
    {"memory_max_allocated", How::memory, ten_percent, AbsentList::left_out},
}};

// The tests of an era, and what it makes of one input.
class Tests {
 public:
  Tests(const JudgeInput& input, std::span<const ModellinkTest> tests)
      : input_(input), row_(row_of(input.profile)), tests_(tests) {}

  Opinion opinion() {
    if (input_.reference.series.empty() && input_.reference.unrecorded.empty()) return {};
    for (const ModellinkTest& row : tests_) judge_row(row);
    note_attempts();
    return std::move(opinion_);
  }

 private:
  void judge_row(const ModellinkTest& row);
  void note_attempts();
  void judge_lists(const ModellinkTest& row, const List& expected, const List& actual);
  void judge_mean(const Comparing& comparing, const ModellinkTest& row, const List& expected,
                  const List& actual);
  void judge_memory(Comparing comparing, double margin, const List& expected, const List& actual);
  Comparing comparing(const ModellinkTest& row) const;
  Decimal margin_of(const ModellinkTest& row) const;
  std::size_t values_left_out() const;
  bool is_of_last_steps(std::string_view metric) const;
  std::vector<std::string_view> metrics() const;
  void add(Check check) { opinion_.checks.push_back(std::move(check)); }

  const JudgeInput& input_;
  const ProfileRow& row_;
  std::span<const ModellinkTest> tests_;
  Opinion opinion_;
};

Decimal Tests::margin_of(const ModellinkTest& row) const {
  const auto own = input_.reference.margins.find(std::string(row.metric));
  if (!row_.margins || own == input_.reference.margins.end()) return row.margin;
  return Decimal::parse(own->second).value_or(row.margin);
}

std::size_t Tests::values_left_out() const {
  const bool of_the_file = row_.warm_up && input_.reference.warm_up;
  return of_the_file ? static_cast<std::size_t>(*input_.reference.warm_up) : warm_up;
}

bool Tests::is_of_last_steps(std::string_view metric) const {
  return std::ranges::any_of(input_.reference.series, [&](const ReferenceSeries& held) {
    return held.runs.front().metric() == metric && held.runs.front().of_last_steps();
  });
}

std::vector<std::string_view> Tests::metrics() const {
  std::vector<std::string_view> all;
  for (const ModellinkTest& row : tests_) all.push_back(row.metric);
  return all;
}

Comparing Tests::comparing(const ModellinkTest& row) const {
  constexpr auto both = Bound::Side::both, lower = Bound::Side::lower, upper = Bound::Side::upper;
  const Bound::Side side = row.how == How::each ? both : row.how == How::mean_not_lower ? lower : upper;
  Comparing out{input_, std::string(row.metric), std::string(row.metric)};
  out.unit = input_.metrics.get(row.metric).unit;
  out.tolerance = relative(side, margin_of(row));
  if (row.how == How::memory) out.numbered = Numbering::report;
  return out;
}

ComparedPair pair_at(const List& expected, const List& actual, std::size_t i) {
  return {static_cast<std::int64_t>(i) + 1, expected[i].sample, actual[i].sample};
}

// Tell whether the value is no worse than expected, or by no more than the margin.
bool is_close(double actual, double expected, double margin, Better better) {
  return (better == Better::higher ? actual >= expected : actual <= expected) ||
         std::abs(actual - expected) / expected <= margin;
}

void Tests::judge_mean(const Comparing& comparing, const ModellinkTest& row, const List& expected,
                       const List& actual) {
  const std::size_t first = values_left_out();
  const bool refused = row_.warm_up && expected.size() < first;  // by MindSpeed-MM alone
  if (expected.size() == first || refused)
    return add(make_check(comparing, CheckStatus::incomparable,
                          remark::OnlyWarmUp{static_cast<std::int64_t>(first), false}));
  if (expected.size() < first)
    return opinion_.ungated.push_back(
        {comparing.metric, comparing.name, remark::OnlyWarmUp{static_cast<std::int64_t>(first), true}});
  const double before = python_mean(values_behind(expected, first));
  if (before <= 0) return add(make_check(comparing, CheckStatus::incomparable, remark::ZeroBaseline{}));
  const double now = python_mean(values_behind(actual, first));
  const double margin = margin_of(row).to_double();
  const bool passes =
      is_close(now, before, margin, row.how == How::mean_not_lower ? Better::higher : Better::lower);
  Check check = check_reduced(comparing, Reduce::mean, before, now, passes);
  const auto left_out = static_cast<std::int64_t>(first);
  check.window = Window{Window::Kind::after, left_out, 0};
  check.steps = StepSet(StepSet::Range{left_out + 1, std::ssize(expected)});
  add(std::move(check));
}

// One check for each rank of the baseline; what stands at the same place in the run may be another rank.
void Tests::judge_memory(Comparing comparing, double margin, const List& expected, const List& actual) {
  for (std::size_t i = 0; i < expected.size();) {
    comparing.rank = expected[i].rank;
    std::vector<ComparedPair> pairs;
    std::optional<Remark> remark;
    for (; i < expected.size() && expected[i].rank == comparing.rank; ++i) {
      pairs.push_back(pair_at(expected, actual, i));
      pairs.back().close = is_close(item_value(actual[i]), item_value(expected[i]), margin, Better::lower);
      if (actual[i].rank != comparing.rank && actual[i].rank) remark = remark::OtherRank{*actual[i].rank};
    }
    const bool passes = std::ranges::all_of(pairs, &ComparedPair::close);
    add(check_each(comparing, pairs, passes, remark));
  }
}

void Tests::judge_lists(const ModellinkTest& row, const List& expected, const List& actual) {
  const Comparing all = comparing(row);
  const double margin = margin_of(row).to_double();
  if (row.how == How::memory) return judge_memory(all, margin, expected, actual);
  if (row.how != How::each) return judge_mean(all, row, expected, actual);
  std::vector<ComparedPair> pairs;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    pairs.push_back(pair_at(expected, actual, i));
    pairs.back().close = pytest_approx(item_value(actual[i]), item_value(expected[i]), margin);
  }
  add(check_each(all, pairs, std::ranges::all_of(pairs, &ComparedPair::close)));
}

void Tests::note_attempts() {
  const std::size_t attempts = input_.run.attempts.size();
  if (attempts < 2) return;
  opinion_.notes.push_back(
      {{},
       Numbering::step,
       remark::AttemptsCompared{input_.profile.name, static_cast<std::int64_t>(attempts)}});
}

void Tests::judge_row(const ModellinkTest& row) {
  const List expected = expected_list(input_.reference, row.metric);
  const List actual = actual_list(input_.run, row.metric, metrics());
  const Comparing all = comparing(row);
  if (const auto why = why_not_gated(input_, all.metric))
    return opinion_.ungated.push_back({all.metric, all.name, *why});
  if (expected.empty() && row.lacking == AbsentList::left_out)
    return opinion_.ungated.push_back({all.metric, all.name, remark::Plain::not_in_baseline});
  if (expected.empty())
    return add(make_check(all, CheckStatus::incomparable, remark::Plain::not_in_baseline));
  if (actual.empty()) return add(make_check(all, CheckStatus::missing, remark::NotInRun{}));
  if (actual.size() == expected.size()) return judge_lists(row, expected, actual);
  add(make_check(
      all, actual.size() < expected.size() ? CheckStatus::missing : CheckStatus::incomparable,
      remark::OtherLength{std::ssize(actual), std::ssize(expected), is_of_last_steps(row.metric)}));
}

}  // namespace

Opinion judge_as_modellink(const JudgeInput& input) { return Tests(input, modellink).opinion(); }
Opinion judge_as_mindspeed_llm(const JudgeInput& input) { return Tests(input, mindspeed_llm).opinion(); }
Opinion judge_as_mindspeed_mm(const JudgeInput& input) { return Tests(input, mindspeed_mm).opinion(); }

}  // namespace gate::judge
