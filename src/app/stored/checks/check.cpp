#include "gate/stored/check.h"

#include <algorithm>
#include <map>

#include "gate/base/text.h"
#include "gate/judging/case_judge.h"
#include "gate/judging/case_outputs.h"
#include "gate/judging/derived.h"
#include "gate/judging/judged_phases.h"
#include "gate/judging/pytest_launch.h"
#include "gate/judging/read_logs.h"
#include "gate/schema/baseline_file.h"
#include "gate/schema/golden_name.h"
#include "gate/schema/pytest_file.h"
#include "gate/store/run_folder.h"
#include "gate/stored/charts.h"
#include "gate/suite/chosen_cases.h"
#include "gate/suite/git.h"

namespace gate::app {

namespace {

// What a log is judged against: a case with its baselines, or a file.
struct CheckTarget {
  config::Case spec;
  JudgedAgainst judged;
  std::string platform;
};

// What a run left of a case in its folder, also where that was packed and sent: its logs, those of further
// phases in `phase-NAME`, and the run's report above it, which says what it ran on.
//
//   review/result.json  review/train/log.txt  review/train/phase-resume/log.txt
struct LeftByRun {
  std::vector<std::string> logs;
  std::map<std::string, std::string> phases;  // by the phase's name: its log
  std::string platform, environment;
};

std::optional<Report> report_above(const fs::Path& folder) {
  constexpr int farthest = 8;  // parts of the name of a case
  fs::Path above = folder.parent_path();
  for (int i = 0; i < farthest && above != above.parent_path(); ++i, above = above.parent_path())
    if (fs::exists(above / "result.json"))
      if (auto report = store::read_run("", above.string())) return std::move(*report);
  return std::nullopt;
}

Answer<std::optional<LeftByRun>> left_by_run(const CheckOptions& options) {
  const fs::Path folder = fs::whole_path(options.logs.front());
  if (options.case_name.empty() || options.logs.size() > 1 || !fs::exists(folder / "log.txt"))
    return std::nullopt;
  const std::optional<Report> report = report_above(folder);
  const CaseReport* const one =
      report ? row_in(report->cases, options.case_name, &CaseReport::name) : nullptr;
  if (one == nullptr) return std::nullopt;
  LeftByRun left{{}, {}, one->platform, report->environment};
  GATE_TRY(const std::vector<std::string> files, log_files(options.logs));
  for (const std::string& file : files) {
    const fs::Path path = fs::Path(file).lexically_relative(options.logs.front());
    const std::string part = path.begin()->string(), name = path.filename().string();
    if (part.starts_with("phase-") && name == "log.txt") left.phases[part.substr(6)] = file;
    const bool is_of_other_start =
        path.has_parent_path() && (part.starts_with("phase-") || part.starts_with("try-"));
    if (!is_of_other_start && !(name.starts_with("series") && name.ends_with(".json")))
      left.logs.push_back(file);
  }
  return left;
}

// Of which place the logs are: platform and environment are the flags', else the suite's, else those of the
// only baseline there is for what is told; a run's own folder says what it ran on.
Answer<store::BaselinePlace> place_of_logs(const Suite& suite, const CheckOptions& options,
                                           const std::string& case_name, const LeftByRun& left) {
  const std::string& of_run = left.platform.empty() ? suite.policy.platform() : left.platform;
  const std::string& told = options.platform.empty() ? of_run : options.platform;
  const store::BaselinePlace run{told, case_name,
                                 suite.environment.empty() ? left.environment : suite.environment};
  if (!told.empty()) return run;
  std::vector<store::BaselinePlace> places = store::baseline_places(suite.layout, case_name);
  std::erase_if(places, [&](const store::BaselinePlace& place) {
    return !run.environment.empty() && !place.environment.empty() && place.environment != run.environment;
  });
  if (places.size() == 1)
    return store::BaselinePlace{places.front().platform, case_name,
                                run.environment.empty() ? places.front().environment : run.environment};
  if (places.empty()) return run;
  return usage(case_name + " has baselines of several platforms or environments (" +
               join(store::names_of(places), ", ") +
               "); say which run this is with --platform and --environment");
}

Answer<CheckTarget> target_of_case(const Suite& suite, const CheckOptions& options, const LeftByRun& left) {
  GATE_TRY(const auto chosen, choose_judged(suite, {options.case_name}, {}, suite.root));
  if (chosen.size() != 1) return usage("--case " + options.case_name + ": names several cases; name one");
  GATE_TRY(const store::BaselinePlace place, place_of_logs(suite, options, chosen.front().name, left));
  GATE_TRY(auto against, or_usage(judged_at(suite.layout, place)));
  return CheckTarget{chosen.front(), std::move(against), place.platform};
}

Answer<Baseline> reference_of_log(const config::Case& spec, const Extraction& extraction,
                                  const std::string& path) {
  if (const Status fit = check_fit_as_baseline(spec, extraction); !fit) return usage(fit.error());
  if (extraction.series.empty() && !spec.settings.formats.empty())
    return usage(path + ": nothing is read of it: formats = " + join(spec.settings.formats, ", ") +
                 " is set (gate.toml, --set); gate extract shows its lines");
  if (extraction.series.empty() && fs::is_folder(path))
    return usage(path + ": holds no log of a known format; gate extract shows the lines of its files");
  if (extraction.series.empty()) {
    const Result<Baseline> baseline = schema::read_baseline(fs::read_file(path).value_or(""), path);
    return usage(path +
                 ": neither a log of a known format (gate extract shows its lines) nor a golden file (gate "
                 "help golden files lists those that are read; gate score FILE " +
                 shell_quote(path) +
                 " compares what a model wrote): " + (baseline ? "" : baseline.error().message));
  }
  return make_candidate(spec, "", extraction, extraction.provenance);
}

Answer<Baseline> read_reference_file(const config::Case& spec, const std::string& path) {
  if (path == "-") return usage("--baseline -: a baseline is a file; only LOG can be standard input");
  GATE_TRY(const LogOrGolden read, read_log_or_golden({path}, extract_options(spec, {})));
  if (const auto* log = std::get_if<Extraction>(&read)) return reference_of_log(spec, *log, path);
  const GoldenText& golden = std::get<GoldenText>(read);
  return or_usage(schema::read_baseline(golden.text, golden.file));
}

// A folder is the files of one run.
Answer<std::vector<BaselineUsed>> reference_files(const std::string& path) {
  GATE_TRY(const std::vector<std::string> files, log_files({path}));
  std::vector<BaselineUsed> used;
  for (const std::string& file : files) used.push_back({file, fs::sha256(fs::read_file(file).value_or(""))});
  return used;
}

// What is judged against the file. That of a run which ended early is told: a shorter run passes against it.
Answer<JudgedAgainst> judged_against_file(const Baseline& baseline, const std::string& path) {
  GATE_TRY(std::vector<BaselineUsed> files, reference_files(path));
  JudgedAgainst against{make_reference(baseline, path), std::move(files), baseline.provenance};
  for (const BaselineRun& run : baseline.runs)
    if (const Sentence early = early_end(run.series, run.total); !early.empty())
      against.reference.notes.push_back(say({"the baseline {}: {}", "基线 {}：{}"}, path, early));
  return against;
}

// The numbers of one device say nothing of another one.
Answer<void> check_same_platform(const Suite& suite, const Baseline& baseline, const CheckOptions& options) {
  const auto named = schema::golden_name(options.baseline, "");
  const std::string of_name = named ? named->platform : "";
  const std::string& of_file = baseline.platform.empty() ? of_name : baseline.platform;
  const bool is_of_suite = options.platform.empty();
  const std::string& told = is_of_suite ? suite.policy.platform() : options.platform;
  if (told.empty() || of_file.empty() || of_file == told || store::is_in_group(suite.layout, of_file, told) ||
      store::is_in_group(suite.layout, told, of_file))
    return {};
  return usage(
      (is_of_suite ? "platform = \"" + told + "\" of gate.toml: " : "--platform " + told + ": ") +
      options.baseline + " is of " + of_file + "; name a baseline of that platform, or " +
      (is_of_suite ? "say --platform " + of_file + " where the log is of that one" : "leave --platform out"));
}

Answer<CheckTarget> target_of_file(const Suite& suite, const CheckOptions& options) {
  GATE_TRY(config::Case spec, case_of_no_script(suite, options.overrides));
  GATE_TRY(const Baseline baseline, read_reference_file(spec, options.baseline));
  GATE_TRY_STATUS(check_same_platform(suite, baseline, options));
  GATE_TRY(JudgedAgainst against, judged_against_file(baseline, options.baseline));
  spec.name = fs::name_of(options.logs.front());
  return CheckTarget{spec, std::move(against),
                     options.platform.empty() ? baseline.platform : options.platform};
}

Answer<CheckTarget> target_of(const Suite& suite, const CheckOptions& options, const LeftByRun& left) {
  if (options.case_name.empty()) return target_of_file(suite, options);
  GATE_TRY(CheckTarget target, target_of_case(suite, options, left));
  if (options.baseline.empty()) return target;
  GATE_TRY(const Baseline baseline, read_reference_file(target.spec, options.baseline));
  GATE_TRY(target.judged, judged_against_file(baseline, options.baseline));
  return target;
}

// Of a case that pytest judges the log is pytest's file.
Answer<Extraction> read_tests_of(const config::Case& spec, const std::vector<std::string>& files) {
  const std::string& file = files.front();
  const auto refused = [&](const std::string& why) {
    return usage(why + ": " + spec.name + " is judged by its tests; give the JUnit file that pytest " +
                 "--junitxml writes, and no log");
  };
  if (files.size() != 1) return refused("several files");
  std::string text;
  GATE_TRY_STATUS(or_usage(fs::read_blocks(file, [&](std::string_view block) {
    if (text.size() <= schema::most_pytest_bytes) text += block;
  })));
  Extraction extraction;
  Result<TestRun> tests = tests_of_file(text, file, spec, 0, extraction.notes);
  if (!tests) return refused(tests.error().message);
  extraction.files = files;
  extraction.bytes = static_cast<std::int64_t>(text.size());
  extraction.tests = std::move(*tests);
  return extraction;
}

Answer<Extraction> read_what_is_judged(const CheckTarget& target, const std::vector<std::string>& logs) {
  if (target.spec.settings.judge == config::JudgeMode::pytest) return read_tests_of(target.spec, logs);
  extract::Options reading = extract_options(target.spec, target.judged.reference);
  return read_run_files(logs, std::move(reading));
}

using PhaseLogs = std::map<std::string, std::vector<std::string>>;

// By the phase's name; of those that no word gives, what the run left.
Answer<PhaseLogs> phase_logs(const config::Case& spec, const std::vector<std::string>& words,
                             const std::vector<std::string>& logs_of_first, const LeftByRun& left) {
  PhaseLogs logs;
  const std::vector<std::string>& phases = spec.settings.phases;
  const std::vector<std::string> further(phases.begin() + (phases.empty() ? 0 : 1), phases.end());
  for (const std::string& word : words) {
    const auto said = key_and_value(word);
    if (!said) return usage("--phase " + printable(word, 80) + ": is no PHASE=LOG");
    const std::string name(said->key);
    if (std::ranges::find(further, name) == further.end())
      return usage("--phase " + printable(name, 80) + ": " + spec.name +
                   (further.empty() ? " has no further phase" : " has " + join(further, ", ")));
    logs[name].emplace_back(said->value);
    if (std::ranges::find(logs_of_first, logs[name].back()) != logs_of_first.end())
      return usage(logs[name].back() + ": is given as a log of phase " + name + " and of the first phase");
  }
  for (const std::string& name : further)
    if (const auto log = left.phases.find(name); log != left.phases.end() && !logs.contains(name))
      logs[name] = {log->second};
  return logs;
}

// By the output's name.
Answer<std::map<std::string, fs::Path>> output_files(const config::Case& spec,
                                                     const std::vector<std::string>& words) {
  const auto known = keys_in(spec.settings.outputs);
  std::map<std::string, fs::Path> files;
  for (const std::string& word : words) {
    const auto said = key_and_value(word);
    if (!said || said->value.empty()) return usage("--output " + printable(word, 80) + ": is no NAME=FILE");
    const std::string name(said->key);
    if (std::ranges::find(known, name) == known.end())
      return usage("--output " + printable(name, 80) + ": " + spec.name +
                   (known.empty() ? " has no outputs"
                                  : " has no such output" + did_you_mean(name, known) + "; it has " +
                                        join(known, ", ")));
    if (!files.emplace(name, said->value).second)
      return usage("--output " + name + ": is given twice; a run leaves one file of it");
  }
  return files;
}

// Every output of the case counts: one that is not given leaves the case incomplete. No folder of stages is
// known, so that golden files in it are none.
void add_saved_outputs(Extraction& run, const config::Case& spec,
                       const std::map<std::string, fs::Path>& files) {
  std::vector<KeptOutput> kept;
  for (const auto& [name, output] : spec.settings.outputs) {
    const auto file = files.find(name);
    if (file != files.end())
      kept.push_back({name, file->second, ""});
    else
      kept.push_back(
          {name,
           {},
           say({"no file of it is given: --output {}=FILE", "没有给出它的文件：--output {}=FILE"}, name)});
  }
  add_outputs(run, spec, kept, "{stages}");
}

// Judge the further phases of a case, each by its logs.
class PhaseChecks {
 public:
  PhaseChecks(const CheckTarget& target, const Extraction& first, PhaseLogs logs)
      : target_(target), logs_(std::move(logs)) {
    runs_.emplace(0, first);
  }

