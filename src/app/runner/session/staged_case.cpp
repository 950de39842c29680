#include "runner/session/staged_case.h"

#include <algorithm>
#include <set>
#include <system_error>

#include "gate/base/object_place.h"
#include "gate/base/text.h"
#include "gate/config/training.h"
#include "gate/judge/judge.h"
#include "gate/judging/asked_setup.h"
#include "gate/judging/case_judge.h"
#include "gate/judging/case_outputs.h"
#include "gate/judging/copies.h"
#include "gate/judging/test_result_file.h"
#include "gate/places/extra_logs.h"
#include "gate/places/objects.h"
#include "gate/places/stage_commands.h"
#include "gate/schema/accuracy_result.h"
#include "gate/schema/result_file.h"
#include "gate/schema/stages_file.h"
#include "gate/suite/suite_masker.h"
#include "runner/course/rows.h"

namespace gate::app {

namespace {

constexpr const char* stages_file = "stages.json";
constexpr const char* case_file = "case.json";
constexpr const char* execution_log = "execution.log";
constexpr const char* kept_files = "artifacts";
constexpr const char* brought_names = ".brought";  // of the files that the last download brought, one a line

// The paths that copy_into() makes of it.
std::vector<std::string> files_brought_by(const fs::Path& path) {
  return fs::is_folder(path) ? fs::files_below(path) : std::vector{path.filename().string()};
}

// The first parts of these.
std::set<std::string> names_of(const std::vector<std::string>& files) {
  std::set<std::string> names;
  for (const std::string& file : files) names.insert(fs::Path(file).begin()->string());
  return names;
}

// What has one of these names in the folder of the stages is gate's own.
std::set<std::string> own_names() {
  std::set<std::string> names{stages_file, case_file,     execution_log, "outputs",  "golden",
                              kept_files,  fetched_files, brought_names, job_id_file};
  for (const std::string_view name : schema::accuracy_result_names) names.emplace(name);
  for (const Stage stage : all_stages) names.insert(std::string(to_string(stage)) + ".log");
  return names;
}

class StagedCase {
 public:
  StagedCase(RunSession& session, const PlannedCase& planned, const std::string& today, CourseRow& row,
             const std::function<CaseReport(CourseRow&)>& follow)
      : session_(session), planned_(planned), today_(today), row_(row), follow_(follow) {}

  CaseReport run() {
    if (const Status opened = open(); !opened) return ended_before_test(NotStarted{opened.error().message});
    const bool begins = wants(Stage::init) || wants(Stage::download);
    if (const Status forgotten = begins ? forget_brought() : Status(); !forgotten)
      return ended_before_test(NotStarted{forgotten.error().message});
    for (const Stage stage : {Stage::init, Stage::download, Stage::test}) {
      if (!wants(stage)) continue;
      if (auto refused = refused_upload()) return finished(std::move(*refused));
      if (stage == Stage::test && wants(Stage::compare))
        if (const auto lacking = lacking_golden(context_.suite, *planned_.spec, folder_); !lacking.empty())
          return finished(unjudged(join(lacking, semicolon)));
      if (stage != Stage::test && !prepare(stage)) return finished(ended_before_test(outcome_of_failure()));
    }
    if (only_ == Stage::init || only_ == Stage::download) return only_done();
    if (only_ == Stage::report || only_ == Stage::upload) return end_again();
    if (only_ == Stage::test) return test_alone();
    if (only_ == Stage::compare) return compare_alone();
    return finished(compares_nothing() ? uncompared() : judged());
  }

 private:
  // What a rehearsal leaves goes nowhere.
  bool is_part(Stage stage) const {
    if (stage == Stage::upload && planned_.placement.rehearsed) return false;
    return !context_.suite.strategy || context_.suite.strategy->strategy.has_stage(stage);
  }
  bool wants(Stage stage) const { return is_part(stage) && (!only_ || *only_ == stage); }
  const config::AccuracyContract* contract() const {
    const auto& asked = context_.suite.contract;
    return planned_.spec->settings.accuracy_test && asked ? &*asked : nullptr;
  }
  bool makes_baseline() const { return contract() != nullptr && contract()->run_as_baseline; }
  // A test of usability: the script has to end well.
  bool compares_nothing() const { return contract() != nullptr && !contract()->is_comparison(); }
  const config::CaseStage& said(Stage stage) const {
    static const config::CaseStage nothing;
    const auto& stages = planned_.spec->settings.stages;
    const auto found = stages.find(std::string(to_string(stage)));
    return found == stages.end() ? nothing : found->second;
  }

