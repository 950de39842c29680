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
  EXPECT_EQ(worker.dead_letter, "gate_dead_letter");
  EXPECT_EQ(worker.jobs, 1);
  EXPECT_EQ(worker.style, NoticeStyle::snake);
  EXPECT_THAT(worker.tests, IsEmpty());
}

TEST(Worker, IsRead) {
  const WorkerSettings worker = policy(R"([worker]
topics = ["model_ci_created", "accuary_test_stopped"]
kafka = { file = "/run/secrets/kafka", "security.protocol" = "SASL_SSL", "session.timeout.ms" = 9000 }
style = "pascal"
tests = { "accuracy_test/inference" = "qwen2/infer" }
run = ["--backend", "kubernetes"]
jobs = { NPU = 4, cpu = 0, other = 2 }
keep = "7d"
)")
                                    .worker();
  EXPECT_THAT(worker.kafka,
              UnorderedElementsAre(Pair("file", "/run/secrets/kafka"), Pair("security.protocol", "SASL_SSL"),
                                   Pair("session.timeout.ms", "9000")));
  EXPECT_EQ(worker.style, NoticeStyle::pascal);
  EXPECT_THAT(worker.tests, UnorderedElementsAre(Pair("accuracy_test/inference", "qwen2/infer")));
  EXPECT_THAT(worker.run, ElementsAre("--backend", "kubernetes"));
  EXPECT_THAT(worker.jobs_of, UnorderedElementsAre(Pair("npu", 4), Pair("cpu", 0)));
  EXPECT_EQ(worker.jobs, 2);
}

TEST(WorkerMistakes, HaveTheirPlaces) {
  EXPECT_EQ(mistakes("[worker]\ntopic = 'x'\n"),
            "gate.toml:2:1: unknown key \"topic\"; did you mean \"topics\"?");
  EXPECT_EQ(mistakes("[worker]\nbrokers = 'x'\n"),
            "gate.toml:2:1: \"brokers\" is an old word; write \"bootstrap.servers\" below [worker.kafka]");
  EXPECT_EQ(mistakes("[worker]\ntopics = ['tests']\n"),
            "gate.toml:2:10: \"tests\" ends neither in _created nor in _stopped");
  EXPECT_EQ(
      mistakes("[worker]\ntests = { beauty = 'x' }\n"),
      "gate.toml:2:20: unknown test \"beauty\"; known: accuracy_test/inference, accuracy_test/training, "
      "usability_test/inference, usability_test/training");
  EXPECT_NE(mistakes("[worker]\ntopics = { }\n"), "");
  EXPECT_NE(mistakes("[worker]\njobs = 0\n"), "");
  EXPECT_NE(mistakes("[worker]\njobs = { NPU = -1 }\n"), "");
  EXPECT_EQ(mistakes("[worker]\ncallback = 'hub/x'\n"),
            "gate.toml:2:12: the address does not begin with https:// or http://");
  EXPECT_EQ(mistakes("[worker]\nstyle = 'camel'\n"),
            "gate.toml:2:9: unknown style \"camel\"; known: snake, pascal");
}

TEST(Worker, HasTheKeysOfItsTable) {
  std::vector<std::string_view> keys;
  for (const SettingRow& row : worker_keys()) keys.push_back(row.key);
  EXPECT_THAT(keys, ElementsAre("topics", "dead_letter", "kafka", "callback", "token_file", "style",
                                "results", "tests", "run", "jobs", "keep"));
}

TEST(Worker, KnowsTopicsByTheirEnds) {
  EXPECT_EQ(kind_of_topic("model_ci_created"), TopicKind::created);
  EXPECT_EQ(kind_of_topic("accuary_test_stopped"), TopicKind::stopped);
  EXPECT_EQ(kind_of_topic("created"), TopicKind::unknown);
}

}  // namespace
}  // namespace gate::config::worker_test
