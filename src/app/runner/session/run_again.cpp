#include "runner/session/run_again.h"

#include <algorithm>

#include "gate/base/text.h"
#include "gate/store/run_folder.h"
#include "gate/suite/git.h"
#include "gate/suite/predecessors.h"
#include "gate/suite/suite_masker.h"

namespace gate::app {

namespace {

// Return what differs, for people: `its script and rules changed`; nothing if all is the same.
std::optional<Sentence> changes(const std::map<std::string, std::string>& before,
                                const std::map<std::string, std::string>& now) {
  std::vector<std::string> names;
  for (const auto& [name, hash] : now)
    if (const auto was = before.find(name); was == before.end() || was->second != hash) names.push_back(name);
  if (names.size() == now.size())
    return say({"what it was judged from is not known since", "不知道它当时依据什么判定"});
  if (names.empty()) return std::nullopt;
  return say({"its {} changed since", "它的 {} 此后有改动"}, join(names, ", "));
}

// Return the earlier run that is named, or meant.
Answer<Report> run_before(const Suite& suite, const RunOptions& options) {
  const std::string flag = options.again ? "--again" : "--resume";
  if (!options.words.empty() || !options.tags.empty() || options.shard || !options.changed_since.empty())
    return usage(flag +
                 " takes the cases from the earlier run; name no case, tag, shard or change beside it");
  return earlier_run(
      {.folder = suite.root, .config = {}, .overrides = {}, .search = SuiteOptions::Search::nowhere},
      options.again, options.resume);
}

bool is_gone(const Suite& suite, const std::string& name) {
  return suite.trusted && suite.trusted->gone.contains(name);
}

// What was red by one policy or one environment's baselines is not to be green by another's.
Answer<void> check_same_judge(const Suite& suite, const RunOptions& options, const Report& earlier,
                              const std::string& flag) {
  const auto started_with = [&](const std::string& words) {
    return usage(flag + ": run " + earlier.run + " was started with " + words + "; give the same");
  };
  const std::string ref = suite.trusted ? suite.trusted->policy.commit : "";
  if (const std::string commit = earlier.policy ? earlier.policy->commit : ""; commit != ref)
    return started_with(earlier.policy
                            ? "--policy-from " + earlier.policy->reference + ", which was " + commit
                            : "no --policy-from");
  if (options.determinism != earlier.determinism.value_or(1))
    return started_with(earlier.determinism ? "--determinism " + std::to_string(*earlier.determinism)
                                            : "no --determinism");
  if (const std::string strategy = suite.strategy ? suite.strategy->strategy.name : "";
      strategy != earlier.strategy)
    return started_with(earlier.strategy.empty() ? "no --strategy" : "--strategy " + earlier.strategy);
  if (earlier.rehearsal && !suite.rehearsal) return started_with("--devices 0");
  if (suite.environment != earlier.environment)
    return started_with(earlier.environment.empty() ? "no --environment"
                                                    : "--environment " + earlier.environment);
  return {};
}

Answer<RunOptions> again(const Suite& suite, RunOptions options) {
  GATE_TRY(const Report earlier, run_before(suite, options));
  GATE_TRY_STATUS(check_same_judge(suite, options, earlier, "--again"));
  for (const CaseReport& c : earlier.cases)  // an orphan's report has no script to run
    if (c.verdict != Verdict::passed && c.verdict != Verdict::skipped &&
        (suite.find(c.name) != nullptr || is_gone(suite, c.name)))
      options.words.push_back(c.name);
  if (options.words.empty())
    return refused("--again: run " + earlier.run + " left nothing that is not green");
  std::set<std::string> told(options.words.begin(), options.words.end());
  if (!options.args.empty() || !options.set.empty()) add_predecessors(suite.cases, Bonds::all, told);
  for (const std::string& name : options.words) told.erase(name);
  // What the words were for then, they are for now, and when this run is taken up in turn.
  std::ranges::copy_if(told, std::back_inserter(options.words),
                       [&](const std::string& name) { return suite.is_told(name); });
  return options;
}

// What is cut off is continued as it was begun, or not at all.
Answer<void> check_same(const Suite& suite, const RunOptions& options, const Report& earlier) {
  std::vector<std::string> now = options.command_line, then = earlier.command_line;
  mask(now, masker_for(suite));
  for (std::vector<std::string>* words : {&now, &then})
    std::ranges::sort(words->begin(), std::ranges::find(*words, "--"));
  if (now != then)
    return usage("--resume: run " + earlier.run + " was started " +
                 (then.empty() ? "without " + join(now, " ") : "with " + join(then, " ")) +
                 "; give the same, or leave that out");
  if (!options.out.empty()) return usage("--resume: run " + earlier.run + " has its folder; leave --out out");
  return {};
}

Answer<RunOptions> resume(const Suite& suite, RunOptions options) {
  GATE_TRY(const Report earlier, run_before(suite, options));
  options.resume = earlier.run;
  GATE_TRY_STATUS(check_same_judge(suite, options, earlier, "--resume"));
  GATE_TRY_STATUS(check_same(suite, options, earlier));
  if (const std::string commit = git_commit(suite.root); commit != earlier.commit)
    return refused("--resume: run " + earlier.run + " is of commit " + printable(earlier.commit, 40) +
                   ", and this is " + (commit.empty() ? "none" : commit) + "; start a new run");
  options.words = earlier.words;
  options.tags = earlier.tags;
  options.shard = earlier.shard;
  options.changed_since = earlier.changed_since_commit;  // wherever the ref is by now
  options.nothing_ok = earlier.nothing_ok;
  if (options.platform.empty()) options.platform = earlier.platform;
  return options;
}

}  // namespace

std::optional<Sentence> why_again(const CaseReport& finished, const PlannedCase& planned,
                                  const std::set<std::string>& left) {
  if (auto why = changes(finished.inputs, planned.inputs)) return why;
  for (const std::string& name : planned.spec->settings.after)
    if (left.contains(name))
      return say({"it comes after case {}, which runs", "它的前置用例 {} 要运行"}, name);
  for (const std::string& partner : partners_of(*planned.spec))
    if (left.contains(partner))
      return say({"it is judged beside case {}, which runs", "与它并排判定的用例 {} 要运行"}, partner);
  return std::nullopt;
}

Answer<void> check_rest(const Suite& suite, const RunOptions& options, const RunPlan& plan) {
  if (!options.resume) return {};
  const Result<Report> earlier = store::read_run(suite.root, *options.resume);
  if (!earlier) return usage(earlier.error());
  if (plan.is_rehearsal() && !earlier->rehearsal)
    return refused("--resume: run " + earlier->run + " was no rehearsal; start a new run");
  if (plan.split != earlier->split)
    return refused("--resume: other cases are in shard " + to_string(options.shard.value_or(Shard{})) +
                   " by now than in run " + earlier->run + "; start a new run");
  for (const PlannedCase& planned : plan.cases) {
    const auto before = std::ranges::find(earlier->cases, planned.spec->name, &CaseReport::name);
    if (before == earlier->cases.end() || !has_finished(*before) || why_again(*before, planned, {}))
      return {};
  }
  if (store::is_open(suite.root, *options.resume)) return {};
  return refused("--resume: run " + earlier->run + " has finished every case");
}

Answer<Report> earlier_run(const SuiteOptions& opened, const std::optional<std::string>& again,
                           const std::optional<std::string>& resume) {
  const std::string flag = again ? "--again" : "--resume";
  if (again && resume) return usage("--again and --resume exclude one another");
  const fs::Path root = root_of(opened);
  if (root.empty()) return no_suite(opened.folder);
  const std::string& run = again ? *again : *resume;
  Result<Report> report = resume && run.empty() ? store::read_cut_off(root) : store::read_run(root, run);
  if (!report) return usage(flag + ": " + report.error().message);
  if (report->command != "run") return usage(flag + ": run " + report->run + " is no `gate run`");
  return std::move(*report);
}

Answer<RunOptions> with_earlier_run(const Suite& suite, RunOptions options) {
  if (options.resume) return resume(suite, std::move(options));
  if (options.again) return again(suite, std::move(options));
  return options;
}

}  // namespace gate::app
