#include "gate/places/stage_commands.h"

#include <algorithm>
#include <filesystem>

#include "gate/base/text.h"
#include "gate/places/queue.h"
#include "gate/store/log_file.h"
#include "gate/suite/told_places.h"
#include "places/launch/cuts.h"

namespace gate::app {

namespace {

Sentence words_of_stage(Stage stage) { return say({"stage {}", "环节 {}"}, to_string(stage)); }

bool is_behind_script(Stage stage) { return stage == Stage::report || stage == Stage::upload; }

const config::CaseStage& said_of(const PlannedCase& planned, Stage stage) {
  return planned.spec->settings.stages.at(std::string(to_string(stage)));
}

Result<launch::ScriptFacts> stage_facts(const LaunchContext& context, const PlannedCase& planned,
                                        Stage stage) {
  launch::ScriptFacts facts;
  facts.case_name = planned.spec->name;
  facts.run_id = context.folder.id();
  facts.run_folder = fs::whole_path(context.folder.path()).string();
  GATE_TRY(const fs::Path of_case, context.folder.case_folder(planned.spec->name));
  facts.case_folder = std::filesystem::absolute(of_case).lexically_normal().string();
  facts.cookie = new_cookie(context, planned, std::string(to_string(stage)));
  facts.stages = stages_folder(context, *planned.spec).string();
  return facts;
}

Result<launch::Ending> run_as_job(const LaunchContext& context, hosts::EngineJob& job, launch::Limits limits,
                                  const launch::Listener& listener,
                                  const std::function<void(const std::string&)>& write_id) {
  GATE_TRY_STATUS(job.open());
  Result<launch::Ending> ending;
  const auto wait = [&] {
    launch::Waiting now = job.wait();
    write_id(job.id());
    return now;
  };
  if (auto refused = launch::wait_for_start(wait, limits, listener))
    ending = std::move(*refused);
  else
    ending = context.environment.supervise(*job.node(0), limits, listener);
  const Sentence left = job.close();
  if (ending && !left.empty()) ending->survivors.push_back(left);
  return ending;
}

// The engine runs the commands before a test that it runs.
Result<launch::Ending> run_command(const LaunchContext& context, const PlannedCase& planned, Stage stage,
                                   const launch::Limits& limits, const launch::Listener& listener) {
  GATE_TRY(const launch::ScriptFacts facts, stage_facts(context, planned, stage));
  GATE_TRY(launch::Command command, stage_command(planned, facts, stage));
  if (hosts::JobEngine* const engine = is_behind_script(stage) ? nullptr : queue_of(context, planned)) {
    hosts::JobRequest request = stage_job_request(planned, facts, stage, std::move(command));
    GATE_TRY(request.agents, agents_for(context.suite, planned));
    hosts::EngineJob job(*engine, std::move(request), until_hurry(context, planned));
    return run_as_job(context, job, limits, listener, job_id_writer(context, *planned.spec));
  }
  GATE_TRY(const auto process,
           hosts_in(context).at(0).process(std::move(command), until_hurry(context, planned)));
  return context.environment.supervise(*process, limits, listener);
}

// Says what its job waits for, and that it waits no more.
std::function<void(const Sentence&)> waiting_of_stage(const LaunchContext& context, const std::string& name,
                                                      Stage stage) {
  return [&sink = context.sink, name, stage, has_waited = false](const Sentence& why) mutable {
    if (!why.empty() || has_waited) sink(Message{name, why.empty() ? words_of_stage(stage) : why, true});
    has_waited = !why.empty();
  };
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
          .second_signal = [&stops, name] { return stops.must_hurry(name); },
          .on_waiting = waiting_of_stage(context, name, stage)};
}

launch::Limits stage_limits(const LaunchContext& context, const PlannedCase& planned, Stage stage,
                            std::optional<Duration> rest) {
  launch::Limits limits;
  limits.timeout = said_of(planned, stage).timeout;
  limits.grace = planned.spec->settings.grace;
  limits.has_steps = false;
  if (is_behind_script(stage)) return limits;
  limits.rest = rest;
  limits.deadline = context.options.deadline.value_or(Duration{});
  return limits;
}

Result<launch::Ending> run_logged(const LaunchContext& context, const PlannedCase& planned, Stage stage,
                                  const launch::Limits& limits, const fs::Path& file) {
  GATE_TRY(store::LogFile log, store::LogFile::create(file));
  StreamMasker masker(context.masker);
  const launch::Listener listener = stage_listener(context, planned.spec->name, stage, log, masker);
  auto ending = run_command(context, planned, stage, limits, listener);
  log.append(masker.finish());
  GATE_TRY_STATUS(log.close());
  return ending;
}

// What its command printed last, in one line.
Sentence last_lines_of(const fs::Path& log) {
  constexpr std::size_t most_lines = 3, most_bytes = 4096, longest = 300;
  const std::uintmax_t size = fs::size_of(log);
  const std::string text = fs::read_from(log, size - std::min<std::uintmax_t>(size, most_bytes)).value_or("");
  std::vector<std::string> lines;
  for (const std::string_view line : split(text, '\n'))
    if (!trim(line).empty()) lines.push_back(printable(trim(line), longest));
  if (lines.size() > most_lines) lines.erase(lines.begin(), lines.end() - most_lines);
  return as_is(join(lines, " | "));
}

// What an engine says of the end of a job stands behind it, unless the outcome holds it; then what the
// command printed last.
Sentence problem_of(Stage stage, const Outcome& outcome, const std::vector<Sentence>& remarks,
                    const fs::Path& log) {
  if (ended_well(outcome)) return {};
  Sentence problem = words_of_stage(stage) + colon + text(outcome);
  if (const Sentence last = last_lines_of(log); !last.empty()) problem += colon + last;
  for (const Sentence& remark : remarks)
    if (!(remark == why_of(outcome))) problem += semicolon + remark;
  return problem;
}

}  // namespace

