#include "gate/stored/init.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <tuple>

#include "gate/base/log.h"
#include "gate/base/text.h"
#include "gate/base/unfinished.h"
#include "gate/config/case_names.h"
#include "gate/config/policy.h"
#include "gate/config/script_counts.h"
#include "gate/config/toml_schema.h"
#include "gate/judge/profile.h"
#include "gate/store/suite_folder.h"
#include "gate/suite/scripts_beside.h"
#include "stored/init/trees.h"

namespace gate::app {

namespace {

constexpr std::size_t most_named_places = 5;

// Tell whether a script is of a CI, and no case: in a folder of one, or called as one that sets it up or runs
// it.
bool is_ci_script(std::string_view path) {
  constexpr std::array<std::string_view, 5> folders{"ci", ".ci", ".github", ".gitlab", ".circleci"};
  std::vector<std::string_view> parts = split(path, '/');
  std::string name(parts.back().substr(0, parts.back().find('.')));
  parts.pop_back();
  std::ranges::replace(name, '-', '_');
  const auto words = split(name, '_');
  return std::ranges::find_first_of(parts, folders) != parts.end() || words.front() == "install" ||
         std::ranges::find(words, "ci") != words.end();
}

// Return globs that leave the scripts of a CI out, of the folder that they are of or of each.
std::vector<std::string> globs_without(std::span<const std::string> scripts) {
  std::vector<std::string> globs;
  for (const std::string& script : scripts) {
    std::string glob = "!" + script;
    for (std::size_t end = script.find('/'); end != std::string::npos; end = script.find('/', end + 1))
      if (is_ci_script(script.substr(0, end) + "/x")) {
        glob = "!" + script.substr(0, end) + "/**";
        break;
      }
    if (std::ranges::find(globs, glob) == globs.end()) globs.push_back(glob);
  }
  return globs;
}

// What kind of tree a folder is. Where it has files of one group alone, the group has no name in gate.toml.
struct TreeKind {
  TableText doc;                              // `a folder with scripts/`
  std::vector<config::ProposedGroup> groups;  // of one glob each; the first is what the kind is told by
  std::string golden;            // the folder of golden files that are no baselines where they lie; ""
  std::string profile;           // where the kind decides it
  std::string environment = {};  // likewise
  // What the tool's own files say of the cases that were found; none: nothing.
  void (*complete)(const fs::Path& folder, std::span<const std::string> cases, config::Proposal&) = nullptr;
  // Where these files say all, which cases there are, too: fill the proposal, or return their mistakes.
  config::Parsed<void> (*propose)(const fs::Path& folder, config::Proposal&) = nullptr;
  // A golden file's name has that part and that end.
  std::string golden_part = "golden_values_", golden_end = ".json";
  bool holds_ci = false;  // scripts of a CI lie among the others

  // Tell whether the tool's own files say what the cases are.
  bool says_cases() const { return complete != nullptr || propose != nullptr; }

