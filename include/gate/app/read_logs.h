// Saved logs into an extraction.
#pragma once

#include <string>
#include <vector>

#include "gate/app/answer.h"
#include "gate/extract/extractor.h"
#include "gate/model/baseline.h"
#include "gate/model/extraction.h"

namespace gate::app {

// Return what the logs of one run hold. Fails (2) for a log that is absent, unreadable or a directory, and
// for formats or patterns that cannot be used; an empty, binary or unknown log is an extraction with a
// problem.
Answer<Extraction> read_logs(const std::vector<std::string>& logs, extract::Options options);

// Return the same of logs, or what a single baseline or golden file in their place holds. Fails (2) where it
// holds several runs, or stands beside other files, too. Lines of `<step> <number>` are a log where the
// options have patterns.
Answer<Extraction> read_run_files(const std::vector<std::string>& files, extract::Options options);

// Return the series as a baseline of one run, without an acceptance. Values that the log left out are no part
// of it.
Baseline make_candidate(const std::string& case_name, const std::string& platform,
                        const Extraction& extraction, Provenance provenance);

// Return the series of each of a candidate's runs as if they had been read from logs: one at least.
std::vector<Extraction> as_extractions(const Baseline& baseline, const std::string& name);

// Put the runs of a further candidate of the same case behind those of the first.
void add_runs(Baseline& candidate, Baseline further);

}  // namespace gate::app
