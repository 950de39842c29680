// [worker] of gate.toml: which messages of a model hub gate-worker takes, how many tests run at once, and
// whom it tells of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/time.h"

namespace gate::config {

// How a notice is written: `ci_status`, details as a text that holds JSON, `2026-12-31T23:59:59Z`; or
// `CiStatus`, details as JSON, seconds since 1970.
enum class NoticeStyle : std::uint8_t { snake, pascal };

struct WorkerSettings {
  std::vector<std::string> topics;           // each NAME_created or NAME_stopped
  std::string dead_letter;                   // the topic for what cannot be read
  std::map<std::string, std::string> kafka;  // properties of librdkafka; `file`: of lines KEY=VALUE, likewise

  std::string callback;    // the hub's address; "": nobody is told
  std::string token_file;  // "": no token is sent
  NoticeStyle style = NoticeStyle::snake;
  std::string results;  // address of a test's results, with {test_id}; "": not told

  std::map<std::string, std::string> tests;   // `accuracy_test/inference` -> the case that runs it
  std::vector<std::string> run;               // further words of `gate run`
  std::map<std::string, int> jobs_of;         // at once, by kind of device, in lower case: `npu`
  std::optional<int> jobs = 1;                // of all other kinds together; none: they are refused
  Duration poll{200};                         // between two looks at what runs; no key, for tests alone
  Duration patience = std::chrono::hours(1);  // with trouble of the worker's own; no key, for tests alone
  Duration keep{};                            // tests that have ended, and their files
};

// The tests that a hub asks for: `accuracy_test/inference`, ... in a fixed order.
std::vector<std::string> worker_tests();

// What a topic's messages say: that a test is wanted, or that one is to stop.
enum class TopicKind : std::uint8_t { created, stopped, unknown };
TopicKind kind_of_topic(std::string_view topic);

}  // namespace gate::config
