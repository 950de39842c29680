#include "gate/runner/ab.h"

#include <algorithm>

#include "gate/base/text.h"
#include "gate/suite/suite_masker.h"
#include "runner/ab/paired_launches.h"
#include "runner/ab/work_trees.h"
#include "runner/session/case_runner.h"

namespace gate::app {

namespace {

constexpr double usual_change = 0.03;
constexpr Window usual_window{Window::Kind::last, 10, 0};

bool is_named(const std::vector<std::string>& metrics, const std::string& name) {
  return std::ranges::find(metrics, name) != metrics.end();
}

// How far the rule lets a value be on either side, as a share of the baseline's; not more than who asks of
// two commits wants to know.
double tolerated_by(const Tolerance& tolerance) {
  double least = usual_change;
  for (const std::vector<Bound>& bounds : tolerance.any_of)
    for (const Bound& bound : bounds)
      if (bound.kind == Bound::Kind::relative) least = std::min(least, bound.amount.to_double());
  return std::max(least, judge::least_told);
}

// The rule, so that it makes one value of a run, and one of all ranks.
Rule reducing(Rule rule, MetricKind kind) {
  const bool is_memory = kind == MetricKind::memory;
  if (is_side_by_side(rule.reduce)) rule.reduce = is_memory ? Reduce::max : Reduce::mean;
  if (rule.rank == RankMode::each) rule.rank = is_memory ? RankMode::max : RankMode::mean;
  rule.tolerance = {{{Bound{Bound::Kind::relative, Bound::Side::both, Decimal{1, 0}}}}};
  rule.waive.reset();
  rule.cap.reset();
  rule.max_misses = 0;
  rule.required = false;
  return rule;
}

Rule rule_for(const std::string& metric) {
  Rule rule;
  rule.name = rule.metric = metric;
  rule.window = usual_window;
  return rule;
}

Answer<void> check_metrics(const config::Case& spec, const std::vector<std::string>& metrics) {
  for (const std::string& name : metrics) {
    const Metric* metric = spec.metrics.find(name);
    if (metric == nullptr) {
      std::vector<std::string> names;
      for (const Metric& one : spec.metrics.all()) names.push_back(one.name);
      return usage("--metric " + printable(name, 100) + ": no such metric" + did_you_mean(name, names));
    }
    if (metric->better == Better::none)
      return usage("--metric " + name + ": nobody says whether more of it is better; declare it: [metrics." +
                   name + "] better = \"lower\"");
  }
  return {};
}

bool is_compared(const Rule& rule, const Metric& metric, const std::vector<std::string>& named) {
  if (!rule.attempt.empty() || rule.is_rest_of_curve || metric.better == Better::none) return false;
  if (!named.empty()) return is_named(named, rule.metric);
  return metric.kind == MetricKind::speed || metric.kind == MetricKind::memory;
}

Answer<AbQuestion> question_of(const config::Case& spec, const AbOptions& options, Moment now) {
  GATE_TRY_STATUS(check_metrics(spec, options.metrics));
  std::vector<Rule> rules = spec.rules;
  for (const std::string& name : options.metrics)
    if (std::ranges::find(rules, name, &Rule::metric) == rules.end()) rules.push_back(rule_for(name));
  AbQuestion question{{}, {}, options.pairs, options.metrics.empty(), to_iso(now).substr(0, 10)};
  for (Rule& rule : rules) {
    const Metric metric = spec.metrics.get(rule.metric);
    if (!is_compared(rule, metric, options.metrics)) continue;
    if (!options.metrics.empty()) rule.group.clear();
    question.tolerated.push_back(options.change.value_or(tolerated_by(rule.tolerance)));
    question.rules.push_back(reducing(std::move(rule), metric.kind));
  }
  return question;
}

// The suite around the tree stands in for nothing that the commit has not.
Answer<Suite> suite_in(const WorkTree& tree, const SuiteOptions& opened) {
  const std::string commit = printable(tree.rev, 100) + " (" + short_commit(tree.commit) + ")";
  if (!fs::is_folder(tree.root) || !fs::is_within(tree.root, tree.top))
    return usage(commit + " has no folder " + tree.root.lexically_relative(tree.top).string());
  SuiteOptions options = opened;
  options.folder = tree.root;
  options.config.clear();
  options.search = SuiteOptions::Search::nowhere;
  auto suite = open_suite(options);
  if (!suite) return tl::unexpected(Failure{suite.error().exit_code, commit + ": " + suite.error().message});
  return suite;
}

Answer<void> check_place(const PlannedCase& planned) {
  if (planned.place.hosts != std::vector{0})
    return refused(planned.spec->name + ": gate ab launches on this host alone, not on " +
                   "other hosts or in an engine; --hosts local, --backend local");
  if (planned.placement.rehearsed)
    return refused(planned.spec->name + ": a rehearsal measures nothing: it needs its devices");
  if (planned.placement.kind == Placement::Kind::infra) return infra(planned.placement.reason.english());
  if (planned.placement.kind != Placement::Kind::run) return refused(planned.placement.reason.english());
  return {};
}

Answer<AbCheckout> check_out_case(const std::string& name, const WorkTree& tree, const SuiteOptions& opened,
                                  RunOptions options, Environment& environment) {
  GATE_TRY(Suite suite, suite_in(tree, opened));
  const std::string& wanted = options.words.front();
  if (suite.find(wanted) == nullptr)
    return usage(printable(tree.rev, 100) + " (" + short_commit(tree.commit) + ") has no case " +
                 printable(wanted, 100));
  if (const auto& after = suite.find(wanted)->settings.after; !after.empty())
    return refused(printable(wanted, 100) + " comes after " + some_of(after, 5) +
                   ", and gate ab launches one case alone; --set after= has it without them");
  options.folder = tree.root;
  GATE_TRY(RunPlan plan, make_plan(suite, options, environment, Sending::yes, Bonds::after));
  plan.cases.front().against = {};
  GATE_TRY_STATUS(check_place(plan.cases.front()));
  return AbCheckout{name, std::move(suite), std::move(plan)};
}

// Return the name of the case that the word means, in any commit: of a script's path what the suite makes of
// it today.
Answer<std::string> name_of_case(const Suite& suite, const AbOptions& options) {
  const std::string word = as_suite_path(suite, options.case_name, options.run.folder);
  const auto known = std::ranges::find(suite.found, word, &config::CaseScript::script);
  if (is_glob(word)) return usage("--case " + printable(word, 100) + ": name one case");
  return known == suite.found.end() ? word : known->name;
}

AbResult whole_result(AbResult result, const Report& report, const WorkTrees& trees, const Suite& suite) {
  const CaseReport& one = report.cases.front();
  result.case_name = one.name;
  result.run = report.run;
  if (const auto folder = store::find_run(suite.root, report.run)) result.folder = folder->string();
  result.a = {trees.trees()[0].rev, trees.trees()[0].commit};
  result.b = {trees.trees()[1].rev, trees.trees()[1].commit};
  result.exit_code = report.exit_code;
  if (!result.failure && result.pairs == 0) result.failure = AbFailure{"", 0, one.verdict, one.reason, ""};
  if (result.failure) result.failure->reason = masker_for(suite).mask(result.failure->reason);
  return result;
}

}  // namespace

Answer<AbResult> ab(const Suite& suite, const SuiteOptions& opened, const AbOptions& asked,
                    Environment& environment) {
  GATE_TRY(std::string name, name_of_case(suite, asked));
  RunOptions options = asked.run;
  options.words = {std::move(name)};
  GATE_TRY(const WorkTrees trees, WorkTrees::check_out(suite, {asked.a, asked.b}, environment));
  GATE_TRY(const AbCheckout a, check_out_case("A", trees.trees()[0], opened, options, environment));
  GATE_TRY(const AbCheckout b, check_out_case("B", trees.trees()[1], opened, options, environment));
  if (a.planned().placement.devices != b.planned().placement.devices)
    return usage(a.planned().spec->name + ": A runs on " + a.planned().placement.devices + ", B on " +
                 b.planned().placement.devices + "; that is no question of the code");
  GATE_TRY(const AbQuestion question, question_of(*a.planned().spec, asked, environment.now()));
  GATE_TRY(RunSession session, RunSession::create(suite, options, a.plan, "ab", environment));
  GATE_TRY(CaseRunner runner, CaseRunner::open(session));
  PairedLaunches launches(a, b, question);
  GATE_TRY(const Report report, runner.run_all([&](const PlannedCase&, const PastLaunches&) {
    Course course(launches);
    return runner.follow(course);
  }));
  return whole_result(launches.result(), report, trees, suite);
}

}  // namespace gate::app