  // Take up what earlier calls of --only did.
  Status open() {
    GATE_TRY_STATUS(fs::make_folder(folder_));
    state_.case_name = planned_.spec->name;
    if (!only_ || !fs::exists(folder_ / stages_file)) return {};
    GATE_TRY(const std::string text, fs::read_file(folder_ / stages_file));
    GATE_TRY(state_, schema::read_stages(text, (folder_ / stages_file).string()));
    if (state_.case_name == planned_.spec->name) return {};
    return fail((folder_ / stages_file).string() + ": is of case " + state_.case_name + ", not of " +
                planned_.spec->name + "; each case has a folder of its own");
  }

  void save() { session_.remember(fs::write_file(folder_ / stages_file, schema::write_stages(state_))); }

  // Return whether it went well.
  bool prepare(Stage stage) {
    const TransferLimit limit =
        TransferLimit::fetching(context_, planned_.spec->name, said(stage).timeout, session_.rest());
    const GoldenHashes golden = golden_hashes(planned_.spec->settings, folder_);
    StageResult result = done(stage);
    if (stage == Stage::download && !result.has_failed())
      if (const Status brought = bring(said(stage).from, limit); !brought) {
        result.problem = say({"stage download: {}", "环节 download：{}"}, brought.error().message);
        if (const auto ended = limit.outcome()) result.outcome = *ended;
      }
    if (stage == Stage::download) context_.golden.keep(planned_.spec->settings, folder_, golden);
    return put(std::move(result));
  }

  // A stage that begins now, and that gate does itself.
  StageResult begun(Stage stage) const {
    return {stage, Exited{0}, "", to_iso(context_.environment.now()), {}, ""};
  }

  // Run the stage's command, if it has one.
  StageResult done(Stage stage) {
    session_.tell(planned_.spec->name, say({"stage {}", "环节 {}"}, to_string(stage)));
    if (!said(stage).command.empty()) return run_stage_command(context_, planned_, stage, session_.rest());
    return begun(stage);
  }

  bool put(StageResult result) {
    mask(result, context_.masker);
    state_.put(std::move(result));
    save();
    return !state_.stages.back().has_failed();
  }

  // Each file under its own name, which is neither gate's nor that of another one. All come, or none.
  Status bring(const std::vector<std::string>& sources, const TransferLimit& limit) {
    const Status all = bring_all(sources, limit), cleared = remove_all(fetched_files);
    return all ? cleared : all;
  }

  Status bring_all(const std::vector<std::string>& sources, const TransferLimit& limit) {
    std::set<std::string> taken = own_names();
    std::vector<fs::Path> paths;
    std::string list;
    for (const std::string& source : sources) {
      GATE_TRY(const fs::Path path, brought(context_, *planned_.spec, source, folder_, limit));
      const std::vector<std::string> files = files_brought_by(path);
      for (const std::string& name : names_of(files))
        if (!taken.insert(name).second)
          return fail(path.string() + ": the folder of the stages has a " + name +
                      " already; name it otherwise");
      for (const std::string& file : files) list += file + "\n";
      paths.push_back(path);
    }
    if (!paths.empty()) GATE_TRY_STATUS(fs::write_file(folder_ / brought_names, list));
    for (const fs::Path& path : paths) GATE_TRY_STATUS(copy_into(path, folder_));
    return {};
  }

  // What an earlier download brought, or began to, is not this one's.
  Status forget_brought() const {
    GATE_TRY_STATUS(remove_all(fetched_files));
    if (!fs::exists(folder_ / brought_names)) return {};
    GATE_TRY(const std::string list, fs::read_file(folder_ / brought_names));
    for (const std::string_view file : split(list, '\n'))
      if (is_path_of_parts(file) && fs::is_within(folder_ / file, folder_) && fs::is_taken(folder_ / file))
        GATE_TRY_STATUS(fs::remove_file(folder_ / file));
    return fs::remove_file(folder_ / brought_names);
  }

  Status remove_all(const char* name) const {
    std::error_code problem;
    std::filesystem::remove_all(folder_ / name, problem);
    return problem ? fail((folder_ / name).string() + ": cannot be removed: " + problem.message()) : Status();
  }