fs::Path stages_folder(const LaunchContext& context, const config::Case& spec) {
  return stages_folder(context.options, context.folder.path(), spec.name);
}

std::function<void(const std::string&)> job_id_writer(const LaunchContext& context,
                                                      const config::Case& spec) {
  if (!has_stages(spec)) return [](const std::string&) {};
  return [file = stages_folder(context, spec) / job_id_file,
          told = std::string()](const std::string& id) mutable {
    if (id == std::exchange(told, id) || id.empty()) return;
    [[maybe_unused]] const Status written = fs::write_file(file, id + "\n");  // of who looks on
  };
}

Result<std::string> told_text(const LaunchContext& context, const config::Case& spec, std::string place) {
  return told_in_place(context.suite, spec, context.folder.id(), std::move(place));
}

Result<fs::Path> told_place(const LaunchContext& context, const config::Case& spec,
                            const std::string& place) {
  GATE_TRY(const std::string told, told_text(context, spec, place));
  GATE_TRY(const std::string path, config::path_of_place(told));
  return (context.suite.root / path).lexically_normal();
}

StageResult run_stage_command(const LaunchContext& context, const PlannedCase& planned, Stage stage,
                              std::optional<Duration> rest) {
  StageResult result{stage, Exited{0}, "", to_iso(context.environment.now()), {}, ""};
  const fs::Path log = stages_folder(context, *planned.spec) / (std::string(to_string(stage)) + ".log");
  const auto ending = run_logged(context, planned, stage, stage_limits(context, planned, stage, rest), log);
  const launch::Ending told = ending.value_or(launch::Ending{});
  result.outcome = ending ? told.outcome : Outcome(NotStarted{ending.error().message});
  result.duration = told.duration;
  result.log = log.string();
  result.problem = problem_of(stage, result.outcome, told.remarks, log);
  if (!told.host.empty())
    context.sink(Message{planned.spec->name,
                         say({"{} ran on {}", "{} 在 {} 上运行"}, words_of_stage(stage), told.host)});
  for (const Sentence& leftover : told.leftovers)
    result.leftovers.push_back(
        say({"outlived stage {} and was stopped: {}", "环节 {} 结束后仍在运行，已停止：{}"}, to_string(stage),
            leftover));
  for (const Sentence& survivor : told.survivors)
    result.leftovers.push_back(
        say({"could not be stopped, stop it by hand: {}", "无法停止，请手动停止：{}"}, survivor));
  return result;
}

void put_stages(CaseReport& report, const std::vector<StageResult>& stages) {
  report.stages = stages;
  for (const StageResult& stage : stages)
    for (const Sentence& leftover : stage.leftovers)
      if (std::ranges::find(report.problems, leftover, &Problem::text) == report.problems.end())
        report.add_problems({leftover}, "", ProblemKind::leftover);
}

}  // namespace gate::app
