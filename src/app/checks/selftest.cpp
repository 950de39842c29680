#include "gate/app/selftest.h"

#include "app/judging/case_judge.h"
#include "app/series/replay.h"
#include "app/suite/chosen_cases.h"
#include "app/suite/profile_choice.h"

namespace gate::app {

namespace {

std::string why_nothing(const config::Case& the_case, const Reference& reference) {
  if (the_case.settings.judge == config::JudgeMode::exit) return "only the exit is judged";
  return reference.series.empty() ? "no baseline" : "no rule applies to its baseline";
}

Answer<judge::SelftestCase> test_one(const Suite& suite, const config::Case& the_case,
                                     const std::string& platform, const judge::Judge& judge) {
  const auto files = store::read_baselines(suite.layout, the_case.name, platform);
  if (!files) return usage(files.error());
  const Reference reference = with_derived(the_case, store::reference_of(*files), {});
  const judge::Guard guard{the_case.rules, the_case.metrics,         reference,
                           platform,       replay(the_case.metrics), profile_of(the_case.settings)};
  judge::SelftestCase result{
      the_case.name, platform, guard.profile.name, !the_case.script.empty(), "", {}, {}};
  const bool series = the_case.settings.judge == config::JudgeMode::series;
  if (series && !reference.series.empty()) {
    result.results = judge::selftest(guard, judge);
    result.ungated = judge::ungated_rules(guard);
  }
  if (result.results.empty()) result.why_not = why_nothing(the_case, reference);
  return result;
}

}  // namespace

Answer<judge::Selftest> selftest(const Suite& suite, const SelftestOptions& options,
                                 const judge::Judge& judge) {
  GATE_TRY(const auto chosen, choose_judged(suite, options.words, options.tags, options.folder));
  judge::Selftest all;
  for (const config::Case& the_case : chosen)
    for (const std::string& platform : platforms_of(suite, the_case.name, options.platform)) {
      GATE_TRY(judge::SelftestCase one, test_one(suite, the_case, platform, judge));
      all.cases.push_back(std::move(one));
    }
  return all;
}

}  // namespace gate::app
