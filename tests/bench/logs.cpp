// Writes a log of a kind to standard output, the same for the same seed, and to standard error what it holds,
// as JSON:
//   {"bytes": 1048691, "lines": 10412, "metrics": {"loss": {"count": 139, "first": "4.1837", "last":
//   "2.0911"}}}
//
//   bench_logs KIND BYTES [SEED]
//
// It ends with the first line that reaches BYTES.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "metric_lines.h"
#include "ordinary_lines.h"

namespace {

using namespace bench;

struct Log {
  explicit Log(std::uint64_t seed) : dice(seed), ordinary(dice) {}

  Dice dice;
  Writer out = {};
  Clock clock = {};
  OrdinaryLines ordinary;
  MetricLines metrics = {};
};

bool rare(Log& log) { return log.dice.below(50) == 0; }  // 2 %

void ordinary(Log& log) { log.ordinary.write(log.out, log.dice, log.clock.text()); }

void realistic(Log& log) {
  log.clock.tick(log.dice);
  rare(log) ? log.metrics.house_some(log.out, log.dice, log.clock.text()) : ordinary(log);
  log.out.end_line();
}

void dense(Log& log) {
  log.clock.tick(log.dice);
  rare(log) ? ordinary(log) : log.metrics.house(log.out, log.dice, log.clock.text());
  log.out.end_line();
}

void megatron(Log& log) {
  log.clock.tick(log.dice);
  rare(log) ? log.metrics.megatron(log.out, log.dice, log.clock.text()) : ordinary(log);
  log.out.end_line();
}

// Iteration lines alone.
void steps(Log& log) {
  log.clock.tick(log.dice);
  log.metrics.megatron(log.out, log.dice, log.clock.text());
  log.out.end_line();
}

// A crash loop: each attempt ends behind its second step.
void restarts(Log& log) {
  if (log.metrics.step() == 2) log.metrics.restart(1);
  steps(log);
}

// One step again and again, with other values each time.
void repeats(Log& log) {
  log.metrics.restart(1);
  steps(log);
}

void colours(Log& log) {
  log.out.text("\x1b[36m(worker pid=4242)\x1b[0m ");
  realistic(log);
}

void line(Log& log) {
  log.clock.tick(log.dice);
  ordinary(log);
  log.out.text(" ");
}

void random(Log& log) {
  std::uint64_t block[512];
  for (std::uint64_t& word : block) word = log.dice.next();
  log.out.text({reinterpret_cast<const char*>(block), sizeof block});
}

void nul(Log& log) { log.out.text(std::string(4096, '\0')); }

void returns(Log& log) { log.out.text(std::string(4096, '\r')); }

// 1 to 12 letters.
void brief(Log& log) {
  char letters[12];
  const std::uint64_t bits = log.dice.next();
  for (std::size_t i = 0; i < sizeof letters; ++i) letters[i] = static_cast<char>('A' + (bits >> 4 * i & 15));
  log.out.text({letters, 1 + (bits >> 52) % sizeof letters});
  log.out.end_line();
}

void candidates(Log& log) {
  MetricLines::candidate(log.out);
  log.out.end_line();
}

struct KindRow {
  std::string_view name;
  void (*write_some)(Log& log);
};

constexpr KindRow kinds[] = {
    {"realistic", realistic},
    {"dense", dense},
    {"line", line},
    {"random", random},
    {"nul", nul},
    {"returns", returns},
    {"short", brief},
    {"candidates", candidates},
    {"megatron", megatron},
    {"steps", steps},
    {"restarts", restarts},
    {"repeats", repeats},
    {"colours", colours},
};

std::string json(const Tally& tally) {
  const auto word = [](const Word& w) { return '"' + std::string(w.text()) + '"'; };
  return '"' + tally.metric + "\": {\"count\": " + std::to_string(tally.count) +
         ", \"first\": " + word(tally.first) + ", \"last\": " + word(tally.last) + "}";
}

void report(const Log& log) {
  std::string metrics;
  for (const Tally& tally : log.metrics.tallies()) metrics += (metrics.empty() ? "" : ", ") + json(tally);
  const std::string all = "{\"bytes\": " + std::to_string(log.out.bytes()) +
                          ", \"lines\": " + std::to_string(log.out.lines()) + ", \"metrics\": {" + metrics +
                          "}}\n";
  std::fputs(all.c_str(), stderr);
}

int usage() {
  std::fputs("usage: bench_logs KIND BYTES [SEED]; KIND is", stderr);
  for (const KindRow& kind : kinds) std::fprintf(stderr, " %s", kind.name.data());
  std::fputs("\n", stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return usage();
  const long long bytes = std::atoll(argv[2]);
  for (const KindRow& kind : kinds) {
    if (kind.name != argv[1]) continue;
    Log log(argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1);
    while (log.out.bytes() < bytes) kind.write_some(log);
    report(log);
    return 0;
  }
  return usage();
}
