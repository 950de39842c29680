#include "simulator.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "reading.h"

namespace gate::extract::simulator_test {
namespace {

using simulator::Log;
using simulator::Shape;
using simulator::Simulator;

Extraction read(const Log& log, bool all_attempts = false) {
  Options options{{"megatron"}, {}, {}, {}};
  options.all_attempts = all_attempts;
  Extractor extractor = make(std::move(options));
  for (const auto& [name, text] : log.files) {
    extractor.begin_file(name);
    extractor.feed(text);
  }
  return extractor.finish();
}

std::string joined(const std::map<std::int64_t, std::string>& values) {
  std::string text;
  for (const auto& [number, word] : values)
    text += (text.empty() ? "" : " ") + fmt::format("{}={}", number, word);
  return text;
}

std::string joined(const std::vector<std::string>& values) {
  std::map<std::int64_t, std::string> numbered;
  for (std::size_t i = 0; i < values.size(); ++i) numbered[static_cast<std::int64_t>(i) + 1] = values[i];
  return joined(numbered);
}

enum class Read { right, not_green, wrong };

// Against a baseline of all steps, what lacks one, is in conflict or in doubt is not green.
Read judged(const Log& log, const Shape& shape) {
  const Extraction x = read(log);
  const Series* loss = find_series(x.series, "lm_loss", {});
  if (!x.doubt.empty() || loss == nullptr || !loss->conflicts().empty()) return Read::not_green;
  const std::string truth = joined(log.loss), found = words(*loss);
  const Series* memory = find_series(x.series, "memory_allocated", 0);
  const std::string reports = memory == nullptr ? "" : words(*memory);
  if (found == truth && reports == joined(log.memory)) return Read::right;
  if (shape.two_writers && found == joined(log.other_loss)) return Read::right;  // where they hardly meet
  if (memory == nullptr ? !log.memory.empty() : memory->size() != log.memory.size()) return Read::not_green;
  std::size_t whole = 0;
  for (const Sample& sample : loss->samples()) whole += sample.text.empty() ? 0 : 1;
  const bool is_whole = whole == static_cast<std::size_t>(log.total / shape.interval);
  const bool is_restart = shape.two_writers && log.turns < 3;  // nobody can tell it from one
  return is_whole && !is_restart ? Read::wrong : Read::not_green;
}

std::string asked(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

// GATE_LOGS says how many logs of each shape, GATE_SHOW names a shape of which some that are not judged are
// shown.
int rounds() {
  const std::string logs = asked("GATE_LOGS");
  return logs.empty() ? (SANITIZED ? 5 : 360) : std::stoi(logs);
}

std::uint64_t more_rounds() { return static_cast<std::uint64_t>(std::max(1, rounds() / 180)); }

void show(const Log& log) {
  for (const auto& [name, text] : log.files) std::printf("%s\n%s", name.c_str(), text.c_str());
  std::printf("the truth: %s\nmemory: %s\n", joined(log.loss).c_str(), joined(log.memory).c_str());
}

TEST(Simulator, what_is_judged_is_the_truth_or_it_is_not_green) {
  for (const Shape& shape : simulator::shapes()) {
    int right = 0, shown = 0;
    for (int seed = 0; seed < rounds(); ++seed) {
      const Log log = Simulator(shape, static_cast<std::uint64_t>(seed)).run();
      const Read read = judged(log, shape);
      ASSERT_NE(read, Read::wrong) << shape.name << ", seed " << seed << "\n"
                                   << log.files[0].second << joined(log.loss);
      if (read != Read::right && shape.name == asked("GATE_SHOW") && ++shown < 3) show(log);
      EXPECT_TRUE(log.turns < 5 || log.deterministic || read == Read::not_green)
          << shape.name << ", seed " << seed << "\n"
          << log.files[0].second;
      right += read == Read::right ? 1 : 0;
    }
    const double share = 100.0 * right / rounds();
    std::printf("%-40s %6.2f %% judged%s\n", shape.name.c_str(), share, shape.clear ? "" : " (ambiguous)");
    if (shape.clear) {
      EXPECT_GE(share, 99.0) << shape.name;
    }
  }
}

// What the series say, of whichever file.
std::string said(const Extraction& x) {
  std::string text;
  for (const Series& series : x.series) text += series.metric() + ": " + words(series) + "\n";
  return text;
}

// A crash loop in front of a log is forgotten while the log is read: what is judged is what would be. Where
// sources have forgotten attempts before another one is known, as those of files have, it may be in doubt.
TEST(Simulator, a_crash_loop_before_it_changes_nothing) {
  const std::vector<Shape> shapes = simulator::shapes();
  for (std::size_t i = 0; i < shapes.size(); i += SANITIZED ? 24 : 1) {
    Shape shape = shapes[i];
    shape.crashes = 560;
    int forgotten = 0, in_doubt = 0;
    for (std::uint64_t seed = 0; seed < more_rounds(); ++seed) {
      const Log beside =
          Simulator(shape, seed).run();  // reports of one attempt stand beside those of the next
      EXPECT_NE(judged(beside, shape), Read::wrong) << shape.name << ", seed " << seed;
    }
    shape.reports = 0;
    for (std::uint64_t seed = 0; seed < more_rounds(); ++seed) {
      const Log log = Simulator(shape, seed).run();
      const Extraction few = read(log), whole = read(log, true);
      forgotten += few.attempts_counted > 0 ? 1 : 0;
      if (!whole.doubt.empty()) continue;
      if (!few.doubt.empty()) {
        ++in_doubt;
        EXPECT_TRUE(shape.files || shape.end_to_end || !shape.clear) << shape.name << ", seed " << seed;
        continue;
      }
      EXPECT_EQ(said(few), said(whole)) << shape.name << ", seed " << seed;
      if (shape.files || shape.end_to_end || !shape.clear) continue;  // other attempts are counted otherwise
      EXPECT_EQ(few.attempts.size() + few.attempts_counted, whole.attempts.size())
          << shape.name << ", seed " << seed;
      EXPECT_EQ(few.notes, whole.notes) << shape.name << ", seed " << seed;
    }
    std::printf("%-40s forgotten %d, newly in doubt %d\n", shape.name.c_str(), forgotten, in_doubt);
  }
}

}  // namespace
}  // namespace gate::extract::simulator_test
