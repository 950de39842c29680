// Trainings that are broken off and go on, as processes that are told to end, killed or stopped, and the
// files between them.
#include "trainer/checkpoint.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <deque>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "../temporary.h"
#include "processes.h"
#include "timeless.h"
#include "trainer/files.h"
#include "trainer/hello.h"
#include "trainer/random.h"

namespace tinygpt::checkpoint_test {
namespace {

struct Trained {
  int code = 0;
  std::string log;
  std::string errors;
};

Trained run(const Options& options) {
  Node node(options);
  const int code = node.code();
  return {code, node.log(), node.errors()};
}

// The nodes' logs one after the other.
Trained run_nodes(const Options& options, const std::string& elsewhere) {
  const Port port("127.0.0.1");
  std::deque<Node> nodes;
  Trained all;
  for (int node = 0; node < options.nodes; ++node) {
    Options own = node_of(port, node, options);
    if (node > 0 && !own.load.empty()) own.load = elsewhere;
    if (node > 0 && !own.save.empty()) own.save = elsewhere;
    nodes.emplace_back(own);
  }
  for (Node& node : nodes) {
    all.code = std::max(all.code, node.code());
    all.log += node.log();
    all.errors += node.errors();
  }
  return all;
}

// The number in an iteration line, 0 in others.
int step_of(const std::string& line) {
  const auto at = line.find("] iteration ");
  return at == std::string::npos ? 0 : std::atoi(line.c_str() + at + std::strlen("] iteration "));
}

int last_step(const std::string& log) {
  int last = 0;
  for (const std::string& line : lines_of(log)) last = std::max(last, step_of(line));
  return last;
}

// All that is printed of steps behind this one, but for times and speed.
std::vector<std::string> results(const std::string& log, int after = 0) {
  std::vector<std::string> found;
  for (const std::string& line : timeless(log))
    if (step_of(line) > after || line.starts_with(" validation loss")) found.push_back(line);
  return found;
}

bool has_line(const std::string& log, const std::string& line) {
  const auto lines = lines_of(log);
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

class Checkpoint : public gate::Temporary {
 protected:
  std::string folder(const std::string& name = "ckpt") const { return (root / name).string(); }

  std::string file(int step) const {
    char name[64];
    std::snprintf(name, sizeof name, "/iter_%07d/mp_rank_00/model_optim_rng.pt", step);
    return folder() + name;
  }

  // Train up to a checkpoint after step k, and from there on.
  Trained in_two(Options options, int k) const {
    Options before = options;
    before.save = folder();
    before.save_interval = before.stop_at = k;
    EXPECT_EQ(run(before).code, 0);
    options.load = folder();
    Trained after = run(options);
    EXPECT_EQ(after.code, 0) << after.errors;
    return after;
  }
};

TEST_F(Checkpoint, GoesOnAsIfNothingHadHappened) {
  for (const int ranks : {1, 2, 3}) {
    const Options options{.ranks = ranks, .steps = 12};
    const Trained whole = run(options);
    EXPECT_EQ(results(whole.log).size(), 13u);
    for (int k = 1; k <= 12; ++k) {
      const Trained after = in_two(options, k);
      EXPECT_EQ(results(after.log), results(whole.log, k)) << ranks << " ranks, step " << k;
    }
  }
}

TEST_F(Checkpoint, KnowsOfSkippedSteps) {
  const Options options{.ranks = 2, .steps = 12, .nan_at = 3};
  const Trained whole = run(options);
  for (const int k : {2, 3, 4}) EXPECT_EQ(results(in_two(options, k).log), results(whole.log, k)) << k;
}

TEST_F(Checkpoint, SavingChangesNothingElse) {
  const Options options{.steps = 6};
  Options saving = options;
  saving.save = folder();
  saving.save_interval = 2;
  std::vector<std::string> lines;
  for (const std::string& line : timeless(run(saving).log))
    if (line.find("checkpoint") == line.npos) lines.push_back(line);
  EXPECT_EQ(lines, timeless(run(options).log));
}

// Node 1 finds nothing in its own folder, and needs nothing there.
TEST_F(Checkpoint, OfSeveralNodesIsThatOfOne) {
  for (const int ranks : {1, 2}) {
    const Trained whole = run({.ranks = 2 * ranks, .steps = 12});
    for (const int k : {5, 11}) {
      Options before{.ranks = ranks, .steps = 12, .stop_at = k, .nodes = 2}, after = before;
      before.save = after.load = folder();
      before.save_interval = k;
      after.stop_at = 0;
      EXPECT_EQ(run_nodes(before, folder("elsewhere")).code, 0);
      EXPECT_EQ(results(run_nodes(after, folder("elsewhere")).log), results(whole.log, k));
      EXPECT_EQ(results(run({.ranks = 2 * ranks, .steps = 12, .load = folder()}).log), results(whole.log, k));
    }
  }
  EXPECT_FALSE(std::filesystem::exists(folder("elsewhere")));
}

// The loss of step k + 1 is that of the parameters, which are there; its update is another one.
TEST_F(Checkpoint, WithoutOptimizerDiffersFromTheSecondStepOn) {
  Options options{.ranks = 2, .steps = 12};
  const Trained whole = run(options);
  for (const int k : {1, 6, 10}) {
    Options before = options, after = options;
    before.save = after.load = folder();
    before.save_interval = before.stop_at = k;
    before.save_optim = false;
    EXPECT_EQ(run(before).code, 0);
    const auto found = results(run(after).log), wanted = results(whole.log, k);
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i] == wanted[i], i == 0) << found[i];
  }
}

TEST_F(Checkpoint, IsSaidAsMegatronSaysIt) {
  const Trained saved = run({.ranks = 1, .steps = 5, .save = folder(), .save_interval = 2});
  for (const std::string step : {"2", "4", "5"}) {
    EXPECT_TRUE(has_line(saved.log, "saving checkpoint at iteration       " + step + " to " + folder()))
        << step;
    EXPECT_TRUE(has_line(saved.log,
                         "  successfully saved checkpoint from iteration       " + step + " to " + folder()));
    EXPECT_TRUE(std::filesystem::exists(file(std::stoi(step))));
  }
  EXPECT_EQ(get("ckpt/latest_checkpointed_iteration.txt"), "5");
  EXPECT_EQ(saved.log.find("loading"), std::string::npos);
  const Trained loaded = run({.ranks = 1, .steps = 7, .load = folder()});
  EXPECT_TRUE(has_line(loaded.log, " loading checkpoint from " + folder() + " at iteration 5"));
  EXPECT_TRUE(has_line(loaded.log,
                       "  successfully loaded checkpoint from " + folder() + " [ t 0, p 0 ] at iteration 5"));
  EXPECT_EQ(results(loaded.log).size(), 3u);
}

TEST_F(Checkpoint, OfTheLastStepIsSavedOnce) {
  const std::string log = run({.steps = 4, .save = folder(), .save_interval = 2}).log;
  const auto lines = lines_of(log);
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(), [](const auto& l) { return l.starts_with("saving "); }),
            2);
}

