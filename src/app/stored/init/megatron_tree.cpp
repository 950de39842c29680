#include "stored/init/trees.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "gate/base/text.h"
#include "gate/config/case_names.h"
#include "gate/config/margins.h"
#include "gate/config/megatron.h"
#include "gate/schema/golden_name.h"

namespace gate::app {

namespace {

const std::string test_cases = "tests/functional_tests/test_cases/";
constexpr std::size_t most_told_cases = 5;
constexpr std::string_view unnamed = "no recipe names it";

void add_once(std::vector<std::string>& texts, const std::string& text) {
  if (!text.empty() && std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
}

template <typename Value>
void take_greater(std::optional<Value>& one, const std::optional<Value>& other) {
  if (other && (!one || *one < *other)) one = other;
}

// Words by platform, each once; "" of platforms that are none of gate's.
class ByPlatform {
 public:
  void add(const std::string& platform, const std::string& word) {
    auto of_platform = std::ranges::find(all_, platform, &Entry::first);
    if (of_platform == all_.end()) of_platform = all_.insert(all_.end(), {platform, {}});
    add_once(of_platform->second, word);
  }

  // Return the words of most platforms; of as many those that are all `usual`, then the first.
  std::vector<std::string> commonest(bool (*is_usual)(const std::string&)) const {
    const auto rank = [&](const Entry& entry) {
      return std::pair(std::ranges::count(all_, entry.second, &Entry::second),
                       std::ranges::all_of(entry.second, is_usual));
    };
    return all_.empty() ? std::vector<std::string>() : std::ranges::max_element(all_, {}, rank)->second;
  }

  // Each platform with its words.
  const auto& all() const { return all_; }

 private:
  using Entry = std::pair<std::string, std::vector<std::string>>;
  std::vector<Entry> all_;
};

// What the rows of all recipes say of one case.
struct RecipeCase {
  ByPlatform sizes, environments;  // `1x8`, `dev`
  ByPlatform tags;                 // scopes and cadences
  std::vector<std::string> scopes, cadences;
  std::optional<int> repeat;
  std::optional<std::int64_t> time_limit;           // s
  std::vector<std::string> training_scripts, data;  // each once
  std::vector<std::string> strange_platforms;       // that are none of gate's
  bool lacks_devices = false;                       // nodes are said, devices are not
  Position at;                                      // of its first row

  void add(const config::MegatronRow& row) {
    const std::string platform = schema::megatron_platform(row.platform);
    if (at.file.empty()) at = row.at;
    if (platform.empty()) add_once(strange_platforms, row.platform);
    const int nodes = row.nodes.value_or(1);
    sizes.add(platform, row.gpus ? std::to_string(nodes) + "x" + std::to_string(*row.gpus) : "");
    lacks_devices |= !row.gpus && nodes > 1;
    environments.add(platform, row.environment);
    add_once(scopes, row.scope);
    tags.add(platform, row.scope);
    for (const std::string& cadence : row.cadence) {
      add_once(cadences, cadence);
      tags.add(platform, cadence);
    }
    take_greater(repeat, row.n_repeat);
    take_greater(time_limit, row.time_limit);
    add_once(training_scripts, config::recipe_argument(row, "TRAINING_SCRIPT_PATH").value_or(""));
    add_once(data, config::recipe_argument(row, "DATA_PATH").value_or(""));
  }

  std::string training_script() const { return training_scripts.empty() ? "" : training_scripts.front(); }

  // Return the sizes that gate.toml has of all platforms: those of most, and rather on one node.
  std::vector<std::string> own_sizes() const {
    return sizes.commonest([](const std::string& size) { return size.starts_with("1x"); });
  }

  // Tell whether the tags are the same on each platform, as those of gate.toml are.
  bool has_tags_of_one() const {
    std::set<std::set<std::string>> different;
    for (const auto& [platform, words] : tags.all()) different.insert({words.begin(), words.end()});
    return different.size() <= 1;
  }

  // Tell whether gate.toml can say the sizes that the case has on a platform: a matrix is of all platforms.
  bool can_say(const std::vector<std::string>& of_platform) const {
    const std::vector<std::string> own = own_sizes();
    return of_platform == own || (own.size() == 1 && of_platform.size() == 1);
  }
};

// What all recipes of a checkout say.
struct Recipes {
  std::map<std::string, RecipeCase> cases;
  std::vector<std::string> unreadable;  // why

  explicit Recipes(const fs::Path& folder) {
    for (const std::string& file : fs::files_below(folder / "tests"))
      if (file.ends_with(".yaml") && ("/" + file).find("/recipes/") != std::string::npos)
        read(folder, "tests/" + file);
  }

  const RecipeCase* find(const std::string& name) const {
    const auto found = cases.find(name);
    return found == cases.end() ? nullptr : &found->second;
  }

 private:
  // Files that begin with `_` build images and the like.
  void read(const fs::Path& folder, const std::string& file) {
    if (fs::name_of(file).starts_with('_')) return;
    const Result<std::string> text = fs::read_file(folder / file);
    if (!text) return unreadable.push_back(text.error().message);
    const auto rows = config::read_megatron_recipe(*text, file);
    if (!rows) return unreadable.push_back(to_string(rows.error().front()));
    for (const config::MegatronRow& row : *rows) cases[row.model + "/" + row.test_case].add(row);
  }
};

// Return the text that most of the cases have; of as many, the first.
std::string commonest(const std::vector<std::string>& texts) {
  std::map<std::string, int> count;
  for (const std::string& text : texts)
    if (!text.empty()) ++count[text];
  const auto most = std::ranges::max_element(count, {}, [](const auto& entry) { return entry.second; });
  return most == count.end() ? "" : most->first;
}

std::string model_of(const std::string& name) { return name.substr(0, name.find('/')); }

class MegatronTree {
 public:
  MegatronTree(const fs::Path& folder, std::span<const std::string> cases, config::Proposal& proposal)
      : folder_(folder), cases_(cases), proposal_(proposal), recipes_(folder) {}

  void complete() {
    for (const std::string& why : recipes_.unreadable)
      untold(say({"what a recipe says: {}", "recipe 的内容：{}"}, why));
    for (const std::string& name : cases_) read_case(name);
    add_defaults();
    tell_training_scripts();
    for (const std::string& name : cases_) add_case(name);
    share_by_model();
    std::ranges::move(matrices_, std::back_inserter(proposal_.tables));
    tell();
  }

 private:
  void read_case(const std::string& name) {
    const std::string file = test_cases + name + "/model_config.yaml";
    const Result<std::string> text = fs::read_file(folder_ / file);
    if (!text) return unreadable_case(text.error().message);
    const auto of = config::read_megatron_case(*text, file);
    if (!of) return unreadable_case(to_string(of.error().front()));
    types_[name] = of->test_type;
    const auto rest = config::read_case_file(config::CaseKind::megatron, *text, file);
    if (rest && !rest->unsupported.empty()) unsupported_[rest->unsupported].push_back(name);
  }

  // What every case has: its event files beside its log, and the data.
  void add_defaults() {
    std::vector<std::string> data;
    for (const std::string& name : cases_)
      if (const RecipeCase* recipe = recipes_.find(name); recipe != nullptr && !recipe->data.empty())
        data.push_back(recipe->data.front());
    config::ProposedTable defaults{"defaults"};
    defaults.add("log", std::vector<std::string>{"{scratch}/tensorboard/**"});
    if (std::string folder = commonest(data); !folder.empty())
      defaults.add("data_dir", folder);
    else
      untold(say({"where the data is: data_dir under [defaults]", "数据在哪里：[defaults] 下的 data_dir"}));
    proposal_.tables.push_back(std::move(defaults));
  }

  // A model that no recipe names is trained by its own script.
  std::string training_script(const std::string& name) const {
    const RecipeCase* recipe = recipes_.find(name);
    if (recipe != nullptr && !recipe->training_script().empty()) return recipe->training_script();
    const std::string own = "pretrain_" + model_of(name) + ".py";
    return fs::exists(folder_ / own) ? own : "";
  }

  void tell_training_scripts() {
    std::set<std::string> without;
    for (const std::string& name : cases_)
      if (training_script(name).empty()) without.insert(printable(model_of(name), 80));
    for (const std::string& model : without)
      untold(say({"which script trains {}: env.TRAINING_SCRIPT_PATH of its cases",
                  "哪个脚本训练 {}：其用例的 env.TRAINING_SCRIPT_PATH"},
                 model));
  }

  void add_case(const std::string& name) {
    config::ProposedTable table{config::case_key(name)};
    std::vector<std::string> tags;
    add_once(tags, types_[name]);
    if (std::string script = training_script(name); !script.empty())
      table.add("env.TRAINING_SCRIPT_PATH", script);
    if (const RecipeCase* recipe = recipes_.find(name)) {
      for (const auto& [platform, words] : recipe->environments.all())
        for (const std::string& word : words) add_once(tags, word);
      for (const auto* words : {&recipe->scopes, &recipe->cadences})
        for (const std::string& word : *words) add_once(tags, word);
      add_size(name, *recipe, table);
      add_platforms(*recipe, table);
      tell_of(name, *recipe);
      if (recipe->repeat.value_or(1) > 1) table.add("repeat", *recipe->repeat);
      if (recipe->time_limit) table.add("timeout", std::to_string(*recipe->time_limit) + "s");
    } else {
      without_recipe_.push_back(name);
      if (!recipes_.cases.empty()) table.add("skip", std::string(unnamed));
    }
    if (!tags.empty()) table.add("tags", tags);
    by_model_[model_of(name)].push_back(std::move(table));
  }

  static void add_platforms(const RecipeCase& recipe, config::ProposedTable& table) {
    std::vector<std::string> platforms;
    for (const auto& [platform, sizes] : recipe.sizes.all())
      if (!platform.empty() && recipe.can_say(sizes)) platforms.push_back(platform);
    if (!platforms.empty()) table.add("platform", platforms);
    add_by_platform("environment", recipe.environments,
                    recipe.environments.commonest([](const std::string& word) { return word == "dev"; }),
                    table);
  }

  // What all cases of a model say that are run, most of them alike, is said once.
  void share_by_model() {
    for (auto& [model, tables] : by_model_) {
      config::ProposedTable shared{config::case_key(model + "/")};
      shared.name.insert(shared.name.size() - 1, "*");
      for (const char* key : {"env.TRAINING_SCRIPT_PATH", "devices.any", "platform", "environment.any",
                              "repeat", "timeout", "tags"})
        share(key, tables, shared);
      tables.insert(tables.begin(), std::move(shared));
      for (config::ProposedTable& table : tables) {
        for (const char* key : {"devices", "environment"}) name_plainly(key, table);
        proposal_.tables.push_back(std::move(table));
      }
    }
  }

  // What stands alone for any platform needs no word that says so.
  static void name_plainly(const std::string& key, config::ProposedTable& table) {
    const auto is_part = [&](const auto& one) { return one.first.starts_with(key + "."); };
    if (std::ranges::count_if(table.values, is_part) != 1) return;
    auto& part = *std::ranges::find_if(table.values, is_part);
    if (part.first == key + ".any") part.first = key;
  }

  static void share(const std::string& key, std::vector<config::ProposedTable>& tables,
                    config::ProposedTable& shared) {
    std::vector<std::string> said;
    std::size_t skipped = 0;
    for (const config::ProposedTable& table : tables)
      for (const auto& [other, value] : table.values) {
        if (other == key) said.push_back(value);
        skipped += other == "skip" ? 1 : 0;
      }
    if (said.size() + skipped < tables.size() || said.size() < 2) return;
    const std::pair<std::string, std::string> usual{key, commonest(said)};
    shared.values.push_back(usual);
    for (config::ProposedTable& table : tables) std::erase(table.values, usual);
  }

  void add_size(const std::string& name, const RecipeCase& recipe, config::ProposedTable& table) {
    const std::vector<std::string> sizes = recipe.own_sizes();
    if (sizes.size() == 1) return add_by_platform("devices", recipe.sizes, sizes, table);
    if (sizes.empty()) return;
    config::ProposedTable matrix{"matrix" + config::case_key(name).substr(std::string("case").size())};
    matrix.add("size", sizes);
    matrices_.push_back(std::move(matrix));
    untold(say({"which size the golden files of {0} are of: record its variants (gate baseline record {0})",
                "{0} 的基准文件属于哪种规模：请录制它的各变体（gate baseline record {0}）"},
               name));
  }

  // Add what most platforms have as the key for any, and what others have for each of them.
  static void add_by_platform(const std::string& key, const ByPlatform& words,
                              const std::vector<std::string>& usual, config::ProposedTable& table) {
    const auto add = [&](const std::string& platform, const std::vector<std::string>& of) {
      if (of.size() == 1)
        table.add(key + "." + platform, of.front());
      else if (!of.empty() && key != "devices")
        table.add(key + "." + platform, of);
    };
    add("any", usual);
    for (const auto& [platform, of] : words.all())
      if (!platform.empty() && of != usual) add(platform, of);
  }

  void tell_of(const std::string& name, const RecipeCase& recipe) {
    for (const auto& [platform, sizes] : recipe.sizes.all())
      if (!platform.empty() && !recipe.can_say(sizes))
        other_sizes_[join(sizes, ", ") + " on " + platform].push_back(name);
    for (const std::string& platform : recipe.strange_platforms) strange_platforms_[platform].push_back(name);
    if (recipe.lacks_devices) lacking_devices_.push_back(name);
    if (!recipe.has_tags_of_one()) other_tags_.push_back(name);
    for (std::size_t i = 1; i < recipe.training_scripts.size(); ++i)
      untold(say({"whether {} is trained by {}, too: {} is taken", "{} 是否也由 {} 训练：取 {}"}, name,
                 recipe.training_scripts[i], recipe.training_script()));
  }

  void tell() {
    if (!without_recipe_.empty() && recipes_.cases.empty())
      untold(say({"the devices of the cases: there is no recipe; a run takes the whole host",
                  "用例的设备数：没有 recipe；运行时占用整台主机"}));
    else if (!without_recipe_.empty())
      untold(say({"a recipe of {}, skipped in runs: {}", "{}的 recipe，运行时跳过：{}"},
                 count_of(std::ssize(without_recipe_), "case", "个用例"),
                 listed(without_recipe_, most_told_cases)));
    for (const auto& [size, names] : other_sizes_) tell_other_size(size, names);
    for (const auto& [platform, names] : strange_platforms_)
      untold(say({"which platform {} is, of {}", "{} 是哪个平台（{}）"}, printable(platform, 80),
                 listed(names, most_told_cases)));
    if (!other_tags_.empty())
      untold(say({"the tags by platform of {}: a case has those of all its products, on each platform",
                  "{} 在各平台上的标签：用例在每个平台上都带有它所有 product 的标签"},
                 listed(other_tags_, most_told_cases)));
    if (!lacking_devices_.empty())
      untold(say({"the devices of a node of {}", "每个节点的设备数：{}"},
                 listed(lacking_devices_, most_told_cases)));
    for (const auto& [why, names] : unsupported_)
      untold(say({"how to run {}, {}: {}", "怎样运行 {}，{}：{}"},
                 count_of(std::ssize(names), "case", "个用例"), listed(names, most_told_cases), why));
    proposal_.golden = test_cases;
    proposal_.next = {{"gate baseline import --tree " + test_cases},
                      {"gate baseline accept --to platform --reason \"...\""},
                      list_next(),
                      dry_run_next()};
  }

  void tell_other_size(const std::string& size, std::span<const std::string> names) {
    const auto sizes = printable(size, 80);
    untold(
        say({"how to run {} in the size {}: a case has one size, or a matrix of sizes, for all its platforms",
             "怎样以规模 {1} 运行（{0}）：一个用例在所有平台上只有一种规模，或一个规模矩阵"},
            listed(names, most_told_cases), sizes));
  }

  void unreadable_case(const std::string& why) {
    untold(say({"what a case says: {}", "用例的内容：{}"}, why));
  }

  void untold(Sentence what) { proposal_.untold.push_back(std::move(what)); }

  const fs::Path& folder_;
  std::span<const std::string> cases_;
  config::Proposal& proposal_;
  Recipes recipes_;
  std::map<std::string, std::string> types_;
  std::map<std::string, std::vector<config::ProposedTable>> by_model_;
  std::vector<config::ProposedTable> matrices_;
  NamesBySentence unsupported_;
  std::map<std::string, std::vector<std::string>> other_sizes_, strange_platforms_;
  std::vector<std::string> without_recipe_, lacking_devices_, other_tags_;
};

// A case of the suite beside what the recipes say of it by now.
class BesideRecipe {
 public:
  BesideRecipe(const RecipeCase& recipe, std::span<const config::Case* const> variants)
      : recipe_(recipe),
        variants_(variants),
        own_(variants.front()->settings),
        found_{variants.front()->name} {}

  SourceFindings find() {
    for (const auto& [platform, sizes] : recipe_.sizes.all())
      if (!platform.empty() && recipe_.can_say(sizes)) compare_on(platform, sizes);
    const int repeat = recipe_.repeat.value_or(1);
    if (repeat != own_.repeat)
      differs("n_repeat " + std::to_string(repeat), std::to_string(own_.repeat), repeat > own_.repeat);
    if (const auto limit = recipe_.time_limit; limit && std::chrono::seconds(*limit) != own_.timeout)
      differs("time_limit " + std::to_string(*limit), to_string(own_.timeout));
    const std::string key = "TRAINING_SCRIPT_PATH";
    const auto script = own_.env.find(key);
    if (!recipe_.training_script().empty() && script != own_.env.end() &&
        script->second != recipe_.training_script())
      differs(key + "=" + recipe_.training_script(), script->second);
    if (own_.skip == unnamed) differs("that it is run", "skip = \"" + own_.skip + "\"");
    return std::move(found_);
  }

 private:
  void compare_on(const std::string& platform, const std::vector<std::string>& sizes) {
    std::vector<std::string> own;
    std::int64_t most = 0;
    for (const config::Case* variant : variants_)
      if (const config::Size size = config::size_on(variant->settings, platform);
          size.devices.value_or(0) > 0) {
        own.push_back(std::to_string(size.nodes) + "x" + std::to_string(*size.devices));
        most = std::max<std::int64_t>(most, size.nodes * *size.devices);
      }
    for (const std::string& size : sizes)
      if (!own.empty() && std::ranges::find(own, size) == own.end())
        differs("nodes x gpus " + size + " on " + platform, join(own, ", "), most < devices_of(size));
    if (!own_.platform.empty() && std::ranges::none_of(own_.platform, [&](const std::string& glob) {
          return glob_match(glob, platform);
        }))
      differs("platform " + platform, join(own_.platform, ", "));
  }

  // `2x8` are 16.
  static std::int64_t devices_of(const std::string& size) {
    const std::size_t cross = size.find('x');
    return parse_integer(size.substr(0, cross)).value_or(0) *
           parse_integer(size.substr(cross + 1)).value_or(0);
  }

  void differs(const std::string& theirs, const std::string& ours, bool is_less = false) {
    (is_less ? found_.changed : found_.other)
        .push_back(say({"{} says {}, and gate.toml {}", "{} 写的是 {}，而 gate.toml 写的是 {}"},
                       to_string(recipe_.at), printable(theirs, 120), printable(ours, 120)));
  }

  const RecipeCase& recipe_;
  std::span<const config::Case* const> variants_;
  const config::Settings& own_;
  SourceFindings found_;
};

// Return the cases of Megatron-LM's kind by what recipes call them, variants together.
std::map<std::string, std::vector<const config::Case*>> megatron_cases(const Suite& suite) {
  constexpr std::string_view end = "/model_config.yaml";
  std::map<std::string, std::vector<const config::Case*>> cases;
  for (const config::Case& one : suite.cases)
    if (one.kind == config::CaseKind::megatron && one.script.starts_with(test_cases) &&
        one.script.ends_with(end))
      cases[one.script.substr(test_cases.size(), one.script.size() - test_cases.size() - end.size())]
          .push_back(&one);
  return cases;
}

}  // namespace

std::vector<SourceFindings> megatron_source_findings(const Suite& suite) {
  const auto cases = megatron_cases(suite);
  if (cases.empty()) return {};
  const Recipes recipes(suite.root);
  std::vector<SourceFindings> all;
  for (const auto& [name, variants] : cases)
    if (const RecipeCase* const recipe = recipes.find(name))
      all.push_back(BesideRecipe(*recipe, variants).find());
    else if (!recipes.cases.empty() && variants.front()->settings.skip.empty())
      all.push_back({.case_name = variants.front()->name,
                     .other = {say({"no recipe names it any more", "已没有 recipe 提到它"})}});
  return all;
}

void complete_megatron_tree(const fs::Path& folder, std::span<const std::string> cases,
                            config::Proposal& proposal) {
  MegatronTree(folder, cases, proposal).complete();
}

}  // namespace gate::app
