// Cases on several hosts, all made up.
#include "gate/app/hosts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gate/launch/tool.h"
#include "made_up_host.h"

namespace gate::app::hosts_test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

// One whose disk may be full.
class HostWithADisk : public PlayedHost {
 public:
  using PlayedHost::PlayedHost;
  Status send_tree(const hosts::Tree& tree,
                   const std::function<void(const hosts::MissingContents&)>& on_missing,
                   const std::function<bool()>&) override {
    if (is_full) return fail(told.name + ": cannot keep what is sent: No space left on device");
    on_missing({tree.entries.size(), 1});
    return {};
  }
  bool is_full = false;
};

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
    auto made = std::make_unique<HostWithADisk>(runner, devices_, (root / ("leases-" + name)).string());
    made->is_full = full.contains(name);
    made->told = {name, {}};
    made->told.driver = "driver of " + name;
    return made;
  }

  std::string variable(const std::string& script, const std::string& name, std::size_t k = 1) const {
    return runner.environment(script, k).at(name);
  }

  void make_git_tree() {
    script("a");
    const ToolAnswer made =
        launch::ask_tool({"git", "-C", root.string(), "init", "-q"}, std::chrono::minutes(1));
    ASSERT_EQ(made.exit_code, 0) << made.errors;
    policy("[hosts]\nsync = true\nnpu = [\"npu1\", \"npu2\"]\n[defaults]\nhosts = \"npu\"\n");
  }

  std::set<std::string> unreachable, full;
};

TEST_F(HostsTest, ThatDoNotTakeTheTreeAreDoneWithout) {
  make_git_tree();
  full = {"npu1"};
  const Report report = ran_on_hosts();
  EXPECT_THAT(case_of(report, "a").hosts, ElementsAre("npu2"));
  EXPECT_THAT(report.notes, Contains("runs without npu1: cannot keep what is sent: No space left on device"));
  EXPECT_THAT(events, Contains(": npu2 is sent 1 file of the git tree, 1 kB"));
  full = {"npu1", "npu2"};
  const Report none = ran_on_hosts();
  EXPECT_EQ(case_of(none, "a").verdict, Verdict::infra);
  EXPECT_THAT(case_of(none, "a").reason, HasSubstr("none of its hosts can be reached: npu1: cannot keep"));
}

TEST_F(HostsTest, ThatAreSentATreeNeedOne) {
  make_git_tree();
  std::filesystem::remove_all(root / ".git");
  const Answer<Report> report = run_on_hosts();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().exit_code, exit_code::usage);
  EXPECT_THAT(runner.launched(), IsEmpty());
}

TEST_F(HostsTest, ThatAreBeingSentATreeMayBeInterrupted) {
  make_git_tree();
  signal = 2;
  const Answer<Report> report = run_on_hosts();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().exit_code, 130);
}

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
