#include <unistd.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "cli/options/commands.h"
#include "cli/screen/terminal.h"
#include "cli/world/signals.h"
#include "cli/world/world.h"
#include "gate/base/log.h"
#include "gate/base/text.h"
#include "gate/base/time.h"
#include "gate/launch/host_facts.h"
#include "gate/render/status.h"
#include "gate/schema/status_file.h"
#include "gate/store/run_folder.h"
#include "gate/stored/status.h"

namespace gate::cli {

namespace {

constexpr Duration look_every{1000};

// The document in one line, for whom reads line by line.
std::string one_line(std::string json) {
  std::ranges::replace(json, '\n', ' ');
  return json + "\n";
}

app::Answer<app::RunPlaces> places_of(const CommandOptions& options) {
  const fs::Path root = app::find_suite_root(options.folder);
  return app::RunPlaces{app::runs_going_on(root), options.folder, root};
}

void print_status(const std::vector<RunStatus>& runs, bool is_named, const CommandOptions& options,
                  Terminal& terminal) {
  render::Style style = terminal.style();
  style.verbose |= is_named;
  terminal.print(options.json ? schema::write_status(runs) : render::status_text(runs, now(), style));
}

// Looks at runs again and again: those that a word means, else all that go on (of the suite of the folder,
// where it is in one), also those that begin meanwhile.
class FollowedRuns {
 public:
  FollowedRuns(std::vector<RunStatus> runs, bool is_named, bool draws, const CommandOptions& options,
               const Terminal& terminal)
      : runs_(std::move(runs)),
        is_named_(is_named),
        draws_(draws),
        options_(options),
        root_(app::find_suite_root(options.folder)),
        style_(terminal.style()) {
    style_.verbose |= is_named;
    if (is_named || root_.empty()) return;
    std::erase_if(runs_, [&](const RunStatus& run) { return !is_followed(run); });
    log::info(say({"following the runs of {}; gate -C / status --follow follows all of this host",
                   "只跟踪 {} 的运行；gate -C / status --follow 跟踪本机的所有运行"},
                  root_.string())
                  .in(style_.language));
  }

  bool has_any() const { return !runs_.empty(); }

  // Return what is to be printed next; nothing where no run goes on any more.
  std::optional<std::string> next() {
    if (std::exchange(has_ended_, !look())) return std::nullopt;
    if (options_.json) return one_line(schema::write_status(runs_));
    return draws_ ? render::status_text(runs_, now(), style_) : moved_cases();
  }

 private:
  static constexpr int looks_for_others = 5;  // a look for runs that begin is dear: at each fifth look
  static constexpr int looks_for_steps = 10;  // of a case that goes on, lines are printed at each tenth look

  // Tell whether a run goes on.
  bool look() {
    ++looks_;
    for (RunStatus& run : runs_)
      if (auto now = store::read_run_status(run.folder); now && run.state == JobState::running)
        run = std::move(*now);
    if (!is_named_ && (looks_ % looks_for_others == 0 || !goes_on()))
      for (RunStatus& other : app::runs_going_on(root_))
        if (is_followed(other) && row_in(runs_, other.uid, &RunStatus::uid) == nullptr)
          runs_.push_back(std::move(other));
    return goes_on();
  }

  bool is_followed(const RunStatus& run) const { return root_.empty() || app::goes_on_in(run, root_); }

  // Return what tells the suite from the others that are followed: its name or, where one has none or two
  // have the same, its folder; "" where there are no others.
  std::string suite_in_line(const RunStatus& run) const {
    const auto is_other = [&](const RunStatus& other) { return other.root != run.root; };
    if (std::ranges::none_of(runs_, is_other)) return "";
    const bool is_named = !run.suite.empty() && std::ranges::none_of(runs_, [&](const RunStatus& other) {
      return is_other(other) && other.suite == run.suite;
    });
    return is_named ? run.suite : run.root;
  }

  bool goes_on() const {
    return std::ranges::any_of(runs_, [](const RunStatus& run) { return run.state == JobState::running; });
  }

  // A line for each case that began, ended, left its tolerance, or went on for a while.
  std::string moved_cases() {
    std::string out;
    for (const RunStatus& run : runs_)
      for (const CaseStatus& status : run.cases) {
        const auto [before, is_new] = told_.try_emplace({run.uid, status.name});
        Told is{status.state, status.step, beyond(status)};
        const bool goes_on = status.state == JobState::running;
        const bool is_due = goes_on && looks_ % looks_for_steps == 0 && is.step != before->second.step;
        const bool has_changed = is.state != before->second.state || is.beyond != before->second.beyond;
        if (!is_due && !has_changed) continue;
        before->second = is;
        out += render::status_line(run, status, suite_in_line(run), now(), style_);
      }
    return out;
  }

  static std::int64_t beyond(const CaseStatus& status) {
    return std::ranges::count_if(status.curves,
                                 [](const LiveCurve& curve) { return curve.beyond_since.has_value(); });
  }

  struct Told {
    JobState state = JobState::pending;
    std::int64_t step = 0, beyond = 0;
  };

  std::vector<RunStatus> runs_;
  const bool is_named_, draws_;
  const CommandOptions& options_;
  const fs::Path root_;  // "": all of the host are followed
  render::Style style_;
  std::map<std::pair<std::string, std::string>, Told> told_;
  int looks_ = -1;
  bool has_ended_ = false;
};

StopRequest request_of(const CommandOptions& options) {
  return {name_of_user() + " on " + launch::read_host().name, options.reason, to_iso(now()), "", options.now};
}

Sentence stop_words(const app::StopTarget& target) {
  const Sentence run = say({"run {}", "运行 {}"}, target.run.run);
  const Sentence what =
      target.case_name.empty() ? run : say({"case {} of {}", "{1} 的用例 {0}"}, target.case_name, run);
  return say({"{}: asked to stop; waiting for its end", "{}：已请求停止，正在等待它结束"}, what);
}

}  // namespace

app::Answer<int> status_command(const CommandOptions& options, Terminal& terminal) {
  const std::string word = options.words.empty() ? "" : options.words.front();
  GATE_TRY(const app::RunPlaces places, places_of(options));
  GATE_TRY(const std::vector<RunStatus> runs, app::find_runs(places, word));
  if (!options.follow) {
    print_status(runs, !word.empty(), options, terminal);
    return exit_code::ok;
  }
  const bool draws = !options.json && ::isatty(STDOUT_FILENO) == 1;
  FollowedRuns followed(runs, !word.empty(), draws, options, terminal);
  if (!followed.has_any()) {
    print_status({}, !word.empty(), options, terminal);
    return exit_code::ok;
  }
  return terminal.print_again(draws, look_every,
                              [&]() -> app::Answer<std::optional<std::string>> { return followed.next(); });
}

app::Answer<int> stop_command(const CommandOptions& options, Terminal& terminal) {
  catch_signals();
  GATE_TRY(const app::RunPlaces places, places_of(options));
  GATE_TRY(const app::StopTarget target, app::find_stop_target(places, options.words.front()));
  GATE_TRY_STATUS(app::ask_to_stop(target, request_of(options)));
  log::info(stop_words(target).in(terminal.style().language));
  GATE_TRY(const RunStatus then, app::wait_for_end(target, [] { return caught_signal().has_value(); }));
  print_status({then}, true, options, terminal);
  return exit_code::ok;
}

}  // namespace gate::cli