  Outcome outcome_of_failure() const {
    const StageResult& failed = state_.stages.back();
    if (std::holds_alternative<Interrupted>(failed.outcome) ||
        std::holds_alternative<PastDeadline>(failed.outcome))
      return failed.outcome;
    return NotStarted{failed.problem};
  }

  CaseReport ended_before_test(const Outcome& outcome) {
    CaseReport report =
        judge_case(*planned_.spec, planned_.against, {}, outcome, planned_.placement.platform, today_);
    if (const auto* failed = std::get_if<NotStarted>(&outcome)) report.reason = failed->why;
    return report;
  }

  // One stage of several calls: there is nothing to judge yet, and the next pod is to start (decision 59).
  CaseReport only_done() const {
    CaseReport report = session_.report_of(planned_);
    report.verdict = Verdict::skipped;
    report.reason =
        say({"stage {} is done; nothing is judged yet", "环节 {} 已完成；尚未判定"}, to_string(*only_));
    put_stages(report, state_.stages);
    return report;
  }

  CaseReport measured() {
    begin_test();
    CaseReport report = follow_(*measuring_row(planned_, today_));
    put_test(report);
    const bool is_usable = compares_nothing() && !makes_baseline() && report.has_ended_well();
    if (is_usable && report.verdict == Verdict::unjudged) report.verdict = Verdict::passed;
    return report;
  }

  CaseReport test_alone() {
    for (const Stage before : {Stage::init, Stage::download})
      if (const StageResult* result = state_.find(before);
          is_part(before) && planned_.spec->settings.stages.contains(std::string(to_string(before))) &&
          (result == nullptr || result->has_failed()))
        return ended_before_test(NotStarted{not_done(before)});
    CaseReport report = measured();
    if (report.verdict != Verdict::passed) return finished(std::move(report));
    return compares_nothing() ? finished(without_comparison(std::move(report))) : only_done();
  }

  // What an earlier test left is not this one's, however it ends.
  void begin_test() {
    state_.outputs.clear();
    state_.log.clear();
    state_.script_sha256 = planned_.script_sha256;
    state_.environment_sha256 = environment_hash();
    session_.remember(remove_all("golden"));
    session_.remember(remove_all(kept_files));
    state_.golden = golden_hashes(planned_.spec->settings, folder_);
    const Sentence problem{"stage test: it began, and has not ended", "环节 test：已开始，尚未结束"};
    put({Stage::test, NotStarted{problem}, problem, to_iso(context_.environment.now()), {}, ""});
  }

  std::string environment_hash() const {
    const auto hash = planned_.inputs.find("environment");
    return hash == planned_.inputs.end() ? "" : hash->second;
  }

  // Keep what the test left in the folder, for stages that are done elsewhere.
  void put_test(const CaseReport& report) {
    const Sentence ending = text(report.outcome.value_or(Outcome(NotStarted{})));
    StageResult result{
        Stage::test,
        report.outcome.value_or(Outcome(NotStarted{say({"it was not launched", "没有启动"})})),
        report.has_ended_well() ? Sentence() : say({"stage test: {}", "环节 test：{}"}, ending),
        to_iso(context_.environment.now()),
        report.duration,
        ""};
    for (const auto& [file, hash] : context_.golden.fetched())
      if (const auto golden = state_.golden.find(file); golden != state_.golden.end()) golden->second = hash;
    state_.outputs.clear();
    for (const OutputResult& output : report.outputs) state_.outputs.push_back(staged(output));
    if (const auto kept = report.artifacts.find("artifacts"); kept != report.artifacts.end())
      session_.remember(copy_into(kept->second, folder_ / kept_files));
    if (const auto log = report.artifacts.find("log"); log != report.artifacts.end()) {
      session_.remember(copy_as(log->second, folder_ / execution_log));
      state_.log = execution_log;
      result.log = (folder_ / execution_log).string();
    }
    put(std::move(result));
  }

  schema::StagedOutput staged(const OutputResult& output) {
    if (output.file.empty()) return {output.name, "", "", output.missing};
    const fs::Path file = fs::Path("outputs") / output.name / fs::Path(output.file).filename();
    session_.remember(keep_output_as(output.file, folder_ / file));
    return {output.name, file.string(), golden_hash(folder_ / file), ""};
  }

  CaseReport judged() {
    begin_test();
    CaseReport report = follow_(row_);
    put_test(report);
    put(begun(Stage::compare));
    return report;
  }

