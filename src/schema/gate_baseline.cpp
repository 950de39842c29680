#include "schema/gate_baseline.h"

#include <set>

#include "gate/base/text.h"
#include "schema/series_text.h"

namespace gate::schema {

namespace {

Provenance read_provenance(const Fields& fields) {
  fields.only({"gate_version", "date", "host", "device", "device_count", "driver", "toolkit", "commit",
               "script_sha256", "run", "args", "set", "ended_well"});
  Provenance from;
  from.gate_version = fields.text("gate_version");
  from.date = fields.text("date");
  from.host = fields.text("host");
  from.device = fields.text("device");
  from.device_count = fields.small_integer("device_count").value_or(0);
  from.driver = fields.text("driver");
  from.toolkit = fields.text("toolkit");
  from.commit = fields.text("commit");
  from.script_sha256 = fields.text("script_sha256");
  from.run = fields.text("run");
  from.args = fields.texts("args");
  from.set = fields.texts("set");
  from.ended_well = fields.flag("ended_well", true);
  return from;
}

std::vector<std::int64_t> read_number_list(const Json& list, std::size_t count, Complaints& complaints) {
  std::vector<std::int64_t> numbers;
  for (const Json& item : list.items) {
    const auto number = integer_of(item, 0, complaints);
    if (!number) continue;
    if (!numbers.empty() && *number <= numbers.back())
      complaints.add(item.at, item.text + " does not rise above " + std::to_string(numbers.back()));
    numbers.push_back(*number);
  }
  if (list.items.size() != count)
    complaints.add(list.at, "holds " + std::to_string(list.items.size()) + " numbers for " +
                                count_of(static_cast<std::int64_t>(count), "value"));
  return numbers;
}

std::vector<std::int64_t> read_number_text(const Json& json, std::size_t count, Complaints& complaints) {
  const auto numbers = parse_ranges(json.text, count);
  if (!numbers) complaints.add(json.at, numbers.error().message);
  return numbers.value_or(std::vector<std::int64_t>{});
}

// Return the numbers, written as `1-15` or as a list; fewer than `count` after a complaint.
std::vector<std::int64_t> read_numbers(const Fields& fields, std::size_t count) {
  const Json* json = fields.json().find("numbers");
  Complaints& complaints = fields.complaints();
  if (json == nullptr) {
    fields.missing("numbers", "; write \"1-15\" or a list");
    return {};
  }
  if (json->kind == Json::Kind::list) return read_number_list(*json, count, complaints);
  if (json->kind == Json::Kind::text) return read_number_text(*json, count, complaints);
  complaints.add(json->at, "\"numbers\" must be a text like \"1-15\" or a list, not " +
                               std::string(to_string(json->kind)));
  return {};
}

Sample read_sample(const Json& json, std::int64_t number, Complaints& complaints) {
  if (json.kind == Json::Kind::null) return {.number = number, .value = {}, .text = ""};
  if (json.kind != Json::Kind::text) {
    complaints.add(json.at,
                   "a value must be a text as printed, like \"1.25\", or null where it was left out; not " +
                       std::string(to_string(json.kind)));
    return {};
  }
  const auto value = parse_value(json.text);
  if (!value) complaints.add(json.at, "\"" + printable(json.text, 40) + "\" is no number word");
  return {.number = number, .value = value.value_or(Value{}), .text = json.text};
}

void read_samples(const Fields& fields, Series& series) {
  const auto values = fields.list("values");
  if (fields.json().find("values") == nullptr) fields.missing("values");
  const auto numbers = read_numbers(fields, values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    series.append(read_sample(values[i], i < numbers.size() ? numbers[i] : 0, fields.complaints()));
}

void read_conflicts(const Fields& fields, Series& series) {
  for (const Json& item : fields.list("conflicts")) {
    const auto number = integer_of(item, 0, fields.complaints());
    if (number && !series.find(*number))
      fields.complaints().add(item.at, item.text + " is not among the numbers of the series");
    if (number) series.mark_conflict(*number);
  }
}

void read_unrecorded(const Fields& fields, Series& series) {
  for (const Json& item : fields.list("unrecorded")) {
    const auto number = integer_of(item, 0, fields.complaints());
    if (!number) continue;
    if (series.find(*number)) fields.complaints().add(item.at, item.text + " has a value in the series");
    if (!series.unrecorded().empty() && *number <= series.unrecorded().back())
      fields.complaints().add(item.at, item.text + " does not rise");
    series.mark_unrecorded(*number);
  }
}

Numbering read_numbering(const Fields& fields) {
  const std::string word = fields.text("numbered");
  const auto numbered = parse_numbering(word);
  if (!numbered && fields.json().find("numbered") != nullptr)
    fields.complaints().add(fields.json().find("numbered")->at,
                            "unknown numbering \"" + printable(word, 40) + "\"; use step, report or time");
  return numbered.value_or(Numbering::step);
}

Series read_series(const Json& json, Complaints& complaints) {
  const Fields fields(json, complaints);
  fields.only(
      {"metric", "rank", "unit", "numbered", "assumed", "numbers", "conflicts", "unrecorded", "values"});
  Series series(fields.required_text("metric"), fields.small_integer("rank"), fields.text("unit"),
                read_numbering(fields));
  series.set_assumed(fields.flag("assumed", false));
  read_samples(fields, series);
  read_conflicts(fields, series);
  read_unrecorded(fields, series);
  return series;
}

BaselineRun read_run(const Json& json, Complaints& complaints) {
  const Fields fields(json, complaints);
  fields.only({"total", "attempts", "other_jobs", "series"});
  BaselineRun run{.total = fields.integer("total"),
                  .series = {},
                  .attempts = fields.integer("attempts"),
                  .other_jobs = fields.texts("other_jobs")};
  std::set<std::pair<std::string, std::optional<int>>> seen;
  for (const Json& item : fields.list("series")) {
    Series series = read_series(item, complaints);
    if (!seen.emplace(series.metric(), series.rank()).second)
      complaints.add(item.at, "series " + printable(label(series), 80) +
                                  " a second time in this run; remove one of them");
    run.series.push_back(std::move(series));
  }
  return run;
}

Acceptance read_acceptance(const Json& json, Complaints& complaints) {
  const Fields fields(json, complaints);
  fields.only({"who", "when", "reason", "from", "previous_sha256", "despite", "metrics"});
  return {fields.text("who"),
          fields.text("when"),
          fields.text("reason"),
          fields.text("from"),
          fields.text("previous_sha256"),
          fields.texts("despite"),
          fields.texts("metrics")};
}

}  // namespace

Baseline read_gate_baseline(const Json& document, Complaints& complaints) {
  const Fields fields(document, complaints);
  fields.only({"schema", "case", "platform", "formats", "provenance", "runs", "accepted"});
  Baseline baseline;
  baseline.origin = "gate";
  baseline.case_name = fields.required_text("case");
  baseline.platform = fields.text("platform");
  baseline.formats = fields.texts("formats");
  if (const Json* provenance = fields.object("provenance"))
    baseline.provenance = read_provenance(Fields(*provenance, complaints));
  for (const Json& run : fields.list("runs")) baseline.runs.push_back(read_run(run, complaints));
  for (const Json& step : fields.list("accepted"))
    baseline.accepted.push_back(read_acceptance(step, complaints));
  if (baseline.runs.empty()) complaints.add(document.at, "a baseline needs at least one run under \"runs\"");
  return baseline;
}

}  // namespace gate::schema
