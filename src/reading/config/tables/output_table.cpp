#include "config/tables/part_tables.h"

#include <algorithm>

#include "config/tables/key_table.h"
#include "gate/base/text.h"
#include "gate/config/accuracy_contract.h"
#include "gate/config/stores.h"
#include "gate/score/score_metric.h"

namespace gate::config {

namespace {

// A metric, and behind it the words of its signature.
Status assign_metric(CaseOutput& output, const RawValue& raw) {
  GATE_TRY(const std::string text, read_filled_text(raw));
  const std::size_t end = std::min(text.find('|'), text.size());
  const std::string_view said = trim(std::string_view(text).substr(0, end));
  const std::string name = metric_named(said);
  auto names = texts_of(score::metrics(), &score::MetricRow::name);
  names.emplace_back(results_metric);
  if (std::ranges::find(names, name) == names.end()) return fail(unknown("metric of an output", said, names));
  GATE_TRY(output.text, score::read_signature(name + text.substr(end)));
  output.metric = output.text.metric;
  return {};
}

Result<std::optional<OutputTolerance>> read_output_tolerance(const RawValue& raw) {
  GATE_TRY(const std::string text, read_scalar(raw));
  return parse_output_tolerance(text).map([](const OutputTolerance& read) { return std::optional(read); });
}

// A column may have a comma in its name, so that a text is one key.
Status assign_key_of_output(CaseOutput& output, const RawValue& raw) {
  if (raw.kind == RawValue::Kind::list) return assign(output.key, read_list(raw));
  GATE_TRY(const std::string key, read_text(raw));
  output.key = key.empty() ? std::vector<std::string>() : std::vector{key};
  return {};
}

Result<std::vector<std::string>> read_golden(const RawValue& raw) {
  GATE_TRY(std::vector<std::string> golden, read_list(raw));
  for (std::string& place : golden) {
    GATE_TRY(place, golden_place(place));
  }
  return golden;
}

constexpr std::string_view where_outputs = "defaults, #GATE, case";
constexpr auto output_table = std::to_array<AssignRow<CaseOutput>>({
    {{"file", "glob", "", where_outputs,
      "file that the script writes: relative to its working directory, {scratch}/ or {stages}/, or absolute"},
     assign_member<&CaseOutput::file, read_filled_text>},
    {{"golden", "list of files", "", where_outputs,
      "golden file, relative to the suite; text may have several"},
     assign_member<&CaseOutput::golden, read_golden>},
    {{"metric", "metric of an output", "", where_outputs,
      "metric, e.g. bleu, bleu|tok:zh (with a signature), or results of an evaluation tool (gate help "
      "scores)"},
     assign_metric},
    {{"tolerance", "tolerance", "", where_outputs,
      "threshold of the score, e.g. >= 0.75; for results also: within 2 standard errors"},
     assign_member<&CaseOutput::tolerance, read_output_tolerance>},
    {{"key", "key or list of globs", "", where_outputs,
      "numbers to compare: JSON path, JSON lines name or CSV column; scores of results, e.g. arc_*.acc "
      "(default: all)"},
     assign_key_of_output},
    {{"segments", "lines or file", "lines", where_outputs, "compare text line by line or as one piece"},
     [](CaseOutput& output, const RawValue& raw) {
       return assign(output.segments, read_enum<Segments>(raw, "segments", {"lines", "file"}));
     }},
});
constexpr auto output_rows = rows_of(output_table);

bool is_output_name(std::string_view name) {
  return !name.empty() &&
         std::ranges::all_of(name, [](char c) { return is_letter_or_digit(c) || c == '_' || c == '-'; });
}

}  // namespace

std::span<const SettingRow> output_keys() { return output_rows; }

Status assign_output(Settings& settings, std::string_view part, const RawValue& raw) {
  const std::size_t dot = part.find('.');
  const std::string_view name = part.substr(0, dot);
  if (!is_output_name(name))
    return fail("\"" + printable(name, 80) +
                "\" is no name of an output; write letters, digits, `_` and `-`");
  if (dot == std::string_view::npos)
    return fail(shown(raw) +
                " is no table of an output such as { file = \"answer.txt\", golden = \"golden.txt\", "
                "metric = \"bleu\", tolerance = \">= 0.75\" }");
  const std::string_view key = part.substr(dot + 1);
  if (find_row(output_rows, key) == nullptr)
    return fail(unknown("key of an output", key, keys_of(output_rows)));
  return row_of(output_table, key).assign(settings.outputs[std::string(name)], raw);
}

Result<CaseOutput> read_output(std::span<const Override> said) {
  const std::string name = "output";
  Settings settings;
  CaseOutput& output = settings.outputs[name];
  for (const Override& word : said)
    if (const Status assigned =
            assign_output(settings, name + "." + word.key, untyped(word.value, {}, word.origin));
        !assigned)
      return fail(word.origin + ": " + assigned.error().message);
  return output;
}

}  // namespace gate::config
