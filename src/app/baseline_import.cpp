#include "app/candidate_stamp.h"
#include "app/case_judge.h"
#include "gate/app/baseline.h"
#include "gate/app/read_logs.h"
#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"
#include "gate/schema/golden_steps.h"

namespace gate::app {

namespace {

Answer<Baseline> from_logs(const config::Case& the_case, const ImportOptions& options) {
  if (!options.steps.empty())
    return refused(options.files.front() + ": --steps: a log prints its own step numbers");
  extract::Options reading = extract_options(the_case, {});
  const Answer<Extraction> extraction = read_logs(options.files, std::move(reading));
  if (!extraction) return tl::unexpected(extraction.error());
  if (extraction->series.empty())
    return refused(options.files.front() +
                   ": nothing to import: neither a golden file nor a log of a known format");
  return make_candidate(the_case.name, options.platform, *extraction, {});
}

Answer<Baseline> from_files(const config::Case& the_case, const ImportOptions& options) {
  const Result<std::string> text = fs::read_file(options.files.front());
  if (!text) return usage(text.error());
  if (!schema::looks_like_golden(*text)) return from_logs(the_case, options);
  if (options.files.size() > 1) return usage("baseline import: one golden file at a time");
  Result<Baseline> baseline = schema::read_baseline(*text, options.files.front());
  if (!baseline) return usage(baseline.error());
  if (options.steps.empty()) return std::move(*baseline);
  if (!schema::has_positions(*baseline))
    return refused(options.files.front() + ": --steps: the file has step numbers of its own");
  if (const Status numbered = schema::number_positions(*baseline, options.steps); !numbered)
    return refused(options.files.front() + ": " + numbered.error().message);
  return std::move(*baseline);
}

}  // namespace

Answer<Baseline> import(const Suite& suite, const ImportOptions& options, Moment now) {
  const auto chosen = choose(suite, {options.case_name}, {}, suite.root);
  if (!chosen) return tl::unexpected(chosen.error());
  if (chosen->size() != 1) return usage("--case " + options.case_name + ": names several cases; name one");
  const config::Case& the_case = *chosen->front();
  Answer<Baseline> candidate = from_files(the_case, options);
  if (!candidate) return candidate;
  stamp(*candidate, {options.platform, the_case.name}, fs::Path(options.files.front()).filename().string(),
        now);
  if (const Status written = store::write_candidate(suite.layout, *candidate); !written)
    return infra(written.error());
  return candidate;
}

}  // namespace gate::app
