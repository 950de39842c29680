#include "app/launch/stages.h"

#include "app/plan/command_line.h"
#include "gate/base/text.h"
#include "gate/launch/environment.h"
#include "gate/store/log_file.h"

namespace gate::app {

namespace {

bool is_behind_script(Stage stage) { return stage == Stage::report || stage == Stage::upload; }

// What a place tells of the run.
std::map<std::string, std::string> told_in_places(const LaunchContext& context, const config::Case& spec) {
  std::map<std::string, std::string> told{{"case", spec.name}, {"run", context.folder.id()}};
  const auto& contract = context.suite.contract;
  told["test_id"] = contract && !contract->test_id.empty() ? contract->test_id : context.folder.id();
  told["baseline_id"] = contract ? contract->baseline_id : "";
  return told;
}

Result<launch::Command> stage_command(const LaunchContext& context, const PlannedCase& planned, Stage stage) {
  const fs::Path shared = stages_folder(context, *planned.spec);
  launch::Command command;
  command.cwd = planned.spec->cwd;
  command.argv = planned.spec->settings.stages.at(std::string(to_string(stage))).command;
  command.cookie = context.folder.id() + "." + planned.spec->name + "." + std::string(to_string(stage)) +
                   "." + std::to_string(context.environment.now().time_since_epoch().count());
  command.env = launch::script_environment({.case_name = planned.spec->name,
                                            .run_id = context.folder.id(),
                                            .run_folder = fs::whole_path(context.folder.path()).string(),
                                            .case_folder = shared.string(),
                                            .scratch = shared.string(),
                                            .stages = shared.string(),
                                            .stage = std::string(to_string(stage)),
                                            .cookie = command.cookie,
                                            .device_variable = "",
                                            .device_list = "",
                                            .has_ascend_log_path = true});
  GATE_TRY_STATUS(add_variables(command.env, planned));
  return command;
}

launch::Listener stage_listener(const LaunchContext& context, const std::string& name, Stage stage,
                                store::LogFile& log, StreamMasker& masker) {
  StopRequests& stops = context.stops;
  return {.on_output =
              [&log, &masker](std::string_view bytes) {
                log.append(masker.feed(bytes));
                return launch::Pulse{};
              },
          .on_poll = nullptr,
          .interrupted = [&stops, name, stage]() -> std::optional<Interrupted> {
            if (is_behind_script(stage) && !stops.must_hurry(name)) return std::nullopt;
            return stops.of_case(name);
          },
          .second_signal = [&stops, name] { return stops.must_hurry(name); }};
}

Result<launch::Ending> run_logged(const LaunchContext& context, const PlannedCase& planned, Stage stage,
                                  const fs::Path& file) {
  GATE_TRY(const launch::Command command, stage_command(context, planned, stage));
  GATE_TRY(store::LogFile log, store::LogFile::create(file));
  StreamMasker masker(context.masker);
  launch::Limits limits;
  limits.timeout = planned.spec->settings.stages.at(std::string(to_string(stage))).timeout;
  limits.grace = planned.spec->settings.grace;
  limits.has_steps = false;
  auto ending = context.environment.hosts->at(0).launch(
      command, limits, stage_listener(context, planned.spec->name, stage, log, masker));
  log.append(masker.finish());
  GATE_TRY_STATUS(log.close());
  return ending;
}

std::string problem_of(Stage stage, const Outcome& outcome) {
  if (ended_well(outcome)) return "";
  return "stage " + std::string(to_string(stage)) + ": " + to_string(outcome);
}

}  // namespace

bool has_stages(const config::Case& spec) {
  return !spec.settings.stages.empty() || spec.settings.accuracy_test;
}

fs::Path stages_folder(const LaunchContext& context, const config::Case& spec) {
  const fs::Path& told = context.options.stages_folder;
  return fs::whole_path(told.empty() ? context.folder.path() / spec.name / "stages" : told);
}

Result<std::string> told_text(const LaunchContext& context, const config::Case& spec, std::string place) {
  for (const auto& [name, value] : told_in_places(context, spec)) {
    const std::string hole = "{" + name + "}";
    if (place.find(hole) == std::string::npos) continue;
    if (value.empty()) return fail(place + ": nothing tells its " + name);
    for (std::size_t at = place.find(hole); at != std::string::npos; at = place.find(hole, at + value.size()))
      place.replace(at, hole.size(), value);
  }
  return place;
}

Result<fs::Path> told_place(const LaunchContext& context, const config::Case& spec,
                            const std::string& place) {
  GATE_TRY(const std::string told, told_text(context, spec, place));
  GATE_TRY(const std::string path, config::path_of_place(told));
  return (context.suite.root / path).lexically_normal();
}

StageResult run_stage_command(const LaunchContext& context, const PlannedCase& planned, Stage stage) {
  StageResult result{stage, Exited{0}, "", to_iso(context.environment.now()), {}, ""};
  const fs::Path log = stages_folder(context, *planned.spec) / (std::string(to_string(stage)) + ".log");
  const auto ending = run_logged(context, planned, stage, log);
  result.outcome = ending ? ending->outcome : Outcome(NotStarted{ending.error().message});
  if (ending) result.duration = ending->duration;
  result.log = log.string();
  result.problem = problem_of(stage, result.outcome);
  return result;
}

}  // namespace gate::app
