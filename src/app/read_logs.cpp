#include "gate/app/read_logs.h"

#include "gate/base/fs.h"

namespace gate::app {

namespace {

Series without_gaps(const Series& series) {
  Series kept(series.metric(), series.rank(), series.unit(), series.numbered());
  for (const Sample& sample : series.samples())
    if (sample.value.kind != ValueKind::left_out) kept.append(sample);
  kept.set_assumed(series.assumed());
  return kept;
}

void note_gaps(Baseline& candidate, const Series& series) {
  std::int64_t gaps = 0;
  for (const Sample& sample : series.samples()) gaps += sample.value.kind == ValueKind::left_out ? 1 : 0;
  if (gaps > 0)
    candidate.notes.push_back(label(series) + ": " + std::to_string(gaps) + " printed steps without a value");
}

}  // namespace

Answer<Extraction> read_logs(const std::vector<std::string>& logs, extract::Options options) {
  Result<extract::Extractor> extractor = extract::Extractor::make(std::move(options));
  if (!extractor) return usage(extractor.error());
  for (const std::string& log : logs) {
    extractor->begin_file(log);
    const Status read = fs::read_blocks(log, [&](std::string_view bytes) { extractor->feed(bytes); });
    if (!read) return usage(read.error());
  }
  return extractor->finish();
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
  for (const Series& series : extraction.series) {
    Series kept = without_gaps(series);
    note_gaps(candidate, series);
    if (!kept.empty()) run.series.push_back(std::move(kept));
  }
  candidate.runs.push_back(std::move(run));
  return candidate;
}

Extraction as_extraction(const Baseline& baseline, const std::string& name) {
  Extraction extraction;
  extraction.files.push_back(name);
  extraction.formats = baseline.formats;
  if (baseline.runs.empty()) return extraction;
  extraction.series = baseline.runs.back().series;
  extraction.total = baseline.runs.back().total;
  return extraction;
}

}  // namespace gate::app
