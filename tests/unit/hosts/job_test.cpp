#include "gate/hosts/job.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "gate/base/text.h"

namespace gate::hosts::job_test {
namespace {

// An engine that starts the agents of all nodes on this host at once: `submitted` is what it runs, and a file
// `standing` in the job's folder, if there is one, is what it says of the job.
std::string document(const JobRequest& request) {
  std::string script;
  for (std::size_t node = 0; node < request.nodes.size(); ++node)
    script += "SLURM_PROCID=" + std::to_string(node) + " setsid " + shell_quote(GATE_AGENT) + " job " +
              shell_quote(request.folder.string()) + " >/dev/null 2>&1 &\n";
  return script;
}

std::vector<std::string> submit(const JobRequest&, const std::string& file) { return {"sh", file}; }

JobId unanswered(const JobRequest& request) { return {{}, "", request.folder.string()}; }

Result<JobId> submitted(const JobRequest& request, const ToolAnswer& answer) {
  if (answer.exit_code != 0) return fail("refused: " + answer.errors);
  return unanswered(request);
}

std::vector<std::string> ask(const std::vector<JobId>& jobs) {
  return {"sh", "-c", "cat \"$0/standing\" 2>/dev/null || echo running; echo \"$0\"", jobs.front().id};
}

Result<std::map<std::string, JobStatus>> states(const ToolAnswer& answer) {
  const std::vector<std::string_view> lines = split(answer.output, '\n');
  if (lines.size() < 2 || lines[0] == "away") return fail("it does not answer");
  std::map<std::string, JobStatus> all;
  if (lines[0] == "gone") return all;
  JobStatus status{lines[0] == "running" ? JobPhase::running : JobPhase::pending};
  status.why = lines[0];
  all[std::string(lines[1])] = status;
  return all;
}

std::vector<std::string> cancel(const JobId& job, bool) { return {"touch", job.id + ".cancelled"}; }

constexpr EngineRow here{"Here", document, submit, submitted, unanswered, ask, states, cancel, nullptr};

class JobOfHere : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "gate_job_XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }

  JobRequest request(const std::vector<std::string>& scripts) const {
    JobRequest request;
    request.folder = folder / "job";
    for (std::size_t node = 0; node < scripts.size(); ++node) {
      launch::Command command;
      command.argv = {"bash", "-c", scripts[node]};
      command.cwd = folder.string();
      command.cookie = folder.filename().string() + "." + std::to_string(node);
      request.nodes.push_back(command);
    }
    return request;
  }

  // Run all nodes of the job to their ends. Returns how, and what each has printed.
  struct Seen {
    std::vector<launch::Ending> endings;
    std::vector<std::string> outputs;
    std::vector<std::string> waited_for;
    std::string left = {};
  };
  Seen run(const JobRequest& wanted, launch::Limits limits = {}) {
    JobEngine engine(row, lost_after, tool_limit);
    EngineJob job(engine, wanted, {.stop = [this] {
                    return std::string(fs::exists(folder / "hurry") ? "interrupted" : "");
                  }});
    Seen seen{
        std::vector<launch::Ending>(wanted.nodes.size()), std::vector<std::string>(wanted.nodes.size()), {}};
    launch::Listener listener{
        .on_output = nullptr,
        .on_poll = nullptr,
        .interrupted = [this] { return interrupted; },
        .second_signal = nullptr,
        .on_waiting = [&](const Sentence& why) { seen.waited_for.push_back(why.english()); }};
    EXPECT_TRUE(job.open());
    if (const auto ending = launch::wait_for_start([&] { return job.wait(); }, limits, listener)) {
      seen.endings.assign(wanted.nodes.size(), *ending);
      seen.left = job.close().english();
      return seen;
    }
    const auto run_node = [&, listener](std::size_t node) {
      launch::Listener own = listener;
      own.on_output = [&, node](std::string_view text) {
        seen.outputs[node] += text;
        return launch::Pulse{};
      };
      const auto process = job.node(node);
      if (const Result<launch::Ending> ending = launch::supervise(*process, limits, own))
        seen.endings[node] = *ending;
    };
    std::vector<std::jthread> others;
    for (std::size_t node = 0; node < wanted.nodes.size(); ++node) others.emplace_back(run_node, node);
    others.clear();
    seen.left = job.close().english();
    return seen;
  }

