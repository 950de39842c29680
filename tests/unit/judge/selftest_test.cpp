// Whoever guards the gate: each fault that is planted in the judge lets a mutation through.
#include "gate/judge/selftest.h"

#include <gmock/gmock.h>

#include <set>

#include "logs.h"

namespace gate::judge::testing {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// Values that rise by two steps and fall by one, with two decimals.
std::string wandering(const std::string& metric, std::int64_t last, std::int64_t start, std::int64_t by) {
  std::string out = metric;
  for (std::int64_t n = 1; n <= last; ++n)
    out += " " + std::to_string(n) + ":" + Decimal{start + by * (2 * n + n % 3), -2}.to_string();
  return out;
}

const std::string usual =
    wandering("lm_loss", 20, 1050, -5) + "\n" + wandering("throughput", 20, 14000, 60) +
    "\nmemory_allocated/0 1:1000.5 2:1200.5\nmemory_allocated/1 1:1001.5 2:1300.5" +
    "\nmemory_max_allocated/0 1:2000.5 2:2200.5\nmemory_max_allocated/1 1:2001.5 2:2300.5";

// What guards a case, with all that a Guard refers to.
struct Guarded {
  std::vector<Rule> rules = built_in_rules();
  Reference reference = baseline(usual);
  MetricTable metrics;

  Replay replay = [](std::span<const Extraction> attempts) { return attempts.back(); };

