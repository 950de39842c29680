// The schema that editors get says of a gate.toml what gate says.
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <array>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "gate/base/fs.h"
#include "gate/base/text.h"
#include "gate/config/policy.h"
#include "gate/config/settings.h"
#include "gate/config/toml_schema.h"

namespace gate::config::toml_schema_test {
namespace {

const nlohmann::json& schema_json() {
  static const auto json = nlohmann::json::parse(toml_schema());
  return json;
}

const valijson::Schema& parsed_schema() {
  static const auto parsed = [] {
    auto made = std::make_unique<valijson::Schema>();
    valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_json()), *made);
    return made;
  }();
  return *parsed;
}

// Return "" where the schema takes the file, which TOML can read, else its first reason.
std::string refused_by_schema(const std::string& toml) {
  std::ostringstream out;
  out << toml::json_formatter(toml::parse(toml));
  const auto document = nlohmann::json::parse(out.str());
  valijson::ValidationResults results;
  if (valijson::Validator().validate(parsed_schema(), valijson::adapters::NlohmannJsonAdapter(document),
                                     &results))
    return "";
  valijson::ValidationResults::Error error;
  return results.popError(error) ? error.description : "invalid";
}

// Return every mistake that gate finds, one a line; "" where there is none.
std::string mistakes(const std::string& toml) {
  const Parsed<Policy> parsed = Policy::parse(toml, "gate.toml");
  return parsed ? "" : to_string(parsed.error());
}

// A table of keys, and what else must stand in it.
struct Table {
  std::string head;
  std::span<const SettingRow> rows;
  std::string_view place = "";  // of settings: those that may stand there
  std::string needs = "";       // lines
  std::string_view done = "";   // of settings: those that may stand there are looked at elsewhere
};

std::vector<Table> tables() {
  return {
      {"[suite]", suite_keys()},
      {"[suite]", settings(), "suite", "", "defaults"},
      {"[defaults]", settings(), "defaults"},
      {"[case.\"a\"]", settings(), "case", "", "defaults"},
      {"[group.g]", group_keys(), "", "cases = 'g/*.sh'"},
      {"[rules.eval_accuracy]", rule_keys(), "",
       "tolerance.deterministic = 'exact'\ntolerance.otherwise = '±1%'\nwaive.reason = 'r'\nwaive.until = "
       "'2026-12-31'"},
      {"[metrics.m]", metric_keys()},
      {"[jsonl]", json_keys()},
      {"[hosts]", host_keys()},
      {"[notify.n]", notify_keys(), "", "kind = 'feishu'\nurl_env = 'A'"},
      {"[store.s3]", store_keys()},
      {"[strategy.s]", strategy_keys()},
      {"[features.f]", feature_keys(), "", "flags = ['--f']"},
      {"[worker]", worker_keys()},
      {"[defaults.phase.p]", phase_keys(), "", "args = 'x'"},
      {"[defaults.outputs.o]", output_keys(), "", "file = 'f'"},
      {"[defaults.stages.download]", stage_keys().first(3)},
      {"[defaults.stages.upload]", stage_keys().subspan(3)}};
}

// Values of every kind, of which each key takes some, and tables, of which those do that may be told in
// parts.
constexpr std::string_view plain_values =
    R"(''; 'a'; 'a,b'; ['a', 'b']; []; [1]; [true]; [['a']]; 0; 1; -1; 2.5;
  true; false; '2026-12-31'; '2026-13-31'; '30s'; '1h30m'; '0s'; 'auto'; ['auto']; 'all'; 'none'; 'any'; '2x8'; '{env.A_1}'; '{env.1}';
  'last'; 'first 5'; '6..15'; 'last10'; '±1%'; 'exact'; '>= 0.75'; 'kill@15'; 'kill'; 'gate'; 'megatron lm_loss';
  'megatron-lm'; ['--flag']; 'https://host/x'; 'https://'; 'ab.x_created'; ['test', 'compare']; ['tests'];
  '{parallelism}'; 'bash {script}'; 'scripts/*.sh'; '{case}.json'; 'bleu'; 'lm_loss'; 'lm_loss * 2';
  '(?P<value>.*)'; 'cpu'; '/a:/b'; { a = 'b' }; { })";
constexpr std::string_view table_values = R"({ a = 1 }; { a = [1] }; { 'a b' = 'c' };
  { until = '2026-12-31', reason = 'r' }; { on = 'red', args = 'x' }; { on = 'green' }; { a = { args = 'x' } };
  { a = { file = 'x' } }; { a = { files = 'x' } }; { name = 'LLaMA2' }; { num_layers = 0 };
  { deterministic = 'exact' }; { download = { command = 'x' } }; { test = { command = 'x' } };
  { download = { to = 'x' } })";

bool may_be_a_table(const SettingRow& row) {
  constexpr std::array<std::string_view, 6> others{"devices", "nodes",    "environment",
                                                   "needs",   "data_dir", "tolerance"};
  return row.type.find("table") != row.type.npos || std::ranges::count(others, row.key) > 0;
}

