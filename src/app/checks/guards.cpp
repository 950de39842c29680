#include <algorithm>

#include "app/judging/case_judge.h"
#include "app/series/replay.h"
#include "app/suite/chosen_cases.h"
#include "app/suite/profile_choice.h"
#include "gate/app/derived.h"
#include "gate/app/lint.h"
#include "gate/app/list.h"
#include "gate/app/selftest.h"
#include "gate/base/text.h"

namespace gate::app {

namespace {

std::string needs_of(const config::Settings& settings) {
  std::vector<std::string> parts;
  if (!settings.devices) parts.emplace_back("whole host");
  if (settings.devices == -1) parts.emplace_back("all devices");
  if (settings.devices == 0) parts.emplace_back("cpu");
  if (settings.devices && *settings.devices > 0) parts.push_back(count_of(*settings.devices, "device"));
  if (settings.nodes > 1) parts.push_back(count_of(settings.nodes, "node"));
  for (const std::string& platform : settings.platform) parts.push_back(platform);
  return join(parts, ", ");
}

// `until 2026-12-31, zhang`, or that it is over.
std::string quarantine_of(const config::Case& spec, const std::string& today) {
  const std::optional<Quarantine>& quarantine = spec.settings.quarantine;
  if (!quarantine) return "";
  return (quarantine_on(spec, today) ? "until " : "ended ") + quarantine->until + ", " + quarantine->owner;
}

void mark(CoverageRow& row, const config::Case& spec, const Reference& reference) {
  for (const Rule& rule : spec.rules) {
    const Metric& metric = spec.metrics.get(rule.metric);
    if (!gates(rule, metric.numbered, reference)) continue;
    switch (metric.kind) {
      case MetricKind::accuracy:
        row.accuracy = true;
        break;
      case MetricKind::speed:
        row.speed = true;
        break;
      case MetricKind::memory:
        row.memory = true;
        break;
      case MetricKind::other:
        break;
    }
  }
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
  const judge::GuardedCase guard{spec.rules, spec.metrics, reference, platform};
  result.noise = judge::assess(spec.rules, spec.metrics, reference, platform);
  std::vector<const Baseline*> baselines;
  for (const store::BaselineFile& file : *files) baselines.push_back(&file.baseline);
  const bool has_script = !spec.script.empty();
  const std::string sha256 =
      has_script ? fs::sha256(fs::read_file(suite.root / spec.script).value_or("")) : "";
  result.findings = judge::lint({guard, baselines, has_script, sha256, today, days, result.noise});
  return result;
}

// A quarantine is the case's, on whatever platform.
void add_quarantine(judge::LintCase& result, const Quarantine& quarantine, const std::string& today) {
  result.quarantine = quarantine;
  const std::vector<judge::Finding> found = judge::lint_quarantine(quarantine, today);
  result.findings.insert(result.findings.begin(), found.begin(), found.end());
}

Answer<judge::SelftestCase> test_one(const Suite& suite, const config::Case& spec,
                                     const std::string& platform, const judge::Judge& judge) {
  const auto files = store::read_baselines(suite.layout, spec.name, platform);
  if (!files) return usage(files.error());
  const Reference reference = with_derived(spec, store::reference_of(*files), {});
  const judge::GuardedCase guard{spec.rules, spec.metrics,         reference,
                                 platform,   replay(spec.metrics), profile_of(spec.settings)};
  judge::SelftestCase result{spec.name, platform, guard.profile.name, !spec.script.empty(), "", {}, {}};
  if (spec.settings.judge == config::JudgeMode::exit) {
    result.why_not = "only the exit is judged";
  } else if (reference.series.empty()) {
    result.why_not = "no baseline";
  } else {
    result.results = judge::selftest(guard, judge);
    result.ungated = judge::ungated_rules(guard);
    if (result.results.empty()) result.why_not = "no rule applies to its baseline";
  }
  return result;
}

}  // namespace

std::vector<CaseListRow> list(const Suite& suite, const std::vector<const config::Case*>& cases) {
  auto platforms = store::platforms_by_case(suite.layout);
  std::vector<CaseListRow> rows;
  for (const config::Case* spec : cases) {
    std::vector<std::string>& own = platforms[spec->name];
    std::ranges::transform(own, own.begin(), platform_name);
    rows.push_back({spec->name, spec->script, needs_of(spec->settings), to_string(spec->settings.timeout),
                    join(spec->settings.tags, ","), own.empty() ? "none" : join(own, ", "),
                    quarantine_of(*spec, suite.today)});
  }
  return rows;
}

Answer<std::vector<CoverageRow>> coverage(const Suite& suite, const std::vector<const config::Case*>& cases) {
  auto platforms = store::platforms_by_case(suite.layout);
  std::vector<CoverageRow> rows;
  for (const config::Case* spec : cases) {
    CoverageRow row{spec->name, spec->script};
    std::vector<std::string>& own = platforms[spec->name];
    if (own.empty()) own.emplace_back();  // a rule against a constant needs no baseline
    for (const std::string& platform : own) {
      const auto files = store::read_baselines(suite.layout, spec->name, platform);
      if (!files) return usage(files.error());
      mark(row, *spec, with_derived(*spec, store::reference_of(*files), {}));
    }
    rows.push_back(row);
  }
  return rows;
}

Answer<judge::Lint> lint(const Suite& suite, const LintOptions& options, Moment now) {
  GATE_TRY(const auto chosen, choose_judged(suite, options.words, options.tags, options.folder));
  const std::string today = to_iso(now).substr(0, 10);
  judge::Lint all;
  for (const config::Case& one : chosen) {
    const std::size_t first = all.cases.size();
    for (const std::string& platform : platforms_of(suite, one.name, options.platform)) {
      GATE_TRY(judge::LintCase result, lint_one(suite, one, platform, options.days, today));
      all.cases.push_back(std::move(result));
    }
    if (const std::optional<Quarantine>& quarantine = one.settings.quarantine)
      add_quarantine(all.cases[first], *quarantine, today);
  }
  return all;
}

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
