#include "gate/app/read_logs.h"

#include <algorithm>
#include <iterator>

#include "gate/base/fs.h"
#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"

namespace gate::app {

namespace {

// What a file may be.
enum class Kind { log, log_or_json, log_or_golden };

bool is_golden(std::string_view text, Kind kind) {
  const std::string_view words = trim(text);
  if (kind == Kind::log || words.empty()) return false;
  return (kind == Kind::log_or_golden || words.starts_with('{')) && schema::looks_like_golden(text);
}

// Feed one file. Returns its text instead where it is a golden file.
Answer<std::string> feed(extract::Extractor& extractor, const std::string& file, Kind kind) {
  std::string text;
  bool begun = false, kept = false;
  extractor.begin_file(file);
  const Status read = fs::read_blocks(file, [&](std::string_view bytes) {
    if (!begun) kept = is_golden(bytes.substr(0, bytes.rfind('\n') + 1), kind) || is_golden(bytes, kind);
    begun = true;
    kept ? void(text += bytes) : extractor.feed(bytes);
  });
  if (!read) return usage(read.error());
  if (is_golden(text, kind)) return text;
  extractor.feed(text);
  return "";
}

Answer<Extraction> run_of_golden(const std::string& text, const std::string& file) {
  const Result<Baseline> baseline = schema::read_baseline(text, file);
  if (!baseline) return usage(baseline.error());
  if (baseline->runs.size() > 1)
    return usage(file + ": a baseline of " + std::to_string(baseline->runs.size()) +
                 " runs, and one run is judged; give a log or the series of one run");
  Extraction run = std::move(as_extractions(*baseline, file).front());
  run.notes = baseline->notes;
  run.bytes = text.size();
  return run;
}

Answer<Extraction> read_all(const std::vector<std::string>& files, extract::Options options, Kind kind) {
  Result<extract::Extractor> extractor = extract::Extractor::make(std::move(options));
  if (!extractor) return usage(extractor.error());
  for (const std::string& file : files) {
    const Answer<std::string> text = feed(*extractor, file, kind);
    if (!text) return tl::unexpected(text.error());
    if (text->empty()) continue;
    if (files.size() == 1) return run_of_golden(*text, file);
    return usage(file + ": a baseline or golden file is a run of its own; give it alone");
  }
  return extractor->finish();
}

}  // namespace

Answer<Extraction> read_logs(const std::vector<std::string>& logs, extract::Options options) {
  return read_all(logs, std::move(options), Kind::log);
}

Answer<Extraction> read_run_files(const std::vector<std::string>& files, extract::Options options) {
  const bool described = !options.patterns.empty() || !options.json.empty();
  const Kind kind = described ? Kind::log_or_json : Kind::log_or_golden;
  return read_all(files, std::move(options), kind);
}

Baseline make_candidate(const std::string& case_name, const std::string& platform,
                        const Extraction& extraction, Provenance provenance) {
  Baseline candidate;
  candidate.case_name = case_name;
  candidate.platform = platform;
  candidate.formats = extraction.formats;
  candidate.provenance = std::move(provenance);
  candidate.origin = "gate";
  BaselineRun run;
  run.total = extraction.total;
  run.series = extraction.series;
  std::erase_if(run.series, [](const Series& series) { return series.empty(); });
  candidate.runs.push_back(std::move(run));
  return candidate;
}

std::vector<Extraction> as_extractions(const Baseline& baseline, const std::string& name) {
  Extraction bare;
  bare.files.push_back(name);
  bare.formats = baseline.formats;
  std::vector<Extraction> extractions(std::max<std::size_t>(1, baseline.runs.size()), bare);
  for (std::size_t i = 0; i < baseline.runs.size(); ++i) {
    extractions[i].series = baseline.runs[i].series;
    extractions[i].total = baseline.runs[i].total;
  }
  return extractions;
}

void add_runs(Baseline& candidate, Baseline further) {
  std::move(further.runs.begin(), further.runs.end(), std::back_inserter(candidate.runs));
  candidate.provenance.ended_well &= further.provenance.ended_well;
}

}  // namespace gate::app
