#include "gate/config/job_patch.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "config/yaml/yaml_tree.h"
#include "gate/base/text.h"

namespace gate::config {

namespace {

using PatchJson = nlohmann::ordered_json;

// A key that gate relies on, by its path; behind `containers`, `tasks` and `env` stands a name.
struct HeldKey {
  std::string_view path, why;
};

constexpr const char* by_label = "gate finds the job and its pods by it";
constexpr const char* of_nodes = "each node of the case is one pod, which is started once";

constexpr auto held_in_any = std::to_array<HeldKey>({
    {"metadata.name", "gate finds the job by it"},
    {"metadata.namespace", "kubernetes.namespace says it"},
    {"metadata.labels.gate-run", by_label},
    {"metadata.labels.gate-launch", by_label},
});

constexpr auto held_in_template = std::to_array<HeldKey>({
    {"metadata.labels.gate-run", by_label},
    {"metadata.labels.gate-launch", by_label},
    {"spec.restartPolicy", of_nodes},
    {"spec.subdomain", "the pods of a case find each other by it"},
    {"spec.containers.case.command", "it is what gate runs"},
    {"spec.containers.case.args", "gate's command has none"},
    {"spec.containers.case.env.NODE_RANK", "gate tells the pods of a case apart by it"},
});

constexpr auto held_in_job = std::to_array<HeldKey>({
    {"spec.completions", of_nodes},
    {"spec.parallelism", of_nodes},
    {"spec.completionMode", of_nodes},
    {"spec.backoffLimit", of_nodes},
    {"spec.tasks", "a Job has spec.template; with apiVersion: batch.volcano.sh/v1alpha1 it has tasks"},
});

constexpr auto held_in_volcano = std::to_array<HeldKey>({
    {"spec.minAvailable", of_nodes},
    {"spec.maxRetry", of_nodes},
    {"spec.tasks.node.replicas", of_nodes},
    {"spec.plugins.svc", "the pods of a case find each other by it"},
    {"spec.plugins.env", "the pods of a case are numbered by it"},
    {"spec.template", "a job of Volcano's has it in spec.tasks, in the task `node`"},
});

bool has_names(std::string_view key) { return key == "containers" || key == "tasks" || key == "env"; }

class PatchReader {
 public:
  Diagnostics mistakes;

  void check(const YamlTree& root) {
    if (root.kind != YamlTree::Kind::table)
      return mistake(root.at, "a patch is a table of what is to be in the job, as `spec:`");
    check_word(root, "kind", {"Job"});
    check_word(root, "apiVersion", {"batch/v1", "batch.volcano.sh/v1alpha1"});
    const YamlTree* api = root.find("apiVersion");
    const bool is_volcano = api != nullptr && api->text.starts_with("batch.volcano.sh/");
    for (const HeldKey& key : held_in_any) hold(root, key, "", key.path);
    for (const HeldKey& key : is_volcano ? std::span<const HeldKey>(held_in_volcano) : held_in_job)
      hold(root, key, "", key.path);
    for (const HeldKey& key : held_in_template) {
      const std::string path =
          (is_volcano ? "spec.tasks.node.template." : "spec.template.") + std::string(key.path);
      hold(root, {path, key.why}, "", path);
    }
  }

 private:
  void mistake(const Position& at, std::string text) {
    const auto is_said = [&](const Diagnostic& one) { return to_string(one.at) == to_string(at); };
    if (std::ranges::none_of(mistakes, is_said)) mistakes.push_back({at, std::move(text)});
  }

  void refuse(const Position& at, const std::string& name, const HeldKey& held) {
    mistake(at, name + " is not a patch's to say: " + std::string(held.why));
  }

  void check_word(const YamlTree& root, std::string_view key, std::vector<std::string_view> words) {
    const YamlTree* value = root.find(key);
    if (value == nullptr || (value->is_text() && std::ranges::count(words, value->text) > 0)) return;
    std::vector<std::string> known(words.begin(), words.end());
    mistake(value->at, std::string(key) + ": gate makes, follows and deletes a job: " + join(known, " or "));
  }

  // The rest is what of the key's path lies below the tree; what lies above is named in front.
  void hold(const YamlTree& tree, const HeldKey& held, const std::string& above, std::string_view rest) {
    if (tree.kind != YamlTree::Kind::table)
      return mistake(tree.at,
                     above + ": it is a table in the job, which a patch adds to, and does not replace");
    const std::string_view key = rest.substr(0, rest.find('.'));
    const auto entry = std::ranges::find(tree.entries, key, &YamlEntry::key);
    if (entry == tree.entries.end()) return;
    const std::string name = above.empty() ? std::string(key) : above + "." + std::string(key);
    if (key == rest) return refuse(entry->at, name, held);
    rest.remove_prefix(key.size() + 1);
    if (!has_names(key)) return hold(entry->value, held, name, rest);
    hold_named(entry->value, held, name, rest);
  }

  void hold_named(const YamlTree& list, const HeldKey& held, const std::string& above,
                  std::string_view rest) {
    const std::string_view name = rest.substr(0, rest.find('.'));
    if (list.kind != YamlTree::Kind::list)
      return mistake(list.at, above + ": it is a list of tables, to which gate's own belongs");
    for (const YamlTree& item : list.items) {
      const YamlTree* own = item.find("name");
      if (own == nullptr || !own->is_text() || own->is_null())
        mistake(item.at, above + ": each has a name, as gate's own `" + std::string(name) + "`");
      else if (own->text == rest)
        refuse(own->at, above + "." + own->text, held);
      else if (own->text == name)
        hold(item, held, above + "." + own->text, rest.substr(name.size() + 1));
      else if (above.ends_with("tasks"))
        mistake(own->at, above + ": gate's job has one task, `node`: " + of_nodes);
    }
  }
};

// As kubectl reads a word without quotes: 0644 is octal.
PatchJson json_of_word(const std::string& text) {
  const bool is_octal = text.size() > 1 && text.starts_with('0') &&
                        text.find_first_not_of("01234567") == std::string::npos && text.size() < 12;
  if (is_octal) return std::stoll(text, nullptr, 8);
  PatchJson value = PatchJson::parse(text, nullptr, false);
  return value.is_number() || value.is_boolean() ? value : PatchJson(text);
}

PatchJson json_of(const YamlTree& tree) {
  if (tree.is_null()) return nullptr;
  if (tree.is_text()) return tree.is_quoted ? PatchJson(tree.text) : json_of_word(tree.text);
  PatchJson json = tree.kind == YamlTree::Kind::list ? PatchJson::array() : PatchJson::object();
  for (const YamlTree& item : tree.items) json.push_back(json_of(item));
  for (const YamlEntry& entry : tree.entries) json[entry.key] = json_of(entry.value);
  return json;
}

}  // namespace

Parsed<std::string> read_job_patch(std::string_view text, const std::string& file) {
  auto root = parse_yaml(text, file);
  if (!root) return tl::unexpected(std::move(root).error());
  PatchReader reader;
  reader.check(*root);
  if (!reader.mistakes.empty()) return tl::unexpected(std::move(reader.mistakes));
  return json_of(*root).dump();
}

}  // namespace gate::config