TEST_F(Checkpoint, ThatIsNotThereIsNoMistake) {
  const Options options{.ranks = 2, .steps = 4};
  Options loading = options;
  loading.load = folder();
  const Trained trained = run(loading);
  EXPECT_EQ(trained.code, 0);
  EXPECT_TRUE(
      has_line(trained.log, "WARNING: could not find the metadata file " + tracker_in(folder()) + " "));
  EXPECT_TRUE(has_line(trained.log, "    will not load any checkpoints and will start from random"));
  EXPECT_EQ(results(trained.log), results(run(options).log));
}

TEST_F(Checkpoint, OfTheLastStepLeavesTheValidation) {
  const Options options{.steps = 4, .save = folder(), .load = folder()};
  const Trained whole = run(options), again = run(options);
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(results(again.log), results(whole.log, 4));
  EXPECT_EQ(results(again.log).size(), 1u);
}

TEST_F(Checkpoint, OfAnotherTrainingIsRefused) {
  ASSERT_EQ(run({.ranks = 2, .steps = 4, .save = folder()}).code, 0);
  const auto refuses = [&](Options options, const std::string& why) {
    options.load = folder();
    const Trained trained = run(options);
    EXPECT_EQ(trained.code, 1);
    EXPECT_EQ(last_step(trained.log), 0);
    EXPECT_NE(trained.errors.find("RuntimeError: checkpoint " + file(4) + ": it " + why), std::string::npos)
        << trained.errors;
  };
  refuses({.ranks = 3, .steps = 6}, "was saved with ranks=2, while ranks=3 is wanted here");
  refuses({.ranks = 2, .steps = 6, .seed = 7}, "was saved with seed=1234, while seed=7 is wanted here");
  refuses({.ranks = 2, .steps = 3}, "is of step 4, and there are only 3 steps");
  Node other([&](int log) { return train({.ranks = 2, .load = folder()}, {}, log); });
  EXPECT_EQ(other.code(), 1);
  EXPECT_NE(other.errors().find("was saved with shape=32x16x16x2x1x2, while shape=32x64x64x4x2x4"),
            std::string::npos);
}

