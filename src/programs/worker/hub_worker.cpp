#include "worker/hub_worker.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <system_error>
#include <thread>
#include <utility>

#include "gate/base/log.h"
#include "gate/base/text.h"
#include "gate/base/variables.h"
#include "gate/config/accuracy_contract.h"
#include "worker/gate_process.h"
#include "worker/hub_notice.h"
#include "worker/suite_check.h"

namespace gate::worker {

namespace {

constexpr Duration show_every{1000}, sweep_every{600'000};
constexpr std::size_t most_pending = 64, most_forgotten = 1000;
constexpr int most_tries = 3;  // of a test whose gate vanishes, or whose case is not ready
constexpr Duration first_delay{250}, longest_delay{60'000};
constexpr std::string_view all_others = "other";
constexpr std::string_view if_hub_is_away =
    "see whether [worker] callback of gate.toml is its address, and token_file its token";
constexpr std::string_view came_again =
    "the id of this test came again, and nothing was begun: a new test needs an id of its own";

std::string name_of(const HubTest& test) { return "test " + printable(test.order.id.text, 80); }

Duration delay_after(int failures) {
  Duration delay = first_delay;
  for (int i = 1; i < failures && delay < longest_delay; ++i) delay *= 2;
  return std::min(delay, longest_delay);
}

// The pause behind a try is as long as what is in its way has been there.
Duration pause_after(Duration trouble) { return std::clamp(trouble, first_delay, longest_delay); }

int code_of(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

TestEvent event_of(const End& end) {
  if (end.kind == EndKind::passed) return TestEvent::passed;
  if (end.kind == EndKind::stopped) return TestEvent::stopped;
  if (end.kind == EndKind::refused) return TestEvent::refused;
  return end.before_script.value_or(TestEvent::failed);
}

// What this process has, without what another test's message could have said.
std::map<std::string, std::string> own_environment() {
  std::map<std::string, std::string> env = own_variables();
  env.erase("");
  for (const config::ContractRow& row : config::contract_rows()) {
    const bool is_of_host = row.name == "BUCKET_NAME" || row.name == "ENDPOINT";
    if (is_of_host) continue;
    env.erase(std::string(row.name));
    for (const std::string_view alias : split_words(row.aliases)) env.erase(std::string(alias));
  }
  // What is the worker's own.
  std::erase_if(env, [](const auto& variable) {
    return variable.first == "CI_API_TOKEN" || variable.first == "BACKEND_BASE_URL" ||
           variable.first.starts_with("KAFKA_");
  });
  return env;
}

}  // namespace

Worker::Worker(const config::WorkerSettings& settings, WorkerPlaces places, Journal& journal, Source& source,
               NoticePoster::Post tell, StatusPage* page)
    : settings_(settings), places_(std::move(places)), journal_(journal), source_(source), page_(page) {
  if (tell) poster_ = std::make_unique<NoticePoster>(std::move(tell));
}

Status Worker::run(const std::function<bool()>& stop) {
  while (!stop()) {
    const Status done = go_round();
    if (done) unkept_since_.reset();
    if (!done && !bears(done.error())) return done;
    if (!done || !source_.is_over() || !taken_.empty()) continue;
    if (is_done()) break;
    GATE_TRY_STATUS(wait_for_hub());
  }
  GATE_TRY_STATUS(show());
  if (numbers_.untold > 0)
    log::warn("the hub is still to be told of " + count_of(numbers_.untold, "test") +
              "; the next worker of this journal tells it");
  return {};
}

Status Worker::wait_for_hub() {
  if (!has_ended_all() || hub_trouble_.empty()) return {};
  if (!untold_since_) untold_since_ = SteadyClock::now();
  if (since(*untold_since_) < settings_.patience) return {};
  return fail("all tests have ended, and the hub took no notice of " + count_of(numbers_.untold, "test") +
              " for " + rough(settings_.patience) + ": " + hub_trouble_ + "; " + places_.journal.string() +
              " keeps what it is to be told: " + std::string(if_hub_is_away) +
              ", and start the worker again");
}

// What cannot be written now may be written later: a full disk, a topic that is away.
bool Worker::bears(const Error& error) {
  look_for_room();
  if (!unkept_since_) unkept_since_ = SteadyClock::now();
  if (since(*unkept_since_) >= settings_.patience) return false;
  if (numbers_.own_trouble != error.message) log::error(error.message + "; it is tried again");
  numbers_.own_trouble = error.message;
  numbers_.seen = SteadyClock::now();
  if (page_ != nullptr) page_->show(numbers_);
  std::this_thread::sleep_for(settings_.poll);
  return true;
}

Status Worker::go_round() {
  GATE_TRY_STATUS(take_messages());
  tell_of_source();
  reap();
  if (SteadyClock::now() >= next_look_) {
    next_look_ = SteadyClock::now() + settings_.poll;
    look_for_room();
    running_.clear();
    GATE_TRY(const std::vector<HubTest> running, journal_.running());
    for (const HubTest& test : running) GATE_TRY_STATUS(look_at(test));
  }
  GATE_TRY_STATUS(launch_waiting());
  GATE_TRY_STATUS(read_notice_results());
  GATE_TRY_STATUS(post_notices());
  GATE_TRY_STATUS(forget_old());
  return SteadyClock::now() >= next_show_ ? show() : Status{};
}

// Of a source that only lately is away nothing is said: a group of consumers takes seconds to form.
void Worker::tell_of_source() {
  constexpr int rounds_of_patience = 25;
  const std::string trouble = source_.trouble();
  if (trouble.empty()) {
    if (times_unheard_ > 0) log::info("messages come again");
    unheard_since_.reset();
    times_unheard_ = 0;
    return;
  }
  if (!unheard_since_) unheard_since_ = SteadyClock::now();
  const Duration away = since(*unheard_since_);
  if (away < settings_.poll * (rounds_of_patience << std::min(times_unheard_, 10))) return;
  ++times_unheard_;
  log::warn("no messages come for " + rough(away) + ", and it is tried again: " + trouble +
            "; see whether [worker.kafka] of gate.toml, or KAFKA_BROKERS, is where Kafka is");
}

// --- messages ------------------------------------------------------------------------------------

// What is acknowledged is in the journal.
Status Worker::take_messages() {
  if (taken_.empty()) {
    GATE_TRY(taken_, source_.take(settings_.poll));
  }
  if (taken_.empty()) return {};
  GATE_TRY_STATUS(journal_.together([&] { return take_all(taken_); }));
  taken_.clear();
  return source_.acknowledge();
}

Status Worker::take_all(const std::vector<Incoming>& messages) {
  for (const Incoming& message : messages) GATE_TRY_STATUS(take(message));
  return {};
}

Status Worker::take(const Incoming& message) {
  ++numbers_.messages;
  const Result<HubMessage> read = message.problem.empty() ? read_message(message.payload, message.place.topic)
                                                          : Result<HubMessage>(fail(message.problem));
  if (read) {
    if (const auto* order = std::get_if<TestOrder>(&*read)) return begin(*order, message.place);
    return stop(std::get<StopOrder>(*read), message.place);
  }
  GATE_TRY(const bool is_known, journal_.is_aside(message.place, message.payload));
  if (is_known) return {};
  ++numbers_.unreadable;
  const std::string why = printable(read.error().message, 300);
  log::warn(printable(message.where, 200) + ": the message " + why + "; it is put aside");
  GATE_TRY_STATUS(source_.put_aside(message, why));
  return journal_.put_aside(message.place, message.payload, why, now());
}

Status Worker::begin(const TestOrder& order, const MessagePlace& place) {
  GATE_TRY(std::optional<HubTest> test, journal_.add(order, place, now()));
  if (!test) {
    ++numbers_.repeated;
    if (told_again_.insert(order.id.text).second)
      log::info("test " + printable(order.id.text, 80) +
                ": is known already, and is not begun again; a new test needs an id of its own");
    return answer_again(order, place);
  }
  for (const std::string& remark : order.remarks) log::warn(name_of(*test) + ": " + remark);
  for (const std::string& field : order.unknown_fields)
    if (told_unknown_.insert(field).second)
      log::warn(name_of(*test) + ": field " + field +
                " is not known, and changes nothing, as in all messages");
  log::info(name_of(*test) + ": " + order.test() +
            (is_final(test->state) ? ": was to stop before it came" : ""));
  const std::string mistake = is_final(test->state) ? "" : mistake_of(order);
  if (mistake.empty()) return {};
  test->result.reason = mistake;
  GATE_TRY_STATUS(journal_.save(*test));
  return reach(*test, TestEvent::refused);
}

// A queue may hand out one message twice; who asks by a second one waits for an answer.
Status Worker::answer_again(const TestOrder& order, const MessagePlace& place) {
  GATE_TRY(std::optional<HubTest> known, journal_.find(order.id.text));
  const bool is_same = known->message.empty() || known->message == name_of_message(order, place);
  if (is_same) return {};
  std::string& reason = known->result.reason;
  if (!reason.ends_with(came_again)) reason += (reason.empty() ? "" : "; ") + std::string(came_again);
  return journal_.tell_again(*known);
}

std::string Worker::mistake_of(const TestOrder& order) const {
  if (!order.mistakes.empty()) return "the message " + join(order.mistakes, ", and ");
  std::vector<TestType> types{order.type};
  types.insert(types.end(), order.further.begin(), order.further.end());
  for (const TestType type : types)
    if (!settings_.tests.contains(order.test_of(type)))
      return "no case runs " + order.test_of(type) + " here: [worker] tests does not name it";
  if (limit_of(order.device) == all_others && !settings_.jobs)
    return "no test of hardware_version \"" + printable(order.device, 80) +
           "\" runs here: [worker] jobs has no limit for it";
  for (const TestType type : types) {
    std::map<std::string, std::string> variables = order.variables;
    variables["TEST_TYPE"] = to_string(type);
    if (const auto contract = config::read_accuracy_contract(variables, {.is_unknown = true}); !contract)
      return printable(in_one_line(to_string(contract.error())), 500);
  }
  return "";
}

// What limits how many tests of that kind of device run at once: its own number, or that of all others.
std::string Worker::limit_of(const std::string& device) const {
  return settings_.jobs_of.contains(device) ? device : std::string(all_others);
}

Status Worker::stop(const StopOrder& order, const MessagePlace& place) {
  GATE_TRY(std::vector<HubTest> tests, journal_.stop(order, place, now()));
  for (HubTest& test : tests) {
    log::info(name_of(test) + ": is to stop: " + order.why);
    test.result.reason = order.why;
    test.is_to_stop = true;
    GATE_TRY_STATUS(journal_.save(test));
    if (test.state != TestState::pending && test.retry_at == Moment{}) {
      end_gate(try_of(test).path);
      continue;
    }
    GATE_TRY_STATUS(reach(test, TestEvent::stopped));
  }
  if (!tests.empty()) return {};
  log::detail("a stop of " + printable(order.id.empty() ? "model " + order.model : "test " + order.id, 80) +
              " is for no test that goes on");
  GATE_TRY(std::optional<HubTest> ended, journal_.find(order.id));
  return ended ? journal_.tell_again(*ended) : Status{};
}

// --- tests ---------------------------------------------------------------------------------------

// Go the way to the event by what must have been before it; where the way is another one, a failure is one.
Status Worker::reach(HubTest& test, TestEvent event) {
  const bool is_before_script = event == TestEvent::download_failed || event == TestEvent::refused;
  if (is_before_script && !next(test.state, event)) event = TestEvent::failed;
  const bool needs_script = event == TestEvent::passed || event == TestEvent::failed;
  while (!next(test.state, event)) {
    const bool goes_on = needs_script || event == TestEvent::begun;
    const TestEvent before = test.state == TestState::downloading ? TestEvent::downloaded : TestEvent::begun;
    if (!goes_on || !next(test.state, before)) {
      log::warn(name_of(test) + ": " + next(test.state, event).error().message + "; left as it is");
      return {};
    }
    GATE_TRY_STATUS(journal_.advance(test, before, now()));
  }
  GATE_TRY_STATUS(journal_.advance(test, event, now()));
  const std::string& why = test.result.reason;
  log::info(name_of(test) + ": " + std::string(to_string(test.state)) + (why.empty() ? "" : ": " + why));
  return {};
}

TryFolder Worker::try_of(const HubTest& test) const {
  fs::Path place = std::to_string(test.number);
  if (test.order.passed > 0) place /= to_string(test.order.type);
  place /= "try-" + std::to_string(test.tries);
  return {places_.journal / "tests" / place, places_.journal / "stages" / place};
}

Status Worker::look_at(HubTest test) {
  const TryFolder folder = try_of(test);
  const auto child = launched_.find(folder.path.string());
  const bool is_own = child != launched_.end() && !child->second.code;
  if (is_own || is_alive(folder.path)) return look_at_running(test, folder);
  End end = end_of(folder, child == launched_.end() ? std::nullopt : child->second.code);
  if (end.kind == EndKind::unread && may_wait(test)) return wait_to_read(test, end);
  const bool is_of_gate =
      end.kind != EndKind::refused && end.kind != EndKind::trouble && end.kind != EndKind::unread;
  if (is_of_gate) note_success(folder);
  GATE_TRY_STATUS(take_end(test, std::move(end)));
  if (child != launched_.end()) launched_.erase(child);
  return {};
}

// It has ended, and how is read at the next look.
Status Worker::wait_to_read(HubTest& test, const End& end) {
  ++running_[limit_of(test.order.device)];
  note_trouble(end.result.reason);
  return journal_.save(test);
}

Status Worker::look_at_running(HubTest& test, const TryFolder& folder) {
  ++running_[limit_of(test.order.device)];
  // By a worker that was killed before it could say so.
  if (test.is_to_stop) end_gate(folder.path);
  const TestProgress progress = progress_of(folder);
  if (!progress.job.empty() && progress.job != test.result.job) {
    test.result.job = progress.job;
    GATE_TRY_STATUS(journal_.tell_again(test));
  }
  if (progress.is_downloaded) GATE_TRY_STATUS(note_begun(test, folder));
  if (progress.is_downloaded && test.state == TestState::downloading)
    GATE_TRY_STATUS(reach(test, TestEvent::downloaded));
  if (progress.has_begun && test.state == TestState::download_success)
    GATE_TRY_STATUS(reach(test, TestEvent::begun));
  return {};
}

Status Worker::take_end(HubTest& test, End end) {
  // It may have ended by itself before it heard.
  const bool is_last = test.order.further.empty();
  const bool is_red_by_itself = end.kind == EndKind::failed || end.kind == EndKind::unsent;
  const bool has_verdict =
      (end.kind == EndKind::passed && is_last) || (is_red_by_itself && end.result.passed);
  if (test.is_to_stop && !has_verdict) {
    end.kind = EndKind::stopped;
    end.result.reason = test.result.reason;
  }
  if (is_to_be_tried_again(test, end)) return pause(test, end.result.reason);
  const bool is_red = end.kind != EndKind::passed && end.kind != EndKind::stopped;
  if (test.order.is_strategy() && is_red)
    end.result.reason.insert(
        0, std::string(to_string(test.order.type)) + (end.result.reason.empty() ? " failed" : ": "));
  test.result = end.result;
  if (end.kind == EndKind::passed && !is_last) return go_on(test);
  return journal_.together([&]() -> Status {
    GATE_TRY_STATUS(journal_.save(test));
    return reach(test, event_of(end));
  });
}

// The next kind of a strategy: in its own folder, with tries of its own; for the hub the test goes on.
Status Worker::go_on(HubTest& test) {
  log::info(name_of(test) + ": " + test.order.test() + " has passed");
  test.order.type = test.order.further.front();
  test.order.further.erase(test.order.further.begin());
  test.order.variables["TEST_TYPE"] = to_string(test.order.type);
  ++test.order.passed;
  test.result = {};
  test.tries = 0;
  test.trouble_since = {};
  test.retry_at = now();
  return journal_.together([&] { return journal_.tell_again(test); });
}

// Where not, its reason tells how often it was.
bool Worker::is_to_be_tried_again(HubTest& test, End& end) {
  std::string& reason = end.result.reason;
  const bool is_red = end.kind == EndKind::failed || end.kind == EndKind::unready;
  if (is_red && had_full_disk(test)) end = end_by(EndKind::trouble, "its disk was full meanwhile: " + reason);
  switch (end.kind) {
    case EndKind::refused: {  // a suite that cannot be read fails no test, and may have been mended since
      const auto suite = read_settings(suite_file(places_.suite, places_.config));
      if (suite) return has_tries_left(test, reason);
      reason = suite.error().message;
      [[fallthrough]];
    }
    case EndKind::trouble:
    case EndKind::unread:
      --test.tries;
      ++numbers_.troubles;
      note_trouble(reason);
      if (may_wait(test)) return true;
      reason += "; it was tried again for " + rough(settings_.patience);
      return false;
    case EndKind::vanished:
      ++numbers_.vanished;
      test.trouble_since = now();
      reason = "its gate was ended from outside, " + count_of(test.tries, "time");
      return test.tries < most_tries;
    case EndKind::unready:
      return has_tries_left(test, reason);
    default:
      return false;
  }
}

// A try counts, unless the host has trouble as it is.
bool Worker::has_tries_left(HubTest& test, std::string& reason) {
  if (!trouble_.empty() && may_wait(test)) --test.tries;
  if (trouble_.empty()) test.trouble_since = now();
  if (test.tries < most_tries) return true;
  reason += "; it was tried " + count_of(test.tries, "time");
  return false;
}

void Worker::look_for_room() {
  constexpr std::uintmax_t least = std::uintmax_t{1} << 20;
  for (const fs::Path& folder : {places_.journal, places_.suite / ".gate", places_.suite}) {
    std::error_code error;
    const auto space = std::filesystem::space(folder, error);
    if (error || space.available >= least) continue;
    last_full_ = SteadyClock::now();
    note_trouble(folder.string() + ": the disk is full");
  }
}

// What was cut off by a full disk looks like a test that failed.
bool Worker::had_full_disk(const HubTest& test) const {
  const auto launched = launched_.find(try_of(test).path.string());
  return last_full_ && (launched == launched_.end() || launched->second.at <= *last_full_);
}

// Tell whether there is time left for what is in its way to go.
bool Worker::may_wait(HubTest& test) const {
  const Moment at = now();
  if (test.trouble_since == Moment{} || test.trouble_since > at) test.trouble_since = at;
  return at - test.trouble_since < settings_.patience;
}

// It stays in its state, and the hub is told nothing, until its next try is further than this one.
Status Worker::pause(HubTest& test, const std::string& why) {
  const Duration rest = pause_after(std::chrono::duration_cast<Duration>(now() - test.trouble_since));
  log::warn(name_of(test) + ": " + why + "; it is launched once more in " + rough(rest));
  test.retry_at = now() + rest;
  return journal_.save(test);
}

// Launches wait, and one at a time sees whether it is over.
void Worker::note_trouble(const std::string& why) {
  if (trouble_.empty()) trouble_since_ = SteadyClock::now();
  if (trouble_ != why) log::error("trouble of this host, no test's failure: " + why);
  trouble_ = why;
  next_launch_ = SteadyClock::now() + pause_after(since(trouble_since_));
}

// What was in its way before is no matter any more.
Status Worker::note_begun(HubTest& test, const TryFolder& folder) {
  note_success(folder);
  if (std::exchange(test.trouble_since, Moment{}) == Moment{}) return {};
  return journal_.save(test);
}

// A try that was launched since came to its case.
void Worker::note_success(const TryFolder& folder) {
  const auto launched = launched_.find(folder.path.string());
  if (trouble_.empty() || launched == launched_.end() || launched->second.at < trouble_since_) return;
  log::info("gates run here again");
  trouble_.clear();
  next_launch_ = {};
}

int Worker::free_places(const std::string& device) {
  const std::string limit = limit_of(device);
  const int most = limit == all_others ? settings_.jobs.value_or(1) : settings_.jobs_of.at(limit);
  return most - running_[limit];
}

// Return the tests for which there may be a place: those that are tried again, then the oldest.
Result<std::vector<HubTest>> Worker::next_tests() {
  GATE_TRY(std::vector<HubTest> tests, journal_.paused(now()));
  std::vector<HubTest> pending;
  GATE_TRY(const std::vector<std::string> devices, journal_.waiting_devices());
  for (const std::string& device : devices) {
    const int free = free_places(device);
    if (free <= 0) continue;
    GATE_TRY(const std::vector<HubTest> some, journal_.waiting(device, static_cast<std::size_t>(free)));
    pending.insert(pending.end(), some.begin(), some.end());
  }
  std::ranges::sort(pending, {}, &HubTest::number);
  tests.insert(tests.end(), pending.begin(), pending.end());
  return tests;
}

Status Worker::launch_waiting() {
  if (SteadyClock::now() < next_launch_) return {};
  GATE_TRY(const std::vector<HubTest> tests, next_tests());
  for (const HubTest& test : tests) {
    if (SteadyClock::now() < next_launch_) break;
    if (free_places(test.order.device) > 0) GATE_TRY_STATUS(launch(test));
  }
  return {};
}

// It is written down before there is a process, so that nothing runs that nobody knows of.
Status Worker::launch(HubTest test) {
  if (!settings_.tests.contains(test.order.test())) {
    test.result.reason = mistake_of(test.order);
    GATE_TRY_STATUS(journal_.save(test));
    return reach(test, test.state == TestState::pending ? TestEvent::refused : TestEvent::failed);
  }
  ++test.tries;
  test.retry_at = {};
  clear(try_of(test));
  const Status kept = journal_.together([&]() -> Status {
    GATE_TRY_STATUS(journal_.save(test));
    return test.state == TestState::pending ? reach(test, TestEvent::dispatched) : Status{};
  });
  return kept ? launch_gate_of(test) : kept;
}

// What lies there is of another journal that counted so, and is gone.
void Worker::clear(const TryFolder& folder) {
  end_gate(folder.path);
  std::error_code ignored;
  std::filesystem::remove_all(folder.path, ignored);
  std::filesystem::remove_all(folder.stages, ignored);
}

Status Worker::launch_gate_of(HubTest& test) {
  const TryFolder folder = try_of(test);
  GateLaunch launch;
  launch.argv = {places_.gate, "run", settings_.tests.at(test.order.test())};
  if (!places_.config.empty()) launch.argv.insert(launch.argv.end(), {"--config", places_.config});
  launch.argv.insert(launch.argv.end(), settings_.run.begin(), settings_.run.end());
  for (const std::string& word : {std::string("--report"), "json=" + folder.report().string(),
                                  std::string("--stages-folder"), folder.stages.string()})
    launch.argv.push_back(word);
  launch.env = own_environment();
  for (const auto& [name, value] : test.order.variables) launch.env[name] = value;
  launch.cwd = places_.suite;
  launch.folder = folder.path;
  const Result<pid_t> pid = launch_gate(launch);
  if (!pid) return take_end(test, end_by(EndKind::trouble, pid.error().message));
  ++numbers_.launches;
  ++running_[limit_of(test.order.device)];
  launched_[folder.path.string()] = {*pid, SteadyClock::now(), std::nullopt};
  if (!trouble_.empty()) next_launch_ = SteadyClock::now() + pause_after(since(trouble_since_));
  return {};
}

// Other children are waited for by who started them.
void Worker::reap() {
  for (auto& [folder, launched] : launched_)
    if (int status = 0; !launched.code && ::waitpid(launched.pid, &status, WNOHANG) == launched.pid)
      launched.code = code_of(status);
}

// --- the hub -------------------------------------------------------------------------------------

Status Worker::post_notices() {
  // A hub that is away is asked with one notice whether it is back.
  const std::size_t most = times_away_ == 0 ? most_pending : 1;
  if (!poster_ || posted_.size() >= most || SteadyClock::now() < next_post_) return {};
  GATE_TRY(const std::vector<HubTest> tests, journal_.untold(most - posted_.size(), posted_, now()));
  for (const HubTest& test : tests) {
    posted_.insert(test.number);
    poster_->send({test.number, test.version, notice_of(test, settings_), name_of(test)});
  }
  return {};
}

Status Worker::read_notice_results() {
  if (!poster_) return {};
  const std::vector<NoticeResult> results = poster_->results();
  if (results.empty()) return {};
  const bool is_there = std::ranges::any_of(
      results, [](const NoticeResult& result) { return result.posted.answer != HubAnswer::away; });
  times_away_ = is_there ? 0 : times_away_ + 1;
  if (!is_there) next_post_ = SteadyClock::now() + delay_after(times_away_);
  const bool is_to_say = !is_there && std::has_single_bit(static_cast<unsigned>(times_away_));
  if (is_to_say)
    log::warn("the hub is away, and asked again in " + rough(delay_after(times_away_)) + ": " +
              printable(results.front().posted.why) +
              (times_away_ == 1 ? "" : "; " + std::string(if_hub_is_away)));
  return journal_.together([&] { return take_notice_results(results); });
}

Status Worker::take_notice_results(const std::vector<NoticeResult>& results) {
  for (const NoticeResult& result : results) {
    posted_.erase(result.number);
    if (result.posted.answer == HubAnswer::taken) {
      ++numbers_.posted;
      hub_trouble_.clear();
      untold_since_.reset();
      GATE_TRY_STATUS(journal_.told(result.number, result.version));
      continue;
    }
    ++numbers_.not_taken;
    hub_trouble_ = printable(result.posted.why);
    if (result.posted.answer == HubAnswer::away) continue;
    if (told_refused_.insert({result.number, hub_trouble_}).second)
      log::warn(result.test + ": the hub refuses its notice, and is told again later: " + hub_trouble_);
    GATE_TRY_STATUS(journal_.tell_later(result.number, now()));
  }
  return {};
}

// --- books ---------------------------------------------------------------------------------------

Status Worker::forget_old() {
  if (SteadyClock::now() < next_sweep_) return {};
  next_sweep_ = SteadyClock::now() + sweep_every;
  std::vector<std::int64_t> numbers;
  const Status forgotten = journal_.together([&]() -> Status {
    GATE_TRY(numbers, journal_.forget(now() - settings_.keep, most_forgotten));
    return {};
  });
  std::error_code ignored;
  for (const std::int64_t number : numbers)
    for (const char* const kind : {"tests", "stages"})
      std::filesystem::remove_all(places_.journal / kind / std::to_string(number), ignored);
  return forgotten;
}

Status Worker::show() {
  next_show_ = SteadyClock::now() + show_every;
  GATE_TRY(numbers_.tests, journal_.counts());
  GATE_TRY(numbers_.untold, journal_.count_untold());
  if (!poster_) numbers_.untold = 0;
  numbers_.trouble = source_.trouble();
  if (has_ended_all()) trouble_.clear();
  numbers_.own_trouble = trouble_;
  numbers_.seen = SteadyClock::now();
  if (page_ != nullptr) page_->show(numbers_);
  return {};
}

bool Worker::has_ended_all() const {
  return std::ranges::all_of(numbers_.tests,
                             [](const auto& state) { return is_final(state.first) || state.second == 0; });
}

bool Worker::is_done() { return show() && numbers_.untold == 0 && has_ended_all(); }

}  // namespace gate::worker
