// [worker] of gate.toml: which messages of a model hub `gate worker` takes, how many tests run at once, and
// whom it tells of them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/time.h"

namespace gate::config {

enum class WireNames : std::uint8_t { snake, pascal };  // `ci_status`, `CiStatus`
enum class WireDetails : std::uint8_t {
  text,
  object
};  // ExternalArgsInfo as a text that holds JSON, or as JSON
enum class WireDates : std::uint8_t { rfc3339, unix_time };  // `2026-12-31T23:59:59Z`, seconds since 1970

struct WorkerSettings {
  std::string brokers;                       // HOST:PORT, by commas
  std::string group = "gate";                // of consumers
  std::vector<std::string> topics;           // each NAME_created or NAME_stopped
  std::string dead_letter;                   // the topic for what cannot be read
  std::map<std::string, std::string> kafka;  // further properties of librdkafka
  std::string kafka_file;                    // of lines KEY=VALUE, likewise; "": none

  std::string callback;    // the hub's address; "": nobody is told
  std::string token_file;  // "": no token is sent
  WireNames names = WireNames::snake;
  WireDetails details = WireDetails::text;
  WireDates dates = WireDates::rfc3339;
  std::string results;  // address of a test's results, with {test_id}; "": not told

  std::map<std::string, std::string> tests;  // `accuracy_test/inference` -> the case that runs it
  std::vector<std::string> run;              // further words of `gate run`
  int jobs = 1;                              // at once, of each kind of device that `limits` does not name
  std::map<std::string, int> limits;         // by kind of device, in lower case: `npu`
  int tries = 3;                             // launches of a test, where its gate vanishes
  Duration poll{};                           // between two looks at what runs
  Duration keep{};                           // tests that have ended, and their files
  std::string metrics;                       // ADDRESS:PORT for /metrics and /healthz; "": none
};

// The tests that a hub asks for: `accuracy_test/inference`, ... in a fixed order.
std::vector<std::string> worker_tests();

// What a topic's messages say: that a test is wanted, or that one is to stop.
enum class TopicKind : std::uint8_t { created, stopped, unknown };
TopicKind kind_of_topic(std::string_view topic);

}  // namespace gate::config