TEST_F(Checkpoint, ThatCannotBeLoadedEndsAllNodes) {
  ASSERT_EQ(run({.ranks = 2, .steps = 4, .save = folder()}).code, 0);
  std::filesystem::resize_file(file(4), 1000);
  const Trained trained = run_nodes({.ranks = 1, .load = folder(), .nodes = 2}, folder("elsewhere"));
  EXPECT_EQ(trained.code, 1);
  EXPECT_NE(trained.errors.find(file(4)), std::string::npos);
  EXPECT_NE(trained.errors.find("node 0 was lost"), std::string::npos);
}

TEST_F(Checkpoint, ThatCannotBeSavedFailsTheTraining) {
  put("ckpt", "a file");
  const Trained trained = run({.steps = 4, .save = folder(), .save_interval = 2});
  EXPECT_EQ(trained.code, 1);
  EXPECT_EQ(last_step(trained.log), 2);
  EXPECT_NE(trained.errors.find(folder()), std::string::npos);
}

// Numbers of a model without a training, and the words about a file that is refused.
struct Numbers {
  std::vector<float> parameters = std::vector<float>(layout_of(kTiny).size, 1.5F);
  std::vector<float> moments = parameters;

  CheckpointParts parts() {
    return {std::as_writable_bytes(std::span(parameters)), std::as_writable_bytes(std::span(moments))};
  }