  Answer<void> judge_all(CaseReport& report, const std::string& today) {
    for (std::size_t phase = 1; phase < config::count_starts(settings()); ++phase)
      GATE_TRY_STATUS(judge(phase, report, today));
    return {};
  }

 private:
  const config::Settings& settings() const { return target_.spec.settings; }

  Answer<void> judge(std::size_t phase, CaseReport& report, const std::string& today) {
    const std::string name = config::phase_name(settings(), phase);
    const std::optional<std::size_t> index = config::phase_against(settings(), phase);
    const auto of_index = index ? runs_.find(*index) : runs_.end();
    const Extraction* const run = of_index == runs_.end() ? nullptr : &of_index->second;
    const auto files = logs_.find(name);
    if (files == logs_.end() || (index && run == nullptr)) {
      CaseReport none;
      none.verdict = Verdict::incomplete;
      none.reason = say({"no log of it is given: --phase {}=LOG", "没有给出它的日志：--phase {}=LOG"}, name);
      add_phase(report, std::move(none), name);
      return {};
    }
    const JudgedAgainst against =
        run == nullptr ? target_.judged : judged_against_phase(config::phase_name(settings(), *index), *run);
    const config::Case spec = case_of_phase(target_.spec, phase, against.reference);
    extract::Options reading = extract_options(spec, against.reference);
    GATE_TRY(Extraction extraction, read_run_files(files->second, std::move(reading)));
    const std::optional<int> from = config::phase_at(settings(), phase).from;
    const auto checkpoint = from ? std::optional<std::int64_t>(*from) : std::nullopt;
    add_phase(report,
              judge_phase({spec, phase, against, runs_.at(0), checkpoint, extraction, std::nullopt},
                          target_.platform, today),
              name);
    report.artifacts.emplace("log-" + name, files->second.front());
    runs_.emplace(phase, std::move(extraction));
    return {};
  }

