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

#include "judge/profiles/profiles.h"
#include "judge/rules/lists.h"
#include "judge/series/floats.h"
#include "judge/series/pairs.h"

namespace gate::judge {

namespace {

enum class How : std::uint8_t { each, mean_not_lower, mean_not_higher, memory };

// What a baseline without the list means: the tool stops, or leaves the comparison out.
enum class Lacking : std::uint8_t { stops, left_out };

struct ModellinkTest {
  std::string_view metric;
  How how;
  Decimal margin;
  Lacking lacking;
};

constexpr Decimal one_percent{1, -2}, two_percent{2, -2}, five_percent{5, -2}, ten_percent{10, -2};
constexpr std::size_t warm_up = 5;  // values, where the file says nothing else

constexpr std::array<ModellinkTest, 4> modellink{{
    {"lm_loss", How::each, one_percent, Lacking::stops},
    {"throughput", How::mean_not_lower, five_percent, Lacking::stops},
    {"memory_allocated", How::memory, ten_percent, Lacking::stops},
    {"memory_max_allocated", How::memory, ten_percent, Lacking::stops},
}};
constexpr std::array<ModellinkTest, 5> mindspeed_llm{{
    {"lm_loss", How::each, two_percent, Lacking::left_out},
    {"grad_norm", How::each, ten_percent, Lacking::left_out},
    {"iteration_time", How::mean_not_higher, five_percent, Lacking::left_out},
    {"memory_allocated", How::memory, ten_percent, Lacking::left_out},
    {"memory_max_allocated", How::memory, ten_percent, Lacking::left_out},
}};
constexpr std::array<ModellinkTest, 4> mindspeed_mm{{
    {"lm_loss", How::each, one_percent, Lacking::left_out},
    {"iteration_time", How::mean_not_higher, five_percent, Lacking::left_out},
    {"memory_allocated", How::memory, ten_percent, Lacking::left_out},
    {"memory_max_allocated", How::memory, ten_percent, Lacking::left_out},
}};

// The tests of an era, and what it makes of one question.
class Tests {
 public:
  Tests(const JudgeInput& question, std::span<const ModellinkTest> tests)
      : question_(question), row_(row_of(question.profile)), tests_(tests) {}

  Opinion opinion() {
    if (question_.reference.series.empty() && question_.reference.unrecorded.empty()) return {};
    for (const ModellinkTest& row : tests_) hear(row);
    note_attempts();
    return std::move(opinion_);
  }

 private:
  void hear(const ModellinkTest& row);
  void note_attempts();
  void hear_lists(const ModellinkTest& row, const List& expected, const List& actual);
  void hear_mean(const Comparing& comparing, const ModellinkTest& row, const List& expected,
                 const List& actual);
  void hear_memory(Comparing comparing, double margin, const List& expected, const List& actual);
  Comparing comparing(const ModellinkTest& row) const;
  Decimal margin_of(const ModellinkTest& row) const;
  std::size_t values_left_out() const;
  std::vector<std::string_view> metrics() const;
  void add(Check check) { opinion_.checks.push_back(std::move(check)); }

