#include "gate/app/selftest.h"

#include "app/judging/case_judge.h"
#include "app/series/replay.h"
#include "app/suite/chosen_cases.h"
#include "app/suite/profile_choice.h"

namespace gate::app {

namespace {

std::string why_nothing(const config::Case& spec, const Reference& reference) {
  if (spec.settings.judge == config::JudgeMode::exit) return "only the exit is judged";
  return reference.series.empty() ? "no baseline" : "no rule applies to its baseline";
}

Answer<judge::SelftestCase> test_one(const Suite& suite, const config::Case& spec,
                                     const std::string& platform, const judge::Judge& judge) {
  const auto files = store::read_baselines(suite.layout, spec.name, platform);
  if (!files) return usage(files.error());
  const Reference reference = with_derived(spec, store::reference_of(*files), {});
  const judge::Guard guard{spec.rules, spec.metrics,         reference,
                           platform,   replay(spec.metrics), profile_of(spec.settings)};
  judge::SelftestCase result{spec.name, platform, guard.profile.name, !spec.script.empty(), "", {}, {}};
  const bool series = spec.settings.judge == config::JudgeMode::series;
  if (series && !reference.series.empty()) {
    result.results = judge::selftest(guard, judge);
    result.ungated = judge::ungated_rules(guard);
  }
  if (result.results.empty()) result.why_not = why_nothing(spec, reference);
  return result;
}

}  // namespace

Answer<judge::Selftest> selftest(const Suite& suite, const SelftestOptions& options,
                                 const judge::Judge& judge) {
  GATE_TRY(const auto chosen, choose_judged(suite, options.words, options.tags, options.folder));
  judge::Selftest all;
  for (const config::Case& spec : chosen)
    for (const std::string& platform : platforms_of(suite, spec.name, options.platform)) {
      GATE_TRY(judge::SelftestCase one, test_one(suite, spec, platform, judge));
      all.cases.push_back(std::move(one));
    }
  return all;
}

}  // namespace gate::app
