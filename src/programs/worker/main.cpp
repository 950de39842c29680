// gate-worker: runs the tests that a model hub asks for by messages. What it is to do stands in [worker] of
// gate.toml; which cases there are it asks gate.
#include <CLI/CLI.hpp>
#include <csignal>

#include "gate/base/lack.h"
#include "gate/base/log.h"
#include "gate/base/text.h"
#include "gate/base/variables.h"
#include "gate/model/rules/verdict.h"
#include "gate/store/suite_folder.h"
#include "worker/hub_worker.h"
#include "worker/suite_check.h"

namespace {

using namespace gate;

volatile std::sig_atomic_t stop_signal = 0;

void catch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = [](int signal) { stop_signal = signal; };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
}

struct WorkerWords {
  std::string folder = ".", config, source, journal, metrics = "127.0.0.1:9469";
};

void add_words(CLI::App& app, WorkerWords& words) {
  app.set_version_flag("--version", std::string("gate-worker ") + GATE_VERSION);
  app.add_option("-C", words.folder, "look for gate.toml from this folder upwards")->type_name("DIR");
  app.add_option("--config", words.config, "config file instead of gate.toml")->type_name("FILE");
  app.add_option("--source", words.source, "messages as JSON lines, - is standard input (default: Kafka)")
      ->type_name("FILE");
  app.add_option("--journal", words.journal, "journal folder (default: .gate/worker of the suite)")
      ->type_name("DIR");
  app.add_option("--metrics", words.metrics, "address of /metrics and /healthz; \"\": off")
      ->type_name("ADDRESS")
      ->capture_default_str()
      ->check(worker::why_no_own_address);
  app.add_flag_callback(
      "-q,--quiet", [] { log::set_level(log::Level::quiet); }, "warnings and errors only");
  app.add_flag_callback(
      "-v,--verbose", [] { log::set_level(log::Level::verbose); }, "also print what is skipped");
}

Result<std::string> token_of(const config::WorkerSettings& settings) {
  const std::string& file = settings.token_file;
  std::string token = own_variable("CI_API_TOKEN");
  if (!file.empty()) {
    GATE_TRY(const std::string text, fs::read_file(file));
    token = trim(text);
    if (token.empty()) return fail(file + ": holds no token");
  }
  if (is_plain(token)) return token;
  return fail((file.empty() ? "CI_API_TOKEN" : file) + ": holds no token in one line of printable letters");
}

Result<std::unique_ptr<worker::Source>> source_of(const config::WorkerSettings& settings,
                                                  const std::string& source, const fs::Path& journal) {
  if (!source.empty()) return worker::file_source(source, journal / "aside.jsonl");
  return worker::kafka_source(settings);
}

Status work(const WorkerWords& words, const config::WorkerSettings& settings,
            const worker::WorkerPlaces& places) {
  GATE_TRY(const std::string token, token_of(settings));
  GATE_TRY(const auto journal, worker::Journal::open(places.journal / "journal.sqlite"));
  GATE_TRY(const auto source, source_of(settings, words.source, places.journal));
  std::unique_ptr<worker::StatusPage> page;
  if (!words.metrics.empty()) {
    GATE_TRY(page, worker::StatusPage::open(words.metrics));
    log::info("metrics: http://" + page->address() + "/metrics");
  }
  worker::NoticePoster::Post tell;
  if (settings.callback.empty())
    log::warn("nobody is told of the tests: neither [worker] callback nor BACKEND_BASE_URL names a hub");
  else
    tell = worker::post_to(settings.callback, token);
  worker::Worker worker(settings, places, *journal, *source, std::move(tell), page.get());
  return worker.run([] { return stop_signal != 0; });
}

int fail_with(int exit_code, const std::string& why) {
  log::error(why);
  return exit_code;
}

int run(const WorkerWords& words) {
  const std::string config = words.config.empty() ? "" : fs::whole_path(words.config).string();
  const fs::Path suite = config.empty() ? worker::find_suite(words.folder) : fs::Path(config).parent_path();
  if (suite.empty())
    return fail_with(exit_code::usage, fs::whole_path(words.folder).string() +
                                           ": no gate.toml here or above; name another folder with -C");
  const fs::Path gate = worker::find_gate();
  if (gate.empty())
    return fail_with(exit_code::infra, "there is no program gate beside gate-worker, and none on PATH");
  const auto cases = worker::ask_cases(gate, suite, config);
  if (!cases && cases.error() <= exit_code::infra) return cases.error();  // gate has said why
  if (!cases)
    return fail_with(exit_code::infra, gate.string() + " list ended with " + std::to_string(cases.error()) +
                                           ", by a signal or unable to begin; start it by hand to see why");
  const auto settings = worker::read_settings(worker::suite_file(suite, config));
  if (!settings) return fail_with(exit_code::usage, settings.error().message);
  if (const Status good = worker::check_tests(*settings, *cases, suite); !good)
    return fail_with(exit_code::usage, good.error().message);
  const fs::Path journal = words.journal.empty() ? suite / ".gate" / "worker" : fs::whole_path(words.journal);
  store::BaselineLayout layout;
  layout.root = suite;
  if (const Status made = words.journal.empty() ? store::make_gate_folder(layout) : Status(); !made)
    return fail_with(exit_code::infra, made.error().message);
  const Status done = work(words, *settings, {suite, config, gate.string(), journal});
  if (!done) return fail_with(exit_code::infra, done.error().message);
  return stop_signal == 0 ? exit_code::ok : 128 + stop_signal;
}

}  // namespace

int main(int argc, char** argv) {
  name_lacking("gate-worker");
  CLI::App app("gate-worker: runs the tests that a model hub asks for by messages, and tells it of them",
               "gate-worker");
  WorkerWords words;
  add_words(app, words);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_code::ok : exit_code::usage;
  }
  catch_stop_signals();
  try {
    return run(words);
  } catch (const std::exception& error) {
    tell_lack(error);
    return exit_code::infra;
  }
}
