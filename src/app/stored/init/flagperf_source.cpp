// What FlagPerf's files say now, beside a gate.toml that was made of them: keys of CASES that it lacks,
// targets that are higher, and what FlagPerf's rules for cases ask of each.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "gate/base/text.h"
#include "gate/config/flagperf.h"
#include "gate/stored/lint.h"
#include "stored/init/trees.h"

namespace gate::app {

namespace {

using config::FlagPerfCase;

const std::string benchmarks = "training/benchmarks/";
constexpr std::array<std::string_view, 3> wanted_sizes{"1x1", "1x8", "2x8"};
constexpr std::array<std::string_view, 2> wanted_parameters{"vendor", "data_dir"};

bool is_of_flagperf(const Suite& suite) {
  return std::ranges::any_of(suite.cases, [](const config::Case& one) {
    return one.script.starts_with(benchmarks) && one.script.ends_with("/run_pretraining.py");
  });
}

// Return the case that the key means: of its hardware, where a variable says it.
const config::Case* case_of_key(const Suite& suite, const FlagPerfCase& key) {
  const auto found = std::ranges::find_if(suite.cases, [&](const config::Case& one) {
    const std::string* hardware = config::flagperf_hardware_of(one.settings);
    return config::is_flagperf_case(key, one.name) && (hardware == nullptr || *hardware == key.hardware);
  });
  return found == suite.cases.end() ? nullptr : &*found;
}

Sentence asks(const Rule& wanted, const Rule* own) {
  return say({"{} is to be \"{}\" by its files now, and gate.toml says {}",
              "按它的文件，{} 现在应为 \"{}\"，而 gate.toml 写的是{}"},
             wanted.metric, to_string(wanted.tolerance),
             own == nullptr ? say({"nothing of it", "没有写"})
                            : say({"\"{}\"", " \"{}\""}, to_string(own->tolerance)));
}

bool is_as_strict(const Tolerance& own, const Tolerance& wanted) {
  return own == wanted || shift_of(wanted, own) == PolicyShift::tightened;
}

// Where gate.toml asks for less than is to be reached, or for more, which is a person's choice.
void compare_targets(const config::Case& wanted, const config::Case& own, SourceFindings& findings) {
  for (const Rule& rule : wanted.rules) {
    if (rule.is_built_in || wanted.metrics.get(rule.metric).kind != MetricKind::accuracy) continue;
    const auto same = std::ranges::find_if(
        own.rules, [&](const Rule& one) { return one.metric == rule.metric && !one.is_built_in; });
    const Rule* const found = same == own.rules.end() ? nullptr : &*same;
    if (found != nullptr && found->tolerance == rule.tolerance) continue;
    const bool is_met = found != nullptr && is_as_strict(found->tolerance, rule.tolerance);
    (is_met ? findings.other : findings.changed).push_back(asks(rule, found));
  }
  if (wanted.settings.repeat > own.settings.repeat)
    findings.changed.push_back(say({"its files ask for {} by now, and gate.toml for {}",
                                    "它的文件现在要求运行{}，而 gate.toml 写的是{}"},
                                   count_of(wanted.settings.repeat, "repeat", " 次"),
                                   count_of(own.settings.repeat, "repeat", " 次")));
}

// Where gate.toml needs other files. One that is neither named nor there stops every run.
void compare_needs(const config::Case& wanted, const config::Case& own, const fs::Path& root,
                   SourceFindings& findings) {
  const auto theirs = config::needs_on(wanted.settings, ""), ours = config::needs_on(own.settings, "");
  const auto lacks = [](const std::vector<std::string>& all, const std::string& path) {
    return std::ranges::find(all, path) == all.end();
  };
  for (const std::string& path : ours)
    if (lacks(theirs, path))
      (fs::exists(root / path) ? findings.other : findings.changed)
          .push_back(say({"gate.toml needs {}, and its files do not name it by now",
                          "gate.toml 需要 {}，而它的文件现在没有提到"},
                         printable(path, 200)));
  for (const std::string& path : theirs)
    if (lacks(ours, path))
      findings.other.push_back(say({"its files name {} by now, and gate.toml does not need it",
                                    "它的文件现在提到 {}，而 gate.toml 不需要它"},
                                   printable(path, 200)));
}

// Where gate.toml starts it by other data or another vendor's code.
void compare_start(const config::Case& wanted, const config::Case& own, SourceFindings& findings) {
  constexpr std::string_view flag = "--vendor ";
  const auto vendor_of = [&](const config::Case& one) {
    const std::size_t at = one.launch.find(flag);
    if (at == std::string::npos) return std::string();
    const std::size_t begin = at + flag.size();
    return one.launch.substr(begin, one.launch.find(' ', begin) - begin);
  };
  const auto compare = [&](std::string_view what, const std::string& theirs, const std::string& ours) {
    if (theirs != ours)
      findings.other.push_back(say({"its {} is {} by its files now, and {} by gate.toml",
                                    "按它的文件，它的 {} 现在是 {}，而 gate.toml 写的是 {}"},
                                   what, printable(theirs, 200), printable(ours, 200)));
  };
  compare("VENDOR", vendor_of(wanted), vendor_of(own));
  compare("data_dir", config::data_dir_on(wanted.settings, ""), config::data_dir_on(own.settings, ""));
}

// What FlagPerf's rules for cases ask for, and a benchmark has not.
class FlagPerfMusts {
 public:
  FlagPerfMusts(const fs::Path& root, const FlagPerfCase& of, const std::string& vendor)
      : root_(root), case_(of), vendor_(vendor), paths_(config::flagperf_paths(of, vendor)) {}

