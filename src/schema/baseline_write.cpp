#include "gate/base/text.h"
#include "gate/model/step_set.h"
#include "gate/schema/baseline_file.h"
#include "schema/json_out.h"
#include "schema/series_text.h"

namespace gate::schema {

namespace {

constexpr std::size_t values_a_line = 10;
constexpr std::size_t ranges_in_a_text = 10;

void write_provenance(JsonOut& out, const Provenance& from) {
  out.known_text("gate_version", from.gate_version);
  out.known_text("date", from.date);
  out.known_text("host", from.host);
  out.known_text("device", from.device);
  if (from.device_count != 0) out.number("device_count", from.device_count);
  out.known_text("driver", from.driver);
  out.known_text("toolkit", from.toolkit);
  out.known_text("commit", from.commit);
  out.known_text("script_sha256", from.script_sha256);
  out.known_text("run", from.run);
  out.texts("args", from.args);
  out.texts("set", from.set);
  out.flag("ended_well", from.ended_well);
}

std::vector<std::string> words_of(std::span<const std::int64_t> numbers) {
  std::vector<std::string> words;
  for (const std::int64_t number : numbers) words.push_back(std::to_string(number));
  return words;
}

void write_numbers(JsonOut& out, const std::vector<std::int64_t>& numbers) {
  const std::string folded = to_string(StepSet(numbers));
  if (split(folded, ',').size() <= ranges_in_a_text) return out.text("numbers", folded);
  out.values("numbers", words_of(numbers), values_a_line);
}

void write_values(JsonOut& out, const Series& series) {
  std::vector<std::string> words;
  for (const Sample& sample : series.samples())
    words.push_back(sample.value.kind == ValueKind::left_out ? "null" : quote(word_of(sample)));
  out.values("values", words, values_a_line);
}

void write_series(JsonOut& out, const Series& series) {
  out.text("metric", series.metric());
  out.known_number("rank", series.rank());
  out.text("unit", series.unit());
  out.text("numbered", to_string(series.numbered()));
  if (series.assumed()) out.flag("assumed", true);
  write_numbers(out, series.samples().numbers());
  if (!series.conflicts().empty()) out.values("conflicts", words_of(series.conflicts()), values_a_line);
  if (!series.unrecorded().empty()) out.values("unrecorded", words_of(series.unrecorded()), values_a_line);
  write_values(out, series);
}

void write_run(JsonOut& out, const BaselineRun& run) {
  out.known_number("total", run.total);
  out.known_number("attempts", run.attempts);
  if (!run.other_jobs.empty()) out.texts("other_jobs", run.other_jobs);
  out.list("series", [&] {
    for (const Series& series : run.series) out.object("", [&] { write_series(out, series); });
  });
}

void write_acceptance(JsonOut& out, const Acceptance& acceptance) {
  out.text("who", acceptance.who);
  out.text("when", acceptance.when);
  out.text("reason", acceptance.reason);
  out.known_text("from", acceptance.from);
  out.known_text("previous_sha256", acceptance.previous_sha256);
  if (!acceptance.despite.empty()) out.texts("despite", acceptance.despite);
  if (!acceptance.metrics.empty()) out.texts("metrics", acceptance.metrics);
}

}  // namespace

std::string write_baseline(const Baseline& baseline) {
  JsonOut out;
  out.object("", [&] {
    out.text("schema", "gate.baseline/1");
    out.text("case", baseline.case_name);
    out.known_text("platform", baseline.platform);
    out.texts("formats", baseline.formats);
    out.object("provenance", [&] { write_provenance(out, baseline.provenance); });
    out.list("runs", [&] {
      for (const BaselineRun& run : baseline.runs) out.object("", [&] { write_run(out, run); });
    });
    out.list("accepted", [&] {
      for (const Acceptance& step : baseline.accepted) out.object("", [&] { write_acceptance(out, step); });
    });
  });
  return out.take();
}

}  // namespace gate::schema
