#include "cli/commands/try_out.h"

#include <algorithm>
#include <map>

#include "gate/base/text.h"
#include "gate/runner/run.h"
#include "gate/stored/baseline.h"
#include "gate/suite/suite.h"

namespace gate::cli {

namespace {

constexpr std::size_t most_left = 5, most_named = 1, most_platforms = 3;

// Lines of what is left, each said once for all that it is of.
class Left {
 public:
  void add(const Sentence& why, const std::string& of) { of_why_[why].push_back(of); }

  std::vector<Sentence> lines() const {
    std::vector<Sentence> lines;
    for (const auto& [why, names] : of_why_)
      if (lines.size() < most_left) lines.push_back(listed(names, most_named) + colon + why);
    if (of_why_.size() > lines.size())
      lines.push_back(
          say({"{} more", "另有 {}"}, count_of(std::ssize(of_why_) - std::ssize(lines), "reason", "个原因")));
    return lines;
  }

 private:
  NamesBySentence of_why_;
};

InitTrial try_list(const app::Suite& suite) {
  Left left;
  std::int64_t unreadable = 0, skipped = 0;
  for (const config::Case& spec : suite.cases) {
    const bool is_skipped = !config::skip_words(spec).empty();
    skipped += is_skipped ? 1 : 0;
    if (is_skipped || spec.file.unreadable.empty()) continue;
    ++unreadable;
    left.add(config::unreadable_words(spec), spec.name);
  }
  Sentence said = count_of(std::ssize(suite.cases), "case", "个用例");
  if (skipped > 0) said += say({", {} skipped wherever they are", "，{} 个在哪里都跳过"}, skipped);
  if (unreadable > 0) said += say({", {} that cannot be read", "，{} 个无法读取"}, unreadable);
  return {"gate list", said, left.lines()};
}

InitTrial try_import(const app::Suite& suite, const std::string& golden, Moment now) {
  const std::string command = "gate baseline import --tree " + golden;
  const auto tried = app::import_tree(suite,
                                      {.folder = suite.root / golden,
                                       .cases = "",
                                       .platform = "",
                                       .environment = "",
                                       .steps = {},
                                       .dry_run = app::DryRun::yes},
                                      now);
  if (!tried) return {command, say({"fails", "失败"}), {tried.error().message}};
  Left left;
  for (const RefusedFile& file : tried->refused) left.add(file.why, file.path);
  return {command,
          say({"{} can be imported, {} cannot", "{}可以导入，{} 个不能"},
              count_of(std::ssize(tried->imported), "file", "个文件"), tried->refused.size()),
          left.lines()};
}

// Return the platforms that cases name, those of most cases first; without any the one of this host.
std::vector<std::string> platforms_of(const app::Suite& suite) {
  std::map<std::string, int> cases_of;
  for (const config::Case& spec : suite.cases)
    for (const std::string& platform : spec.settings.platform)
      if (!is_glob(platform)) ++cases_of[platform];
  auto names = keys_in(cases_of);
  std::ranges::stable_sort(names, std::greater(), [&](const auto& name) { return cases_of.at(name); });
  if (names.size() > most_platforms) names.resize(most_platforms);
  return names.empty() || !suite.policy.platform().empty() ? std::vector<std::string>{""} : names;
}

InitTrial try_run(const app::Suite& suite, const std::string& platform, app::Environment& environment) {
  const std::string command = "gate run --dry-run" + (platform.empty() ? "" : " --platform " + platform);
  app::RunOptions options;
  options.platform = platform;
  const auto planned = app::plan(suite, options, environment);
  if (!planned) return {command, say({"fails", "失败"}), {planned.error().message}};
  std::map<Verdict, std::int64_t> count;
  for (const CaseReport& one : planned->cases) ++count[one.verdict];
  const bool are_all_skipped = count[Verdict::skipped] == std::ssize(planned->cases);
  Left left;  // who names a platform means to leave out what is for another
  for (const CaseReport& one : planned->cases) {
    const bool is_told = one.verdict == Verdict::skipped && (platform.empty() || are_all_skipped);
    if (is_told || one.verdict == Verdict::unjudged) left.add(one.reason, one.name);
  }
  std::vector<Sentence> said;
  const auto add = [&](Verdict verdict, const Sentence& words) {
    if (count[verdict] > 0) said.push_back(say({"{} {}", "{} {}"}, count[verdict], words));
  };
  add(Verdict::not_run, {"to run", "待运行"});
  add(Verdict::infra,
      {"to run where there are hosts, devices and data for them", "在有相应主机、设备和数据的地方可运行"});
  add(Verdict::unjudged, {"unjudged", "未判定"});
  add(Verdict::skipped, {"skipped", "跳过"});
  return {command, join(said, comma), left.lines()};
}

}  // namespace

std::vector<InitTrial> try_out(const app::Init& init, app::Environment& environment) {
  app::SuiteOptions options;
  options.folder = fs::Path(init.path).parent_path();
  options.search = app::SuiteOptions::Search::nowhere;
  const auto suite = app::open_suite(options);
  if (!suite) return {{"gate list", say({"fails", "失败"}), {suite.error().message}}};
  std::vector<InitTrial> trials{try_list(*suite)};
  if (!init.proposal.golden.empty())
    trials.push_back(try_import(*suite, init.proposal.golden, environment.now()));
  if (suite->cases.empty()) return trials;
  for (const std::string& platform : platforms_of(*suite))
    trials.push_back(try_run(*suite, platform, environment));
  return trials;
}

}  // namespace gate::cli
