#include "gate/places/queue.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "gate/base/secrets.h"
#include "gate/base/text.h"
#include "gate/base/variables.h"
#include "gate/config/case_names.h"
#include "gate/judging/pytest_launch.h"
#include "gate/launch/needs.h"
#include "gate/launch/script_environment.h"
#include "gate/places/shared_folders.h"
#include "gate/places/stage_commands.h"
#include "gate/suite/suite_masker.h"
#include "places/host/agent_files.h"
#include "places/launch/cuts.h"
#include "places/plan/command_line.h"

namespace gate::app {

namespace {

constexpr Duration margin = std::chrono::minutes(5);  // the engine's limit is to come behind gate's own

// Where a node of Slurm's is reached its agent says, unless the case does: nobody here knows which it will
// be.
Result<std::map<std::string, std::string>> node_environment(const PlannedCase& planned,
                                                            const launch::ScriptFacts& facts) {
  const config::Settings& settings = planned.spec->settings;
  const PlaceTraits traits = traits_of(settings.backend);
  std::map<std::string, std::string> env = launch::script_environment(facts);
  if (traits.has_agent)
    for (const char* name : variables_of_nodes(planned)) env.erase(name);
  GATE_TRY_STATUS(add_variables(env, planned));
  const bool inherits = traits.has_agent && !settings.container.is_used();
  if (facts.node_rank == 0)
    ask_for_tests(env, settings, inherits ? own_variable("PYTEST_ADDOPTS") : "", facts.cookie);
  return env;
}

// As they are where each is launched once.
std::map<std::string, std::string> planned_folders(const config::Case& spec, const fs::Path& run) {
  std::map<std::string, std::string> folders;
  for (const std::string& name : spec.settings.after)
    folders[config::variable_after(name)] = (run / name).string();
  return folders;
}

// Before values are quoted: they could not be found any more then.
void mask_values(hosts::JobRequest& request, const Masker& masker) {
  for (launch::Command& node : request.nodes) {
    for (auto& [name, value] : node.env) value = masker.mask(value);
    for (std::string& word : node.argv) word = masker.mask(word);
    node.setup = masker.mask(node.setup);
  }
  for (std::string& word : request.slurm.options) word = masker.mask(word);
  request.kubernetes.patched = masker.mask(request.kubernetes.patched);
}

// What all jobs of the case have in common.
hosts::JobRequest request_of(const config::Case& spec, const launch::ScriptFacts& facts, Duration timeout) {
  const config::Settings& settings = spec.settings;
  hosts::JobRequest request;
  request.name = spec.name;
  request.run = facts.run_id;
  request.launch = facts.cookie;
  request.folder = fs::Path(facts.case_folder) / ("job-" + fs::sha256(facts.cookie).substr(0, 12));
  request.time = timeout + settings.grace + margin;
  request.grace = settings.grace;
  request.slurm = settings.slurm;
  request.kubernetes = settings.kubernetes;
  request.container = settings.container;
  request.variables = keys_in(own_variables());
  return request;
}

// Tell whether the word of sbatch asks for devices, or for nodes with all that they have.
bool asks_for_devices(std::string_view word) {
  constexpr auto options =
      std::to_array<std::string_view>({"--gres", "--gpu", "--cpus-per-gpu", "--mem-per-gpu", "--tres",
                                       "--ntasks-per-gpu", "--exclusive", "-G"});
  return std::ranges::any_of(options, [&](std::string_view option) { return word.starts_with(option); });
}

// `--gres gpu:8` is two words; `--exclusive` never takes a second one.
std::vector<std::string> without_devices(const std::vector<std::string>& options) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string& word = options[i];
    if (!asks_for_devices(word)) {
      kept.push_back(word);
      continue;
    }
    const bool is_whole = word.find('=') != std::string::npos || word.starts_with("--exclusive") ||
                          (word.starts_with("-G") && word.size() > 2);
    if (!is_whole) ++i;
  }
  return kept;
}

bool does_stage(const Suite& suite, const RunOptions& options, Stage stage) {
  return (!options.only || *options.only == stage) &&
         (!suite.strategy || suite.strategy->strategy.has_stage(stage));
}

