#include "gate/app/lint.h"

#include "app/judging/case_judge.h"
#include "app/suite/chosen_cases.h"

namespace gate::app {

namespace {

std::vector<const Baseline*> baselines_of(const std::vector<store::BaselineFile>& files) {
  std::vector<const Baseline*> all;
  for (const store::BaselineFile& file : files) all.push_back(&file.baseline);
  return all;
}

std::string script_sha256(const Suite& suite, const config::Case& spec) {
  if (spec.script.empty()) return "";
  return fs::sha256(fs::read_file(suite.root / spec.script).value_or(""));
}

Answer<judge::LintCase> lint_one(const Suite& suite, const config::Case& spec, const std::string& platform,
                                 int days, const std::string& today) {
  const auto files = store::read_baselines(suite.layout, spec.name, platform);
  if (!files) return usage(files.error());
  judge::LintCase result{spec.name, platform, "", {}, {}};
  if (spec.settings.judge == config::JudgeMode::exit) result.why_not = "only the exit is judged";
  const Reference reference = with_derived(spec, store::reference_of(*files), {});
  if (reference.series.empty()) result.why_not = "no baseline";
  if (!result.why_not.empty()) return result;
  const judge::Guard guard{spec.rules, spec.metrics, reference, platform};
  result.noise = judge::assess(spec.rules, spec.metrics, reference, platform);
  result.findings = judge::lint({guard, baselines_of(*files), !spec.script.empty(),
                                 script_sha256(suite, spec), today, days, result.noise});
  return result;
}

}  // namespace

Answer<judge::Lint> lint(const Suite& suite, const LintOptions& options, Moment now) {
  GATE_TRY(const auto chosen, choose_judged(suite, options.words, options.tags, options.folder));
  const std::string today = to_iso(now).substr(0, 10);
  judge::Lint all;
  for (const config::Case& one : chosen)
    for (const std::string& platform : platforms_of(suite, one.name, options.platform)) {
      GATE_TRY(judge::LintCase result, lint_one(suite, one, platform, options.days, today));
      all.cases.push_back(std::move(result));
    }
  return all;
}

}  // namespace gate::app