  // Return the folder of scripts, with a slash at its end.
  std::string scripts() const { return fs::folder_before_hole(groups.front().cases.front()); }
};

const std::array kinds{
    TreeKind{{"a checkout of the ModelLink / MindSpeed family", "ModelLink / MindSpeed 系列的代码仓"},
             {{"st", {"tests/st/shell_scripts/**.sh"}, "tests/st/baseline_results/{case}.json", "", ""},
              {"pipeline", {"tests/pipeline/st/*/*.sh"}, "tests/pipeline/st/baseline/{name}.json", "", ""},
              {"ut", {"tests/ut/**/test_*.py"}, "", "pytest -q {script}", "pytest"}},
             "",
             ""},
    TreeKind{{"a Megatron-LM checkout", "Megatron-LM 代码仓"},
             {{"",
               {"tests/functional_tests/test_cases/*/*/model_config.yaml"},
               "",
               "torchrun --nproc_per_node {devices} --nnodes {nodes} --node_rank {node_rank} "
               "--master_addr {env.MASTER_ADDR} --master_port {env.MASTER_PORT} "
               "{env.TRAINING_SCRIPT_PATH} {args}",
               "",
               "megatron",
               "{suite}"}},
             "",
             "megatron",
             "dev",
             complete_megatron_tree},
    TreeKind{.doc = {"a FlagPerf checkout", "FlagPerf 代码仓"},
             .groups = {{"", {"training/run_benchmarks/config/test_conf.py"}, "", "", ""}},
             .golden = "",
             .profile = "",
             .propose = propose_flagperf_tree},
    TreeKind{{"a Megatron-LM checkout without cases", "没有用例的 Megatron-LM 代码仓"},
             {{"", {"tests/gate/**.sh"}, "", "", ""}},
             "tests/functional_tests/test_cases/",
             "megatron",
             "dev"},
    TreeKind{.doc = {"a torchtitan checkout", "torchtitan 代码仓"},
             .groups = {{"", {"tests/gate/**.sh"}, "", "", ""}},
             .golden = "tests/assets/losses/",
             .profile = "",
             .golden_part = "",
             .golden_end = ".txt"},
    TreeKind{.doc = {"a folder with scripts", "带脚本的目录"},
             .groups = {{"", {"scripts/**.sh"}, "", "", ""}},
             .golden = "",
             .profile = "",
             .holds_ci = true},
};

bool has_file(const fs::Path& folder, const std::string& below, const std::string& part,
              const std::string& end) {
  return std::ranges::any_of(fs::files_below(folder / below), [&](const std::string& file) {
    return file.ends_with(end) && file.find(part) != std::string::npos;
  });
}

// Return the files that may be the kind's cases by the glob; those of a CI, which are none, go to `left_out`.
std::vector<std::string> script_files(const fs::Path& folder, const TreeKind& kind, const std::string& glob,
                                      std::vector<std::string>* left_out = nullptr) {
  std::vector<std::string> files = fs::files_for(folder, glob);
  if (!kind.holds_ci) return files;
  const auto of_ci = std::stable_partition(files.begin(), files.end(), std::not_fn(is_ci_script));
  if (left_out != nullptr)
    for (const config::CaseScript& one : config::find_cases(glob, std::vector(of_ci, files.end())))
      left_out->push_back(one.script);
  files.erase(of_ci, files.end());
  return files;
}

bool has_case(const fs::Path& folder, const TreeKind& kind) {
  const std::string& glob = kind.groups.front().cases.front();
  return !config::find_cases(glob, script_files(folder, kind, glob)).empty();
}

// Return all kinds that the folder is, the one that gate init takes it for first.
std::vector<const TreeKind*> tree_kinds(const fs::Path& folder) {
  std::vector<const TreeKind*> here;
  for (const TreeKind& kind : kinds)
    if (kind.golden.empty() ? has_case(folder, kind)
                            : has_file(folder, kind.golden, kind.golden_part, kind.golden_end))
      here.push_back(&kind);
  // Golden files that lie beside cases are no tree of their own.
  if (here.size() > 1 && here.front()->complete != nullptr)
    std::erase_if(here, [&](const TreeKind* kind) { return kind->golden == here.front()->scripts(); });
  return here;
}

// Return the folders, with a slash at their ends, that may hold scripts, baselines or golden files of any
// kind and could not be listed.
std::vector<std::string> unread_places(const fs::Path& folder) {
  std::set<std::string> unread;
  for (const TreeKind& kind : kinds) {
    std::vector<std::string> places{kind.golden};
    for (const config::ProposedGroup& group : kind.groups) {
      places.push_back(fs::folder_before_hole(group.cases.front()));
      places.push_back(
          fs::folder_before_hole(group.baselines.empty() ? "baselines/{case}" : group.baselines));
    }
    for (const std::string& place : places) {
      if (place.empty()) continue;
      for (const std::string& below : fs::list_below(folder / place).unread)
        unread.insert((fs::Path(place) / below / "").lexically_normal().generic_string());
    }
  }
  return {unread.begin(), unread.end()};
}

// Return what the folders of the kinds are called, for messages.
std::string known_trees() {
  std::string names;
  for (const TreeKind& kind : kinds)
    names += (names.empty() ? "" : ", ") + (kind.says_cases()     ? kind.groups.front().cases.front()
                                            : kind.golden.empty() ? kind.scripts() + "*.sh"
                                                                  : kind.golden);
  return names;
}

// Which tools the golden files of a tree are of.
class GoldenOrigins {
 public:
  // Count a file; an origin that no profile is called by counts for nothing.
  void note(const std::string& origin, const std::string& path) {
    first_of_.emplace(origin, path);
    const auto rows = judge::profiles().subspan(1);  // the first is gate's own
    if (std::ranges::any_of(rows, [&](const auto& row) { return row.name == origin; })) ++files_of_[origin];
  }

