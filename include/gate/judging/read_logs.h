// Saved logs into an extraction.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "gate/config/policy.h"
#include "gate/extract/extractor.h"
#include "gate/model/runs/baseline.h"
#include "gate/model/runs/extraction.h"
#include "gate/suite/answer.h"

namespace gate::app {

// Return the files that the words of a command line mean by LOG, in natural order, whatever the order of the
// words: a folder stands for the files below it but for those with a hidden name or in a hidden folder; `-`
// is standard input. Fails (2) for a folder that holds no such file, one that cannot be listed, a file
// that is named twice, and files of several rounds of FlagPerf.
Answer<std::vector<std::string>> log_files(const std::vector<std::string>& words);

// Return what the logs of one run hold. A log may be packed (see base/decompress.h), `-` is standard input, a
// folder stands for the files in it; they are read in natural order, whatever the order of the words. Fails
// (2) for a log that is absent, unreadable or named twice, for a folder without a file, and for formats or
// patterns that cannot be used; an empty, binary or unknown log is an extraction with a problem. So is a
// packed log that is cut off or damaged, and the extraction is `cut`.
Answer<Extraction> read_logs(const std::vector<std::string>& logs, extract::Options options);

// Return the same of logs, or what a single baseline or golden file in their place holds. Fails (2) if it
// holds several runs, or stands beside other files, too. Lines of `<step> <number>` are a log if the
// options have patterns.
Answer<Extraction> read_run_files(const std::vector<std::string>& files, extract::Options options);

struct GoldenText {
  std::string file;
  std::string text;
};
using LogOrGolden = std::variant<Extraction, GoldenText>;

// Return what the logs of one run hold, or the text of the one golden file in their place. Each file is read
// once. Fails as read_run_files does.
Answer<LogOrGolden> read_log_or_golden(const std::vector<std::string>& files, extract::Options options);

// Return the series as a baseline of one run of the case, without an acceptance. Values that the log left out
// are no part of it, nor speeds while a profiler ran.
Baseline make_candidate(const config::Case& spec, const std::string& platform, const Extraction& extraction,
                        Provenance provenance);

// Return the series of each of a candidate's runs as if they had been read from logs: one at least.
std::vector<Extraction> as_extractions(const Baseline& baseline, const std::string& name);

// Put the runs of a further candidate of the same case behind those of the first.
void add_runs(Baseline& candidate, Baseline further);

// Fail if the logs cannot make a baseline of the case: they are not whole, or hold a word that has two
// readings, or of several attempts none was chosen, and the judged one lacks what is gated and another has,
// or two sources are one attempt by their equal values alone.
Status check_fit_as_baseline(const config::Case& spec, const Extraction& extraction);

}  // namespace gate::app