// The alternatives of a type are specimens, too.
std::vector<std::string> words_of(const SettingRow& row) {
  std::vector<std::string> words;
  for (const std::string_view word : split_words(row.type)) {
    const std::string plain(word.substr(0, word.find(',')));
    if (plain != "or") words.push_back("'" + plain + "'");
  }
  return words;
}

bool stands_at(const SettingRow& row, std::string_view place) {
  return place.empty() || (std::string(row.where) + ",").find(std::string(place) + ",") != std::string::npos;
}

// Tell whether the line would stand beside a key that takes its place.
bool is_instead(std::string_view needed, std::string_view key) {
  return needed.starts_with(key) && (key == "url" || needed[key.size()] == ' ' || needed[key.size()] == '.');
}

// Return the file in which the key has the value, and the number of its line.
std::string file_with(const Table& table, const SettingRow& row, const std::string& value, int& line) {
  std::string toml = table.head + "\n";
  for (const std::string_view needed : split(table.needs, '\n'))
    if (!needed.empty() && !is_instead(needed, row.key)) toml += std::string(needed) + "\n";
  line = 1 + static_cast<int>(std::ranges::count(toml, '\n'));
  return toml + std::string(row.key) + " = " + value + "\n";
}

// Return what gate says of what stands in that line; "" where it takes it.
std::string mistakes_of_line(const std::string& toml, int line) {
  const std::string said = mistakes(toml);
  return ("\n" + said).find("\ngate.toml:" + std::to_string(line) + ":") == std::string::npos ? "" : said;
}

// Texts and lists of them have grammars, or name something; keys go together. No schema tells these.
bool may_be_taken_wrongly(const std::string& value) {
  return value.starts_with('\'') || value.starts_with('[') || value == "{ deterministic = 'exact' }";
}

std::vector<std::string> values_for(const SettingRow& row) {
  std::vector<std::string> values = words_of(row);
  for (const std::string_view one : split(plain_values, ';')) values.emplace_back(trim(one));
  for (const std::string_view one : split(table_values, ';'))
    if (may_be_a_table(row)) values.emplace_back(trim(one));
  return values;
}

void compare(const Table& table, const SettingRow& row) {
  std::size_t taken = 0, refused = 0;
  for (const std::string& value : values_for(row)) {
    int line = 0;
    const std::string toml = file_with(table, row, value, line);
    const std::string of_gate = mistakes_of_line(toml, line), of_schema = refused_by_schema(toml);
    const bool must_agree = of_gate.empty() || !may_be_taken_wrongly(value);
    EXPECT_TRUE(!must_agree || of_schema.empty() == of_gate.empty()) << toml << of_gate << of_schema;
    taken += of_gate.empty() && of_schema.empty();
    refused += !of_gate.empty() && !of_schema.empty();
  }
  EXPECT_GT(taken, 0U) << table.head << row.key;
  EXPECT_GT(refused, 0U) << table.head << row.key;
}

TEST(TomlSchema, SaysWhatGateSaysOfEachKeyWithEachValue) {
  for (const Table& table : tables()) {
    for (const SettingRow& row : table.rows) {
      if (stands_at(row, table.place) && (table.done.empty() || !stands_at(row, table.done)))
        compare(table, row);
    }
  }
}

TEST(TomlSchema, KnowsTheKeysOfEachTableAndNoOther) {
  for (const Table& table : tables()) {
    const std::string toml = table.head + "\n" + table.needs + "\nzzz = 1\n";
    EXPECT_NE(mistakes(toml), "") << toml;
    EXPECT_NE(refused_by_schema(toml), "") << toml;
  }
}

TEST(TomlSchema, KnowsTheTablesOfTheFile) {
  std::string known;
  for (const auto& [name, table] : schema_json()["properties"].items())
    EXPECT_NE((", " + mistakes("[zzz]") + ",").find(" " + name + ","), std::string::npos) << name;
  const std::string said = mistakes("[zzz]");
  EXPECT_EQ(schema_json()["properties"].size(), std::ranges::count(said, ',') + 1U) << said;
}