  // Return the profile of the tool that most files are of, the first by name of as many; "" without any.
  std::string commonest() const {
    const auto most = std::ranges::max_element(files_of_, {}, [](const auto& entry) { return entry.second; });
    return most == files_of_.end() ? "" : most->first;
  }

  // Return the first file of the tool.
  std::string first_file() const {
    const auto first = first_of_.find(commonest());
    return first == first_of_.end() ? "" : first->second;
  }

  // Return what is not detected where there are several; "" else.
  Sentence doubt() const {
    if (files_of_.size() < 2) return {};
    std::string mixed;
    for (const auto& [origin, count] : files_of_)
      mixed += (mixed.empty() ? "" : ", ") + origin + " " + std::to_string(count);
    const std::string first = commonest();
    const bool is_tie = std::ranges::count_if(files_of_, [most = files_of_.at(first)](const auto& entry) {
                          return entry.second == most;
                        }) > 1;
    return say({"which tool all golden files are of ({}); {}", "所有基准文件属于哪个工具（{}）；{}"}, mixed,
               is_tie ? say({"none is the commonest, and the profile is {} until you choose",
                             "没有哪个最多，在您选择之前判定方案为 {}"},
                            first)
                      : say({"the commonest is the profile", "判定方案取最多的那个"}));
  }

 private:
  std::map<std::string, int> files_of_;
  std::map<std::string, std::string> first_of_;
};

// Looks at the folder and fills a proposal.
class Surveyor {
 public:
  // `here` is all that the folder is, and not empty.
  // `first_case` is one that is being recorded and says itself what it needs; "" is none.
  Surveyor(const fs::Path& folder, std::span<const TreeKind* const> here, std::string first_case)
      : folder_(folder), kind_(*here.front()), others_(here.subspan(1)), first_case_(std::move(first_case)) {
    const TreeKind& kind = kind_;
    proposal_.kind = kind.doc.said();
    proposal_.name = fs::name_of(folder);
    proposal_.profile = kind.profile;
    proposal_.environment = kind.environment;
    layout_.root = folder;
  }

  // Return the proposal, or the mistakes of files that say what the cases are.
  config::Parsed<config::Proposal> survey() {
    if (kind_.propose != nullptr) {
      GATE_TRY_STATUS(kind_.propose(folder_, proposal_));
    } else {
      find_all();
    }
    tell_profile();
    tell_unread();
    say_next();
    tell_others();
    return std::move(proposal_);
  }

 private:
  void find_all() {
    find_scripts();
    if (kind_.complete != nullptr) {
      complete();
    } else {
      read_golden_files();
      compare_names();
      tell_counts();
    }
  }

  void leave_out_ci() {
    if (of_ci_.empty()) return;
    std::vector<std::string>& globs = proposal_.groups.front().cases;
    std::ranges::move(globs_without(of_ci_), std::back_inserter(globs));
    untold(say({"whether {} train: left out, because their names are those of CI scripts",
                "是否训练：{}；名字像 CI 脚本，已略去"},
               listed(of_ci_, most_named_places)));
  }

  void tell_beside(std::span<const std::vector<config::CaseScript>> found) {
    std::vector<std::string> globs, scripts;
    for (const config::ProposedGroup& group : proposal_.groups)
      globs.insert(globs.end(), group.cases.begin(), group.cases.end());
    for (const auto& of_group : found)
      for (const config::CaseScript& one : of_group) scripts.push_back(one.script);
    const std::vector<std::string> beside = scripts_beside(folder_, globs, scripts);
    if (beside.empty()) return;
    untold(say({"whether cases are missing: {}; each {}", "是否缺少用例：{}；每个都{}"},
               listed(beside, most_named_places), words_of_beside(beside.front())));
  }

  void complete() {
    const auto names = texts_of(proposal_.all, &config::ProposedCase::name);
    kind_.complete(folder_, names, proposal_);
    const auto says_platform = [](const config::ProposedTable& table) {
      return std::ranges::any_of(table.values, [](const auto& one) { return one.first == "platform"; });
    };
    if (std::ranges::none_of(proposal_.tables, says_platform)) tell_platform();
  }