  std::vector<Sentence> lacking() {
    for (const std::string& path : {paths_.base, paths_.mutable_params}) ask_for("training/" + path);
    ask_parameters();
    ask_vendors_list();
    ask_configs();
    ask_for("training/" + paths_.requirements);
    ask_readme();
    ask_imports();
    for (const std::string& key : config::flagperf_unsaid(text_of(script())))
      lacks(say({"finished_info of {} has no {}", "{} 的 finished_info 没有 {}"}, script(), key));
    return std::move(said_);
  }

 private:
  void lacks(Sentence what) { said_.push_back(std::move(what)); }
  void ask_for(const std::string& path) {
    if (!fs::exists(root_ / path)) lacks(say({"there is no {}", "没有 {}"}, path));
  }

  std::string script() const { return benchmarks + case_.name() + "/run_pretraining.py"; }
  std::string text_of(const std::string& path) const { return fs::read_file(root_ / path).value_or(""); }

  void ask_parameters() {
    const std::string file = "training/" + paths_.base;
    const auto base = config::read_python(text_of(file), file);
    if (!fs::exists(root_ / file) || !base) return;
    for (const std::string_view name : wanted_parameters)
      if (base->find(name) == nullptr) lacks(say({"{} does not set {}", "{} 没有设置 {}"}, file, name));
  }

  void ask_vendors_list() {
    const std::string file = "training/" + paths_.mutable_params, text = text_of(file);
    const auto python = config::read_python(text, file);
    const config::PythonSetting* const list = python ? python->find("mutable_params") : nullptr;
    if (list != nullptr && list->value.is_told() &&
        std::ranges::find(list->value.items, "vendor", &config::PythonValue::text) == list->value.items.end())
      lacks(say({"mutable_params of {} has no vendor", "{} 的 mutable_params 没有 vendor"}, file));
  }

  void ask_configs() {
    const fs::Path own = "training/" + paths_.vendor_config;
    if (std::ranges::find(wanted_sizes, case_.size()) == wanted_sizes.end()) ask_for(own.generic_string());
    for (const std::string_view size : wanted_sizes)
      ask_for((own.parent_path() / ("config_" + case_.hardware + "x" + std::string(size) + ".py"))
                  .generic_string());
  }