// What a launch of the case asks the queue for. Its nodes run gate-agent of the folder; pods need none.
Result<hosts::JobRequest> job_request(const Suite& suite, const PlannedCase& planned,
                                      launch::ScriptFacts facts, const fs::Path& agents) {
  const config::Settings& settings = planned.spec->settings;
  hosts::JobRequest request = request_of(*planned.spec, facts, settings.timeout);
  request.agents = agents;
  request.devices = planned.placement.shape.devices;
  GATE_TRY(request.slurm.gres,
           config::expand(settings.slurm.gres, {{"devices", std::to_string(request.devices)}}));
  launch::Command command;
  command.cwd = planned.spec->cwd;
  command.setup = setup_of(planned);
  command.script = suite.root / planned.spec->script;
  command.script_sha256 = planned.script_sha256;
  const std::string& platform = planned.placement.platform;
  for (const std::string& need : config::needs_on(settings, platform))
    command.needs.push_back((fs::Path(planned.spec->cwd) / need).lexically_normal().string());
  facts.data_dir = config::data_dir_on(settings, platform);
  if (!facts.data_dir.empty())
    facts.data_dir = (fs::Path(planned.spec->cwd) / facts.data_dir).lexically_normal().string();
  facts.scratch = (fs::Path(facts.case_folder) / "scratch").string();
  for (; facts.node_rank < planned.placement.shape.nodes; ++facts.node_rank) {
    if (facts.node_rank > 0) facts.cookie = request.launch + "." + std::to_string(facts.node_rank);
    command.cookie = facts.cookie;
    GATE_TRY(command.env, node_environment(planned, facts));
    std::map<std::string, std::string> known = command.env;
    for (const char* name : variables_of_nodes(planned))
      if (!settings.env.contains(name)) known.erase(name);
    GATE_TRY(command.argv, command_line(planned, suite.root / planned.spec->script,
                                        static_cast<std::size_t>(facts.node_rank), known));
    if (settings.judge == config::JudgeMode::pytest && facts.node_rank == 0)
      command.watched = fs::Path(facts.scratch) / pytest_files(command.cookie);
    request.nodes.push_back(command);
    command.watched.clear();
  }
  return request;
}

// What a run would submit for the case, in its order.
Result<std::vector<hosts::JobRequest>> requests_of(const Suite& suite, const PlannedCase& planned,
                                                   const RunOptions& options,
                                                   const launch::ScriptFacts& facts, const fs::Path& agents) {
  std::vector<hosts::JobRequest> requests;
  const config::CaseStages& stages = planned.spec->settings.stages;
  for (const Stage stage : {Stage::init, Stage::download}) {
    const std::string name(to_string(stage));
    if (!does_stage(suite, options, stage) || !stages.contains(name) || stages.at(name).command.empty())
      continue;
    launch::ScriptFacts own = facts;
    own.cookie = facts.run_id + "." + planned.spec->name + "." + name;
    GATE_TRY(launch::Command command, stage_command(planned, own, stage));
    requests.push_back(stage_job_request(planned, own, stage, std::move(command)));
    requests.back().agents = agents;
  }
  if (!has_stages(*planned.spec) || does_stage(suite, options, Stage::test)) {
    GATE_TRY(hosts::JobRequest request, job_request(suite, planned, facts, agents));
    requests.push_back(std::move(request));
  }
  return requests;
}

// A scheduler that starts the script as a job; its files are those that gate sees.
class Queue : public Place {
 public:
  explicit Queue(hosts::JobEngine& engine) : engine_(engine) {}

  Status open(const LaunchOrder& order, std::vector<Seat>& seats, const Cut& cut) override {
    const auto& [context, planned, attempt, folders] = order;
    const PlaceTraits traits = traits_of(planned.spec->settings.backend);
    GATE_TRY(const fs::Path agents, agents_for(context.suite, planned));
    launch::ScriptFacts facts = order.facts();
    facts.run_folder = std::filesystem::absolute(context.folder.path()).lexically_normal().string();
    facts.case_folder = folders.folder.string();
    for (const auto& [variable, before] : attempt.before) facts.before[variable] = before.string();
    facts.checkpoints = folders.checkpoints.string();
    facts.cookie = order.cookie();
    facts.has_ascend_log_path = variable_if_set("ASCEND_PROCESS_LOG_PATH").has_value();
    GATE_TRY(hosts::JobRequest request, job_request(context.suite, planned, std::move(facts), agents));
    for (std::size_t node = 0; node < request.nodes.size(); ++node) {
      GATE_TRY(auto files, NodeFiles::make(hosts_in(context).at(0), context, folders, node, cut));
      files->outputs = OutputPlaces::of(context, planned, folders, *files,
                                        traits.has_agent ? AsideBy::agent_of_job : AsideBy::gate);
      request.nodes[node].asides = files->outputs.of_agent();
      std::string name = request.nodes.size() == 1 ? "" : "node " + std::to_string(node);
      seats.push_back({std::move(name), std::move(files), request.nodes[node], nullptr, true});
    }
    is_to_look_ = !traits.has_agent;
    write_job_id_ = job_id_writer(context, *planned.spec);
    job_ = std::make_unique<hosts::EngineJob>(engine_, std::move(request), until_hurry(context, planned));
    return job_->open();
  }