// Documents that both take, and such that both refuse.
TEST(TomlSchema, TakesNamesThatGateTakes) {
  for (const std::string toml :
       {"", "[case.'a/*'.rules.lm_loss]\ntolerance = 'exact'", "[rules]\nlm_loss = false",
        "[group.st]\ncases = 'st/*.sh'\ntimeout = '1h'\n[group.ut]\ncases = ['ut/*.py', '!ut/x.py']",
        "[matrix.'a/*']\nsize = ['1x8', '2x8']\nTP = [1, 2]\nmode = ['a', true]\nexclude = [{ size = '1x8', "
        "TP = "
        "2 }]\nmutable = ['X']\nrepeat = 2\nparams = { X = 1 }\nvariant.'1x8*' = { X = 2 }",
        "[matrix.a]\nTP = [1]\n[platform.'ascend-*'.matrix.a.params]\nX = 'y'",
        "[platforms]\nbig = ['nvidia-*']", "[hosts]\nlab = ['h1', 'u@h2']\nssh = 'ssh -F x'",
        "[peaks.'nvidia-*']\nfp16 = 312e12\nbf16 = '3.12e14'", "[strategy.nightly]\ncases = 'a'",
        "[worker]\njobs = { NPU = 4, other = 0 }\nkafka = { 'group.id' = 'x', n = 1 }\ntests = { "
        "'accuracy_test/inference' = 'a' }",
        "[defaults]\nphases = ['a', 'b']\nphase.b = { args = 'x', env = { X = 1 } }",
        "[defaults.devices]\n'ascend-*' = '2x8'\nany = 8\n[defaults.env]\nX = 1\nY = true\nZ = 'z'",
        "[store.obs]\nregion = 'cn-north-4'", "[features.'MC 2']\nvariable = 'MC2'",
        "[case.c.slurm]\n[case.c.container]\n[case.c.quarantine]\n[defaults.kubernetes]",
        "[rules]\nlm_loss = 'false'\n[case.c.rules]\nlm_loss = 'true'"}) {
    EXPECT_EQ(mistakes(toml), "") << toml;
    EXPECT_EQ(refused_by_schema(toml), "") << toml;
  }
}

TEST(TomlSchema, RefusesNamesAndFormsThatGateRefuses) {
  for (const std::string toml : {"timeout = '1h'",
                                 "suite = 1",
                                 "[cases]",
                                 "[case]\na = 1",
                                 "[group.'a b']\ncases = 'x'",
                                 "[group._x]\ncases = 'x'",
                                 "[group.x]",
                                 "[rules.'a b']\ntolerance = 'exact'",
                                 "[rules]\nlm_loss = 1",
                                 "[metrics]\nm = 'x'",
                                 "[matrix.a]\n'a b' = [1]",
                                 "[matrix.a]\nGATE_X = [1]",
                                 "[matrix.a]\nTP = 1",
                                 "[matrix.a]\nTP = []",
                                 "[matrix.a]\nTP = [[1]]",
                                 "[matrix.a]\nTP = [1, 1]",
                                 "[matrix.a]\nsize = ['0x8']",
                                 "[matrix.a]\nTP = [1]\nexclude = 'x'",
                                 "[matrix.a]\nTP = [1]\nparams = { X = 1.5 }",
                                 "[matrix.a]\nTP = [1]\n[platform.p.matrix.a]\nTP = [2]",
                                 "[platform.p]\nx = 1",
                                 "[hosts]\nlocal = ['h']",
                                 "[hosts]\n'a,b' = ['h']",
                                 "[hosts]\nlab = { a = 1 }",
                                 "[notify.n]\nurl_env = 'A'",
                                 "[notify.n]\nkind = 'slack'",
                                 "[notify.n]\nkind = 'slack'\nurl = 'https://h'\nurl_env = 'A'",
                                 "[store.gcs]\nregion = 'x'",
                                 "[peaks.p]\n'a b' = 1",
                                 "[peaks.p]\nfp16 = 0",
                                 "[strategy.-x]",
                                 "[features.x]",
                                 "[worker]\njobs = { a = -1 }",
                                 "[worker.tests]\nx = 'a'",
                                 "[worker.topics]",
                                 "[defaults.phase.baseline]\nargs = 'x'",
                                 "[defaults.phase.'a b']\nargs = 'x'",
                                 "[defaults.outputs.'a b']\nfile = 'x'",
                                 "[defaults.stages.test]\ncommand = 'x'",
                                 "[defaults.env]\n1X = 'x'",
                                 "[defaults.devices]\n'a b' = 1"}) {
    EXPECT_NE(mistakes(toml), "") << toml;
    EXPECT_NE(refused_by_schema(toml), "") << toml;
  }
}

// Return the blocks of TOML that the page has.
std::vector<std::string> blocks_of(const std::string& page) {
  std::vector<std::string> blocks;
  bool is_inside = false;
  for (const std::string_view line : split(page, '\n')) {
    const std::string_view trimmed = trim(line);
    if (trimmed == "```toml") blocks.emplace_back();
    if (is_inside && trimmed != "```") blocks.back().append(line).append("\n");
    is_inside = trimmed == "```toml" || (is_inside && trimmed != "```");
  }
  return blocks;
}

TEST(TomlSchema, TakesWhatTheExamplesAndThePagesShow) {
  std::size_t files = 0, blocks = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(GATE_SOURCE_DIR "/docs")) {
    const bool is_file = entry.path().extension() == ".toml";
    if (!is_file && entry.path().extension() != ".md") continue;
    const std::string text = fs::read_file(entry.path()).value();
    for (const std::string& toml : is_file ? std::vector{text} : blocks_of(text)) {
      if (!is_file && !mistakes(toml).empty()) continue;  // a part, or a mistake that the page is about
      EXPECT_EQ(refused_by_schema(toml), "") << entry.path() << "\n" << toml;
      ++(is_file ? files : blocks);
    }
  }
  EXPECT_GE(files, 5U);
  EXPECT_GE(blocks, 50U);
}

}  // namespace
}  // namespace gate::config::toml_schema_test
