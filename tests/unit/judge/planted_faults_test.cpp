// Whoever guards the gate: each fault that is planted in the judge lets a mutation through.
#include <gmock/gmock.h>

#include "guarded.h"

namespace gate::judge::testing::planted_faults_test {
namespace {

using ::testing::Contains;

// A input that a broken judge has made its own.
struct Bent {
  std::vector<Rule> rules;
  Reference reference;
  Extraction run;
};

Judge bent(const std::function<void(Bent&)>& bend) {
  return [bend](const JudgeInput& input) {
    Bent own{{input.rules.begin(), input.rules.end()}, input.reference, input.run};
    bend(own);
    return judge({own.rules, input.metrics, own.reference, own.run, input.outcome, input.platform, input.mode,
                  input.strict, input.steps, input.today});
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
        const std::optional<Sample> other = baseline.find(sample.number);
        const bool both = other && !other->value.is_finite() && !sample.value.is_finite();
        if (!both) run_out.append(sample);
        if (!both && other) baseline_out.append(*other);
      }
      for (const Sample& sample : baseline.samples())
        if (!series.find(sample.number)) baseline_out.append(sample);
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
  const Judge yes = [](const JudgeInput& input) {
    Judgement judgement = judge(input);
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
  const Judge no = [](const JudgeInput&) { return Judgement{}; };
  for (const std::string& survivor : survivors(Guarded().tested(no)))
    EXPECT_THAT(survivor, ::testing::StartsWith("reference"));
  EXPECT_EQ(survivors(Guarded().tested(no)).size(), 6);
}

}  // namespace
}  // namespace gate::judge::testing::planted_faults_test