  // A standard case runs on the devices of any vendor.
  void ask_imports() {
    constexpr std::size_t most_places = 5, longest = 1 << 20;
    const std::string folder = benchmarks + case_.name() + "/";
    std::map<std::string, std::vector<std::string>> places;
    for (const std::string& file : fs::files_below(root_ / folder)) {
      if (!file.ends_with(".py")) continue;
      const auto text = fs::read_regular(root_ / (folder + file), longest);
      for (const auto& [package, lines] : config::flagperf_foreign_imports(text.value_or("")))
        for (const int line : lines)
          places[package].push_back(printable(folder + file, 200) + ":" + std::to_string(line));
    }
    for (const auto& [package, found] : places)
      lacks(say({"it imports {}, which is of one vendor's devices: {}", "它导入了某一厂商专用的 {}：{}"},
                package, listed(found, most_places)));
  }

  // One lies with the model, one with its case, one with the vendor; the results are in any of them.
  void ask_readme() {
    const std::string own = "training/" + vendor_ + "/" + case_.model + "-" + case_.framework + "/";
    std::string text;
    std::vector<std::string> files;
    for (const std::string& folder : {benchmarks + case_.name() + "/", benchmarks + case_.model + "/", own}) {
      const std::size_t before = text.size();
      for (const char* name : {"README.md", "readme.md"})
        if (fs::exists(root_ / (folder + name))) {
          text += text_of(folder + name) + "\n";
          files.push_back(folder + name);
        }
      if (text.size() == before) ask_for(folder + "readme.md");
    }
    std::vector<std::string> untold;
    if (text.empty()) return;
    for (const std::string_view size : wanted_sizes)
      if (!has_row(text, size)) untold.emplace_back(size);
    if (!untold.empty())
      lacks(say({"no table of {} has results of {}", "{} 的表格里没有 {} 的结果"}, join(files, ", "),
                join(untold, ", ")));
  }

  static bool has_row(std::string_view text, std::string_view size) {
    return std::ranges::any_of(split(text, '\n'), [&](std::string_view line) {
      return trim(line).starts_with('|') && line.find(size) != std::string_view::npos;
    });
  }

  const fs::Path& root_;
  const FlagPerfCase& case_;
  const std::string& vendor_;
  config::FlagPerfPaths paths_;
  std::vector<Sentence> said_;
};

// A suite beside what gate init would write now.
class FlagPerfSource {
 public:
  FlagPerfSource(const Suite& suite, config::FlagPerfTests tests) : suite_(suite), tests_(std::move(tests)) {}

  config::Parsed<std::vector<SourceFindings>> find() {
    config::Proposal proposal;
    GATE_TRY_STATUS(propose_flagperf_tree(suite_.root, proposal));
    GATE_TRY(const config::Policy policy, config::Policy::parse(config::gate_toml(proposal), "gate.toml"));
    const auto found = cases_by_policy(policy, suite_);
    if (!found)
      return tl::unexpected(Diagnostics{{{std::string(flagperf_test_conf)}, found.error().message}});
    std::vector<SourceFindings> all;
    for (const FlagPerfCase& key : tests_.cases)
      if (const auto one = std::ranges::find_if(
              *found, [&](const auto& script) { return config::is_flagperf_case(key, script.name); });
          one != found->end())
        all.push_back(beside(policy, key, *one, proposal.unruly[one->name]));
    for (const config::Case& own : suite_.cases)
      if (config::flagperf_hardware_of(own.settings) != nullptr &&
          std::ranges::none_of(
              tests_.cases, [&](const FlagPerfCase& key) { return config::is_flagperf_case(key, own.name); }))
        all.push_back({.case_name = own.name,
                       .other = {say({"CASES of {} does not hold it by now", "{} 的 CASES 里现在没有它"},
                                     std::string(flagperf_test_conf))}});
    return all;
  }

