#include "gate/config/toml_schema.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "config/tables/key_table.h"
#include "config/tables/setting_table.h"
#include "gate/base/text.h"
#include "gate/config/model_facts.h"
#include "gate/config/settings.h"
#include "gate/config/worker.h"
#include "gate/extract/format.h"
#include "gate/judge/profile.h"

namespace gate::config {

namespace {

using SchemaNode = nlohmann::ordered_json;

// What a word of the column `type` takes. One that is not here is a text, or, among several, itself.
struct TypeRow {
  std::string_view type;
  const char* schema;
};
constexpr std::array type_table{
    TypeRow{"bool", R"({"type": "boolean"})"},
    TypeRow{"count", R"({"type": "integer", "minimum": 0})"},
    TypeRow{"count from 1", R"({"type": "integer", "minimum": 1})"},
    TypeRow{"seconds", R"({"type": "integer", "minimum": 0})"},
    TypeRow{"number", R"({"anyOf": [{"type": "number"}, {"type": "string", "pattern": "[0-9]"}]})"},
    TypeRow{
        "nonzero number",
        R"({"anyOf": [{"type": "number", "not": {"const": 0}}, {"type": "string", "pattern": "[1-9]"}]})"},
    TypeRow{
        "number above 0",
        R"({"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"type": "string", "pattern": "[1-9]"}]})"},
    TypeRow{"list of flags",
            R"({"anyOf": [{"$ref": "#/definitions/flag"},
                          {"type": "array", "items": {"$ref": "#/definitions/flag"}}]})"},
    TypeRow{"list of topics",
            R"({"anyOf": [{"$ref": "#/definitions/topic"},
                          {"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/topic"}}]})"},
    TypeRow{"list of stages",
            R"({"type": "array", "minItems": 2,
                "items": {"enum": ["init", "download", "test", "compare", "report", "upload"]}})"},
    TypeRow{"duration",
            R"({"type": "string", "minLength": 2,
                "pattern": "^([0-9.]+d)?([0-9.]+h)?([0-9.]+m)?([0-9.]+s)?([0-9.]+ms)?$"})"},
    TypeRow{"date", R"({"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"})"},
    TypeRow{"variable", R"({"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"})"},
    TypeRow{"window",
            R"({"type": "string",
                "pattern": "^\\s*(all|(first|last|after|step)\\s+[0-9]+|[0-9]+\\s*\\.\\.\\s*[0-9]+)\\s*$"})"},
    TypeRow{"tolerance", R"({"anyOf": [{"type": "string"}, {"type": "number", "exclusiveMaximum": 0}]})"},
    TypeRow{"reduce",
            R"({"enum": ["each", "mean", "median", "min", "max", "last", "p90", "harmonic_mean",
                         "trimmed_mean", "mean_relative_error"]})"},
    TypeRow{"ACTION@WHEN",
            R"({"type": "string", "pattern": "^(none|\\s*(kill|term|pause)@[0-9]+%?(\\s.*)?)$"})"},
    TypeRow{"words", R"({"anyOf": [{"type": "string"}, {"$ref": "#/definitions/texts"}]})"},
    TypeRow{"list", R"({"$ref": "#/definitions/list"})"},
    TypeRow{"list of devices", R"({"type": "array", "minItems": 1, "items": {"$ref": "#/definitions/id"}})"},
    TypeRow{"key or list of globs", R"({"anyOf": [{"type": "string"}, {"$ref": "#/definitions/texts"}]})"},
    TypeRow{"phase or baseline", R"({"type": "string", "pattern": "\\S"})"},
    TypeRow{"table", R"({"type": "object", "properties": {}, "additionalProperties": false})"},
};

// What several of them refer to: items of a list, as gate reads them, and the number of a device.
constexpr const char* shared_types = R"({
  "texts": {"type": "array",
            "items": {"anyOf": [{"type": "string", "pattern": "\\S"}, {"type": "number"}]}},
  "list": {"anyOf": [{"type": "string", "pattern": "^[^,]*[^,\\s][^,]*$"}, {"$ref": "#/definitions/texts"}]},
  "id": {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": "^[0-9]+$"}]},
  "flag": {"type": "string", "pattern": "^-[^=]+$"},
  "topic": {"type": "string", "pattern": "_(created|stopped)$"},
  "variables": {"type": "object", "additionalProperties": false,
                "patternProperties": {"^[A-Za-z_][A-Za-z0-9_]*$": {"type": ["string", "integer", "boolean"]}}},
  "variable": {"type": "string", "pattern": "^\\{env\\.[A-Za-z_][A-Za-z0-9_]*\\}$"},
  "grid": {"type": "string", "pattern": "^[1-9][0-9]*x[1-9][0-9]*$"}
})";

constexpr const char* name_pattern = "^[^ \\t\\r\\n=]+$";  // of rules, metrics and globs of platforms
constexpr const char* part_pattern = "^[A-Za-z0-9_-]+$";   // of phases and outputs

SchemaNode referred(std::string_view name) { return {{"$ref", "#/definitions/" + std::string(name)}}; }

SchemaNode any_of(const std::vector<SchemaNode>& all) {
  return all.size() == 1 ? all.front() : SchemaNode{{"anyOf", all}};
}

SchemaNode one_of_words(std::span<const std::string> words) {
  SchemaNode values = SchemaNode::array();
  for (const std::string& word : words)
    values.push_back(word == "true" || word == "false" ? SchemaNode(word == "true") : SchemaNode(word));
  return {{"enum", values}};
}

SchemaNode list_of(const SchemaNode& item) { return any_of({item, {{"type", "array"}, {"items", item}}}); }

// `formats`, `profile`: what other rooms know.
SchemaNode known_elsewhere(std::string_view type) {
  if (type == "list of formats") {
    std::vector<std::string> names = extract::format_names();
    names.insert(names.end(), {"auto", std::string(extract::no_format)});
    return list_of(one_of_words(names));
  }
  if (type == "profile") {
    const auto names = texts_of(judge::profiles(), &judge::ProfileRow::name);
    const std::string pattern = "^\\s*(" + join(names, "|") + ")\\s";
    return any_of({one_of_words(names), {{"type", "string"}, {"pattern", pattern}}});
  }
  return {};
}

// Return what the one type takes; null where it is none that is told here.
SchemaNode schema_of_word(std::string_view type) {
  if (SchemaNode known = known_elsewhere(type); !known.is_null()) return known;
  const auto* const row = std::ranges::find(type_table, type, &TypeRow::type);
  if (row != type_table.end()) return SchemaNode::parse(row->schema);
  return type.starts_with("list of ") ? referred("list") : SchemaNode();
}

// Return the parts of `A, B or C`.
std::vector<std::string> alternatives(std::string_view type) {
  constexpr std::string_view before_last = " or ";
  std::vector<std::string> all;
  for (const std::string_view part : split(type, ',')) {
    const std::size_t end = part.find(before_last);
    all.emplace_back(trim(part.substr(0, end)));
    if (end != part.npos) all.emplace_back(trim(part.substr(end + before_last.size())));
  }
  return all;
}

// Return what `A, B or C` takes: each a type, or a word that stands for itself.
SchemaNode schema_of_type(std::string_view type) {
  if (SchemaNode known = schema_of_word(type); !known.is_null()) return known;
  std::vector<std::string> words;
  std::vector<SchemaNode> all;
  for (const std::string& one : alternatives(type))
    if (SchemaNode known = schema_of_word(one); !known.is_null())
      all.push_back(std::move(known));
    else
      words.push_back(one);
  if (all.empty() && words.size() == 1) return {{"type", "string"}};
  if (!words.empty()) all.push_back(one_of_words(words));
  return any_of(all);
}

// Beside a `$ref` nothing else counts.
SchemaNode documented(SchemaNode schema, const SettingRow& row) {
  if (schema.contains("$ref")) schema = {{"allOf", {schema}}};
  std::string text(row.doc);
  if (!row.built_in.empty()) text += " (built-in: " + std::string(row.built_in) + ")";
  schema["description"] = text;
  return schema;
}

SchemaNode closed_table(SchemaNode properties = SchemaNode::object()) {
  return {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
}

// A table whose keys are names of people's own.
SchemaNode named_table(const char* pattern, SchemaNode value) {
  return {{"type", "object"},
          {"patternProperties", {{pattern, std::move(value)}}},
          {"additionalProperties", false}};
}

SchemaNode open_table(SchemaNode value) {
  return {{"type", "object"}, {"additionalProperties", std::move(value)}};
}

// Add a key to the properties of a table: `waive.until` to those of `waive`, which may be a value, too.
void add_key(SchemaNode& properties, std::string_view key, SchemaNode schema) {
  const std::size_t dot = key.find('.');
  SchemaNode& whole = properties[std::string(key.substr(0, dot))];
  if (dot == std::string_view::npos) {
    whole = std::move(schema);
    return;
  }
  if (whole.is_null()) whole = closed_table();
  if (whole.contains("anyOf") && !whole["anyOf"].back().contains("properties")) {
    whole["anyOf"].push_back(closed_table());
    whole["anyOf"].back()["minProperties"] = 1;  // it stands for the value
  }
  SchemaNode& table = whole.contains("anyOf") ? whole["anyOf"].back() : whole;
  table["properties"][std::string(key.substr(dot + 1))] = std::move(schema);
}

SchemaNode keys_table(std::span<const SettingRow> rows) {
  SchemaNode properties = SchemaNode::object();
  for (const SettingRow& row : rows) add_key(properties, row.key, documented(schema_of_type(row.type), row));
  return closed_table(std::move(properties));
}

// --- settings that take more than one value of a type ------------------------------------------------

// A table by globs of platforms, or the value itself.
SchemaNode by_platform(const SchemaNode& whole, const SchemaNode& one) {
  return any_of({whole, named_table(name_pattern, one)});
}

SchemaNode model_table() {
  SchemaNode properties = SchemaNode::object();
  for (const char* text : {"name", "size", "implementation", "precision"})
    properties[text] = {{"type", "string"}};
  properties["parameters"] = schema_of_type("number above 0");
  for (const ModelNumberRow& row : model_numbers())
    properties[std::string(row.name)] = schema_of_type("count from 1");
  return closed_table(std::move(properties));
}

SchemaNode phase_tables() {
  SchemaNode one = keys_table(phase_keys());
  one["properties"]["env"] = {{"allOf", {referred("variables"), {{"minProperties", 1}}}}};
  one["minProperties"] = 1;
  SchemaNode phases = named_table(part_pattern, std::move(one));
  phases["properties"] = {{"baseline", {{"not", SchemaNode::object()}}}};
  return phases;
}

SchemaNode stage_tables() {
  SchemaNode stages = SchemaNode::object();
  for (const char* stage : {"init", "download", "compare", "report", "upload"}) {
    SchemaNode one = keys_table(stage_keys());
    if (stage != std::string_view("download")) one["properties"].erase("from");
    if (stage != std::string_view("upload"))
      one["properties"].erase("to"), one["properties"].erase("baselines");
    one["minProperties"] = 1;
    stages[stage] = std::move(one);
  }
  return closed_table(std::move(stages));
}

SchemaNode further_table() {
  SchemaNode table = closed_table({{"on", one_of_words(std::array<std::string, 2>{"red", "slow"})},
                                   {"args", schema_of_type("words")},
                                   {"env", referred("variables")},
                                   {"artifacts", schema_of_type("list")}});
  return any_of({schema_of_type("words"), std::move(table)});
}

// The settings that a platform may have of its own: as a table by globs of platforms, too.
SchemaNode platform_setting(const SettingRow& row) {
  const SchemaNode grid = referred("grid");
  if (row.key == "devices")
    return by_platform(
        any_of({schema_of_type("count, list of devices, auto or all"), grid, referred("variable")}),
        any_of({schema_of_type("count, auto or all"), grid}));
  const SchemaNode value = schema_of_type(row.type);
  if (row.key == "nodes") return by_platform(any_of({value, grid}), any_of({value, grid}));
  return by_platform(value, value);
}

SchemaNode schema_of_setting(const SettingRow& row) {
  if (row.key == "env") return referred("variables");
  if (row.key == "model") return model_table();
  if (row.key == "phase") return phase_tables();
  if (row.key == "outputs") return named_table(part_pattern, keys_table(output_keys()));
  if (row.key == "stages") return stage_tables();
  if (row.key == "further") return further_table();
  return is_told_in_parts(row.key) ? platform_setting(row) : schema_of_type(row.type);
}

SchemaNode definitions() {
  SchemaNode all = SchemaNode::parse(shared_types);
  for (const SettingRow& row : settings())
    all["setting." + std::string(row.key)] = documented(schema_of_setting(row), row);
  const SchemaNode on_or_off{{"enum", {true, false, "true", "false"}}};  // `false` switches it off
  SchemaNode rule = keys_table(rule_keys());
  rule["properties"]["waive"]["minProperties"] = 1;
  all["rules"] = named_table(name_pattern, any_of({std::move(rule), on_or_off}));
  all["metrics"] = named_table(name_pattern, keys_table(metric_keys()));
  return all;
}

// --- the tables of the file --------------------------------------------------------------------------

// The keys of the rows, and the settings that may stand at the place.
SchemaNode case_table(std::string_view place, std::span<const SettingRow> rows = {}) {
  SchemaNode table = keys_table(rows);
  for (const SettingRow& row : settings())
    if (may_stand(row, place))
      add_key(table["properties"], row.key, referred("setting." + std::string(row.key)));
  return table;
}

SchemaNode one_case_table() {
  SchemaNode table = case_table("case");
  table["properties"].update({{"rules", referred("rules")}, {"metrics", referred("metrics")}});
  return table;
}

SchemaNode group_tables() {
  SchemaNode one = case_table("group", group_keys());
  one["required"] = {"cases"};
  return named_table("^[A-Za-z0-9-][A-Za-z0-9_.-]*$", std::move(one));
}

// Beside the options any key is a group of hosts.
SchemaNode hosts_table() {
  SchemaNode hosts = keys_table(host_keys());
  hosts["properties"]["local"] = {{"not", SchemaNode::object()}};
  hosts["propertyNames"] = {{"pattern", "^[^ \\t\\r\\n=,]+$"}};
  hosts["additionalProperties"] = referred("list");
  return hosts;
}

SchemaNode receiver_tables() {
  SchemaNode one = keys_table(notify_keys());
  one["required"] = {"kind"};
  one["oneOf"] = {{{"required", {"url"}}}, {{"required", {"url_env"}}}};
  return open_table(std::move(one));
}

SchemaNode feature_tables() {
  SchemaNode one = keys_table(feature_keys());
  one["anyOf"] = {{{"required", {"flags"}}}, {{"required", {"variable"}}}};
  return open_table(std::move(one));
}

SchemaNode worker_table() {
  SchemaNode worker = keys_table(worker_keys()), tests = SchemaNode::object();
  for (const std::string& test : worker_tests()) tests[test] = {{"type", "string"}};
  SchemaNode& keys = worker["properties"];
  const SchemaNode count = schema_of_type("count");
  keys["kafka"].update(open_table({{"type", {"string", "number", "boolean"}}}));
  keys["tests"].update(closed_table(std::move(tests)));
  keys["jobs"]["anyOf"] = {schema_of_type("count from 1"), open_table(count)};
  return worker;
}

// Beside these keys any variable is an axis.
SchemaNode matrix_tables() {
  const SchemaNode variables = referred("variables");
  const SchemaNode value = {{"type", {"string", "number", "boolean"}}};
  SchemaNode one = closed_table({{"size", {{"type", "array"}, {"minItems", 1}, {"items", referred("grid")}}},
                                 {"repeat", schema_of_type("count from 1")},
                                 {"mutable", referred("list")},
                                 {"params", variables},
                                 {"variant", open_table(variables)}});
  one["properties"]["exclude"] = {{"type", "array"}, {"minItems", 1}, {"items", open_table(value)}};
  one["propertyNames"] = {{"pattern", "^[A-Za-z_][A-Za-z0-9_]*$"}, {"not", {{"pattern", "^GATE_"}}}};
  one["additionalProperties"] = {{"type", "array"}, {"minItems", 1}, {"uniqueItems", true}, {"items", value}};
  return open_table(std::move(one));
}

// [platform."GLOB".matrix."CASE".params]
SchemaNode platform_tables() {
  return open_table(
      closed_table({{"matrix", open_table(closed_table({{"params", referred("variables")}}))}}));
}

SchemaNode file_tables() {
  const SchemaNode store = keys_table(store_keys());
  return {{"suite", case_table("suite", suite_keys())},
          {"defaults", case_table("defaults")},
          {"rules", referred("rules")},
          {"metrics", referred("metrics")},
          {"jsonl", keys_table(json_keys())},
          {"platforms", open_table(referred("list"))},
          {"hosts", hosts_table()},
          {"notify", receiver_tables()},
          {"store", closed_table({{"s3", store}, {"obs", store}})},
          {"peaks", open_table(named_table("^[A-Za-z0-9_]+$", schema_of_type("number above 0")))},
          {"strategy", named_table("^[A-Za-z0-9_.][A-Za-z0-9_.-]*$", keys_table(strategy_keys()))},
          {"worker", worker_table()},
          {"features", feature_tables()},
          {"group", group_tables()},
          {"matrix", matrix_tables()},
          {"platform", platform_tables()},
          {"case", open_table(one_case_table())}};
}

}  // namespace

std::string toml_schema() {
  SchemaNode schema{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "gate.toml"}};
  schema.update(closed_table(file_tables()));
  schema["definitions"] = definitions();
  return schema.dump(2) + "\n";
}

}  // namespace gate::config
