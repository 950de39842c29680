// Cases on several hosts, all made up.
#include "gate/app/hosts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "made_up_host.h"
#include "shown.h"

namespace gate::app::hosts_test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

class HostsTest : public MadeUpHost {
 protected:
  HostsTest() { policy("[hosts]\nnpu = [\"npu1\", \"npu2\"]\n[defaults]\nhosts = \"npu\"\n"); }

  Answer<Report> run_on_hosts(const RunOptions& options = {}) {
    const Answer<Suite> suite = open_suite({root, {}, {}});
    if (!suite) return tl::unexpected(suite.error());
    Environment environment = this->environment();
    environment.hosts =
        std::make_shared<Hosts>(host, [this](const std::string& name) { return connect(name); });
    return app::run(*suite, options, environment);
  }

  Report ran_on_hosts(const RunOptions& options = {}) {
    const Answer<Report> report = run_on_hosts(options);
    EXPECT_TRUE(report) << (report ? "" : report.error().message);
    return report.value_or(Report{});
  }

  Result<std::unique_ptr<Host>> connect(const std::string& name) {
    if (unreachable.contains(name)) return fail(name + ": there is no route to it");
    put("leases-" + name + "/.keep", "");
    auto made = std::make_unique<PlayedHost>(runner, devices_, (root / ("leases-" + name)).string());
    made->told = {name, {}};
    made->told.driver = "driver of " + name;
    return made;
  }

  std::string variable(const std::string& script, const std::string& name, std::size_t k = 1) const {
    return runner.environment(script, k).at(name);
  }

  std::set<std::string> unreachable;
};

TEST_F(HostsTest, AreConnectedToOnce) {
  Hosts hosts(host, [this](const std::string& name) { return connect(name); });
  EXPECT_THAT(hosts.open({"npu2", "local", "npu1", "npu2"}), ElementsAre(1, 0, 2, 1));
  EXPECT_EQ(hosts.count(), 3);
  EXPECT_EQ(hosts.name(2), "npu1");
  EXPECT_EQ(hosts.at(2).facts().name, "npu1");
  EXPECT_EQ(&hosts.at(0), &host);
}

TEST_F(HostsTest, ThatCannotBeReachedSayWhy) {
  unreachable = {"npu1"};
  Hosts hosts(host, [this](const std::string& name) { return connect(name); });
  hosts.open({"npu1", "npu2"});
  EXPECT_THAT(hosts.why_missing(1), HasSubstr("no route"));
  EXPECT_EQ(hosts.why_missing(2), "");
}

TEST_F(HostsTest, TheReportTellsWhere) {
  script("a");
  const Report report = ran_on_hosts();
  EXPECT_THAT(case_of(report, "a").hosts, ElementsAre("npu1"));
  EXPECT_EQ(case_of(report, "a").devices, "cpu on npu1");
}

TEST_F(HostsTest, ABaselineIsOfTheHostThatItWasMeasuredOn) {
  script("a");
  host.told.driver = "of here";
  const Report report = ran_on_hosts();
  const std::string series = *fs::read_file(case_of(report, "a").artifacts.at("series"));
  EXPECT_THAT(series, AllOf(HasSubstr("\"npu1\""), HasSubstr("driver of npu1"), Not(HasSubstr("of here"))));
}

TEST_F(HostsTest, LocalIsOneMore) {
  script("a", "hosts=local");
  const Report report = ran_on_hosts();
  EXPECT_THAT(case_of(report, "a").hosts, IsEmpty());
  EXPECT_EQ(case_of(report, "a").devices, "cpu");
}

TEST_F(HostsTest, OthersDoForOneThatCannotBeReached) {
  unreachable = {"npu1"};
  script("a");
  const Report report = ran_on_hosts();
  EXPECT_THAT(case_of(report, "a").hosts, ElementsAre("npu2"));
  EXPECT_THAT(report.notes, Contains(HasSubstr("runs without npu1: there is no route")));
}

TEST_F(HostsTest, NoneThatCanBeReachedIsInfra) {
  unreachable = {"npu1", "npu2"};
  script("a");
  const Report report = ran_on_hosts();
  EXPECT_EQ(case_of(report, "a").verdict, Verdict::infra);
  EXPECT_THAT(case_of(report, "a").reason, AllOf(HasSubstr("npu1"), HasSubstr("npu2")));
  EXPECT_THAT(runner.launched(), IsEmpty());
}