  CaseReport compare_alone() {
    const StageResult* test = state_.find(Stage::test);
    if (test == nullptr) return unjudged(not_done(Stage::test));
    if (state_.script_sha256 != planned_.script_sha256)
      return unjudged(say({"the script has changed since its test in {}; run the test again",
                           "脚本在 {} 的测试之后有改动；请重新测试"},
                          folder_.string()));
    if (state_.environment_sha256 != environment_hash())
      return unjudged(
          say({"the variables are not those of the test in {}; run the test again, or give compare the same",
               "变量与 {} 里的测试不同；请重新测试，或让 compare 使用相同的变量"},
              folder_.string()));
    if (!was_launched(test->outcome))
      return unjudged(
          say({"{} in {}; wait for it, or run it again", "{}（在 {} 里）；请等它结束，或重新运行"},
              test->problem, folder_.string()));
    return finished(compared(*test));
  }

  // Judge what the test left in the folder.
  CaseReport compared(const StageResult& test) {
    const auto read = read_launch((folder_ / state_.log).string(), {},
                                  extract_options(*planned_.spec, planned_.against.reference));
    if (!read) return unjudged(read.error().message);
    Extraction run = *read;
    std::vector<KeptOutput> kept;
    for (const auto& [name, output] : planned_.spec->settings.outputs) {
      kept.push_back(kept_output(name));
      const std::string changed = changed_golden(golden_files(output, folder_), state_.golden);
      if (!changed.empty())
        kept.back().unjudged = say({"{}: has changed since the test began; run the test again",
                                    "{}：在测试开始之后有改动；请重新测试"},
                                   changed);
    }
    add_outputs(run, *planned_.spec, kept, folder_);
    CaseReport report =
        judge_case(*planned_.spec, planned_.against, run, test.outcome, planned_.placement.platform, today_);
    report.artifacts["log"] = (folder_ / state_.log).string();
    put(begun(Stage::compare));
    return report;
  }

  // As the test left it: a file that was put in its place since is not the run's.
  KeptOutput kept_output(const std::string& name) const {
    const auto output = std::ranges::find(state_.outputs, name, &schema::StagedOutput::name);
    if (output == state_.outputs.end()) return {name, {}, say({"the test left none", "测试没有留下输出"})};
    if (output->file.empty()) return {name, {}, output->missing};
    const fs::Path file = (folder_ / output->file).lexically_normal();
    if (!fs::is_within(file, folder_))
      return {name, {}, say({"{} is not in the folder of the stages", "环节目录里没有 {}"}, file.string())};
    if (golden_hash(file) != output->sha256)
      return {name, {}, say({"{} has changed since the test", "{} 在测试之后有改动"}, file.string())};
    return {name, file, ""};
  }

  CaseReport unjudged(Sentence why) const {
    CaseReport report = session_.report_of(planned_);
    report.verdict = Verdict::unjudged;
    report.reason = std::move(why);
    return report;
  }

  CaseReport uncompared() {
    CaseReport report = measured();
    return report.verdict == Verdict::passed ? without_comparison(std::move(report)) : report;
  }

  CaseReport without_comparison(CaseReport report) {
    std::erase_if(report.problems,
                  [](const Problem& problem) { return problem.kind == ProblemKind::unreadable; });
    if (const Sentence dropped = config::dropped_exit(*planned_.spec); !dropped.empty()) {
      report.verdict = Verdict::unjudged;
      report.reason = judge::unknown_end(dropped);
      Check& check = report.checks.emplace_back();
      check.rule = check.metric = "exit";
      check.status = CheckStatus::undecided;
      if (makes_baseline()) report.reason = not_made(report.reason);
      return report;
    }
    if (makes_baseline()) return promoted(std::move(report));
    report.reason = say({"a test of usability: the script ended well, and nothing was compared",
                         "可用性测试：脚本正常结束，没有比较任何内容"});
    report.notes.push_back(plain_note(report.reason));
    return report;
  }

  // Return how the case ends where it is known before the script that its results can go nowhere.
  std::optional<CaseReport> refused_upload() {
    const std::string& to = said(Stage::upload).to;
    if (to.empty() || !is_part(Stage::upload)) return refused_baseline();
    const TransferLimit limit = upload_limit();
    const auto known = Destination::of(context_, *planned_.spec, to, limit);
    if (known) return refused_baseline();
    return ended_before_test(NotStarted{say({"stage upload: {}", "环节 upload：{}"}, known.error().message)});
  }

