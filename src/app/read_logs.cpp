#include "gate/app/read_logs.h"

#include "gate/base/fs.h"

namespace gate::app {

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
  run.series = extraction.series;
  std::erase_if(run.series, [](const Series& series) { return series.empty(); });
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
