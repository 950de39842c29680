#include "gate/app/read_logs.h"

#include <algorithm>
#include <iterator>

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