  const CheckTarget& target_;
  PhaseLogs logs_;
  std::map<std::size_t, Extraction> runs_;  // of the phases that have logs
};

}  // namespace

Answer<Report> check(const Suite& suite, const CheckOptions& options, Moment now) {
  GATE_TRY(const std::optional<LeftByRun> by_run, left_by_run(options));
  const LeftByRun left = by_run.value_or(LeftByRun{options.logs, {}, "", ""});
  GATE_TRY(const CheckTarget target, target_of(suite, options, left));
  GATE_TRY(PhaseLogs logs, phase_logs(target.spec, options.phases, options.logs, left));
  GATE_TRY(const auto outputs, output_files(target.spec, options.outputs));
  GATE_TRY(Extraction extraction, read_what_is_judged(target, left.logs));
  add_saved_outputs(extraction, target.spec, outputs);
  Report report;
  report.gate_version = GATE_VERSION;
  report.suite = suite.name;
  report.command = "check";
  report.platform = target.platform;
  report.environment = target.judged.environment;
  report.commit = git_commit(suite.root);
  if (suite.trusted) report.policy = suite.trusted->policy;
  report.started = report.finished = to_iso(now);
  report.cases.push_back(judge_case(target.spec, target.judged, extraction, std::nullopt, target.platform,
                                    report.started.substr(0, 10)));
  CaseReport& judged = report.cases.back();
  add_loosened(report, judged);
  judged.quarantine = quarantine_on(target.spec, report.started.substr(0, 10));
  judged.artifacts.emplace("log", options.logs.front());
  GATE_TRY_STATUS(
      PhaseChecks(target, extraction, std::move(logs)).judge_all(judged, report.started.substr(0, 10)));
  if (options.charts) {
    judged.charts = charts_of(judged, with_derived(target.spec, extraction, target.platform, {}).series,
                              with_derived(target.spec, target.judged.reference, target.platform, {}));
    judged.excerpts = excerpts_of(judged);
  }
  const bool lacks_baseline = target.judged.reference.series.empty();
  if (Sentence unknown = unknown_environment(suite, lacks_baseline); !unknown.empty())
    report.notes.push_back(std::move(unknown));
  if (!fs::exists(suite.config) && find_suite_root(suite.asked_for).empty())
    report.notes.push_back(say({"no suite here or above: judged by gate's built-in rules",
                                "此处及上级目录没有用例集：按 gate 的内置规则判定"}));
  report.exit_code = exit_code_of(report);
  return report;
}

}  // namespace gate::app
