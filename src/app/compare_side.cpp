#include "app/compare_side.h"

#include "gate/app/baseline.h"
#include "gate/app/read_logs.h"
#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"
#include "gate/schema/result_file.h"
#include "gate/store/run_folder.h"

namespace gate::app {

namespace {

std::vector<Series> series_of(const Baseline& baseline) {
  return baseline.runs.empty() ? std::vector<Series>{} : baseline.runs.front().series;
}

// A case whose series were not kept has none to compare.
Side side_of_run(const Report& report, const std::string& word) {
  Side side{Side::Kind::run, "run " + (report.run.empty() ? word : report.run), {}};
  for (const CaseReport& one : report.cases) {
    const auto kept = one.artifacts.find("series");
    const std::string path = kept == one.artifacts.end() ? "" : kept->second;
    const auto text = path.empty() ? Result<std::string>(fail("")) : fs::read_file(path);
    const auto baseline = text ? schema::read_baseline(*text, path) : Result<Baseline>(fail(""));
    side.cases.push_back({one.name, std::string(to_string(one.verdict)),
                          baseline ? series_of(*baseline) : std::vector<Series>{}});
  }
  return side;
}

Answer<Side> side_of_file(const Suite& suite, const std::string& word) {
  extract::Options reading;
  reading.patterns = suite.policy.patterns();
  reading.metrics = suite.policy.metrics();
  reading.json = suite.policy.json();
  Answer<LogOrGolden> read = read_log_or_golden({word}, std::move(reading));
  if (!read) return tl::unexpected(read.error());
  if (auto* log = std::get_if<Extraction>(&*read)) {
    if (log->series.empty())
      return usage(word + ": no series in it; gate extract tells what its lines look like");
    return Side{Side::Kind::single, "log " + word, {{"", "", std::move(log->series)}}};
  }
  const GoldenText& golden = std::get<GoldenText>(*read);
  const Result<Baseline> baseline = schema::read_baseline(golden.text, golden.file);
  if (!baseline) return usage(baseline.error());
  return Side{Side::Kind::single, "baseline " + word, {{baseline->case_name, "", series_of(*baseline)}}};
}

bool is_run_folder(const fs::Path& path) {
  return fs::exists(path / "result.json") || path.filename() == "result.json";
}

Answer<Side> side_of_case(const Suite& suite, const std::string& word, const std::string& platform) {
  const auto file = find_baseline(suite, word, suite.root, platform);
  if (!file)
    return usage(word + ": neither a file nor a run of this suite, and as a case: " + file.error().message);
  return Side{Side::Kind::single,
              "baseline " + file->path,
              {{file->baseline.case_name, "", series_of(file->baseline)}}};
}

}  // namespace

Answer<Side> read_side(const Suite& suite, const std::string& word, const CompareOptions& options) {
  const bool is_path = word == "-" || fs::exists(word);
  if (is_path && !is_run_folder(word)) return side_of_file(suite, word);
  if (const auto found = store::find_run(suite.root, word); is_path || found) {
    const Result<Report> report = store::read_run(suite.root, word);
    if (!report) return usage(report.error());
    return side_of_run(*report, word);
  }
  return side_of_case(suite, word, options.platform);
}

}  // namespace gate::app