 private:
  SourceFindings beside(const config::Policy& policy, const FlagPerfCase& key,
                        const config::CaseScript& wanted, const std::vector<Sentence>& unruly) const {
    const config::Case* const own = case_of_key(suite_, key);
    SourceFindings findings{own == nullptr ? wanted.name : own->name};
    findings.lacking = FlagPerfMusts(suite_.root, key, tests_.vendor).lacking();
    std::ranges::copy(unruly, std::back_inserter(findings.lacking));
    const bool is_left_out = std::ranges::find(suite_.left_out, wanted.name) != suite_.left_out.end() ||
                             std::ranges::find(suite_.left_out, wanted.base()) != suite_.left_out.end();
    if (own == nullptr && !is_left_out) {
      findings.new_key = key.key;
      findings.changed.push_back(say({"\"{}\" stands in CASES ({}), and gate.toml has no such case",
                                      "CASES 里有 \"{}\"（{}），而 gate.toml 没有这个用例"},
                                     printable(key.key, 120), to_string(key.at)));
    }
    if (own == nullptr) return findings;
    if (const auto resolved =
            policy.resolve({wanted.name, wanted.script, "", {}, wanted.group, wanted.variant})) {
      compare_targets(*resolved, *own, findings);
      compare_needs(*resolved, *own, suite_.root, findings);
      compare_start(*resolved, *own, findings);
    }
    return findings;
  }

  const Suite& suite_;
  config::FlagPerfTests tests_;
};

}  // namespace

std::vector<SourceFindings> flagperf_source_findings(const Suite& suite) {
  const std::string file(flagperf_test_conf);
  if (!is_of_flagperf(suite) || !fs::is_taken(suite.root / file)) return {};
  const auto tests = config::read_flagperf_tests(fs::read_file(suite.root / file).value_or(""), file);
  auto findings = tests ? FlagPerfSource(suite, *tests).find()
                        : config::Parsed<std::vector<SourceFindings>>(tl::unexpected(tests.error()));
  if (findings) return *std::move(findings);
  return {{.case_name = file, .changed = sentences_of(texts_of(findings.error(), [](const auto& mistake) {
                                return to_string(mistake);
                              }))}};
}

std::vector<SourceFindings> source_findings(const Suite& suite) {
  std::vector<SourceFindings> all = flagperf_source_findings(suite);
  std::ranges::move(megatron_source_findings(suite), std::back_inserter(all));
  return all;
}

Sentence take_source_changes(Suite& suite, bool is_of_all) {
  constexpr std::size_t most_named = 5;
  std::vector<std::string> keys, weaker;
  std::vector<Sentence> words;
  std::set<std::string> others;
  for (SourceFindings& one : source_findings(suite)) {
    for (const Sentence& other : one.other) others.insert(other.english());
    if (one.case_name == flagperf_test_conf)
      std::ranges::copy(one.changed, std::back_inserter(words));
    else if (!one.new_key.empty())
      keys.push_back(printable(one.new_key, 120));
    else if (!one.changed.empty())
      weaker.push_back(printable(one.case_name, 120));
    const auto same = std::ranges::find(suite.cases, one.case_name, &config::Case::name);
    if (same != suite.cases.end()) std::ranges::move(one.changed, std::back_inserter(same->source_changes));
  }
  if (is_of_all && !keys.empty())
    words.push_back(
        say({"gate.toml has no case for {} of CASES ({}); gate init --dry-run prints the lines for it",
             "gate.toml 没有 CASES 里的 {} 对应的用例（{}）；gate init --dry-run 会打印要加的内容"},
            listed(keys, most_named), std::string(flagperf_test_conf)));
  if (!weaker.empty())
    words.push_back(say({"gate.toml asks for less than its source files of {}; gate baseline lint tells what",
                         "gate.toml 对 {} 的要求少于它的来源文件；gate baseline lint 写明是什么"},
                        listed(weaker, most_named)));
  if (!others.empty())
    words.push_back(say({"gate.toml and its source files differ in {}; gate baseline lint -v tells which",
                         "gate.toml 与它的来源文件有{}不同；gate baseline lint -v 列出这些设置"},
                        count_of(std::ssize(others), "setting", " 项设置")));
  return join(words, as_is("\n"));
}

}  // namespace gate::app