TEST_F(HostsTest, DevicesAreOfTheHost) {
  with_devices(2);
  script("a", "devices=2");
  script("b", "devices=2");
  const Report report = ran_on_hosts();
  std::vector<std::string> hosts;
  for (const CaseReport& one : report.cases) hosts.insert(hosts.end(), one.hosts.begin(), one.hosts.end());
  EXPECT_THAT(hosts, UnorderedElementsAre("npu1", "npu2"));
  EXPECT_EQ(variable("a", "CUDA_VISIBLE_DEVICES"), "0,1");
  EXPECT_EQ(variable("b", "CUDA_VISIBLE_DEVICES"), "0,1");
}

TEST_F(HostsTest, NodesAreStartedTogether) {
  with_devices(2);
  script("a", "devices=2 nodes=2");
  const Report report = ran_on_hosts();
  EXPECT_THAT(runner.launched(), ElementsAre("a", "a"));
  EXPECT_THAT((std::vector<std::string>{variable("a", "NODE_RANK", 1), variable("a", "NODE_RANK", 2)}),
              UnorderedElementsAre("0", "1"));
  for (std::size_t k : {1U, 2U}) {
    EXPECT_EQ(variable("a", "NNODES", k), "2");
    EXPECT_EQ(variable("a", "WORLD_SIZE", k), "4");
    EXPECT_EQ(variable("a", "NPROC_PER_NODE", k), "2");
    EXPECT_EQ(variable("a", "CUDA_VISIBLE_DEVICES", k), "0,1");
    EXPECT_EQ(variable("a", "MASTER_ADDR", k), "npu1");  // nothing tells an address
  }
  EXPECT_THAT(case_of(report, "a").hosts, ElementsAre("npu1", "npu2"));
  EXPECT_TRUE(case_of(report, "a").artifacts.contains("log_node1"));
}

TEST_F(HostsTest, OneNodesFailureIsTheCases) {
  script("a", "nodes=2");
  runner.plays("a", {{.log = "", .outcome = Exited{0}}, {.log = "oops\n", .outcome = Exited{3}}});
  const Report report = ran_on_hosts();
  EXPECT_EQ(case_of(report, "a").outcome, Outcome(Exited{3}));
  EXPECT_EQ(case_of(report, "a").verdict, Verdict::crashed);
  EXPECT_EQ(case_of(report, "a").last_words, "oops");
}

TEST_F(HostsTest, ANodeThatIsSlowerIsNamed) {
  script("a", "nodes=2");
  runner.plays("a", {{TrainingLog{.time = "100.0"}.text()}, {TrainingLog{.time = "150.0"}.text()}});
  const CaseReport slow = case_of(ran_on_hosts(), "a");
  EXPECT_THAT(shown::notes(slow.notes), Contains(HasSubstr("took 1.5 times as long for a step as node")));
  runner.plays("a", {{TrainingLog{.time = "100.0"}.text()}, {TrainingLog{.time = "109.0"}.text()}});
  EXPECT_THAT(shown::notes(case_of(ran_on_hosts(), "a").notes), Not(Contains(HasSubstr("as long"))));
}

TEST_F(HostsTest, MoreNodesThanHostsAreAMistake) {
  script("a", "nodes=3");
  EXPECT_THAT(run_on_hosts().error().message, HasSubstr("nodes = 3 needs as many hosts"));
}

TEST_F(HostsTest, TooFewThatCanBeReachedIsInfra) {
  unreachable = {"npu2"};
  script("a", "nodes=2");
  const Report report = ran_on_hosts();
  EXPECT_EQ(case_of(report, "a").verdict, Verdict::infra);
  EXPECT_THAT(case_of(report, "a").reason, HasSubstr("needs 2 hosts, and 1 host can be reached"));
}

TEST_F(HostsTest, ScriptsThatContradictTheirNodesAreRefused) {
  for (const char* line :
       {"NNODES=4", "NODE_RANK=0", "export MASTER_ADDR=localhost", "torchrun --node_rank 1"}) {
    put("scripts/a.sh", "#GATE nodes=2\n" + std::string(line) + "\n");
    const auto report = run_on_hosts();
    ASSERT_FALSE(report) << line;
    EXPECT_THAT(report.error().message, HasSubstr("take it from the environment")) << line;
  }
  put("scripts/a.sh", "#GATE nodes=2\nNNODES=2\nNODE_RANK=$RANK\nMASTER_ADDR=10.0.0.1\n");
  EXPECT_TRUE(run_on_hosts());
}

}  // namespace
}  // namespace gate::app::hosts_test
