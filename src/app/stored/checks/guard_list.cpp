#include <algorithm>
#include <map>

#include "gate/base/text.h"
#include "gate/config/script_flags.h"
#include "gate/config/training.h"
#include "gate/judging/case_judge.h"
#include "gate/judging/read_logs.h"
#include "gate/stored/list.h"
#include "gate/suite/run_history.h"

namespace gate::app {

namespace {

void mark(GuardRow& row, MetricKind kind) {
  row.accuracy |= kind == MetricKind::accuracy;
  row.speed |= kind == MetricKind::speed;
  row.memory |= kind == MetricKind::memory;
}

// What is held to constants needs no baseline.
void mark_constants(GuardRow& row, const config::Case& spec) {
  for (const Rule& rule : spec.rules)
    if (!needs_baseline(rule.tolerance)) mark(row, spec.metrics.get(rule.metric).kind);
}

// What is judged of a run that prints what the baseline holds: losses may be too near 0, or too coarse, for
// the tolerance, a profile may compare less, and what the script prints is numbered as the metric is; other
// logs, such as event files, may be numbered as the baseline is.
void mark_judged(GuardRow& row, const config::Case& spec, const std::vector<store::BaselineFile>& files,
                 const store::BaselinePlace& place, const std::string& today) {
  const Extraction run = as_extractions(files.front().baseline, "").front();
  const CaseReport report = judge_case(spec, judged_against(files), run, std::nullopt, place.platform, today);
  for (const Check& check : report.checks) {
    const bool is_numbered_so = check.numbering() == spec.metrics.get(check.metric).numbered;
    if (lets_pass(check.status) && (is_numbered_so || !spec.settings.log.empty())) mark(row, check.kind);
  }
}

Sentence judged_instead(config::JudgeMode judge) {
  if (judge == config::JudgeMode::series) return {};
  return judge == config::JudgeMode::exit ? say({"exit", "退出情况"}) : say({"tests", "测试"});
}

Sentence why_it_gates_nothing(const Suite& suite, const config::Case& spec) {
  if (Sentence why = config::withheld_words(spec); !why.empty()) return why;
  if (!quarantine_on(spec, suite.today)) return {};
  return say({"quarantine until {}", "隔离至 {}"}, spec.settings.quarantine->until);
}

// Of all its devices; none where it says not how many they are.
std::optional<Duration> device_time_of(const config::Size& size, Duration duration) {
  const int devices = size.devices.value_or(-1);
  if (duration == Duration{} || devices < 0) return std::nullopt;
  return duration * devices * size.nodes;
}

void add_features(GuardRow& row, const config::Case& spec, const std::vector<config::Feature>& features) {
  const config::TrainingFlags flags = config::training_flags(spec, "");
  row.further = flags.further();
  row.lacking = config::mcore_only_in_legacy(spec, features, flags);
  for (const config::Feature& feature : features) {
    const config::FeatureUse use = flags.use_of(feature);
    if (use.told == config::Told::on) row.features.push_back(feature.title);
    if (use.told == config::Told::not_told && use.text != row.further.english())
      row.not_told.push_back({feature.title, use.text});
  }
}

bool trains_nothing(const config::Case& spec) {
  return spec.training_text && config::converts_alone(*spec.training_text);
}

class GuardLister {
 public:
  explicit GuardLister(const Suite& suite)
      : suite_(suite),
        places_(store::places_by_case(suite.layout)),
        durations_(RunHistory::open(suite, RunHistory::Missing::left).longest_expected()) {}

  Answer<GuardRow> row_of(const config::Case& spec) {
    const config::Settings& settings = spec.settings;
    GuardRow row{spec.name, settings.guards, spec.script};
    if (row.places.empty()) row.places.emplace_back();
    for (GuardPlace& place : row.places) {
      if (place.tests.empty()) place.tests = as_said(spec.group);
      if (place.module.empty()) place.module = join(settings.tags, ", ");
    }
    row.other = judged_instead(settings.judge);
    row.ungated = why_it_gates_nothing(suite_, spec);
    if (row.other.empty()) GATE_TRY_STATUS(mark_guards(row, spec));
    if (!spec.script.empty() && !trains_nothing(spec)) add_features(row, spec, suite_.policy.features());
    row.duration = durations_.contains(spec.name) ? durations_.at(spec.name) : Duration{};
    row.device_time = device_time_of(config::size_on(settings, suite_.policy.platform()), row.duration);
    return row;
  }

