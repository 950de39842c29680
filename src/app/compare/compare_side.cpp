#include "app/compare/compare_side.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "app/judging/case_judge.h"
#include "app/results/explain_values.h"
#include "app/suite/chosen_cases.h"
#include "gate/app/baseline.h"
#include "gate/app/derived.h"
#include "gate/app/read_logs.h"
#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"
#include "gate/store/run_folder.h"

namespace gate::app {

namespace {

constexpr std::size_t longest_word = 120;

bool is_run_path(const std::string& word) {
  const fs::Path path(word);
  return path.filename() == "result.json" || (fs::is_folder(path) && fs::exists(path / "result.json"));
}

std::string as_seen_from(const fs::Path& root, const fs::Path& folder) {
  const std::string path = folder.lexically_relative(root).string();
  return path.empty() || path.starts_with("..") ? folder.string() : path;
}

Answer<Side> run_side(const Suite& suite, const std::string& word) {
  const auto folder = store::find_run(suite.root, word);
  if (!folder) return usage(folder.error());
  Result<Report> report = store::read_run(suite.root, word);
  if (!report) return usage(report.error());
  return Side{{word, SideKind::run, as_seen_from(suite.root, *folder)}, std::move(*report), "", ""};
}

// What is larger is no baseline that could be read.
bool may_be_baseline(const std::string& word) {
  constexpr std::uintmax_t most_bytes = 64U << 20U;
  std::error_code error;
  return word.ends_with(".json") && std::filesystem::is_regular_file(word, error) &&
         std::filesystem::file_size(word, error) <= most_bytes;
}

// Whether another file is a log or a golden file is known when it is read.
Side file_side(const std::string& word) {
  Side side{{word, SideKind::log, word}, {}, "", ""};
  const std::string text = may_be_baseline(word) ? fs::read_file(word).value_or("") : "";
  if (!schema::looks_like_golden(text)) return side;
  if (const auto baseline = schema::read_baseline(text, word)) side.says = baseline->case_name;
  return side;
}

// The suite of no folder has no runs and no cases.
bool is_run_of(const Suite& suite, const std::string& word) {
  return word.find('/') == std::string::npos && !word.starts_with(".") &&
         store::find_run(suite.root, word).has_value();
}

bool is_script(const Suite& suite, const CompareOptions& options, const std::string& word) {
  const std::string path = as_suite_path(suite, word, options.folder);
  return std::ranges::find(suite.found, path, &config::CaseScript::script) != suite.found.end();
}

Answer<Side> case_side(const Suite& suite, const CompareOptions& options, const std::string& word) {
  const auto chosen = choose_judged(suite, {word}, {}, options.folder);
  if (!chosen)
    return usage("\"" + printable(word, longest_word) + "\": no file or folder, no run in .gate/runs; " +
                 chosen.error().message);
  if (chosen->size() != 1)
    return usage("\"" + printable(word, longest_word) + "\": " +
                 count_of(static_cast<std::int64_t>(chosen->size()), "case") + "; name one on each side");
  const auto file = find_baseline(suite, chosen->front().name, suite.root, options.platform);
  if (!file) return usage(file.error().message);
  return Side{{word, SideKind::baseline, file->path}, {}, chosen->front().name, ""};
}

void note_runs(SideSeries& side, const Side& of, std::size_t runs) {
  if (runs > 1)
    side.notes.push_back(of.told.word + " holds " + std::to_string(runs) + " runs; the first is compared");
}

Answer<SideSeries> series_of_run(const Suite& suite, const Side& side, const std::string& case_name) {
  const auto& cases = side.report.cases;
  const auto report = std::ranges::find(cases, case_name, &CaseReport::name);
  SideSeries found{SideKind::run, {}, {}};
  if (report == cases.end()) return found;
  std::vector<std::vector<Series>> runs = what_was_compared(suite, *report).runs;
  note_runs(found, side, runs.size());
  if (!runs.empty()) found.series = std::move(runs.front());
  if (runs.empty()) found.notes.push_back(side.told.word + ": the run kept no series of this case");
  return found;
}

SideSeries side_series(const config::Case& spec, const Side& side, const Reference& read,
                       std::vector<std::string> notes) {
  SideSeries found{SideKind::baseline, {}, std::move(notes)};
  const Reference reference = with_derived(spec, read, {});
  std::size_t runs = 0;
  for (const ReferenceSeries& series : reference.series) {
    found.series.push_back(series.runs.front());
    runs = std::max(runs, series.runs.size());
  }
  note_runs(found, side, runs);
  return found;
}

Answer<SideSeries> series_of_case(const Suite& suite, const CompareOptions& options, const Side& side) {
  GATE_TRY(const auto spec, case_of(suite, side.case_name));
  const auto file = find_baseline(suite, side.case_name, suite.root, options.platform);
  if (!file) return usage(file.error().message);
  const auto files = store::read_baselines(suite.layout, side.case_name, file->platform);
  if (!files) return usage(files.error());
  return side_series(spec, side, store::reference_of(*files), {});
}

// A case that the suite does not have is read as one of no script.
Answer<SideSeries> series_of_file(const Suite& suite, const CompareOptions& options, const Side& side,
                                  const std::string& case_name) {
  GATE_TRY(const auto spec, case_of(suite, case_name));
  extract::Options reading = extract_options(spec, {});
  reading.threads = options.threads;
  GATE_TRY(LogOrGolden read, read_log_or_golden({side.told.word}, std::move(reading)));
  if (auto* log = std::get_if<Extraction>(&read)) {
    if (!log->cut.empty()) log->notes.push_back(log->cut);
    if (!log->doubt.empty()) log->notes.push_back(log->doubt);
    return SideSeries{SideKind::log, with_derived(spec, *log, {}).series, log->notes};
  }
  const GoldenText& golden = std::get<GoldenText>(read);
  const Result<Baseline> baseline = schema::read_baseline(golden.text, golden.file);
  if (!baseline) return usage(baseline.error());
  return side_series(spec, side, make_reference(*baseline, golden.file), baseline->notes);
}

}  // namespace

Answer<Side> find_side(const Suite& suite, const CompareOptions& options, const std::string& word) {
  if (word == "-") return file_side(word);
  if (is_script(suite, options, word)) return case_side(suite, options, word);
  if (fs::exists(word)) return is_run_path(word) ? run_side(suite, word) : file_side(word);
  if (is_run_of(suite, word)) return run_side(suite, word);
  return case_side(suite, options, word);
}

Answer<SideSeries> series_of(const Suite& suite, const CompareOptions& options, const Side& side,
                             const std::string& case_name) {
  if (side.told.kind == SideKind::run) return series_of_run(suite, side, case_name);
  if (!side.case_name.empty()) return series_of_case(suite, options, side);
  return series_of_file(suite, options, side, case_name);
}

}  // namespace gate::app