  std::string refusal(const Options& options, int step) {
    try {
      load_checkpoint(options, kTiny, step, parts());
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(Checkpoint, IsReadAsItWasWritten) {
  const Options options{.save = folder(), .load = folder()};
  Numbers saved, loaded;
  for (std::size_t i = 0; i < saved.moments.size(); ++i) saved.moments[i] = static_cast<float>(i);
  save_checkpoint(options, kTiny, 20, saved.parts());
  EXPECT_EQ(latest_step(folder()), 20);
  EXPECT_EQ(saved_seed(folder()), 1234u);
  EXPECT_EQ(loaded.refusal(options, 20), "");
  EXPECT_EQ(loaded.moments, saved.moments);
}

TEST_F(Checkpoint, IsRefusedWithAnyByteThatDiffers) {
  const Options options{.save = folder(), .load = folder()};
  Numbers numbers;
  save_checkpoint(options, kTiny, 20, numbers.parts());
  const std::string whole = get("ckpt/iter_0000020/mp_rank_00/model_optim_rng.pt");
  const std::size_t head = whole.find('\n') + 1;
  const auto broken = [&](const std::string& content) {
    std::ofstream(file(20), std::ios::binary) << content;
    return numbers.refusal(options, 20);
  };
  for (std::size_t at = 0; at < whole.size(); at += at < head ? 1 : 499) {
    std::string changed = whole;
    changed[at] ^= 4;
    EXPECT_NE(broken(changed).find(file(20)), std::string::npos) << at;
  }
  for (std::size_t size = 0; size < whole.size(); size += size < head ? 1 : 4999)
    EXPECT_NE(broken(whole.substr(0, size)).find(file(20)), std::string::npos) << size;
  std::string last = whole;
  last.back() ^= 1;
  for (const std::string& content :
       {last, whole + "x", whole.substr(0, whole.size() - 1), std::string(9999, 'a')})
    EXPECT_NE(broken(content).find(file(20)), std::string::npos);
  EXPECT_EQ(numbers.parameters, Numbers().parameters);
  EXPECT_EQ(broken(whole), "");
}

TEST_F(Checkpoint, ThatIsNoFileIsRefused) {
  const Options options{.load = folder()};
  Numbers numbers;
  EXPECT_EQ(numbers.refusal(options, 20), "cannot read " + file(20) + ": No such file or directory");
  std::filesystem::create_directories(file(20));
  EXPECT_EQ(numbers.refusal(options, 20), file(20) + " is no regular file");
  std::filesystem::remove(file(20));
  ASSERT_EQ(mkfifo(file(20).c_str(), 0600), 0);
  EXPECT_EQ(numbers.refusal(options, 20), file(20) + " is no regular file");
}

TEST_F(Checkpoint, TrackerHoldsAStep) {
  EXPECT_EQ(latest_step(folder()), std::nullopt);
  EXPECT_EQ(saved_seed(folder()), std::nullopt);
  EXPECT_EQ(saved_seed(""), std::nullopt);
  for (const auto& [text, step] : {std::pair{"20", 20}, {"1\n", 1}, {"9999999 \r\n", 9'999'999}}) {
    put("ckpt/latest_checkpointed_iteration.txt", text);
    EXPECT_EQ(latest_step(folder()), step);
  }
}

TEST_F(Checkpoint, TrackerWithoutAStepIsNamed) {
  const auto why = [&] {
    try {
      return "step " + std::to_string(latest_step(folder()).value_or(0));
    } catch (const std::exception& error) {
      return std::string(error.what());
    }
  };
  const std::string tracker = tracker_in(folder());
  for (const std::string text : {"", "\n", "x", "0", "-3", "+3", "2 0", "20x", "10000000",
                                 "99999999999999999999", "release", "                                 20"}) {
    put("ckpt/latest_checkpointed_iteration.txt", text);
    EXPECT_EQ(why().find("Invalid metadata file " + tracker + ": it holds no step"), 0u)
        << text << ": " << why();
  }
  std::filesystem::remove(tracker);
  std::filesystem::create_symlink("nowhere", tracker);
  EXPECT_EQ(why(), "cannot read " + tracker + ": No such file or directory");
  std::filesystem::remove(tracker);
  std::filesystem::create_directory(tracker);
  EXPECT_EQ(why(), tracker + " is no regular file");
}

TEST_F(Checkpoint, TornTrackerEndsWhoLoads) {
  EXPECT_EQ(run({.steps = 4, .save = folder(), .torn_tracker = true}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(file(4)));
  const Trained trained = run({.steps = 4, .load = folder()});
  EXPECT_EQ(trained.code, 1);
  EXPECT_NE(trained.errors.find("RuntimeError: Invalid metadata file " + tracker_in(folder())),
            std::string::npos);
}

TEST_F(Checkpoint, FileIsReplacedAsAWhole) {
  put("file", "before");
  const std::string path = (root / "file").string();
  EXPECT_THROW(replace_file(path,
                            [](File& file) {
                              file.write("half");
                              throw std::runtime_error("no more");
                            }),
               std::runtime_error);
  EXPECT_EQ(get("file"), "before");
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
  put("file.part", "what somebody left who was killed");
  replace_file(path, [](File& file) { file.write("after"); });
  EXPECT_EQ(get("file"), "after");
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
}

TEST_F(Checkpoint, ClockGivesAnotherSeedToEveryTraining) {
  const Options options{.ranks = 2, .steps = 4, .seed_from_clock = true};
  const Trained one = run(options), other = run(options);
  EXPECT_EQ(one.code, 0);
  EXPECT_NE(results(one.log), results(other.log));
  const auto seed_of = [](const std::string& log) {
    const std::string label = "> setting random seeds to ";
    return std::stoull(log.substr(log.find(label) + label.size()));
  };
  const std::uint64_t seed = seed_of(one.log);
  EXPECT_NE(seed, seed_of(other.log));
  EXPECT_EQ(results(run({.ranks = 2, .steps = 4, .seed = seed}).log), results(one.log));
  const Trained nodes = run_nodes({.ranks = 1, .steps = 4, .seed_from_clock = true, .nodes = 2}, "");
  EXPECT_EQ(results(nodes.log), results(run({.ranks = 2, .steps = 4, .seed = seed_of(nodes.log)}).log));
}

TEST_F(Checkpoint, KeepsTheSeedOfTheClock) {
  const Options options{
      .ranks = 2, .steps = 6, .seed_from_clock = true, .save = folder(), .save_interval = 3};
  const Trained whole = run(options);
  put("ckpt/latest_checkpointed_iteration.txt", "3");
  const Trained after = run({.ranks = 2, .steps = 6, .seed_from_clock = true, .load = folder()});
  EXPECT_EQ(after.code, 0) << after.errors;
  EXPECT_EQ(results(after.log), results(whole.log, 3));
}

constexpr const char* kExiting = "[exiting program after receiving SIGTERM.] datetime: ";

TEST_F(Checkpoint, IsSavedWhenToldToEnd) {
  const Options options{.ranks = 2, .steps = kEndless, .save = folder(), .save_on_term = true};
  Node node(options);
  ASSERT_TRUE(node.has_said("] iteration        3/"));
  node.signal(SIGTERM);
  EXPECT_EQ(node.code(), 0) << node.errors();
  EXPECT_EQ(node.errors(), "");
  EXPECT_NE(node.log().find(kExiting), std::string::npos);
  EXPECT_EQ(node.log().find("after training is done"), std::string::npos);
  const int last = last_step(node.log());
  EXPECT_EQ(get("ckpt/latest_checkpointed_iteration.txt"), std::to_string(last));
  const Options whole{.ranks = 2, .steps = kEndless, .stop_at = last + 3};
  Options after = whole;
  after.load = folder();
  EXPECT_EQ(results(run(after).log), results(run(whole).log, last));
}

// As those do who stop a whole group of processes: launcher and ranks get it at once, and again.
TEST_F(Checkpoint, IsSavedOnceHoweverManyAreToldToEnd) {
  const Options options{
      .ranks = 3, .steps = kEndless, .save = folder(), .save_interval = 1, .save_on_term = true};
  Node node([&](int log) {
    setpgid(0, 0);
    write_line(log, "group " + std::to_string(getpid()));
    return train(options, kTiny, log);
  });
  ASSERT_TRUE(node.has_said("] iteration        3/"));
  const pid_t group = std::stoi(node.log().substr(node.log().find("group ") + 6));
  kill(-group, SIGTERM);
  kill(-group, SIGTERM);
  EXPECT_EQ(node.code(), 0) << node.errors();
  const std::string line = "saving checkpoint at iteration ";
  std::multiset<std::string> saved;
  for (const std::string& said : lines_of(node.log()))
    if (said.starts_with(line)) saved.insert(said);
  EXPECT_EQ(saved.size(), static_cast<std::size_t>(last_step(node.log())));
  EXPECT_EQ(std::set(saved.begin(), saved.end()).size(), saved.size());
}

TEST_F(Checkpoint, IsSavedAtOneStepOfAllNodes) {
  for (const std::size_t told : {0, 1}) {
    const Port port("127.0.0.1");
    Options options{.ranks = 2, .steps = kEndless, .save = folder(), .save_on_term = true, .nodes = 2};
    Node first(node_of(port, 0, options)), second(node_of(port, 1, options));
    ASSERT_TRUE(second.has_said("] iteration        3/"));
    (told == 0 ? first : second).signal(SIGTERM);
    EXPECT_EQ(second.code(), 0) << second.errors();
    EXPECT_EQ(first.code(), 0) << first.errors();
    EXPECT_NE(first.log().find(kExiting), std::string::npos);
    EXPECT_EQ(get("ckpt/latest_checkpointed_iteration.txt"), std::to_string(last_step(second.log())));
  }
}

TEST_F(Checkpoint, IsNotSavedByWhoDoesNotAskForIt) {
  Node node(Options{.ranks = 2, .steps = kEndless, .save = folder()});
  ASSERT_TRUE(node.has_said("] iteration "));
  node.signal(SIGTERM);
  EXPECT_EQ(node.code(), 128 + SIGTERM);
  EXPECT_FALSE(std::filesystem::exists(folder()));
}

// Killed when half of the second checkpoint is there.
TEST_F(Checkpoint, ThatIsHalfSavedIsNotTheLatest) {
  ASSERT_EQ(run({.steps = 12, .stop_at = 2, .save = folder(), .save_interval = 2}).code, 0);
  const Options slow{
      .steps = 12, .save = folder(), .save_interval = 2, .save_ms = 1'000'000, .load = folder()};
  Node node(slow);
  ASSERT_TRUE(node.has_said("saving checkpoint at iteration       4 to "));
  const Deadline end = patience();
  while (!std::filesystem::exists(file(4) + ".part") && milliseconds_until(end) > 0) sched_yield();
  node.end();
  EXPECT_TRUE(std::filesystem::exists(file(4) + ".part"));
  EXPECT_FALSE(std::filesystem::exists(file(4)));
  EXPECT_EQ(get("ckpt/latest_checkpointed_iteration.txt"), "2");
  const Trained whole = run({.steps = 12});
  EXPECT_EQ(results(run({.steps = 12, .save = folder(), .save_interval = 2, .load = folder()}).log),
            results(whole.log, 2));
  EXPECT_FALSE(std::filesystem::exists(file(4) + ".part"));
}

// Whatever was printed before a kill, or after the next start, is what one whole training prints.
TEST_F(Checkpoint, GoesOnAfterTwentyKills) {
  constexpr int kKills = 20, kMostLines = 12, kAhead = 4096;
  const Options whole_options{.ranks = 2, .steps = 500};
  Options options = whole_options;
  options.save = options.load = folder();
  options.save_interval = 2;
  options.save_ms = 1;
  const auto whole = results(run(whole_options).log);
  std::set<std::string> said;
  Random random(20);
  const auto work = [&](int log) { return train(options, kTiny, log); };
  for (int kills = 0; kills < kKills; ++kills) {
    Node node(work, kAhead);
    EXPECT_TRUE(node.has_said("[before the start of training step]")) << node.errors();
    for (std::size_t lines = random.below(kMostLines); lines > 0; --lines) EXPECT_TRUE(node.says_a_line());
    node.end();
    for (const std::string& line : results(node.log().substr(0, node.log().rfind('\n') + 1)))
      said.insert(line);
  }
  EXPECT_LT(said.size(), whole.size());
  EXPECT_FALSE(said.empty());
  const Trained rest = run(options);
  EXPECT_EQ(rest.code, 0) << rest.errors;
  for (const std::string& line : results(rest.log)) said.insert(line);
  EXPECT_EQ(std::vector(said.begin(), said.end()), whole);
}

}  // namespace
}  // namespace tinygpt::checkpoint_test