  fs::Path folder;
  EngineRow row = here;
  Duration lost_after{20000}, tool_limit{10000};
  std::optional<Interrupted> interrupted;
};

TEST_F(JobOfHere, RunsAllNodesAndTakesAllThatTheyPrint) {
  const Seen seen =
      run(request({"echo one; echo $MASTER_ADDR:$MASTER_PORT; exit 3", "seq 2000; echo $NODE; sleep 0.3"}));
  EXPECT_EQ(seen.endings[0].outcome, Outcome(Exited{3}));
  EXPECT_EQ(seen.endings[1].outcome, Outcome(Exited{0}));
  EXPECT_TRUE(seen.outputs[0].starts_with("one\n")) << seen.outputs[0];
  EXPECT_EQ(std::ranges::count(seen.outputs[1], '\n'), 2001);
  EXPECT_FALSE(seen.endings[0].host.empty());
  EXPECT_FALSE(fs::exists(folder / "job"));
  EXPECT_FALSE(fs::exists(folder / "job.cancelled"));  // it ended by itself
}

TEST_F(JobOfHere, LimitsAreThoseOfAnyScript) {
  launch::Limits limits;
  limits.timeout = std::chrono::milliseconds(300);
  limits.grace = std::chrono::milliseconds(100);
  const Seen seen = run(request({"trap '' TERM; echo here; sleep 1000"}), limits);
  EXPECT_EQ(seen.endings[0].outcome, Outcome(TimedOut{limits.timeout}));
  EXPECT_EQ(seen.outputs[0], "here\n");
  EXPECT_FALSE(seen.endings[0].evidence.empty());
  EXPECT_TRUE(seen.endings[0].survivors.empty());
}

TEST_F(JobOfHere, ThatIsRefusedIsNotStartedOnAnyNode) {
  row.document = [](const JobRequest&) { return std::string("echo no >&2; exit 1\n"); };
  const Seen seen = run(request({"true", "true"}));
  for (const launch::Ending& ending : seen.endings)
    EXPECT_EQ(ending.outcome, Outcome(NotStarted{"refused: no\n"}));
}

TEST_F(JobOfHere, ThatWaitsPastTheDeadlineIsCancelled) {
  row.document = [](const JobRequest& request) {
    return "echo queue full >" + shell_quote((request.folder / "standing").string()) + "\n";
  };
  launch::Limits limits;
  limits.rest = limits.deadline = std::chrono::milliseconds(1500);
  const Seen seen = run(request({"true"}), limits);
  EXPECT_EQ(seen.endings[0].outcome, Outcome(PastDeadline{limits.deadline}));
  ASSERT_FALSE(seen.waited_for.empty());
  EXPECT_NE(seen.waited_for[0].find("is pending: queue full"), std::string::npos);
  EXPECT_EQ(seen.waited_for.back(), "");
  EXPECT_TRUE(fs::exists(folder / "job.cancelled"));
}

TEST_F(JobOfHere, ThatIsInterruptedWhileItWaitsIsCancelled) {
  row.document = [](const JobRequest& request) {
    return "echo queue full >" + shell_quote((request.folder / "standing").string()) + "\n";
  };
  interrupted = Interrupted{SIGTERM};
  EXPECT_EQ(run(request({"true"})).endings[0].outcome, Outcome(Interrupted{SIGTERM}));
  EXPECT_TRUE(fs::exists(folder / "job.cancelled"));
}

TEST_F(JobOfHere, ThatIsAskedForInVainHoldsNobodyInAHurry) {
  row.document = [](const JobRequest&) { return std::string("true\n"); };
  row.submitted = [](const JobRequest& request, const ToolAnswer& answer) {
    EXPECT_TRUE(fs::write_file(request.folder.parent_path() / "hurry", ""));
    return submitted(request, answer);
  };
  row.ask = [](const std::vector<JobId>&) { return std::vector<std::string>{"sleep", "1000"}; };
  row.cancel = [](const JobId&, bool) { return std::vector<std::string>{"sleep", "1000"}; };
  tool_limit = std::chrono::hours(1);
  interrupted = Interrupted{SIGTERM};
  const Seen seen = run(request({"true"}));
  EXPECT_EQ(seen.endings[0].outcome, Outcome(Interrupted{SIGTERM}));
  EXPECT_NE(seen.left.find("no answer within 1s500ms"), std::string::npos) << seen.left;
}

TEST_F(JobOfHere, ThatNobodyKnowsAnyMoreIsNotStarted) {
  row.document = [](const JobRequest& request) {
    return "echo gone >" + shell_quote((request.folder / "standing").string()) + "; echo no such file >" +
           shell_quote((request.folder / "slurm.out").string()) + "\n";
  };
  lost_after = std::chrono::milliseconds(500);
  const Outcome outcome = run(request({"true"})).endings[0].outcome;
  ASSERT_TRUE(std::holds_alternative<NotStarted>(outcome));
  EXPECT_NE(std::get<NotStarted>(outcome).why.english().find("is gone before its script began: no such file"),
            std::string::npos);
}

// What is left of it looks at the folder, in which nobody says any more that gate is there.
TEST_F(JobOfHere, RunsOnWhileItsEngineIsAway) {
  row.document = [](const JobRequest& request) {
    return "echo away >" + shell_quote((request.folder / "standing").string()) + "\n" + document(request);
  };
  EXPECT_EQ(run(request({"echo done"})).outputs[0], "done\n");
}

}  // namespace
}  // namespace gate::hosts::job_test
