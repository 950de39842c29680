#include "gate/config/worker.h"

#include <gmock/gmock.h>

#include "gate/config/settings.h"
#include "policy_text.h"

namespace gate::config::worker_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

TEST(Worker, HasBuiltInsWhereNobodySaysAnything) {
  const WorkerSettings worker = policy("").worker();
  EXPECT_THAT(worker.topics, ElementsAre("accuracy_test_created", "accuracy_test_stopped",
                                         "usability_test_created", "usability_test_stopped"));
  EXPECT_EQ(worker.group, "gate");
  EXPECT_EQ(worker.dead_letter, "gate_dead_letter");
  EXPECT_EQ(worker.jobs, 1);
  EXPECT_EQ(worker.tries, 3);
  EXPECT_EQ(worker.poll, std::chrono::seconds(1));
  EXPECT_EQ(worker.metrics, "127.0.0.1:9469");
  EXPECT_THAT(worker.tests, IsEmpty());
}

TEST(Worker, IsRead) {
  const WorkerSettings worker = policy(R"([worker]
brokers = "a:9092,b:9092"
topics = ["model_ci_created", "accuary_test_stopped"]
kafka = { "security.protocol" = "SASL_SSL", "session.timeout.ms" = 9000 }
names = "pascal"
details = "object"
dates = "unix"
tests = { "accuracy_test/inference" = "qwen2/infer" }
run = ["--backend", "kubernetes"]
limits = { NPU = 4, cpu = 0 }
keep = "7d"
metrics = ""
)")
                                    .worker();
  EXPECT_EQ(worker.brokers, "a:9092,b:9092");
  EXPECT_THAT(worker.kafka, UnorderedElementsAre(Pair("security.protocol", "SASL_SSL"),
                                                 Pair("session.timeout.ms", "9000")));
  EXPECT_EQ(worker.names, WireNames::pascal);
  EXPECT_EQ(worker.details, WireDetails::object);
  EXPECT_EQ(worker.dates, WireDates::unix_time);
  EXPECT_THAT(worker.tests, UnorderedElementsAre(Pair("accuracy_test/inference", "qwen2/infer")));
  EXPECT_THAT(worker.run, ElementsAre("--backend", "kubernetes"));
  EXPECT_THAT(worker.limits, UnorderedElementsAre(Pair("npu", 4), Pair("cpu", 0)));
  EXPECT_EQ(worker.metrics, "");
}

TEST(WorkerMistakes, HaveTheirPlaces) {
  EXPECT_EQ(mistakes("[worker]\nbroker = 'x'\n"),
            "gate.toml:2:1: unknown key \"broker\"; did you mean \"brokers\"?");
  EXPECT_EQ(mistakes("[worker]\ntopics = ['tests']\n"),
            "gate.toml:2:10: \"tests\" ends neither in _created nor in _stopped");
  EXPECT_EQ(
      mistakes("[worker]\ntests = { beauty = 'x' }\n"),
      "gate.toml:2:20: unknown test \"beauty\"; known: accuracy_test/inference, accuracy_test/training, "
      "usability_test/inference, usability_test/training");
  EXPECT_EQ(mistakes("[worker]\nlimits = 3\n"), "gate.toml:2:10: [worker] limits is a table of counts");
  EXPECT_EQ(mistakes("[worker]\ncallback = 'hub/x'\n"),
            "gate.toml:2:12: the address does not begin with https:// or http://");
  EXPECT_EQ(mistakes("[worker]\nmetrics = '0.0.0.0:9469'\n"),
            "gate.toml:2:11: \"0.0.0.0:9469\" is no address of this host alone, such as \"127.0.0.1:9469\"; "
            "\"\" is "
            "none");
  EXPECT_EQ(mistakes("[worker]\nnames = 'camel'\n"),
            "gate.toml:2:9: unknown spelling \"camel\"; known: snake, pascal");
}

TEST(Worker, HasTheKeysOfItsTable) {
  std::vector<std::string_view> keys;
  for (const SettingRow& row : worker_keys()) keys.push_back(row.key);
  EXPECT_THAT(keys, ElementsAre("brokers", "group", "topics", "dead_letter", "kafka", "kafka_file",
                                "callback", "token_file", "names", "details", "dates", "results", "tests",
                                "run", "jobs", "limits", "tries", "poll", "keep", "metrics"));
}

TEST(Worker, KnowsTopicsByTheirEnds) {
  EXPECT_EQ(kind_of_topic("model_ci_created"), TopicKind::created);
  EXPECT_EQ(kind_of_topic("accuary_test_stopped"), TopicKind::stopped);
  EXPECT_EQ(kind_of_topic("created"), TopicKind::unknown);
}

}  // namespace
}  // namespace gate::config::worker_test
