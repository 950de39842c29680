// gate-worker: what `gate worker` becomes. gate has read the command line; the settings are those of
// gate.toml.
//
//   gate-worker GATE SUITE CONFIG JOURNAL SOURCE LEVEL
//
// GATE is the program that runs tests, SUITE its folder, CONFIG gate.toml, JOURNAL a folder, SOURCE a file of
// JSON lines, `-`, or "" for Kafka; LEVEL of the log -1, 0 or 1.
#include <csignal>
#include <cstdio>

#include "gate/base/log.h"
#include "gate/base/text.h"
#include "gate/base/variables.h"
#include "gate/config/policy.h"
#include "gate/model/rules/verdict.h"
#include "worker/hub_worker.h"

namespace {

using namespace gate;

volatile std::sig_atomic_t stop_signal = 0;

void catch_stop_signals() {
  struct sigaction action {};
  action.sa_handler = [](int signal) { stop_signal = signal; };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaction(signal, &action, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
}

Result<config::WorkerSettings> settings_in(const std::string& file) {
  GATE_TRY(const std::string text, fs::read_file(file));
  const auto policy = config::Policy::parse(text, file);
  if (!policy) return fail(to_string(policy.error()));
  config::WorkerSettings settings = policy->worker();
  if (settings.brokers.empty()) settings.brokers = own_variable("KAFKA_BROKERS");
  if (const std::string group = own_variable("KAFKA_GROUP_ID"); !group.empty() && settings.group == "gate")
    settings.group = group;
  if (settings.callback.empty()) settings.callback = own_variable("BACKEND_BASE_URL");
  return settings;
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
  if (settings.brokers.empty())
    return fail(
        "nothing says where Kafka is; write [worker] brokers in gate.toml, set KAFKA_BROKERS, or name a "
        "file with --source");
  return worker::kafka_source(settings);
}

Status work(const std::vector<std::string>& words) {
  const fs::Path journal_folder = words[3];
  GATE_TRY(const config::WorkerSettings settings, settings_in(words[2]));
  GATE_TRY(const std::string token, token_of(settings));
  GATE_TRY(const auto journal, worker::Journal::open(journal_folder / "journal.sqlite"));
  GATE_TRY(const auto source, source_of(settings, words[4], journal_folder));
  std::unique_ptr<worker::StatusPage> page;
  if (!settings.metrics.empty()) {
    GATE_TRY(page, worker::StatusPage::open(settings.metrics));
    log::info("metrics: http://" + page->address() + "/metrics");
  }
  worker::NoticePoster::Post tell;
  if (settings.callback.empty())
    log::warn("nobody is told of the tests: neither [worker] callback nor BACKEND_BASE_URL names a hub");
  else
    tell = worker::post_to(settings.callback, token);
  worker::Worker worker(settings, {words[1], words[0], journal_folder}, *journal, *source, std::move(tell),
                        page.get());
  return worker.run([] { return stop_signal != 0; });
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words == std::vector<std::string>{"version"}) return std::puts("gate-worker " GATE_VERSION) < 0;
  if (words.size() != 6) {
    std::fputs("gate-worker: gate worker starts it; see gate help worker\n", stderr);
    return exit_code::usage;
  }
  if (words[5] == "1") log::set_level(log::Level::verbose);
  if (words[5] == "-1") log::set_level(log::Level::quiet);
  catch_stop_signals();
  try {
    if (const Status done = work(words); !done) {
      log::error(done.error().message);
      return exit_code::infra;
    }
  } catch (const std::exception& error) {
    log::error(std::string("this system cannot give what gate-worker needs: ") + error.what());
    return exit_code::infra;
  }
  return stop_signal == 0 ? exit_code::ok : 128 + stop_signal;
}