  launch::Waiting wait(std::vector<Seat>& seats) override {
    if (std::exchange(is_to_look_, false))
      if (auto outcome = launch::look_at_script(seats.front().command))
        return {.kind = launch::Waiting::Kind::refused, .outcome = *std::move(outcome)};
    launch::Waiting now = job_->wait();
    write_job_id_(job_->id());
    for (std::size_t node = 0; now.kind == launch::Waiting::Kind::ready && node < seats.size(); ++node)
      seats[node].process = job_->node(node);
    return now;
  }

  void close(const std::vector<Seat>&, launch::Ending& ending, const Cut&) override {
    if (const Sentence why = job_->close(); !why.empty()) ending.survivors.push_back(why);
  }

 private:
  hosts::JobEngine& engine_;
  std::unique_ptr<hosts::EngineJob> job_;
  std::function<void(const std::string&)> write_job_id_ = {};
  bool is_to_look_ = false;  // at the script, before its job is created: no agent does
};

}  // namespace

Result<fs::Path> agents_for(const Suite& suite, const PlannedCase& planned) {
  return traits_of(planned.spec->settings.backend).has_agent ? put_agents(suite.root) : fs::Path();
}

std::unique_ptr<Place> queue_place(hosts::JobEngine& engine) { return std::make_unique<Queue>(engine); }

Result<launch::Command> stage_command(const PlannedCase& planned, const launch::ScriptFacts& facts,
                                      Stage stage) {
  const std::string name(to_string(stage));
  launch::ScriptFacts told = facts;
  told.case_folder = told.scratch = facts.stages;
  told.stage = name;
  told.has_ascend_log_path = true;
  launch::Command command;
  command.cwd = planned.spec->cwd;
  command.argv = planned.spec->settings.stages.at(name).command;
  command.cookie = facts.cookie;
  command.env = launch::script_environment(told);
  GATE_TRY_STATUS(add_variables(command.env, planned));
  return command;
}

hosts::JobRequest stage_job_request(const PlannedCase& planned, const launch::ScriptFacts& facts, Stage stage,
                                    launch::Command command) {
  const std::string name(to_string(stage));
  hosts::JobRequest request =
      request_of(*planned.spec, facts, planned.spec->settings.stages.at(name).timeout);
  request.name += "." + name;
  request.slurm.options = without_devices(request.slurm.options);
  command.needs = {facts.stages};
  request.nodes.push_back(std::move(command));
  return request;
}

std::string planned_job(const Suite& suite, const PlannedCase& planned, const RunOptions& options) {
  if (planned.place.reserves) return "";
  const config::Case& spec = *planned.spec;
  const fs::Path own = std::filesystem::absolute(suite.root / ".gate").lexically_normal();
  const fs::Path run = own / "runs" / "RUN";
  launch::ScriptFacts facts;
  facts.case_name = spec.name;
  facts.run_id = "RUN";
  facts.run_folder = run.string();
  facts.case_folder = (run / spec.name).string();
  facts.before = planned_folders(spec, run);
  facts.phase = config::phase_name(spec.settings, planned.phase);
  if (config::has_checkpoints(spec.settings)) facts.checkpoints = (run / spec.name / "checkpoints").string();
  if (has_stages(spec)) facts.stages = stages_folder(options, run, spec.name).string();
  facts.cookie = "RUN." + spec.name + ".1";
  facts.devices = planned.placement.told_devices();
  facts.nodes = planned.placement.shape.nodes;
  facts.has_ascend_log_path = variable_if_set("ASCEND_PROCESS_LOG_PATH").has_value();
  Result<std::vector<hosts::JobRequest>> requests =
      requests_of(suite, planned, options, facts, own / "agents");
  if (!requests) return requests.error().message;
  const Masker masker = masker_for(suite);
  std::string text;
  for (hosts::JobRequest& request : *requests) {
    mask_values(request, masker);
    text += hosts::dry_run(hosts::engine_of(spec.settings.backend), request);
  }
  return text;
}

}  // namespace gate::app
