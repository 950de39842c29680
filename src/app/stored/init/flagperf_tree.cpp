#include "stored/init/trees.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "gate/base/text.h"
#include "gate/config/case_names.h"
#include "gate/config/flagperf.h"
#include "gate/config/host_settings.h"
#include "gate/config/margins.h"
#include "gate/model/rules/grammar.h"
#include "gate/suite/git.h"

namespace gate::app {

namespace {

using config::FlagPerfCase;
using config::ProposedTable;

const std::string training = "training/";
const std::string cluster_conf = training + "run_benchmarks/config/cluster_conf.py";
const std::string test_conf(flagperf_test_conf);
constexpr std::size_t most_told_names = 5, most_told_packages = 20;
constexpr int usual_ssh_port = 22, most_nested_imports = 8;

// FlagPerf's rules for cases have them train for a week at most; evaluations and the first steps print
// nothing.
constexpr const char *longest_run = "7d", *longest_silence = "4h";

// FlagPerf's own command, as its runner has it; the vendor and what else it needs come behind.
const std::string start_words =
    "python3 training/run_benchmarks/{name}/start_{name}_task.py"
    " --case_name {env.FLAGPERF_MODEL}:{name}:{env.FLAGPERF_HARDWARE}:{nodes}:{devices}:1"
    " --model_name {env.FLAGPERF_MODEL} --train_script run_pretraining.py --nnodes {nodes} --nproc {devices}"
    " --node_rank {node_rank} --master_addr {env.MASTER_ADDR} --master_port {env.MASTER_PORT}"
    " --host_addr node{node_rank} --round 1"
    " --extern_config_file config_{env.FLAGPERF_HARDWARE}x{nodes}x{devices}.py --enable_extern_config"
    " --data_dir {env.GATE_DATA_DIR} --log_dir {env.GATE_SCRATCH} --vendor ";

// Tell whether the text is a size as engines of containers have it: `32G`.
bool is_size_of_memory(std::string_view text) {
  if (!text.empty() && std::string_view("bkmgBKMG").find(text.back()) != std::string_view::npos)
    text.remove_suffix(1);
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

std::string benchmark_script(const FlagPerfCase& one) {
  return training + "benchmarks/" + one.name() + "/run_pretraining.py";
}

std::string starter_script(const FlagPerfCase& one) {
  return training + "run_benchmarks/" + one.framework + "/start_" + one.framework + "_task.py";
}

// Return the glob that finds the benchmark alone and leaves its folder in the name of the case.
std::string benchmark_glob(const FlagPerfCase& one) {
  const std::string first(1, one.model.front());
  return training + "benchmarks/[" + first + "]" + one.name().substr(1) + "/run_pretraining.py";
}

// A size of a benchmark on one kind of hardware, and what holds for it alone.
struct FlagPerfVariant {
  const FlagPerfCase* of = nullptr;
  ProposedTable values{};
};

// Cases of CASES that are one benchmark.
struct FlagPerfBenchmark {
  std::vector<FlagPerfVariant> variants;  // by nodes and devices
  std::vector<std::string> hardware;

  const FlagPerfCase& first() const { return *variants.front().of; }
  std::string name() const { return first().name(); }
  bool has_hardware_axis() const { return hardware.size() > 1; }

  bool has(const std::string& kind, const std::string& size) const {
    return std::ranges::any_of(variants, [&](const FlagPerfVariant& one) {
      return one.of->hardware == kind && one.of->size() == size;
    });
  }

  std::string name_of(const FlagPerfCase& one) const {
    return name() + "@" + one.size() + tail(one.hardware);
  }

  // Return what stands behind the size in the names of variants on the hardware.
  std::string tail(const std::string& kind) const {
    return has_hardware_axis() ? "," + std::string(config::flagperf_hardware) + "=" + kind : "";
  }
};

// Return the table of the cases; their names hold no character of a glob that is to stand for itself.
ProposedTable table_of_cases(const std::string& glob) { return {"case." + config::toml_text(glob)}; }

std::string most_said(const std::vector<std::string>& texts) {
  return *std::ranges::max_element(texts, {},
                                   [&](const std::string& text) { return std::ranges::count(texts, text); });
}

// Move the value that most variants have to the table that holds for all of them; where some have none, each
// keeps its own.
void share_value(const std::string& key, FlagPerfBenchmark& benchmark, ProposedTable& shared) {
  std::vector<std::string> said;
  for (const FlagPerfVariant& one : benchmark.variants)
    for (const auto& [other, value] : one.values.values)
      if (other == key) said.push_back(value);
  if (said.size() < benchmark.variants.size()) return;
  const std::pair<std::string, std::string> usual{key, most_said(said)};
  shared.values.push_back(usual);
  for (FlagPerfVariant& one : benchmark.variants) std::erase(one.values.values, usual);
}

class FlagPerfTree {
 public:
  FlagPerfTree(const fs::Path& folder, config::Proposal& proposal) : folder_(folder), proposal_(proposal) {}

  config::Parsed<void> propose() {
    read_tests();
    read_cluster();
    gather();
    if (mistakes_.empty() && benchmarks_.empty())
      mistake({test_conf},
              (behind_links_.empty() ? "" : "no case of CASES lies in a folder that is no link, and ") +
                  std::string("no case of CASES has as many hosts as nodes; name them as HOSTS in ") +
                  cluster_conf);
    if (!mistakes_.empty()) return tl::unexpected(std::move(mistakes_));
    add_suite();
    add_defaults();
    add_memory();
    add_hosts();
    tell_cases();
    for (auto& [name, benchmark] : benchmarks_) add_benchmark(benchmark);
    say_next();
    return {};
  }

 private:
  template <typename Value>
  void take(config::Parsed<Value> parsed, Value& value) {
    if (parsed)
      value = *std::move(parsed);
    else
      mistakes_.insert(mistakes_.end(), parsed.error().begin(), parsed.error().end());
  }

  void mistake(const Position& at, std::string message) { mistakes_.push_back({at, std::move(message)}); }
  void untold(Sentence what) { proposal_.untold.push_back(std::move(what)); }

  void read_tests() {
    const Result<std::string> text = fs::read_file(folder_ / test_conf);
    if (!text) return mistake({test_conf}, text.error().message);
    take(config::read_flagperf_tests(*text, test_conf), tests_);
    if (mistakes_.empty()) check_vendor();
    if (mistakes_.empty() && tests_.cases.empty())
      mistake({test_conf},
              "CASES holds no case; write those that are to run, as "
              "\"model:framework:hardware:nodes:devices:repeat\": \"data folder\"");
  }

  // Without its folder each case would be of hardware that no host has.
  void check_vendor() {
    const std::string &vendor = tests_.vendor, own = training + vendor;
    if (fs::exists(folder_ / own)) return;
    std::set<std::string> there;
    for (const std::string& file : fs::files_for(folder_, training + "*/*/config/*.py")) {
      const std::vector<std::string_view> parts = split(file, '/');
      if (parts.size() == 5 && std::ranges::any_of(tests_.cases, [&](const FlagPerfCase& one) {
            return parts[2] == one.model + "-" + one.framework;
          }))
        there.emplace(parts[1]);
    }
    const std::vector<std::string> all(there.begin(), there.end());
    mistake(tests_.vendor_at, "VENDOR is \"" + vendor + "\", and there is no folder " + own +
                                  (all.empty() ? "" : "; vendors that have its cases: " + join(all, ", ")) +
                                  did_you_mean(vendor, all));
  }

  // One host needs no such file.
  void read_cluster() {
    if (!fs::is_taken(folder_ / cluster_conf)) return;
    const Result<std::string> text = fs::read_file(folder_ / cluster_conf);
    if (!text) return mistake({cluster_conf}, text.error().message);
    take(config::read_flagperf_cluster(*text, cluster_conf), cluster_);
    for (const config::FlagPerfHost& host : cluster_.hosts)
      if (const Status fine = config::check_host(host.name); !fine) mistake(host.at, fine.error().message);
  }

  void gather() {
    files_ = fs::files_for(folder_, training + "benchmarks/*/*/run_pretraining.py");
    for (const FlagPerfCase& one : tests_.cases) {
      check_files(one);
      if (is_behind_link(one)) {
        behind_links_.push_back(one.key);
        continue;
      }
      if (!has_hosts_for(one)) {
        left_out_.push_back(one.key);
        continue;
      }
      FlagPerfBenchmark& benchmark = benchmarks_[one.name()];
      if (benchmark.has(one.hardware, one.size())) {
        twins_[one.name() + "@" + one.size() + " on " + one.hardware].push_back(one.key);
        continue;
      }
      benchmark.variants.push_back({&one});
      if (std::ranges::find(benchmark.hardware, one.hardware) == benchmark.hardware.end())
        benchmark.hardware.push_back(one.hardware);
    }
    for (auto& [name, benchmark] : benchmarks_)
      std::ranges::stable_sort(benchmark.variants, {}, [](const FlagPerfVariant& one) {
        return std::pair(one.of->nodes, one.of->devices);
      });
  }

  bool has_hosts_for(const FlagPerfCase& one) const {
    return one.nodes == 1 || static_cast<std::size_t>(one.nodes) <= cluster_.hosts.size();
  }

  bool is_behind_link(const FlagPerfCase& one) const {
    return fs::exists(folder_ / benchmark_script(one)) &&
           config::find_cases(benchmark_glob(one), files_).empty();
  }

  void check_files(const FlagPerfCase& one) {
    const std::string glob = benchmark_glob(one);
    if (config::find_cases(glob, std::vector{benchmark_script(one)}).empty())
      return mistake(one.at, "\"" + one.key + "\": a folder whose name begins with _ is no case");
    if (!fs::exists(folder_ / benchmark_script(one)))
      return mistake(one.at, "\"" + one.key + "\": there is no " + benchmark_script(one));
    if (!fs::exists(folder_ / starter_script(one)))
      mistake(one.at, "\"" + one.key + "\": there is no " + starter_script(one) + ", which starts it");
  }

  void add_suite() {
    config::ProposedGroup group;
    for (const auto& [name, benchmark] : benchmarks_) {
      group.cases.push_back(benchmark_glob(benchmark.first()));
      proposal_.all.push_back({name, "", 1, {}});
    }
    group.launch = start_words + tests_.vendor + visible_devices();
    group.cwd = "{suite}";
    proposal_.groups = {std::move(group)};
  }

  void add_defaults() {
    ProposedTable table{"defaults",
                        "A case of FlagPerf may train for a week, 604800 s, and evaluate in silence."};
    table.add("timeout", longest_run);
    table.add("hang", longest_silence);
    if (tests_.shm_size && is_size_of_memory(*tests_.shm_size))
      table.add("container.options", std::vector{"--shm-size=" + *tests_.shm_size});
    proposal_.tables.push_back(std::move(table));
  }

  // FlagPerf's events say nothing of memory.
  void add_memory() {
    if (!config::selects_devices_of(tests_.vendor)) return;
    ProposedTable table{"rules.device_memory",
                        "What the devices' tool says: events of FlagPerf tell no memory."};
    table.add("reduce", "max");
    table.add("tolerance", "+10% or +256");
    proposal_.tables.push_back(std::move(table));
  }

  // Of a vendor that gate knows, the script takes the devices that gate leased, and is not told otherwise.
  std::string visible_devices() {
    if (config::selects_devices_of(tests_.vendor)) return "";
    const std::string name = tests_.visible_devices.value_or("");
    const bool is_variable = config::is_variable_name(name);
    untold(say(
        {"which host has devices of {}: gate sees none of that vendor, so a host's cases are skipped, "
         "and jobs of an engine alone run (backend){}",
         "哪台主机有 {} 的设备：gate 看不到该厂商的设备，主机上的用例会跳过，只运行引擎的作业（backend）{}"},
        tests_.vendor,
        is_variable ? say({"; FlagPerf takes the first devices there, by {}",
                           "；FlagPerf 在那里取最前面的设备（{}）"},
                          name)
                    : Sentence()));
    return is_variable ? " --visible_dev_env " + name : "";
  }

  // Hosts have copies of the checkout, and not one that all of them see.
  void add_hosts() {
    if (cluster_.hosts.empty()) return;
    auto names = texts_of(cluster_.hosts, &config::FlagPerfHost::name);
    while (std::ranges::find(names, host_group_) != names.end()) host_group_ += "_hosts";
    ProposedTable table{"hosts",
                        "HOSTS of " + cluster_conf +
                            "; cases of several nodes run there, on the files that git tracks here."};
    table.add(host_group_, names);
    if (cluster_.ssh_port.value_or(usual_ssh_port) != usual_ssh_port)
      table.add("ssh", "ssh -p " + std::to_string(*cluster_.ssh_port));
    if (!git_root_.empty()) table.values.emplace_back("sync", "true");
    proposal_.tables.push_back(std::move(table));
  }

  void tell_cases() {
    tell_containers();
    if (tests_.clears_caches)
      untold(
          say({"whether caches are to be cleared: CLEAR_CACHES has FlagPerf run `sync && sudo /sbin/sysctl "
               "vm.drop_caches=3` on each host before a case, gate does not; setup under [defaults] may",
               "是否要清缓存：CLEAR_CACHES 让 FlagPerf 在每个用例之前在各主机上运行 `sync && sudo "
               "/sbin/sysctl vm.drop_caches=3`，gate 不会；可以写在 [defaults] 的 setup 里"}));
    if (tests_.shm_size && !is_size_of_memory(*tests_.shm_size))
      untold(say({"the size of shared memory: SHM_SIZE is {}, which is no size",
                  "共享内存的大小：SHM_SIZE 是 {}，不是大小"},
                 config::toml_text(printable(*tests_.shm_size, 80))));
    for (const config::FlagPerfTwin& twin : tests_.twins)
      untold(
          say({"why \"{}\" stands in CASES again ({}): gate takes the first, of line {}; remove one of them",
               "为什么 \"{}\" 在 CASES 里重复出现（{}）：gate 取第 {} 行的第一个；请删掉一个"},
              printable(twin.key, 120), to_string(twin.at), twin.first_line));
    tell_left_out();
  }

  void tell_containers() {
    const std::string options(trim(tests_.container_options.value_or("")));
    untold(say({"which container each case runs in, as FlagPerf has one started for each: container.image or "
                "container.exec under [defaults]; without, it runs on the host{}",
                "每个用例在哪个容器里运行（FlagPerf 为每个用例启动一个）：[defaults] 下的 container.image 或 "
                "container.exec；没有则在主机上运行{}"},
               options.empty() ? Sentence()
                               : say({"; ACCE_CONTAINER_OPT is {}, further ones are container.options",
                                      "；ACCE_CONTAINER_OPT 为 {}，其余选项写在 container.options"},
                                     config::toml_text(printable(options, 200)))));
  }

  void tell_left_out() {
    if (!behind_links_.empty())
      untold(say(
          {"how {} would run: left out, because run_pretraining.py lies behind a link, which gate does not "
           "follow; put the folder there",
           "怎样运行：{}；run_pretraining.py 在链接后面，gate 不跟随链接，已略去；请把目录放到那里"},
          listed(behind_links_, most_told_names)));
    if (!left_out_.empty())
      untold(say(
          {"where {} would run: left out, because HOSTS of {} names {}; with more under [hosts] a matrix has "
           "their sizes",
           "在哪里运行：{}；{} 的 HOSTS 只有 {}，已略去；在 [hosts] 下写更多主机，矩阵就有它们的规模"},
          listed(left_out_, most_told_names), cluster_conf,
          count_of(std::ssize(cluster_.hosts), "host", "台主机")));
    for (const auto& [name, keys] : twins_)
      untold(say(
          {"what tells {} from the case that stands before: {} is run once; version and repeat are those of "
           "the first",
           "与前面的用例有什么区别：{}；{} 只运行一次，version 和 repeat 取第一个的"},
          listed(keys, most_told_names), name));
  }

  void add_benchmark(FlagPerfBenchmark& benchmark) {
    for (FlagPerfVariant& one : benchmark.variants) add_own_values(one);
    read_layers(benchmark);
    ProposedTable matrix = matrix_of(benchmark);
    ProposedTable shared = table_of_cases(benchmark.name());
    share_value("repeat", benchmark, matrix);
    if (!matrix.values.empty() && matrix.values.back() == std::pair<std::string, std::string>{"repeat", "1"})
      matrix.values.pop_back();
    shared.add("env.FLAGPERF_MODEL", benchmark.first().model);
    if (!benchmark.has_hardware_axis()) {
      shared.add("env." + std::string(config::flagperf_hardware), benchmark.hardware.front());
      add_platform(benchmark.hardware.front(), shared);
    }
    add_demands(shared);
    for (const char* key : {"data_dir", "needs"}) share_value(key, benchmark, shared);
    for (const std::string& metric : target_metrics_)
      share_value("rules." + metric + ".tolerance", benchmark, shared);
    add_files(benchmark, shared);
    proposal_.tables.push_back(std::move(matrix));
    proposal_.tables.push_back(std::move(shared));
    add_hardware(benchmark);
    add_nodes(benchmark);
    for (FlagPerfVariant& one : benchmark.variants) {
      one.values.name = table_of_cases(benchmark.name_of(*one.of)).name;
      proposal_.tables.push_back(std::move(one.values));
    }
  }

  // What the script's finished_info says is asked of each run. Where the script has none itself, one with
  // _base.py says at least whether it converged; one without starts another tool.
  void add_demands(ProposedTable& table) const {
    for (const config::FlagPerfDemand& demand : config::flagperf_demands())
      if (config::flagperf_says(script_, demand.metric).value_or(has_base_ && demand.metric == "converged"))
        table.values.emplace_back(
            "rules." + std::string(demand.metric),
            "{ tolerance = " + config::toml_text(std::string(demand.tolerance)) + ", required = true }");
  }

  static void add_own_values(FlagPerfVariant& variant) {
    variant.values.add("data_dir", variant.of->data_dir);
    variant.values.add("repeat", variant.of->repeat);
  }

  static ProposedTable matrix_of(const FlagPerfBenchmark& benchmark) {
    ProposedTable matrix{"matrix." + config::toml_text(benchmark.name())};
    std::vector<std::string> sizes;
    for (const FlagPerfVariant& one : benchmark.variants)
      if (std::ranges::find(sizes, one.of->size()) == sizes.end()) sizes.push_back(one.of->size());
    matrix.add("size", sizes);
    if (!benchmark.has_hardware_axis()) return matrix;
    const std::string axis(config::flagperf_hardware);
    matrix.add(axis, benchmark.hardware);
    std::string excluded;
    for (const std::string& size : sizes)
      for (const std::string& kind : benchmark.hardware)
        if (!benchmark.has(kind, size))
          excluded += (excluded.empty() ? "{ size = " : ", { size = ") + config::toml_text(size) + ", " +
                      axis + " = " + config::toml_text(kind) + " }";
    if (!excluded.empty()) matrix.values.emplace_back("exclude", "[" + excluded + "]");
    return matrix;
  }

  void add_platform(const std::string& hardware, ProposedTable& table) {
    const std::vector<std::string> platforms = config::flagperf_platforms(tests_.vendor, hardware);
    if (!platforms.empty()) return table.add("platform", platforms);
    if (told_hardware_.insert(hardware).second)
      untold(say({"which platform {} of {} is: platform of the cases on it",
                  "{1} 的 {0} 是哪个平台：其上用例的 platform"},
                 hardware, tests_.vendor));
  }

  void add_hardware(const FlagPerfBenchmark& benchmark) {
    if (!benchmark.has_hardware_axis()) return;
    for (const std::string& kind : benchmark.hardware) {
      ProposedTable table = table_of_cases(benchmark.name() + "@*" + benchmark.tail(kind));
      add_platform(kind, table);
      proposal_.tables.push_back(std::move(table));
    }
  }

  // Variants of several nodes run on the hosts.
  void add_nodes(const FlagPerfBenchmark& benchmark) {
    std::set<int> nodes;
    for (const FlagPerfVariant& one : benchmark.variants) nodes.insert(one.of->nodes);
    for (const int count : nodes) {
      if (count == 1) continue;
      ProposedTable table = table_of_cases(benchmark.name() + "@" + std::to_string(count) + "x*");
      table.add("hosts", host_group_);
      proposal_.tables.push_back(std::move(table));
    }
  }

  // What lies beside the configs of the vendor, and the folders whose change is the case's.
  void add_files(const FlagPerfBenchmark& benchmark, ProposedTable& table) {
    const FlagPerfCase& one = benchmark.first();
    const config::FlagPerfPaths paths = config::flagperf_paths(one, tests_.vendor);
    const std::string environment = training + paths.environment,
                      requirements = training + paths.requirements;
    if (fs::exists(folder_ / environment)) table.add("setup", ". " + shell_quote("./" + environment));
    const std::string own = training + tests_.vendor + "/" + one.model + "-" + one.framework + "/";
    table.add("depends", std::vector{from_git_root(training + "benchmarks/" + one.name() + "/**"),
                                     from_git_root(own + "**"),
                                     from_git_root(training + "run_benchmarks/" + one.framework + "/**")});
    if (fs::is_folder(folder_ / own / "csrc"))
      untold(say({"who builds {}csrc: FlagPerf does before the case, gate does not",
                  "谁来构建 {}csrc：FlagPerf 在用例之前构建，gate 不会"},
                 own));
    if (!fs::is_taken(folder_ / requirements)) return;
    const Result<std::string> text = fs::read_file(folder_ / requirements);
    if (!text)
      return untold(say({"what {} needs: {}", "{} 需要什么：{}"}, requirements, text.error().message));
    const auto packages = texts_of(config::read_requirements(*text),
                                   [&](const std::string& package) { return printable(package, 80); });
    if (!packages.empty())
      untold(say({"who installs {} ({}): FlagPerf does before {}{}, gate does not",
                  "谁来安装 {}（{}）：FlagPerf 在 {} 之前安装{}，gate 不会"},
                 listed(packages, most_told_packages), requirements, benchmark.name(), pip_source()));
  }

  Sentence pip_source() const {
    if (!tests_.pip_source) return {};
    return say({" from PIP_SOURCE, {}", "（PIP_SOURCE：{}）"}, printable(*tests_.pip_source, 120));
  }

  std::string from_git_root(const std::string& path) const {
    return (whole_.lexically_relative(git_root_.empty() ? whole_ : git_root_) / path)
        .lexically_normal()
        .generic_string();
  }

  // --- the layers of a case's parameters ---

  void read_layers(FlagPerfBenchmark& benchmark) {
    const config::FlagPerfPaths first = config::flagperf_paths(benchmark.first(), tests_.vendor);
    target_words_.clear();
    target_metrics_.clear();
    unsaid_targets_.clear();
    script_ = fs::read_file(folder_ / benchmark_script(benchmark.first())).value_or("");
    has_base_ = fs::is_taken(folder_ / (training + first.base));
    const config::PythonFile base = read_settings(first.base).value_or(config::PythonFile{});
    const auto names = has_base_ ? read_mutable(first.mutable_params) : std::nullopt;
    std::map<std::string, std::vector<std::string>> imports;  // module: where
    std::vector<std::string> without_target;
    for (FlagPerfVariant& variant : benchmark.variants) {
      const config::FlagPerfPaths paths = config::flagperf_paths(*variant.of, tests_.vendor);
      const auto own = read_settings(paths.vendor_config);
      const auto layers = config::flagperf_layers(base, own.value_or(config::PythonFile{}), names);
      std::vector<Sentence>& unruly = proposal_.unruly[benchmark.name_of(*variant.of)];
      if (names && own) tell_overreach(training + paths.vendor_config, layers.not_mutable, unruly);
      for (const config::FlagPerfParameter* outside : config::flagperf_outside(layers))
        unruly.push_back(say(
            {"{} of {} is {}, which is no path below data_dir", "{1} 的 {0} 是 {2}，不是 data_dir 下的路径"},
            outside->name, to_string(outside->at), config::toml_text(printable(outside->text, 120))));
      for (const config::StarImport& import : layers.imports)
        if (auto& places = imports[printable(import.module, 80)];
            std::ranges::find(places, to_string(import.at)) == places.end())
          places.push_back(to_string(import.at));
      auto needs = config::flagperf_needs(layers);
      if (has_base_) needs.push_back("./" + (training + paths.vendor_config));  // which FlagPerf merges
      if (fs::exists(folder_ / (training + paths.environment)))
        needs.push_back("./" + (training + paths.environment));  // which the setup sources
      if (!needs.empty()) variant.values.add("needs", needs);
      if (!add_targets(layers, benchmark.name_of(*variant.of), variant.values))
        without_target.push_back(benchmark.name_of(*variant.of));
    }
    if (!without_target.empty())
      for (const auto& [word, file] : target_words_)
        tell_target(
            listed(without_target, 1),
            say({"{} stands in {}, and {}", "{1} 里有 {0}，{2}"}, word, file,
                unsaid_targets_.contains(word)
                    ? say({"finished_info has no key for what it is to be compared with",
                           "但 finished_info 没有可与之比较的键"})
                    : say({"is no setting that gate reads a number of", "但不是 gate 能读出数值的设置"})));
    for (const auto& [module, places] : imports)
      untold(say({"the parameters that come by `from {} import *`, because nothing is executed: {}",
                  "`from {} import *` 带来的参数，因为 gate 不执行任何代码：{}"},
                 module, listed(places, most_told_names)));
  }

  void tell_target(const Sentence& of, const Sentence& why) {
    untold(say({"the accuracy that {} is to reach: {}", "要达到的精度（{}）：{}"}, of, why));
  }

  void tell_settings(const std::string& file, const Sentence& why) {
    untold(say({"what {} sets: {}", "{} 设置了什么：{}"}, file, why));
  }

  // Return what a file sets, or nothing and tell why.
  std::optional<config::PythonFile> read_settings(const std::string& path, int nested = 0) {
    const std::string file = training + path;
    const Result<std::string> text = fs::read_file(folder_ / file);
    if (!text) {
      tell_settings(file, fs::is_taken(folder_ / file) ? Sentence(text.error().message)
                                                       : say({"there is no such file", "没有这个文件"}));
      return std::nullopt;
    }
    add_target_words(*text, file);
    auto settings = config::read_python(*text, file, [&](const std::string& module) {
      return nested < most_nested_imports ? read_module(path, module, nested + 1) : std::nullopt;
    });
    if (settings) return *std::move(settings);
    tell_settings(file, to_string(settings.error().front()));
    return std::nullopt;
  }

  // Return what the module beside the file sets that imports it, `config_common` or `.model_params`.
  std::optional<config::PythonFile> read_module(const std::string& importer, std::string_view module,
                                                int nested) {
    if (module.starts_with('.')) module.remove_prefix(1);
    const auto is_good = [](char c) { return is_letter_or_digit(c) || c == '_' || c == '-'; };
    const std::string path = (fs::Path(importer).parent_path() / (std::string(module) + ".py")).string();
    if (module.empty() || !std::ranges::all_of(module, is_good) || !fs::exists(folder_ / (training + path)))
      return std::nullopt;
    return read_settings(path, nested);
  }

  // Names that may be those of a target, and the first file where they stand.
  void add_target_words(std::string_view text, const std::string& file) {
    constexpr std::string_view beginning = "target_";
    for (std::size_t at = text.find(beginning); at != std::string_view::npos;
         at = text.find(beginning, at + 1)) {
      const std::string_view rest = text.substr(at);
      const auto end =
          std::ranges::find_if_not(rest, [](char c) { return is_letter_or_digit(c) || c == '_'; });
      const bool is_part = at > 0 && (is_letter_or_digit(text[at - 1]) || text[at - 1] == '_');
      if (!is_part) target_words_.emplace(std::string(rest.begin(), end), file);
    }
  }

  std::optional<std::vector<std::string>> read_mutable(const std::string& path) {
    const std::string file = training + path;
    const Result<std::string> text = fs::read_file(folder_ / file);
    if (!text) {
      tell_mutable(text.error().message);
      return std::nullopt;
    }
    auto names = config::read_mutable_params(*text, file);
    if (names) return *std::move(names);
    tell_mutable(to_string(names.error().front()));
    return std::nullopt;
  }

  void tell_mutable(const std::string& why) {
    untold(say({"which parameters a vendor may set: {}", "厂商可以设置哪些参数：{}"}, why));
  }

  void tell_overreach(const std::string& file, const std::vector<config::FlagPerfOverreach>& found,
                      std::vector<Sentence>& unruly) {
    std::vector<Sentence> said;
    const bool any_over = std::ranges::any_of(found, [](const auto& one) { return one.base_at.has_value(); });
    for (const config::FlagPerfOverreach& one : found)
      said.push_back(
          say({"{} ({}{})", "{}（{}{}）"}, one.name, to_string(one.vendor_at),
              one.base_at ? say({", over {}", "，覆盖 {}"}, to_string(*one.base_at)) : Sentence()));
    if (said.empty()) return;
    const Sentence names = first_of(said, most_told_names);
    unruly.push_back(say({"{} sets what is not mutable: {}", "{} 设置了不可变的参数：{}"}, file, names));
    untold(say({"whether {} may set what is not mutable: {}{}", "{} 是否可以设置不可变的参数：{}{}"}, file,
               names,
               any_over ? say({"; gate takes what they are set over, FlagPerf does not",
                               "；gate 取被覆盖的值，FlagPerf 则不然"})
                        : Sentence()));
  }

  // Return whether a target became a rule, or why none did was told.
  bool add_targets(const config::FlagPerfLayers& layers, const std::string& name, ProposedTable& table) {
    const auto targets = config::flagperf_targets(layers);
    if (!targets) tell_target(name, to_string(targets.error()));
    bool any = !targets.has_value();
    for (const config::FlagPerfTarget& target : targets.value_or(std::vector<config::FlagPerfTarget>{})) {
      if (!config::flagperf_says(script_, target.metric).value_or(true)) {
        unsaid_targets_.insert(target.parameter);
        continue;
      }
      any = true;
      const std::string tolerance = target.bound + " " + target.value;
      if (parse_tolerance(tolerance)) {
        table.add("rules." + target.metric + ".tolerance", tolerance);
        target_metrics_.insert(target.metric);
      } else {
        tell_target(name, say({"{}: {} is no number as gate writes it", "{}：{} 不是 gate 写法的数"},
                              to_string(target.at), printable(target.value, 80)));
      }
    }
    return any;
  }

  void say_next() {
    proposal_.next = {list_next(),
                      dry_run_next(),
                      {"gate baseline record '**'",
                       say({"run them, for their first baselines", "运行它们，得到第一批基线"})},
                      {"gate baseline accept --reason \"...\""}};
  }

  const fs::Path& folder_;
  const fs::Path whole_ = fs::whole_path(folder_), git_root_ = git_root(whole_);
  config::Proposal& proposal_;
  Diagnostics mistakes_;
  std::vector<std::string> files_;  // of the benchmarks
  config::FlagPerfTests tests_;
  config::FlagPerfCluster cluster_;
  std::string host_group_ = "cluster";
  std::map<std::string, FlagPerfBenchmark> benchmarks_;
  std::vector<std::string> left_out_;                      // keys of more nodes than there are hosts
  std::vector<std::string> behind_links_;                  // keys of benchmarks that are links
  std::map<std::string, std::vector<std::string>> twins_;  // of a variant: keys behind the first
  std::set<std::string> told_hardware_;
  // Of the benchmark that is added: words of its files, metrics of its targets, those that nothing is said
  // of, its script.
  std::map<std::string, std::string> target_words_;
  std::set<std::string> target_metrics_, unsaid_targets_;
  std::string script_;
  bool has_base_ = false;
};

}  // namespace

config::Parsed<void> propose_flagperf_tree(const fs::Path& folder, config::Proposal& proposal) {
  return FlagPerfTree(folder, proposal).propose();
}

}  // namespace gate::app