  void find_scripts() {
    std::vector<std::vector<config::CaseScript>> found;
    for (const config::ProposedGroup& group : kind_.groups) {
      const std::string& glob = group.cases.front();
      found.push_back(config::find_cases(glob, script_files(folder_, kind_, glob, &of_ci_)));
      if (found.size() == 1 || !found.back().empty()) proposal_.groups.push_back(group);
      if (found.size() > 1 && found.back().empty()) found.pop_back();
    }
    const bool is_alone = proposal_.groups.size() == 1;
    layout_.schemes.clear();
    for (std::size_t i = 0; i < found.size(); ++i) {
      config::ProposedGroup& group = proposal_.groups[i];
      if (is_alone) group.name.clear();
      add_group(group, found[i], i);
    }
    leave_out_ci();
    tell_beside(found);
    store::add_orphans(layout_);
    std::ranges::sort(proposal_.all, {}, &config::ProposedCase::name);
  }

  void add_group(config::ProposedGroup& group, std::vector<config::CaseScript>& found, std::size_t number) {
    const std::string prefix = group.name.empty() ? "" : group.name + "/";
    layout_.schemes.push_back(group.baselines.empty() ? store::BaselineScheme{}
                                                      : store::BaselineScheme{group.baselines, prefix});
    const bool is_deep =
        std::ranges::any_of(found, [](const auto& one) { return one.name.find('/') != one.name.npos; });
    std::string& glob = group.cases.front();
    const bool is_growing = !first_case_.empty();  // the names of the next cases are not known
    if (!is_deep && !is_growing && !found.empty() && glob.ends_with("/**.sh"))
      glob.replace(glob.size() - 5, 5, "*.sh");
    for (config::CaseScript& one : found) {
      one.name.insert(0, prefix);
      if (const Status added = store::add_case(layout_, one.name, number); !added)
        untold(say({"where the baselines of each case are: {}", "各用例的基线在哪里：{}"},
                   added.error().message));
      if (group.kind.empty() && one.name != first_case_)
        read_script(one);
      else
        proposal_.all.push_back({one.name, "", 1, {}});
    }
  }

  // What a #GATE line says comes before what the script does.
  void read_script(const config::CaseScript& found) {
    config::ProposedCase spec{found.name, "", 1, {}};
    const Result<std::string> text = fs::read_file(folder_ / found.script);
    if (!text) {
      untold(say({"what a script needs: {}", "脚本需要什么：{}"}, text.error().message));
      proposal_.all.push_back(std::move(spec));
      return;
    }
    const bool is_shell = found.script.ends_with(".sh");
    const config::ScriptCounts script = is_shell ? config::read_script_counts(*text) : config::ScriptCounts{};
    const auto resolved = built_in_.resolve({found.name, found.script, *text, {}});
    if (script.devices) spec.devices = std::to_string(*script.devices);
    if (resolved && resolved->settings.devices) {
      const int devices = *resolved->settings.devices;
      const auto& listed = resolved->settings.device_list;
      spec.devices = !listed.empty() ? "[" + join(listed, ", ") + "]"
                     : devices == -1 ? "\"all\""
                                     : std::to_string(devices);
    }
    if (!resolved) untold(say({"what is meant in {}", "这里的含义：{}"}, to_string(resolved.error())));
    spec.nodes = script.nodes.value_or(1);
    if (spec.devices.empty())
      unclear_[is_shell ? script.unclear : say({"a test does not say", "测试没有写明"})].push_back(
          found.name);
    proposal_.all.push_back(std::move(spec));
  }

  void read_golden_files() {
    for (const std::string& name : store::baseline_cases(layout_)) {
      baselines_.push_back(name);
      const auto files = store::read_baselines(layout_, {"", name});
      if (!files) untold(say({"what a baseline holds: {}", "基线的内容：{}"}, files.error().message));
      if (files && !files->empty()) note_baseline(name, files->front().baseline, files->front().path);
    }
  }

  static bool holds_accuracy(const Baseline& baseline) {
    const MetricTable metrics;
    return std::ranges::any_of(baseline.runs, [&](const BaselineRun& run) {
      return std::ranges::any_of(run.series, [&](const Series& series) {
        return metrics.get(series.metric()).kind == MetricKind::accuracy;
      });
    });
  }

  void note_baseline(const std::string& name, const Baseline& baseline, const std::string& path) {
    origins_.note(baseline.origin, path);
    for (config::ProposedCase& one : proposal_.all)
      if (one.name == name) {
        one.margins = baseline.margins;
        one.compares_accuracy = holds_accuracy(baseline);
      }
  }

