#include "config/tables/part_tables.h"

#include <map>

#include "config/tables/key_table.h"
#include "gate/base/secrets.h"
#include "gate/base/text.h"
#include "gate/config/case_names.h"
#include "gate/config/stores.h"

namespace gate::config {

namespace {

// A place with holes that a run tells.
Status check_told_place(const std::string& place) {
  std::map<std::string, std::string> known{
      {"case", ""}, {"run", ""}, {"test_id", ""}, {"baseline_id", ""}, {"env.NAME", ""}};
  for (const std::string& hole : holes_of(place))
    if (!variable_of_hole(hole).empty()) known[hole] = "";
  GATE_TRY_STATUS(expand(place, known).map([](const std::string&) {}));
  return check_place(place);
}

Result<std::string> read_place(const RawValue& raw) {
  GATE_TRY(const std::string place, read_filled_text(raw));
  GATE_TRY_STATUS(check_told_place(place));
  return place;
}

Result<std::vector<std::string>> read_sources(const RawValue& raw) {
  GATE_TRY(std::vector<std::string> places, read_list(raw));
  for (const std::string& place : places) GATE_TRY_STATUS(check_told_place(place));
  return places;
}

// No shell reads the words, so a quote would be a part of one.
Result<std::vector<std::string>> read_command(const RawValue& raw) {
  if (raw.kind != RawValue::Kind::list && raw.text.find_first_of("'\"") != std::string::npos)
    return fail(shown(raw) +
                " has quotes, which no shell reads; write a list of words, [\"bash\", \"-c\", \"...\"]");
  return read_words(raw);
}

constexpr std::string_view where_stages = "defaults, #GATE, case";
constexpr auto stage_table = std::to_array<AssignRow<CaseStage>>({
    {{"command", "words", "", where_stages, "command, run in the script's working directory without a shell"},
     assign_member<&CaseStage::command, read_command>},
    {{"timeout", "duration", "30m", where_stages, "time limit of the stage; test has the case's"},
     assign_member<&CaseStage::timeout, read_positive_duration>},
    {{"from", "list of places", "", where_stages,
      "download: files and folders to copy to GATE_STAGES_DIR: paths, file:///, s3:// or obs:// URLs; may "
      "hold "
      "{env.NAME}, a variable of the case, and what `to` may"},
     assign_member<&CaseStage::from, read_sources>},
    {{"to", "place", "", where_stages,
      "upload: folder for test_result.json, log and outputs; may hold {case}, {run}, {test_id}, {env.NAME}"},
     assign_member<&CaseStage::to, read_place>},
    {{"baselines", "place", "", where_stages,
      "upload: folder for the outputs of a run that makes a baseline; may also hold {baseline_id}"},
     assign_member<&CaseStage::baselines, read_place>},
});
constexpr auto stage_rows = rows_of(stage_table);

bool is_of_stage(std::string_view key, Stage stage) {
  if (key == "from") return stage == Stage::download;
  return (key != "to" && key != "baselines") || stage == Stage::upload;
}

}  // namespace

std::span<const SettingRow> stage_keys() { return stage_rows; }

Result<std::string> path_of_place(std::string_view place) {
  constexpr std::string_view file_scheme = "file://";
  const std::size_t scheme = place.find("://");
  if (scheme == std::string_view::npos) return std::string(place);
  if (!place.starts_with(file_scheme) || !place.substr(file_scheme.size()).starts_with('/'))
    return fail("\"" + printable(without_place_secrets(place), 120) +
                "\" is no place that gate reaches; write a path, file:///PATH, s3://BUCKET/KEY or "
                "obs://BUCKET/KEY; a command of the stage reaches others");
  return std::string(place.substr(file_scheme.size()));
}

Status check_place(std::string_view place) {
  if (is_object_place(place)) return parse_object_place(place).map([](const ObjectPlace&) {});
  return path_of_place(place).map([](const std::string&) {});
}

Result<std::string> golden_place(std::string_view place) {
  if (!is_object_place(place)) return path_of_place(place);
  GATE_TRY(const ObjectPlace object, parse_object_place(place));
  if (object.is_prefix()) return fail(printable(place, 120) + ": is a prefix; name the object");
  return std::string(place);
}

Status assign_stage(Settings& settings, std::string_view part, const RawValue& raw) {
  const std::size_t dot = part.find('.');
  const std::string_view name = part.substr(0, dot);
  const std::optional<Stage> stage = parse_stage(name);
  if (!stage) {
    return fail(
        unknown("stage", name, texts_of(all_stages, [&](const Stage one) { return to_string(one); })));
  }
  if (*stage == Stage::test)
    return fail("the test is the case's script, with the case's settings: timeout, env, artifacts");
  if (dot == std::string_view::npos)
    return fail(shown(raw) + " is no table of a stage such as { command = \"bash download.sh\" }");
  const std::string_view key = part.substr(dot + 1);
  if (find_row(stage_rows, key) == nullptr) return fail(unknown("key of a stage", key, keys_of(stage_rows)));
  if (!is_of_stage(key, *stage)) return fail("stage " + std::string(name) + " has no " + std::string(key));
  return row_of(stage_table, key).assign(settings.stages[std::string(name)], raw);
}

}  // namespace gate::config
