#include "app/run/case_inputs.h"

#include <fmt/format.h>

#include "gate/base/text.h"

namespace gate::app {

namespace {

std::string name_of_input(const std::string& key) {
  if (key.starts_with("rules.") || key.starts_with("metrics.")) return "rules";
  return key.starts_with("env.") ? "environment" : "settings";
}

void add_input(std::string& text, const std::string& key, const std::string& value) {
  text += fmt::format("{}:{}={}:{}\n", key.size(), key, value.size(), value);
}

void add_json_names(std::string& text, const extract::JsonNames& names) {
  for (const std::string* name : {&names.step, &names.total, &names.rank}) add_input(text, "json", *name);
  for (const extract::JsonMetric& metric : names.metrics)
    add_input(text, metric.metric, metric.key + " " + metric.scale.to_string());
}

}  // namespace

Answer<Inputs> inputs_of(const Suite& suite, const config::Case& spec, const JudgedAgainst& against,
                         const std::string& platform, const std::vector<std::string>& args,
                         const Masker& masker) {
  GATE_TRY(const std::vector<config::Origin> lines, origins(suite, spec));
  std::map<std::string, std::string> texts{
      {"ARGS", ""}, {"baseline", ""}, {"environment", ""}, {"rules", ""}};
  for (const config::Origin& line : lines) add_input(texts[name_of_input(line.key)], line.key, line.value);
  add_input(texts["settings"], "launch", suite.policy.launch());
  add_input(texts["settings"], "cwd", suite.cwd.string());
  add_json_names(texts["settings"], spec.json);
  for (const BaselineUsed& file : against.files) add_input(texts["baseline"], file.path, file.sha256);
  for (const std::string& word : args) add_input(texts["ARGS"], "", word);
  texts["gate"] = GATE_VERSION;
  texts["platform"] = platform;
  texts["script"] = fs::read_file(suite.root / spec.script).value_or("");
  Inputs inputs;
  for (const auto& [name, text] : texts) inputs[name] = fs::sha256(masker.mask(text));
  return inputs;
}

std::optional<std::string> changes(const Inputs& before, const Inputs& now) {
  std::vector<std::string> names;
  for (const auto& [name, hash] : now)
    if (const auto was = before.find(name); was == before.end() || was->second != hash) names.push_back(name);
  if (names.size() == now.size()) return "what it was judged from is not known";
  if (names.empty()) return std::nullopt;
  return "its " + join(names, ", ") + " changed";
}

}  // namespace gate::app