  void compare_names() {
    std::vector<std::string> scripts, lonely;
    for (const config::ProposedCase& one : proposal_.all) scripts.push_back(one.name);
    std::ranges::set_difference(scripts, baselines_, std::back_inserter(lonely));
    std::erase_if(lonely,
                  [&](const std::string& name) { return name.ends_with(".py") || name == first_case_; });
    if (!lonely.empty())
      untold(say({"the baselines of {} (gate baseline record CASE makes one): {}",
                  "{}的基线（gate baseline record CASE 会录制）：{}"},
                 count_of(std::ssize(lonely), "script", "个脚本"), listed(lonely, most_named_places)));
    lonely.clear();
    std::ranges::set_difference(baselines_, scripts, std::back_inserter(lonely));
    if (!lonely.empty())
      untold(
          say({"the scripts of {}, unjudged in a run of all cases: {}", "{}的脚本，运行全部用例时不判定：{}"},
              count_of(std::ssize(lonely), "baseline", "个基线"), listed(lonely, most_named_places)));
  }

  void tell_counts() {
    for (const auto& [why, names] : unclear_)
      untold(
          say({"the devices of {}: {}; a run takes the whole host", "设备数（{}）：{}；运行时占用整台主机"},
              listed(names, most_named_places), why));
    tell_platform();
  }

  void tell_platform() {
    untold(
        say({"the platform: which accelerators runs are on, e.g. platform = \"ascend-910b3\" under [suite]",
             "平台：运行在哪种加速卡上，例如在 [suite] 下写 platform = \"ascend-910b3\""}));
  }

  void untold(Sentence what) { proposal_.untold.push_back(std::move(what)); }

  void tell_profile() {
    if (proposal_.profile == "megatron")
      untold(
          say({"whether speed and memory are to agree, too: under this profile they gate nothing; profile = "
               "\"megatron *\" compares all that a golden file holds",
               "速度和显存是否也要一致：在该判定方案下它们不参与判定；profile = \"megatron *\" "
               "比较基准文件中的全部内容"}));
    if (!proposal_.profile.empty()) return;
    proposal_.profile = origins_.commonest();
    proposal_.profile_of = origins_.first_file();
    if (const Sentence doubt = origins_.doubt(); !doubt.empty()) untold(doubt);
  }

  void tell_unread() {
    for (const std::string& place : unread_places(folder_))
      untold(say({"what is in {}: the folder cannot be listed", "{} 里有什么：无法列出该目录"}, place));
  }

  // One gate.toml is of one tree.
  void tell_others() {
    for (const TreeKind* other : others_) {
      const bool golden = !other->golden.empty();
      untold(say({"what to do with {}: the folder is {}, too, and this file leaves that out",
                  "怎样处理 {}：该目录同时是“{}”，本文件未包括它"},
                 golden ? other->golden : other->scripts(), other->doc.said()));
      if (golden) proposal_.next.push_back({"gate baseline import --tree " + other->golden});
    }
  }

  void say_next() {
    if (!proposal_.next.empty()) return;
    if (!kind_.golden.empty()) return say_next_of_golden();
    proposal_.next = {list_next(),
                      dry_run_next(),
                      {"gate check LOG --case CASE", say({"judge a log that exists", "判定已有的日志"})}};
  }

  void say_next_of_golden() {
    untold(say({"how to launch a case: this checkout has no script per case. A script {}MODEL/CASE.sh makes "
                "MODEL/CASE a case that gate runs",
                "怎样启动用例：这个代码仓没有每个用例的脚本。写一个 {}MODEL/CASE.sh，MODEL/CASE 就成为 gate "
                "可以运行的用例"},
               kind_.scripts()));
    proposal_.golden = kind_.golden;
    proposal_.next = {{"gate baseline import --tree " + kind_.golden}};
    if (kind_.golden_end == ".json") {
      proposal_.next.push_back({"gate baseline accept --to platform --reason \"...\""});
      proposal_.next.push_back(
          {"gate check LOG --baseline baselines/nvidia-h100/MODEL/CASE.json --platform nvidia-h100"});
    } else {
      proposal_.next.push_back({"gate baseline accept --reason \"...\""});
      proposal_.next.push_back({"gate check LOG --baseline baselines/CASE.json"});
    }
  }