  // Return how the case ends where a baseline that it is to make is there already.
  std::optional<CaseReport> refused_baseline() {
    if (!makes_baseline() || planned_.placement.rehearsed) return std::nullopt;
    const TransferLimit limit = upload_limit();
    for (const auto& [name, output] : planned_.spec->settings.outputs) {
      const std::string file = fs::Path(output.file).filename().string();
      const bool is_untold = file.find_first_of("*?[{") != std::string::npos;
      if (is_untold && !said(Stage::upload).baselines.empty()) continue;
      const Result<NewBaseline> baseline = baseline_of(name, file, limit);
      const Result<bool> free =
          baseline.and_then([&](const NewBaseline& one) { return is_free(context_, one, limit); });
      if (!free) return ended_before_test(NotStarted{not_made(free.error().message)});
      if (!*free) return unjudged(not_made(is_there(*baseline)));
    }
    return std::nullopt;
  }

  // Put what the test wrote where baselines are.
  CaseReport promoted(CaseReport report) {
    std::vector<std::string> places;
    const TransferLimit limit = upload_limit();
    for (const OutputResult& output : report.outputs) {
      const OutputResult alone =
          score_output(output.name, planned_.spec->settings.outputs.at(output.name), output.file, {});
      if (!alone.missing.empty()) {
        report.verdict = Verdict::incomplete;
        report.reason = not_made(alone.missing);
        return report;
      }
      const Result<NewBaseline> baseline = baseline_of(output.name, output.file, limit);
      const Result<bool> made = baseline.and_then(
          [&](const NewBaseline& one) { return make_baseline(context_, one, output.file, limit); });
      if (!made || !*made) {
        report.verdict = made ? Verdict::unjudged : Verdict::infra;
        report.reason = not_made(made ? is_there(*baseline) : Sentence(made.error().message));
        return report;
      }
      places.push_back(baseline->place);
    }
    session_.remember(remove_all(fetched_files));
    if (!places.empty()) report.artifacts["new_baseline"] = places.front();
    report.reason = say({"a baseline was made, and nothing compared: {}", "生成了基线，没有比较任何内容：{}"},
                        join(places, ", "));
    report.notes.push_back(plain_note(report.reason));
    return report;
  }

  Sentence not_done(Stage stage) const {
    return say({"stage {0} is not done in {1}; run it first, with --only {0}",
                "{1} 里没有做过环节 {0}；请先运行它，用 --only {0}"},
               to_string(stage), folder_.string());
  }
  static Sentence not_made(const Sentence& why) {
    return say({"the baseline was not made: {}", "基线没有生成：{}"}, why);
  }
  static Sentence is_there(const NewBaseline& baseline) {
    return say({"{} is there already, and nothing replaces it; remove it, or name another place",
                "{} 已经存在，不会被替换；请删除它，或指定别的位置"},
               baseline.place);
  }

  TransferLimit upload_limit() const {
    return TransferLimit::putting(context_, planned_.spec->name, said(Stage::upload).timeout);
  }

  // Return that of an output, whose file has that name.
  Result<NewBaseline> baseline_of(const std::string& output, const fs::Path& file,
                                  const TransferLimit& limit) const {
    if (planned_.placement.rehearsed) return fail("a rehearsal makes none");
    NewBaseline baseline{"", contract()->test_id, folder_ / fetched_files};
    if (!baseline.maker.empty())
      baseline.maker = fs::sha256(baseline.maker + "\n" + planned_.spec->name + "\n" + output);
    const config::CaseOutput& spec = planned_.spec->settings.outputs.at(output);
    if (const std::string& place = said(Stage::upload).baselines; !place.empty()) {
      GATE_TRY(const Destination to, Destination::of(context_, *planned_.spec, place, limit));
      baseline.place = to.place_of(file.filename().string());
    } else if (spec.golden.size() != 1) {
      return fail("nothing says where that of output " + output + " is; write stages.upload.baselines");
    } else if (is_object_place(spec.golden.front())) {
      GATE_TRY(baseline.place, told_text(context_, *planned_.spec, spec.golden.front()));
    } else {
      baseline.place = golden_files(spec, folder_).front().string();
    }
    return baseline;
  }

