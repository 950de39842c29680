#include "stored/compare/compare_side.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "gate/base/text.h"
#include "gate/judging/case_judge.h"
#include "gate/judging/derived.h"
#include "gate/judging/read_logs.h"
#include "gate/schema/baseline_file.h"
#include "gate/store/run_folder.h"
#include "gate/stored/baseline.h"
#include "gate/suite/chosen_cases.h"
#include "stored/results/compared.h"

namespace gate::app {

namespace {

constexpr std::size_t longest_word = 120;

Answer<SideSource> run_side(const Suite& suite, const std::string& word) {
  GATE_TRY(const auto folder, or_usage(store::find_run(suite.root, word)));
  GATE_TRY(Report report, or_usage(store::read_run(suite.root, word)));
  std::string path = folder.lexically_relative(suite.root).string();
  if (path.empty() || path.starts_with("..")) path = folder.string();
  return SideSource{{word, SideKind::run, path}, "", std::move(report), "", ""};
}

// What is larger is no baseline that could be read.
bool may_be_baseline(const std::string& word) {
  constexpr std::uintmax_t most_bytes = 64U << 20U;
  std::error_code error;
  return word.ends_with(".json") && std::filesystem::is_regular_file(word, error) &&
         std::filesystem::file_size(word, error) <= most_bytes;
}

// Whether another file is a log or a golden file is known when it is read.
SideSource file_side(const std::string& word) {
  SideSource side{{word, SideKind::log, word}, "", {}, "", ""};
  const std::string text = may_be_baseline(word) ? fs::read_file(word).value_or("") : "";
  if (!schema::looks_like_golden(text)) return side;
  if (const auto baseline = schema::read_baseline(text, word)) side.says = baseline->case_name;
  return side;
}

Answer<SideSource> case_side(const Suite& suite, const CompareOptions& options, const std::string& word) {
  const auto chosen = choose_judged(suite, {word}, {}, options.folder);
  const std::string gone = chosen ? "" : store::told_of_removed(suite.root, word);
  if (!gone.empty()) return usage(gone);
  if (!chosen)
    return usage("\"" + printable(word, longest_word) + "\": no file or folder, no run in .gate/runs; " +
                 chosen.error().message);
  if (chosen->size() != 1)
    return usage("\"" + printable(word, longest_word) + "\": " +
                 count_of(static_cast<std::int64_t>(chosen->size()), "case") + "; name one on each side");
  const auto file = find_baseline(suite, chosen->front().name, suite.root, options.platform);
  if (!file) return usage(file.error().message);
  return SideSource{{word, SideKind::baseline, file->path}, "", {}, chosen->front().name, ""};
}

void add_note_of_runs(SideSeries& found, const SideSource& side, std::size_t runs) {
  if (runs > 1)
    found.notes.push_back(say({"{} holds {} runs; the first is compared", "{} 有 {} 次运行；比较第一次"},
                              side.told.word, runs));
}

Answer<SideSeries> series_of_run(const Suite& suite, const SideSource& side, const std::string& case_name) {
  const auto& cases = side.report.cases;
  const auto report = std::ranges::find(cases, case_name, &CaseReport::name);
  SideSeries found{SideKind::run, {}, {}};
  if (report == cases.end()) return found;
  std::vector<std::vector<Series>> runs = what_was_compared(suite, *report).runs;
  add_note_of_runs(found, side, runs.size());
  if (!runs.empty()) found.series = std::move(runs.front());
  if (runs.empty())
    found.notes.push_back(
        say({"{}: the run kept no series of this case", "{}：运行没有保存这个用例的序列"}, side.told.word));
  return found;
}

SideSeries side_series(const config::Case& spec, const SideSource& side, const Reference& read,
                       const std::string& platform, std::vector<Sentence> notes) {
  SideSeries found{SideKind::baseline, {}, std::move(notes)};
  const Reference reference = with_derived(spec, read, platform, {});
  std::size_t runs = 0;
  for (const ReferenceSeries& series : reference.series) {
    found.series.push_back(series.runs.front());
    runs = std::max(runs, series.runs.size());
  }
  add_note_of_runs(found, side, runs);
  return found;
}

Answer<SideSeries> series_of_case(const Suite& suite, const CompareOptions& options, const SideSource& side) {
  GATE_TRY(const auto spec, case_of(suite, side.case_name));
  const auto file = find_baseline(suite, side.case_name, suite.root, options.platform);
  if (!file) return usage(file.error().message);
  GATE_TRY(const auto files, or_usage(store::read_baselines(suite.layout, file->place)));
  return side_series(spec, side, store::reference_of(files), file->place.platform, {});
}

// A case that the suite does not have is read as one of no script.
Answer<SideSeries> series_of_file(const Suite& suite, const CompareOptions& options, const SideSource& side,
                                  const std::string& case_name) {
  GATE_TRY(const auto spec, case_of(suite, case_name));
  extract::Options reading = extract_options(spec, {});
  GATE_TRY(LogOrGolden read, read_log_or_golden({side.told.word}, std::move(reading)));
  const std::string& platform = options.platform.empty() ? suite.policy.platform() : options.platform;
  if (auto* log = std::get_if<Extraction>(&read)) {
    if (!log->cut.empty()) log->notes.push_back(log->cut);
    if (!log->doubt.empty()) log->notes.push_back(log->doubt);
    SideSeries side_of_log{SideKind::log, with_derived(spec, *log, platform, {}).series, log->notes};
    leave_out_profiled(side_of_log.series, log->profiled, spec.metrics);
    return side_of_log;
  }
  const GoldenText& golden = std::get<GoldenText>(read);
  GATE_TRY(const Baseline baseline, or_usage(schema::read_baseline(golden.text, golden.file)));
  return side_series(spec, side, make_reference(baseline, golden.file),
                     baseline.platform.empty() ? platform : baseline.platform, baseline.notes);
}

}  // namespace

Answer<SideSource> find_side(const Suite& suite, const CompareOptions& options, const std::string& word) {
  if (word == "-") return file_side(word);
  const std::string script = as_suite_path(suite, word, options.folder);
  if (std::ranges::find(suite.found, script, &config::CaseScript::script) != suite.found.end())
    return case_side(suite, options, word);
  const fs::Path path(word);
  if (path.filename() == "result.json" && fs::exists(path)) return run_side(suite, word);
  if (fs::is_folder(path) && fs::exists(path / "result.json")) return run_side(suite, word);
  if (fs::exists(path)) return file_side(word);
  // The suite of no folder has no runs and no cases.
  const bool may_be_run = word.find('/') == std::string::npos && !word.starts_with(".");
  return may_be_run && store::find_run(suite.root, word) ? run_side(suite, word)
                                                         : case_side(suite, options, word);
}

Answer<SideSeries> series_of(const Suite& suite, const CompareOptions& options, const SideSource& side,
                             const std::string& case_name) {
  if (side.told.kind == SideKind::run) return series_of_run(suite, side, case_name);
  if (!side.case_name.empty()) return series_of_case(suite, options, side);
  return series_of_file(suite, options, side, case_name);
}

}  // namespace gate::app
