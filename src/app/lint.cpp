#include "gate/app/lint.h"

#include <algorithm>

#include "app/case_judge.h"
#include "app/run_plan.h"

namespace gate::app {

namespace {

// A case, or a baseline whose script is gone.
struct Asked {
  const config::Case* the_case;
  std::string name;
  std::string script_sha256;
  bool has_script = true;
};

std::vector<const Baseline*> baselines_of(const std::vector<store::BaselineFile>& files) {
  std::vector<const Baseline*> all;
  for (const store::BaselineFile& file : files) all.push_back(&file.baseline);
  return all;
}

Answer<LintCase> lint_one(const Suite& suite, const Asked& asked, const std::string& platform, int days,
                          const std::string& today) {
  const auto files = store::read_baselines(suite.layout, asked.name, platform);
  if (!files) return usage(files.error());
  const config::Case& the_case = *asked.the_case;
  LintCase result{asked.name, platform, "", {}, {}};
  if (the_case.settings.judge == config::JudgeMode::exit) result.why_not = "only the exit is judged";
  const Reference reference = with_derived(the_case, store::reference_of(*files), {});
  if (reference.series.empty()) result.why_not = "no baseline";
  if (!result.why_not.empty()) return result;
  const judge::Guard guard{the_case.rules, the_case.metrics, reference, platform};
  result.noise = judge::assess(the_case.rules, the_case.metrics, reference, platform);
  result.findings = judge::lint(
      {guard, baselines_of(*files), asked.has_script, asked.script_sha256, today, days, result.noise});
  return result;
}

Answer<std::vector<Asked>> asked_for(const Suite& suite, const LintOptions& options,
                                     const config::Case& without_script) {
  const auto chosen = choose(suite, options.words, options.tags, options.folder);
  if (!chosen) return tl::unexpected(chosen.error());
  std::vector<Asked> all;
  for (const config::Case* c : *chosen)
    all.push_back({c, c->name, fs::sha256(fs::read_file(suite.root / c->script).value_or(""))});
  if (options.words.empty() && options.tags.empty())
    for (const std::string& name : find_orphans(suite)) all.push_back({&without_script, name, "", false});
  return all;
}

}  // namespace

std::int64_t Lint::count(judge::Weight weight) const {
  std::int64_t count = 0;
  for (const LintCase& c : cases)
    count += std::count_if(c.findings.begin(), c.findings.end(),
                           [&](const judge::Finding& finding) { return finding.row->weight == weight; });
  return count;
}

std::optional<double> Lint::false_red() const {
  std::vector<double> rates;
  for (const LintCase& c : cases)
    for (const judge::Noise& noise : c.noise)
      if (noise.rate) rates.push_back(*noise.rate);
  return rates.empty() ? std::nullopt : std::optional(judge::any_of(rates));
}

int Lint::exit_code() const {
  if (count(judge::Weight::weak) > 0) return exit_code::regressed;
  const bool none =
      std::all_of(cases.begin(), cases.end(), [](const LintCase& c) { return !c.why_not.empty(); });
  return none ? exit_code::refused : exit_code::ok;
}

Answer<Lint> lint(const Suite& suite, const LintOptions& options, Moment now) {
  const Answer<config::Case> without_script = case_of_no_script(suite, suite.overrides);
  if (!without_script) return tl::unexpected(without_script.error());
  const Answer<std::vector<Asked>> asked = asked_for(suite, options, *without_script);
  if (!asked) return tl::unexpected(asked.error());
  const std::string today = to_iso(now).substr(0, 10);
  Lint all;
  for (const Asked& one : *asked)
    for (const std::string& platform : platforms_of(suite, one.name, options.platform)) {
      Answer<LintCase> result = lint_one(suite, one, platform, options.days, today);
      if (!result) return tl::unexpected(result.error());
      all.cases.push_back(std::move(*result));
    }
  return all;
}

}  // namespace gate::app