  const fs::Path& folder_;
  const TreeKind& kind_;
  std::span<const TreeKind* const> others_;
  std::string first_case_;
  config::Policy built_in_ = *config::Policy::parse("", "");
  store::BaselineLayout layout_;
  config::Proposal proposal_;
  std::vector<std::string> baselines_, of_ci_;  // of_ci_: scripts of a CI, which are left out
  GoldenOrigins origins_;
  NamesBySentence unclear_;
};

tl::unexpected<Failure> nothing_known(const fs::Path& folder) {
  const std::vector<std::string> unread = unread_places(folder);
  return refused(folder.string() + ": nothing that gate knows is here (" + known_trees() +
                 "); name another folder with -C, make a folder scripts/ with *.sh, or name a log of "
                 "yours: gate init LOG" +
                 (unread.empty() ? "" : "; cannot be listed: " + some_of(unread, most_named_places)));
}

tl::unexpected<Failure> is_there(const fs::Path& path) {
  return refused(path.string() + ": is there and is not overwritten; --dry-run prints what would be written");
}

// For editors, which the first line of gate.toml tells where it is.
Status write_schema(const fs::Path& folder) {
  store::BaselineLayout layout;
  layout.root = folder;
  GATE_TRY_STATUS(store::make_gate_folder(layout));
  return fs::write_file(folder / config::schema_place, config::toml_schema());
}

// Nothing that is there meanwhile is replaced: a person, or another gate, wrote it.
Answer<void> write_new(const fs::Path& path, const std::string& toml) {
  const fs::Path whole = fs::unfinished_beside(path);
  if (const Status written = fs::write_file(whole, toml); !written) return infra(written.error());
  const Result<bool> moved = fs::move_to_free(whole, path);
  if (moved.value_or(false)) return {};
  std::ignore = fs::remove_file(whole);
  return moved ? is_there(path) : infra(moved.error());
}

// Return the formats that a gate.toml which is there reads logs as; none where nothing says them, or it
// cannot be read.
std::vector<std::string> formats_in(const fs::Path& folder) {
  SuiteOptions here;
  here.folder = folder;
  here.search = SuiteOptions::Search::nowhere;
  const Answer<Suite> suite = open_suite_if_any(here);
  const Answer<config::Case> any =
      suite ? case_of_no_script(*suite, {}) : Answer<config::Case>(tl::unexpected(suite.error()));
  return any ? any->settings.formats : std::vector<std::string>();
}

// Return what the folder and the log are, which is more than nothing.
Answer<config::Proposal> proposal_for(const fs::Path& folder, const std::string& log,
                                      const std::string& first_case) {
  const std::vector<const TreeKind*> here = tree_kinds(folder);
  if (here.empty() && log.empty()) return nothing_known(folder);
  std::error_code unknown;
  if (!here.empty() && std::filesystem::equivalent(log, folder, unknown))  // gate init .
    return proposal_for(folder, "", first_case);
  config::Proposal proposal;
  if (here.empty()) {
    proposal.kind = say({"a folder with a log", "带日志的目录"});
    proposal.name = fs::name_of(folder);
  } else {
    config::Parsed<config::Proposal> surveyed = Surveyor(folder, here, first_case).survey();
    if (!surveyed) return usage(to_string(surveyed.error()));
    proposal = std::move(*surveyed);
  }
  if (!log.empty()) proposal.formats = formats_in(folder);
  if (!log.empty()) GATE_TRY_STATUS(propose_own_log(log, !here.empty(), proposal));
  if (!first_case.empty()) proposal.next = first_run_next(first_case);
  return proposal;
}

}  // namespace

Answer<Init> init(const fs::Path& folder, DryRun dry_run, const std::string& log,
                  const std::string& first_case) {
  if (const Status listed = fs::check_folder(folder); !listed) return usage(listed.error());
  const fs::Path path = folder / "gate.toml";
  if (fs::is_taken(path) && dry_run == DryRun::no) return is_there(path);
  GATE_TRY(config::Proposal proposal, proposal_for(folder, log, first_case));
  Init init{path.string(), std::move(proposal), ""};
  init.toml = config::gate_toml(init.proposal);
  if (dry_run == DryRun::yes) return init;
  GATE_TRY_STATUS(write_new(path, init.toml));
  if (const Status written = write_schema(folder); !written)
    log::warn("no schema for editors: " + written.error().message);
  return init;
}

}  // namespace gate::app