  // Report and upload, on every way to end.
  CaseReport finished(CaseReport report) {
    if (contract() != nullptr) add_setup_findings(report, *contract(), *planned_.spec);
    put_stages(report, state_.stages);
    mask(report, context_.masker);
    session_.remember(fs::write_file(folder_ / case_file, schema::write_case(report)));
    if (is_part(Stage::report)) end_stage(report, Stage::report, [&] { return write_results(report); });
    const bool is_said = !said(Stage::upload).command.empty() || !said(Stage::upload).to.empty();
    if (is_said && is_part(Stage::upload))
      end_stage(report, Stage::upload, [&] { return take_away(report); });
    put_stages(report, state_.stages);
    return report;
  }

  void end_stage(CaseReport& report, Stage stage, const std::function<Status()>& own) {
    if (context_.stops.must_hurry(planned_.spec->name)) return;
    const Status written = own();
    StageResult result = done(stage);
    if (!written)
      result.problem = say({"stage {}: {}", "环节 {}：{}"}, to_string(stage), written.error().message);
    if (put(std::move(result))) return;
    const Sentence& problem = state_.stages.back().problem;
    if (report.verdict == Verdict::passed || report.verdict == Verdict::skipped) {
      report.verdict = Verdict::infra;
      report.reason = problem;
    } else if (!(report.reason == problem)) {
      report.add_problems({problem});
    }
  }

  // Once more, of a case that has ended before.
  CaseReport end_again() {
    const Result<std::string> text = fs::read_file(folder_ / case_file);
    if (!text)
      return unjudged(say({"no test has ended in {}: {}", "{} 里没有结束的测试：{}"}, folder_.string(),
                          text.error().message));
    Result<CaseReport> stored = schema::read_case(*text, (folder_ / case_file).string());
    if (!stored) return unjudged(stored.error().message);
    CaseReport report = only_done();
    if (only_ == Stage::report)
      end_stage(report, Stage::report, [&] { return write_results(*stored); });
    else
      end_stage(report, Stage::upload, [&] { return take_away(*stored); });
    put_stages(report, state_.stages);
    return report;
  }

  Status write_results(const CaseReport& report) {
    const std::string text = schema::write_accuracy_result(
        accuracy_result({report, *planned_.spec, context_.suite.contract, makes_baseline(), state_.log}));
    for (const std::string_view name : schema::accuracy_result_names)
      GATE_TRY_STATUS(fs::write_file(folder_ / name, text));
    return {};
  }

  // The result comes last: where it is, all is.
  Status take_away(const CaseReport& report) {
    if (said(Stage::upload).to.empty()) return {};
    const TransferLimit limit = upload_limit();
    GATE_TRY(const Destination to, Destination::of(context_, *planned_.spec, said(Stage::upload).to, limit));
    GATE_TRY_STATUS(to.open());
    for (const StageResult& stage : state_.stages)
      if (const std::string log = std::string(to_string(stage.stage)) + ".log";
          stage.stage != Stage::test && !stage.log.empty() && fs::exists(folder_ / log))
        GATE_TRY_STATUS(to.put_result(folder_ / log, log));
    if (!state_.log.empty()) GATE_TRY_STATUS(to.put_result(folder_ / state_.log, state_.log));
    for (const std::string& file : fs::files_below(folder_ / kept_files))
      GATE_TRY_STATUS(to.put_result(folder_ / kept_files / file, kept_files + ("/" + file)));
    const bool has_ended = report.verdict == Verdict::passed || report.verdict == Verdict::regressed;
    for (const schema::StagedOutput& output : state_.outputs)
      if (has_ended && !output.file.empty())
        GATE_TRY_STATUS(to.put_result(folder_ / output.file, fs::Path(output.file).filename().string()));
    if (!is_part(Stage::report)) return {};
    for (const std::string_view name : schema::accuracy_result_names)
      GATE_TRY_STATUS(to.put_result(folder_ / name, std::string(name)));
    return to.close();
  }

  RunSession& session_;
  const LaunchContext context_ = session_.context();
  const PlannedCase& planned_;
  const std::string& today_;
  CourseRow& row_;
  const std::function<CaseReport(CourseRow&)>& follow_;
  const std::optional<Stage> only_ = session_.options().only;
  const fs::Path folder_ = stages_folder(context_, *planned_.spec);
  schema::StagesFile state_;
};

}  // namespace

CaseReport run_stages(RunSession& session, const PlannedCase& planned, const std::string& today,
                      CourseRow& row, const std::function<CaseReport(CourseRow&)>& follow) {
  return StagedCase(session, planned, today, row, follow).run();
}

}  // namespace gate::app