 private:
  // Return the group as other cases' guards write it: `ST` of the group `st`.
  std::string as_said(const std::string& group) const {
    for (const config::Case& other : suite_.cases)
      for (const GuardPlace& place : other.settings.guards)
        if (to_lower(place.tests) == to_lower(group)) return place.tests;
    return group;
  }

  Answer<void> mark_guards(GuardRow& row, const config::Case& spec) {
    mark_constants(row, spec);
    for (const store::BaselinePlace& place : places_[spec.name]) {
      GATE_TRY(const auto files, or_usage(store::read_baselines(suite_.layout, place)));
      if (!files.empty()) mark_judged(row, spec, files, place, suite_.today);
    }
    return {};
  }

  const Suite& suite_;
  std::map<std::string, std::vector<store::BaselinePlace>> places_;
  std::map<std::string, Duration> durations_;
};

std::vector<GuardedFeature> features_of(const GuardList& list, const std::vector<config::Feature>& features) {
  std::vector<GuardedFeature> all;
  for (const config::Feature& feature : features) {
    GuardedFeature one{feature.title, feature.group,
                       feature.variable.empty() ? join(feature.flags, ", ") : feature.variable};
    for (const GuardRow& row : list.rows) {
      const bool is_on = std::ranges::find(row.features, one.title) != row.features.end();
      const bool is_untold =
          std::ranges::find(row.not_told, one.title, &UntoldFeature::title) != row.not_told.end();
      if (is_on) one.used_by.push_back(row.name);
      if (is_on && row.guards()) one.guarded_by.push_back(row.name);
      if (is_untold) one.perhaps.push_back(row.name);
    }
    all.push_back(std::move(one));
  }
  return all;
}

// Tell whether the other one judges all that the case judges.
bool judges_as_much(const GuardRow& other, const GuardRow& row) {
  return (other.accuracy || !row.accuracy) && (other.speed || !row.speed) && (other.memory || !row.memory) &&
         (row.other.empty() || other.other == row.other);
}

bool is_guarded_without(const GuardRow& row, const Sentence& title,
                        const std::vector<const GuardRow*>& kept) {
  return std::ranges::any_of(kept, [&](const GuardRow* other) {
    return other != &row && other->guards() && judges_as_much(*other, row) &&
           std::ranges::find(other->features, title) != other->features.end();
  });
}

// Cases that could go, all of them, one after the other: what each uses is still guarded as it guards it. One
// whose features are not all told is none.
std::vector<std::string> redundant_cases(const GuardList& list) {
  std::vector<const GuardRow*> kept;
  for (const GuardRow& row : list.rows) kept.push_back(&row);
  std::vector<std::string> redundant;
  for (const GuardRow& row : list.rows) {
    const bool is_told = row.guards() && !row.features.empty() && row.not_told.empty() && row.further.empty();
    const auto is_guarded = [&](const Sentence& title) { return is_guarded_without(row, title, kept); };
    if (!is_told || !std::ranges::all_of(row.features, is_guarded)) continue;
    redundant.push_back(row.name);
    std::erase(kept, &row);
  }
  return redundant;
}

}  // namespace

Answer<GuardList> guard_list(const Suite& suite, const std::vector<const config::Case*>& cases) {
  GuardLister lister(suite);
  GuardList list;
  for (const config::Case* spec : cases) {
    GATE_TRY(GuardRow row, lister.row_of(*spec));
    list.device_time += row.device_time.value_or(Duration{});
    list.without_duration += row.duration == Duration{} ? 1 : 0;
    list.rows.push_back(std::move(row));
  }
  list.features = features_of(list, suite.policy.features());
  list.redundant = redundant_cases(list);
  return list;
}

}  // namespace gate::app