  const JudgeInput& question_;
  const ProfileRow& row_;
  std::span<const ModellinkTest> tests_;
  Opinion opinion_;
};

Decimal Tests::margin_of(const ModellinkTest& row) const {
  const auto own = question_.reference.margins.find(std::string(row.metric));
  if (!row_.margins || own == question_.reference.margins.end()) return row.margin;
  return Decimal::parse(own->second).value_or(row.margin);
}

std::size_t Tests::values_left_out() const {
  const bool of_the_file = row_.warm_up && question_.reference.warm_up;
  return of_the_file ? static_cast<std::size_t>(*question_.reference.warm_up) : warm_up;
}

std::vector<std::string_view> Tests::metrics() const {
  std::vector<std::string_view> all;
  for (const ModellinkTest& row : tests_) all.push_back(row.metric);
  return all;
}

Comparing Tests::comparing(const ModellinkTest& row) const {
  constexpr auto both = Bound::Side::both, lower = Bound::Side::lower, upper = Bound::Side::upper;
  const Bound::Side side = row.how == How::each ? both : row.how == How::mean_not_lower ? lower : upper;
  Comparing out{question_, std::string(row.metric), std::string(row.metric)};
  out.unit = question_.metrics.get(row.metric).unit;
  out.tolerance = relative(side, margin_of(row));
  if (row.how == How::memory) out.numbered = Numbering::report;
  return out;
}

Pair pair_at(const List& expected, const List& actual, std::size_t i) {
  return {static_cast<std::int64_t>(i) + 1, expected[i].sample, actual[i].sample};
}

bool not_higher(double actual, double expected, double margin) {
  return actual <= expected || std::abs(actual - expected) / expected <= margin;
}

bool not_lower(double actual, double expected, double margin) {
  return actual >= expected || std::abs(actual - expected) / expected <= margin;
}

void Tests::hear_mean(const Comparing& comparing, const ModellinkTest& row, const List& expected,
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
  const double now = python_mean(values_behind(actual, first));
  const double margin = margin_of(row).to_double();
  const bool passes =
      row.how == How::mean_not_lower ? not_lower(now, before, margin) : not_higher(now, before, margin);
  Check check = check_reduced(comparing, Reduce::mean, before, now, passes);
  const auto left_out = static_cast<std::int64_t>(first);
  check.window = Window{Window::Kind::after, left_out, 0};
  check.steps = StepSet(StepSet::Range{left_out + 1, std::ssize(expected)});
  add(std::move(check));
}

// One check for each rank of the baseline; what stands at the same place in the run may be another rank.
void Tests::hear_memory(Comparing comparing, double margin, const List& expected, const List& actual) {
  for (std::size_t i = 0; i < expected.size();) {
    comparing.rank = expected[i].rank;
    std::vector<Pair> pairs;
    std::optional<Remark> remark;
    for (; i < expected.size() && expected[i].rank == comparing.rank; ++i) {
      pairs.push_back(pair_at(expected, actual, i));
      pairs.back().close = not_higher(value_of(actual[i]), value_of(expected[i]), margin);
      if (actual[i].rank != comparing.rank && actual[i].rank) remark = remark::OtherRank{*actual[i].rank};
    }
    const bool passes = std::ranges::all_of(pairs, &Pair::close);
    add(check_each(comparing, pairs, passes, remark));
  }
}

void Tests::hear_lists(const ModellinkTest& row, const List& expected, const List& actual) {
  const Comparing all = comparing(row);
  const double margin = margin_of(row).to_double();
  if (row.how == How::memory) return hear_memory(all, margin, expected, actual);
  if (row.how != How::each) return hear_mean(all, row, expected, actual);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    pairs.push_back(pair_at(expected, actual, i));
    pairs.back().close = pytest_approx(value_of(actual[i]), value_of(expected[i]), margin);
  }
  add(check_each(all, pairs, std::ranges::all_of(pairs, &Pair::close)));
}

void Tests::note_attempts() {
  const std::size_t attempts = question_.run.attempts.size();
  if (attempts < 2) return;
  opinion_.notes.push_back(
      {{},
       Numbering::step,
       remark::AttemptsCompared{question_.profile.name, static_cast<std::int64_t>(attempts)}});
}

void Tests::hear(const ModellinkTest& row) {
  const List expected = expected_list(question_.reference, row.metric);
  const List actual = actual_list(question_.run, row.metric, metrics());
  const Comparing all = comparing(row);
  if (expected.empty() && row.lacking == Lacking::left_out)
    return opinion_.ungated.push_back({all.metric, all.name, remark::Plain::not_in_baseline});
  if (expected.empty())
    return add(make_check(all, CheckStatus::incomparable, remark::Plain::not_in_baseline));
  if (actual.empty()) return add(make_check(all, CheckStatus::missing, remark::NotInRun{}));
  if (actual.size() == expected.size()) return hear_lists(row, expected, actual);
  add(make_check(all, actual.size() < expected.size() ? CheckStatus::missing : CheckStatus::incomparable,
                 remark::OtherLength{std::ssize(actual), std::ssize(expected)}));
}

}  // namespace

Opinion judge_as_modellink(const JudgeInput& question) { return Tests(question, modellink).opinion(); }

Opinion judge_as_mindspeed_llm(const JudgeInput& question) {
  return Tests(question, mindspeed_llm).opinion();
}

Opinion judge_as_mindspeed_mm(const JudgeInput& question) { return Tests(question, mindspeed_mm).opinion(); }

}  // namespace gate::judge
