// A node of an engine's job: the agent between a script and the job's folder.
#include <gmock/gmock.h>
#include <signal.h>

#include "agent/batch.h"
#include "agents.h"
#include "gate/hosts/job_folder.h"

namespace gate::agent::node_test {
namespace {

using hosts::JobCommand;
using hosts::JobFolder;
using hosts::NodeState;
using testing::HasSubstr;
using testing::StartsWith;

class Nodes : public Agents {
 protected:
  // The folder of a job whose nodes run these scripts.
  JobFolder job_of(const std::vector<std::string>& scripts, Duration lost_after = 60s) const {
    const JobFolder folder = *JobFolder::make(root / "job");
    JobCommand command{{}, lost_after, 5s};
    for (std::size_t node = 0; node < scripts.size(); ++node)
      command.nodes.push_back(bash(scripts[node], std::to_string(node)));
    EXPECT_TRUE(folder.write(command));
    put("job/alive", "");
    return folder;
  }

  std::unique_ptr<Piped> begin(const JobFolder& folder) const {
    return start({"job", folder.path().string()});
  }

  static Outcome outcome(const JobFolder& folder, std::size_t node = 0) {
    const std::optional<NodeState> state = folder.state(node);
    EXPECT_TRUE(state && state->process.ended);
    return state && state->process.ended ? *state->process.ended : Outcome(Vanished{"no state"});
  }
};

TEST_F(Nodes, LeaveTheLogAndHowItEnded) {
  const JobFolder folder = job_of({"echo out; echo err >&2; exit 3"});
  EXPECT_EQ(begin(folder)->exit_code(), 0) << "a script that failed is told in the folder";
  EXPECT_EQ(outcome(folder), Outcome(Exited{3}));
  EXPECT_EQ(get("job/log-0"), "out\nerr\n");
  const std::optional<NodeState> state = folder.state(0);
  EXPECT_EQ(state->process.size, 8);
  EXPECT_TRUE(state->process.empty);
  EXPECT_NE(state->host, "");
  EXPECT_EQ(state->trouble, "");
  EXPECT_FALSE(state->told_to_end);
}

TEST_F(Nodes, TellTheScriptWhereTheFirstOneIs) {
  JobFolder folder = job_of({"echo $MASTER_ADDR $MASTER_PORT"});
  begin(folder)->exit_code();
  ASSERT_TRUE(folder.master());
  EXPECT_EQ(folder.master()->address, "127.0.0.1");
  EXPECT_EQ(get("job/log-0"), "127.0.0.1 " + std::to_string(folder.master()->port) + "\n");
  std::filesystem::remove_all(root / "job");
  folder = job_of({""});
  std::optional<JobCommand> own = folder.command();
  own->nodes[0] = bash("echo $MASTER_ADDR $MASTER_PORT", "own");
  own->nodes[0].env = {{"MASTER_ADDR", "there"}, {"MASTER_PORT", "7"}};
  ASSERT_TRUE(folder.write(*own));
  begin(folder)->exit_code();
  EXPECT_EQ(get("job/log-0"), "there 7\n") << "what the case says itself stays";
}

TEST_F(Nodes, BeginOnce) {
  const JobFolder folder = job_of({"echo ran >>runs"});
  EXPECT_EQ(begin(folder)->exit_code(), 0);
  EXPECT_FALSE(fs::exists(folder.again(0)));
  EXPECT_EQ(begin(folder)->exit_code(), 0) << "of the second beginning gate hears by a file";
  EXPECT_TRUE(fs::exists(folder.again(0)));
  EXPECT_EQ(begin(folder)->exit_code(), 1);
  EXPECT_EQ(get("runs"), "ran\n");
}

TEST_F(Nodes, DoNotBeginForAGateThatIsGone) {
  const JobFolder folder = job_of({"echo ran >>runs"});
  std::filesystem::last_write_time(folder.alive(), std::filesystem::file_time_type::clock::now() - 1h);
  EXPECT_EQ(begin(folder)->exit_code(), 1);
  EXPECT_FALSE(fs::exists(root / "runs"));
  std::filesystem::remove_all(root / "job");
  const JobFolder silent = job_of({"echo ran >>runs"});
  std::filesystem::remove(silent.alive());
  EXPECT_EQ(begin(silent)->exit_code(), 1);
  EXPECT_FALSE(fs::exists(root / "runs"));
}

TEST_F(Nodes, HaveNothingToDoWithoutACommand) {
  EXPECT_EQ(start({"job", (root / "nowhere").string()})->exit_code(), 1);
  put("job/command", "17:not what it was,");
  EXPECT_EQ(start({"job", (root / "job").string()})->exit_code(), 1);
  EXPECT_FALSE(fs::exists(root / "job" / "begun-0"));
}

TEST_F(Nodes, DoWhatTheyAreOrdered) {
  const JobFolder folder = job_of({"trap 'exit 7' TERM; echo up; while :; do sleep 0.01; done"});
  const auto agent = begin(folder);
  ASSERT_TRUE(wait_for([&] { return get("job/log-0") == "up\n"; }));
  ASSERT_TRUE(folder.write(hosts::JobOrder{std::nullopt, 1}, 0));
  ASSERT_TRUE(wait_for([&] { return folder.state(0) && folder.state(0)->answers == 1; }));
  EXPECT_THAT(folder.state(0)->left, testing::Not(testing::IsEmpty()));
  ASSERT_TRUE(folder.write(hosts::JobOrder{launch::Force::ask, 1}, 0));
  EXPECT_EQ(agent->exit_code(), 0);
  EXPECT_EQ(outcome(folder), Outcome(Exited{7}));
  EXPECT_FALSE(folder.state(0)->told_to_end) << "it was gate";
}

TEST_F(Nodes, EndTheirScriptWhenGateIsSilent) {
  const JobFolder folder = job_of({"trap '' TERM; echo $$ >pid; echo up; sleep 600"}, 300ms);
  EXPECT_EQ(begin(folder)->exit_code(), 0);
  EXPECT_EQ(outcome(folder), Outcome(Killed{SIGKILL}));
  EXPECT_TRUE(folder.state(0)->told_to_end);
  EXPECT_NE(::kill(std::stoi(get("pid")), 0), 0);
}

}  // namespace
}  // namespace gate::agent::node_test
