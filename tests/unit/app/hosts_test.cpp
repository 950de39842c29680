// Cases on several hosts, all made up.
#include "gate/places/hosts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gate/launch/tool.h"
#include "made_up_host.h"
#include "places/host/git_tree.h"
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

// Notes which folders are made and removed, and that nothing is in them.
class EmptyFolders : public hosts::FarFiles {
 public:
  explicit EmptyFolders(std::vector<std::string>& seen) : seen_(seen) {}
  Result<std::vector<hosts::FarFile>> find(const fs::Path& folder, const std::vector<std::string>& globs,
                                           const Cut&) override {
    seen_.push_back("find " + join(globs, " ") + " in " + folder.string());
    return std::vector<hosts::FarFile>{};
  }
  Result<std::string> read(const fs::Path&, const FileIdentity&, std::uintmax_t, std::size_t,
                           const Cut&) override {
    return fail("nothing is there");
  }
  Result<std::int64_t> make_folder(const fs::Path& path, const Cut&) override {
    seen_.push_back("make " + path.string());
    return 0;
  }
  Result<std::vector<std::string>> settle(const std::string&, const Cut&) override {
    return std::vector<std::string>{};
  }
  Status remove_folder(const fs::Path& path, const Cut&) override {
    seen_.push_back("remove " + path.string());
    return {};
  }

 private:
  std::vector<std::string>& seen_;
};

// One that sees no file of this host, and whose disk may be full.
class HostWithADisk : public PlayedHost {
 public:
  using PlayedHost::PlayedHost;
  fs::Path path_there(const fs::Path& path) const override {
    const auto below = path_below(path, here);
    if (!below) return path;
    return *below == "." ? fs::Path("/tree") : "/tree" / *below;
  }
  hosts::FarFiles* sent_files() override { return files.get(); }
  Result<bool> exists(const fs::Path& path, const Cut&) override {
    return path == "/tree/data" || path == "/data";
  }
  Status send_tree(const hosts::Tree& tree,
                   const std::function<void(const hosts::MissingContents&)>& on_missing,
                   const Cut&) override {
    if (is_full) return fail(told.name + ": cannot keep what is sent: No space left on device");
    on_missing({tree.entries.size(), 1});
    here = tree.root;
    files = std::make_unique<EmptyFolders>(*seen);
    return {};
  }
  bool is_full = false;
  fs::Path here = "/nowhere";
  std::unique_ptr<EmptyFolders> files;
  std::vector<std::string>* seen = nullptr;
};

class HostsTest : public MadeUpHost {
 protected:
  HostsTest() { policy("[hosts]\nnpu = [\"npu1\", \"npu2\"]\n[defaults]\nhosts = \"npu\"\n"); }

  Answer<Report> run_on_hosts(const RunOptions& options = {}) {
    const Answer<Suite> suite = open_suite({root, {}, {}});
    if (!suite) return tl::unexpected(suite.error());
    Environment environment = this->environment();
    environment.hosts =
        std::make_shared<Hosts>(host, [this](const std::string& name, const Cut&) { return connect(name); });
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
    made->seen = &seen;
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
  std::vector<std::string> seen;  // by hosts that were sent a tree
};

TEST_F(HostsTest, ThatWereSentATreeHaveTheLaunchInIt) {
  make_git_tree();
  script("a", "needs=data,/data,\"" + (root / "data").string() +
                  "\" log=l.log artifacts=out/*,{scratch}/x,/abs/* hosts=npu1");
  const Report report = ran_on_hosts();
  EXPECT_EQ(case_of(report, "a").reason, "no baseline");
  const std::string run = "/tree/.gate/runs/" + report.run;
  EXPECT_EQ(variable("a", "GATE_RUN_DIR"), run);
  EXPECT_EQ(variable("a", "GATE_SCRATCH"), run + "/a/scratch");
  EXPECT_EQ(variable("a", "ASCEND_PROCESS_LOG_PATH"), run + "/a/ascend");
  const std::set<std::string> all(seen.begin(), seen.end());
  EXPECT_THAT(all, UnorderedElementsAre("make " + run + "/a/scratch", "find l.log in /tree",
                                        "find out/* in /tree", "find x in " + run + "/a/scratch",
                                        "find abs/* in /", "remove " + run + "/a/scratch"));
  EXPECT_EQ(seen.front(), "make " + run + "/a/scratch");
  EXPECT_EQ(seen.back(), "remove " + run + "/a/scratch");
  EXPECT_FALSE(fs::exists(root / ".gate/latest/a/scratch"));
}

TEST_F(HostsTest, ThatWereSentATreeHaveTheLaunchInItWhereverItsRunIs) {
  make_git_tree();
  script("a", "needs=other hosts=npu1");
  RunOptions options;
  const fs::Path out = root.parent_path() / (root.filename().string() + "-out");
  options.out = out.string();
  EXPECT_THAT(case_of(ran_on_hosts(options), "a").reason,
              HasSubstr("it needs other, which is not there on npu1"));
  script("a", "hosts=npu1");
  const Report report = ran_on_hosts(options);
  EXPECT_EQ(variable("a", "GATE_RUN_DIR"), "/tree/.gate/runs/" + report.run);
  std::filesystem::remove_all(out);
}

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
  Hosts hosts(host, [this](const std::string& name, const Cut&) { return connect(name); });
  EXPECT_THAT(hosts.open({"npu2", "local", "npu1", "npu2"}, {}), ElementsAre(1, 0, 2, 1));
  EXPECT_EQ(hosts.count(), 3);
  EXPECT_EQ(hosts.name(2), "npu1");
  EXPECT_EQ(hosts.at(2).facts().name, "npu1");
  EXPECT_EQ(&hosts.at(0), &host);
}

TEST_F(HostsTest, ThatCannotBeReachedSayWhy) {
  unreachable = {"npu1"};
  Hosts hosts(host, [this](const std::string& name, const Cut&) { return connect(name); });
  hosts.open({"npu1", "npu2"}, {});
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

TEST_F(HostsTest, MoreNodesThanHostsAreInfra) {
  script("a", "nodes=3");
  const CaseReport a = case_of(ran_on_hosts(), "a");
  EXPECT_EQ(a.verdict, Verdict::infra);
  EXPECT_THAT(a.reason,
              HasSubstr("needs 3 hosts, and the setting hosts gives it 2: name a group of [hosts]"));
}

TEST_F(HostsTest, TooFewThatCanBeReachedIsInfra) {
  unreachable = {"npu2"};
  script("a", "nodes=2");
  const Report report = ran_on_hosts();
  EXPECT_EQ(case_of(report, "a").verdict, Verdict::infra);
  EXPECT_THAT(case_of(report, "a").reason, HasSubstr("needs 2 hosts, and 1 host can be reached"));
}

TEST_F(HostsTest, ScriptsThatContradictTheirNodesAreNotJudged) {
  for (const char* line :
       {"NNODES=4", "NODE_RANK=0", "export MASTER_ADDR=localhost", "torchrun --node_rank 1"}) {
    put("scripts/a.sh", "#GATE nodes=2\n" + std::string(line) + "\n");
    const CaseReport a = case_of(ran_on_hosts(), "a");
    EXPECT_EQ(a.verdict, Verdict::unjudged) << line;
    EXPECT_THAT(a.reason, HasSubstr("take it from the environment")) << line;
  }
  put("scripts/a.sh", "#GATE nodes=2\nNNODES=2\nNODE_RANK=$RANK\nMASTER_ADDR=10.0.0.1\n");
  EXPECT_TRUE(run_on_hosts());
}

}  // namespace
}  // namespace gate::app::hosts_test