  std::vector<Tried> tested(const Judge& by = judge) const {
    return selftest({rules, metrics, reference, "", replay}, by);
  }
};

std::vector<std::string> survivors(const std::vector<Tried>& results) {
  std::vector<std::string> names;
  for (const Tried& tried : results)
    if (tried.proof == Proof::survived) names.push_back(std::string(tried.mutation->name) + " " + tried.rule);
  return names;
}

std::string all_texts(const std::vector<Tried>& results) {
  std::string out;
  for (const Tried& tried : results)
    out += std::string(tried.mutation->name) + " " + tried.rule + " " + std::string(word_of(tried)) + ": " +
           tried.text + "\n";
  return out;
}

std::string text_of(const std::vector<Tried>& results, std::string_view mutation, std::string_view rule) {
  for (const Tried& tried : results)
    if (tried.mutation->name == mutation && tried.rule == rule)
      return std::string(word_of(tried)) + ": " + tried.text;
  return "";
}

// --- the judge as it is -----------------------------------------------------------------------------

TEST(Selftest, NothingSurvivesTheUsualRules) {
  const std::vector<Tried> results = Guarded().tested();
  EXPECT_THAT(survivors(results), IsEmpty()) << all_texts(results);
  EXPECT_EQ(results.size(), mutations().size() * 6);
}

TEST(Selftest, EveryMutationIsDoneToSomething) {
  std::set<std::string_view> done;
  for (const Tried& tried : Guarded().tested())
    if (tried.proof == Proof::held) done.insert(tried.mutation->name);
  EXPECT_EQ(done.size(), mutations().size());
}

struct Shape {
  std::string tolerance, window, reduce;
};

TEST(Selftest, NothingSurvivesAnyShapeOfRule) {
  for (const Shape& shape : std::vector<Shape>{{"-5%", "last 10", "median"},
                                               {"-5%", "last 10", "harmonic_mean"},
                                               {"-5%", "3..19", "trimmed_mean"},
                                               {"-5%", "after 5", "p90"},
                                               {"-5%", "all", "min"},
                                               {"±3", "first 7", "max"},
                                               {"-2%", "step 20", "last"},
                                               {"exact", "all", "each"},
                                               {"exact", "last 3", "mean"},
                                               {">= 100", "all", "each"},
                                               {">= 100 and -50%", "last 10", "mean"},
                                               {"-0.5 or -1%", "all", "each"}}) {
    Guarded guarded;
    guarded.rules = {rule("throughput", shape.tolerance, shape.window, shape.reduce)};
    const std::vector<Tried> results = guarded.tested();
    EXPECT_THAT(survivors(results), IsEmpty()) << shape.tolerance << shape.reduce << all_texts(results);
  }
}

TEST(Selftest, MissesThatAreAllowedAreUsedUpFirst) {
  Guarded guarded;
  guarded.rules = {rule("lm_loss", "±0.02", "first 15")};
  guarded.rules.front().max_misses = 3;
  const std::vector<Tried> results = guarded.tested();
  EXPECT_THAT(survivors(results), IsEmpty()) << all_texts(results);
  EXPECT_THAT(text_of(results, "beyond_first", "lm_loss"), ::testing::HasSubstr("4 of 15"));
}

TEST(Selftest, RanksThatAreCombinedMoveTogether) {
  for (const RankMode mode : {RankMode::max, RankMode::min, RankMode::mean}) {
    Guarded guarded;
    guarded.rules = {rule("memory_allocated", "+10%")};
    guarded.rules.front().rank = mode;
    const std::vector<Tried> results = guarded.tested();
    EXPECT_THAT(survivors(results), IsEmpty()) << to_string(mode) << all_texts(results);
  }
}

TEST(Selftest, AConstantWithoutABaselineIsTriedOnAMadeUpRun) {
  Guarded guarded;
  guarded.rules = {rule("final_accuracy", ">= 0.75")};
  const std::vector<Tried> results = guarded.tested();
  EXPECT_THAT(survivors(results), IsEmpty()) << all_texts(results);
  EXPECT_EQ(text_of(results, "missing_inside", "final_accuracy"),
            "n/a: only constants: nothing says which steps there must be");
}

TEST(Selftest, AWaiverDoesNotHideAnything) {
  Guarded guarded;
  guarded.rules.front().waive = Waiver{"known", "2999-01-01"};
  EXPECT_THAT(survivors(guarded.tested()), IsEmpty());
}

TEST(Selftest, OfSeveralRunsTheOneThatPassesIsDamaged) {
  Guarded guarded;
  Baseline noisy;
  for (const char* const run :
       {"throughput 1:100.0 2:120.0", "throughput 1:100.0 2:111.0", "throughput 1:100.0 2:99.0"})
    noisy.runs.push_back({{}, all_series(run)});
  guarded.reference = make_reference(noisy, "b.json");
  guarded.rules = {rule("throughput", "-5%", "step 2")};
  const std::vector<Tried> results = guarded.tested();
  EXPECT_THAT(survivors(results), IsEmpty()) << all_texts(results);
  EXPECT_THAT(text_of(results, "beyond_first", "throughput"), ::testing::HasSubstr("104.4"));
}

TEST(Selftest, AReferenceThatDoesNotPassItselfIsSaid) {
  Guarded guarded;
  guarded.reference = baseline("lm_loss 1:10.5 2:nan 3:10.4");
  const std::vector<Tried> results = guarded.tested();
  EXPECT_THAT(survivors(results), ::testing::ElementsAre("reference lm_loss"));
  EXPECT_EQ(text_of(results, "reference", "lm_loss"), "REFUSED: regressed, lm_loss step 2: nan");
  EXPECT_EQ(text_of(results, "beyond_first", "lm_loss"), "n/a: the reference does not pass");
}

TEST(Selftest, ARuleThatBoundsTheGoodSideOnlySurvives) {
  Guarded guarded;
  guarded.rules = {rule("throughput", "+5%", "last 10", "mean")};
  EXPECT_THAT(survivors(guarded.tested()),
              ::testing::IsSupersetOf({"beyond_all throughput", "bad_attempt_last throughput"}));
}

// --- what it says -----------------------------------------------------------------------------------

TEST(Selftest, SaysWhatWasDone) {
  const std::vector<Tried> results = Guarded().tested();
  const auto says = [&](std::string_view mutation, std::string_view rule) {
    return text_of(results, mutation, rule);
  };
  EXPECT_THAT(says("on_limit", "lm_loss"),
              StartsWith("passed: step 1: 10.35 -> 10.34, and 14 more like it: passed"));
  EXPECT_THAT(says("beyond_last", "lm_loss"), StartsWith("caught: step 15: 9.00 -> 8.98: regressed"));
  EXPECT_THAT(says("beyond_first", "throughput"), StartsWith("caught: step 11: 154.40 -> "));
  EXPECT_THAT(says("shifted", "lm_loss"), StartsWith("caught: every value moved by one step: regressed"));
  EXPECT_EQ(says("shifted", "throughput"), "n/a: neighbours differ by less than the rule allows");
  EXPECT_THAT(says("bad_attempt_last", "lm_loss"), StartsWith("caught: last attempt: step 1: "));
  EXPECT_THAT(says("good_attempt_last", "lm_loss"), StartsWith("passed: first attempt: step 1: "));
  EXPECT_THAT(says("inf_both", "lm_loss"), StartsWith("caught: step 8: inf on both sides: regressed"));
  EXPECT_THAT(says("missing_one_more", "lm_loss"),
              StartsWith("caught: step 8 missing, one more at the end: incomplete"));
  EXPECT_THAT(says("truncated", "lm_loss"), StartsWith("caught: cut off before step 11: incomplete"));
  EXPECT_EQ(says("missing_outside", "memory_allocated"), "n/a: the window is the whole series");
}

TEST(Selftest, SaysWhyNothingWasDone) {
  Guarded guarded;
  guarded.reference = baseline("lm_loss 1:2.51");
  EXPECT_EQ(text_of(guarded.tested(), "truncated", "lm_loss"), "n/a: there is one value only");
  guarded.rules = {rule("lm_loss", "±0.02")};
  guarded.rules[0].max_misses = 1;
  EXPECT_EQ(text_of(guarded.tested(), "beyond_first", "lm_loss"),
            "n/a: the window holds no more than max_misses");
  EXPECT_THAT(survivors(guarded.tested()), Contains("beyond_all lm_loss")) << "such a rule cannot fail";
  guarded.rules = {rule("final_accuracy", ">= 0.75")};
  EXPECT_EQ(text_of(guarded.tested(), "inf_both", "final_accuracy"),
            "n/a: only constants: there is no other side");
}

TEST(Selftest, AToleranceThatOnlyImpossibleValuesBreakSurvives) {
  Guarded guarded;
  guarded.rules = {rule("throughput", "-100%", "last 10", "mean")};
  EXPECT_THAT(survivors(guarded.tested()), Contains("beyond_all throughput"));
  guarded.rules = {rule("throughput", "-99%", "last 10", "mean")};
  EXPECT_THAT(survivors(guarded.tested()), IsEmpty());
  EXPECT_THAT(text_of(guarded.tested(), "beyond_first", "throughput"), StartsWith("n/a: "));
}

TEST(Selftest, OneStepDoesNotDecideAMedian) {
  Guarded guarded;
  guarded.rules = {rule("throughput", "-5%", "last 10", "median")};
  EXPECT_EQ(text_of(guarded.tested(), "beyond_middle", "throughput"),
            "n/a: one step alone does not decide a median");
  guarded.rules = {rule("throughput", "+5%", "last 10", "median")};
  EXPECT_EQ(text_of(guarded.tested(), "on_limit", "throughput"),
            "n/a: the rule bounds nothing on the metric's bad side");
}

TEST(Selftest, AListThatRepeatsItselfDemandsNothing) {
  Guarded guarded;
  Series positions = series("memory_allocated/0 1:1000.5 2:1000.5");
  positions.set_assumed(true);
  Baseline file;
  file.runs.push_back({{}, {positions}});
  guarded.reference = make_reference(file, "b.json");
  guarded.rules = {rule("memory_allocated", "+10%", "after 1")};
  EXPECT_EQ(text_of(guarded.tested(), "missing_inside", "memory_allocated"),
            "n/a: the reference is a list that repeats itself");
}

TEST(Selftest, SamplesByTimeHaveNoSteps) {
  Guarded guarded;
  Series power("power", std::nullopt, "W", Numbering::time);
  for (const int time : {100, 200, 300}) power.append(sample(time, "350.5"));
  Baseline file;
  file.runs.push_back({{}, {power}});
  guarded.reference = make_reference(file, "b.json");
  guarded.metrics.put(
      {.name = "power", .unit = "W", .better = Better::lower, .numbered = Numbering::time, .doc = ""});
  guarded.rules = {rule("power", "+5%", "all", "mean")};
  const std::vector<Tried> results = guarded.tested();
  EXPECT_THAT(survivors(results), IsEmpty()) << all_texts(results);
  EXPECT_EQ(text_of(results, "nan_outside", "power"), "n/a: all samples by time are judged together");
  EXPECT_EQ(text_of(results, "missing_inside", "power"), "n/a: samples by time have no steps");
}

// --- a judge with a fault ---------------------------------------------------------------------------

// A question that a broken judge has made its own.
struct Bent {
  std::vector<Rule> rules;
  Reference reference;
  Extraction run;
};

Judge bent(const std::function<void(Bent&)>& bend) {
  return [bend](const Question& question) {
    Bent own{{question.rules.begin(), question.rules.end()}, question.reference, question.run};
    bend(own);
    return judge({own.rules, question.metrics, own.reference, own.run, question.outcome, question.platform,
                  question.mode, question.strict, question.steps, question.today});
  };
}

Series renumbered(const Series& series, const Series& like) {
  Series out(series.metric(), series.rank(), series.unit(), series.numbered());
  for (std::size_t i = 0; i < std::min(series.size(), like.size()); ++i) {
    Sample sample = series.samples()[i];
    sample.number = like.samples()[i].number;
    out.append(sample);
  }
  return out;
}

const Series* partner(const Reference& reference, const Series& series) {
  for (const ReferenceSeries& candidate : reference.series)
    if (candidate.runs.front().metric() == series.metric() && candidate.runs.front().rank() == series.rank())
      return &candidate.runs.front();
  return nullptr;
}

void swap_sides(Bent& bent) {
  for (ReferenceSeries& reference : bent.reference.series)
    for (Series& series : bent.run.series)
      if (partner(bent.reference, series) == &reference.runs.front())
        std::swap(reference.runs.front(), series);
}

// What is infinite on both sides is left away on both.
void let_infinities_be_equal(Bent& bent) {
  for (ReferenceSeries& reference : bent.reference.series)
    for (Series& series : bent.run.series) {
      Series& baseline = reference.runs.front();
      if (partner(bent.reference, series) != &baseline) continue;
      Series run_out(series.metric(), series.rank(), series.unit(), series.numbered()),
          baseline_out = run_out;
      for (const Sample& sample : series.samples()) {
        const Sample* other = baseline.find(sample.number);
        const bool both = other != nullptr && !other->value.is_finite() && !sample.value.is_finite();
        if (!both) run_out.append(sample);
        if (!both && other != nullptr) baseline_out.append(*other);
      }
      for (const Sample& sample : baseline.samples())
        if (series.find(sample.number) == nullptr) baseline_out.append(sample);
      series = run_out;
      baseline = baseline_out;
    }
}

void compare_by_position(Bent& bent) {
  for (Series& series : bent.run.series)
    if (const Series* like = partner(bent.reference, series)) series = renumbered(series, *like);
}

void shorten_windows(Bent& bent) {
  for (Rule& rule : bent.rules)
    if (rule.window.kind != Window::Kind::all) --rule.window.a;
}

void take_half_of_a_mean(Bent& bent) {
  for (Rule& rule : bent.rules)
    if (rule.reduce == Reduce::mean) rule.window.a /= 2;
}

void forget_what_is_no_number(Bent& bent) {
  for (Series& series : bent.run.series) {
    Series finite(series.metric(), series.rank(), series.unit(), series.numbered());
    for (const Sample& sample : series.samples())
      if (sample.value.is_finite()) finite.append(sample);
    series = finite;
  }
  compare_by_position(bent);
}

void demand_only_what_came(Bent& bent) {
  for (ReferenceSeries& reference : bent.reference.series)
    for (const Series& series : bent.run.series)
      if (partner(bent.reference, series) == &reference.runs.front())
        reference.runs.front() = renumbered(reference.runs.front(), series);
}

TEST(Selftest, FindsAComparisonTheWrongWayRound) {
  EXPECT_THAT(survivors(Guarded().tested(bent(swap_sides))),
              ::testing::IsSupersetOf({"beyond_all throughput", "beyond_first throughput",
                                       "beyond_last throughput", "beyond_all memory_allocated"}));
}

TEST(Selftest, FindsInfinityThatEqualsInfinity) {
  EXPECT_THAT(survivors(Guarded().tested(bent(let_infinities_be_equal))), Contains("inf_both lm_loss"));
}

TEST(Selftest, FindsAWindowThatIsOffByOne) {
  const std::vector<std::string> found = survivors(Guarded().tested(bent(shorten_windows)));
  EXPECT_THAT(found, Contains("beyond_last lm_loss"));
  EXPECT_THAT(found, Contains("beyond_first throughput"));
}

TEST(Selftest, FindsPositionsInsteadOfSteps) {
  EXPECT_THAT(survivors(Guarded().tested(bent(compare_by_position))),
              Contains("missing_one_more throughput"));
}

TEST(Selftest, FindsAMeanOverFewerSteps) {
  EXPECT_THAT(survivors(Guarded().tested(bent(take_half_of_a_mean))), Contains("beyond_first throughput"));
}

TEST(Selftest, FindsNanLinesThatVanish) {
  EXPECT_THAT(survivors(Guarded().tested(bent(forget_what_is_no_number))),
              Contains("nan_outside memory_allocated"));
}

TEST(Selftest, FindsAShortLogThatPasses) {
  EXPECT_THAT(survivors(Guarded().tested(bent(demand_only_what_came))), Contains("truncated lm_loss"));
}

TEST(Selftest, FindsAFirstAttemptThatIsJudged) {
  Guarded guarded;
  guarded.replay = [](std::span<const Extraction> attempts) { return attempts.front(); };
  EXPECT_THAT(survivors(guarded.tested()),
              ::testing::IsSupersetOf({"bad_attempt_last lm_loss", "good_attempt_last lm_loss"}));
}

TEST(Selftest, OneStepMakesNoAttempts) {
  Guarded guarded;
  guarded.reference = baseline("lm_loss 1:2.51");
  EXPECT_EQ(text_of(guarded.tested(), "bad_attempt_last", "lm_loss"),
            "n/a: nothing in a log would tell its attempts apart");
}

TEST(Selftest, WithoutALogNoAttemptsAreTried) {
  Guarded guarded;
  guarded.replay = nullptr;
  EXPECT_EQ(text_of(guarded.tested(), "bad_attempt_last", "lm_loss"),
            "n/a: nothing in a log would tell its attempts apart");
}

TEST(Selftest, FindsAJudgeThatSaysYes) {
  const Judge yes = [](const Question& question) {
    Judgement judgement = judge(question);
    judgement.verdict = Verdict::passed;
    for (Check& check : judgement.checks) check.status = CheckStatus::pass;
    return judgement;
  };
  for (const Tried& tried : Guarded().tested(yes)) {
    if (tried.proof == Proof::not_applicable) continue;
    EXPECT_EQ(tried.proof == Proof::survived, !tried.mutation->harmless) << tried.mutation->name;
  }
}

TEST(Selftest, FindsAJudgeThatSaysNo) {
  const Judge no = [](const Question&) { return Judgement{}; };
  for (const std::string& survivor : survivors(Guarded().tested(no)))
    EXPECT_THAT(survivor, ::testing::StartsWith("reference"));
  EXPECT_EQ(survivors(Guarded().tested(no)).size(), 6);
}

}  // namespace
}  // namespace gate::judge::testing
