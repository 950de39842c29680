#include "app/baseline/candidate_stamp.h"
#include "app/judging/case_judge.h"
#include "gate/app/baseline.h"
#include "gate/app/read_logs.h"
#include "gate/base/text.h"
#include "gate/schema/baseline_file.h"
#include "gate/schema/golden_steps.h"

namespace gate::app {

namespace {

Answer<Baseline> from_logs(const Extraction& extraction, const config::Case& spec,
                           const ImportOptions& options) {
  if (!options.steps.empty())
    return refused(options.files.front() + ": --steps: a log prints its own step numbers");
  if (const Status fit = check_fit_as_baseline(extraction); !fit) return refused(fit.error().message);
  if (extraction.series.empty())
    return refused(options.files.front() +
                   ": nothing to import: neither a golden file nor a log of a known format");
  return make_candidate(spec.name, options.platform, extraction, {});
}

Answer<Baseline> from_golden(const GoldenText& golden, const ImportOptions& options) {
  Result<Baseline> baseline = schema::read_baseline(golden.text, golden.file);
  if (!baseline) return usage(baseline.error());
  if (!baseline->null_value.empty()) return refused(golden.file + ": " + null_refusal(*baseline));
  if (options.steps.empty()) return std::move(*baseline);
  if (!schema::has_positions(*baseline))
    return refused(golden.file + ": --steps: the file has step numbers of its own");
  if (const Status numbered = schema::number_positions(*baseline, options.steps); !numbered)
    return refused(golden.file + ": " + numbered.error().message);
  return std::move(*baseline);
}

Answer<Baseline> from_files(const config::Case& spec, const ImportOptions& options) {
  GATE_TRY(const LogOrGolden read, read_log_or_golden(options.files, extract_options(spec, {})));
  if (const auto* golden = std::get_if<GoldenText>(&read)) return from_golden(*golden, options);
  return from_logs(std::get<Extraction>(read), spec, options);
}

}  // namespace

Answer<Baseline> import(const Suite& suite, const ImportOptions& options, Moment now) {
  GATE_TRY(const auto chosen, choose(suite, {options.case_name}, {}, suite.root));
  if (chosen.size() != 1) return usage("--case " + options.case_name + ": names several cases; name one");
  const config::Case& spec = *chosen.front();
  Answer<Baseline> candidate = from_files(spec, options);
  if (!candidate) return candidate;
  stamp(*candidate, {options.platform, spec.name}, fs::name_of(options.files.front()), now);
  if (const Status written = store::write_candidate(suite.layout, *candidate); !written)
    return infra(written.error());
  return candidate;
}

}  // namespace gate::app
