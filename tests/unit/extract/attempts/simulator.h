// Launchers' logs, made up, and what they ought to be read as.
//
// A run is made of attempts; in each, one or several sources print the steps. What they print reaches the log
// late or early, in parts, or at the end, as launchers have it. The truth is known: the values of the last
// attempt, behind those of the attempts that it resumed from.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace gate::extract::simulator {

// How the sources print, and what happens to them.
struct Shape {
  std::string name;
  int sources = 1;
  bool ranks_vary = false;       // 1 to 4 sources instead
  int most_attempts = 1;         // 1 to so many
  bool resumes = false;          // attempts go on, else they begin at the first step
  bool one_source_each = false;  // each attempt is printed by one other source
  bool rank_changes = false;     // one source prints the first steps, another one the rest
  bool flushed = false;          // a source's lines come at the end of each attempt
  bool end_to_end = false;       // a source's lines come behind all of the other's
  int lag = 0;                   // lines of a source come up to so many seconds late
  bool files = false;            // each source has a file of its own
  bool times = false;            // lines print their time
  int interval = 1;              // between printed steps
  int reports = 0;               // memory reports of each rank in an attempt
  bool torn = false;             // some lines are broken in two
  bool two_writers = false;      // a second run prints into the same source
  bool crash_loop = false;       // many attempts of a step or two, and then a whole one
  int crashes = 0;               // before all that, so many attempts of a step or two
  bool clear = true;             // nothing about it is ambiguous
};

struct Log {
  std::vector<std::pair<std::string, std::string>> files;  // name and text
  std::map<std::int64_t, std::string> loss;                // of what is to be judged
  std::map<std::int64_t, std::string> other_loss;          // of a second run that writes beside it
  bool deterministic = false;                              // a step has the same loss each time
  int turns = 0;                                           // how often the two come after one another
  std::vector<std::string> memory;                         // of rank 0 in the last attempt
  std::int64_t total = 0;
};

class Simulator {
 public:
  Simulator(const Shape& shape, std::uint64_t seed) : shape_(shape), random_(seed) {}

  Log run() {
    sources_ = shape_.ranks_vary ? 1 + draw(4) : shape_.sources;
    log_.total = (5 + draw(16)) * shape_.interval;
    deterministic_ = log_.deterministic = draw(4) == 0;
    const int attempts = shape_.crash_loop ? 3 + draw(30) : 1 + draw(shape_.most_attempts);
    for (int i = 0; i < shape_.crashes + attempts; ++i) add_attempt(i, i + 1 == shape_.crashes + attempts);
    if (shape_.two_writers) add_second_writer();
    write();
    return log_;
  }

 private:
  struct Line {
    int source = 0;
    double arrives = 0;
    std::string text;
    bool second = false;  // of the second writer
  };

  int draw(int below) { return static_cast<int>(random_() % static_cast<std::uint64_t>(std::max(below, 1))); }

  std::string value(std::int64_t step) {
    const auto digits = deterministic_ ? (step * 7919 + 1234) % 9000 + 1000 : 1000 + draw(9000);
    return fmt::format("{}.{:03}E+00", digits / 1000, digits % 1000);
  }

  std::string stamp(double at) const {
    const int second = static_cast<int>(at);
    return fmt::format("[2026-03-01 {:02}:{:02}:{:02}.{:03}] ", 10 + second / 3600, second / 60 % 60,
                       second % 60, static_cast<int>((at - second) * 1000));
  }

  std::string step_line(std::int64_t step, const std::string& loss, double at) const {
    return fmt::format(
        " {}iteration {:8}/{:8} | elapsed time per iteration (ms): {} | lm loss: {} | number of nan "
        "iterations:   0 |",
        shape_.times ? stamp(at) : "", step, log_.total, time_, loss);
  }

  std::string report_line(int rank, std::int64_t step, const std::string& word) const {
    return fmt::format(
        "[Rank {}] (after {} iterations) memory (MB) | allocated: {} | max allocated: 2.0 | "
        "reserved: 3.0 | max reserved: 4.0",
        rank, step, word);
  }

  // The steps of an attempt, which the last one may not end either.
  std::pair<std::int64_t, std::int64_t> steps_of(int attempt, bool last) {
    const std::int64_t count = log_.total / shape_.interval;
    std::int64_t first = 1;
    if (attempt > 0 && shape_.resumes) first = begun_ + (ended_ > begun_ ? 1 + draw(ended_ - begun_) : 0);
    const bool ends = draw(4) > 0 || (deterministic_ && shape_.one_source_each);
    std::int64_t end = last && ends ? count : first + draw(static_cast<int>(count - first + 1));
    if ((shape_.crash_loop && !last) || attempt < shape_.crashes)
      end = std::min<std::int64_t>(first + draw(2), count);
    begun_ = static_cast<int>(first);
    ended_ = static_cast<int>(end);
    return {first * shape_.interval, end * shape_.interval};
  }

  void add_attempt(int attempt, bool last) {
    const auto [first, end] = steps_of(attempt, last);
    log_.loss.erase(log_.loss.lower_bound(first), log_.loss.end());
    log_.memory.clear();
    std::int64_t changes =
        first + draw(static_cast<int>((end - first) / shape_.interval) + 1) * shape_.interval;
    if (!shape_.rank_changes) changes = end + 1;
    const double begins = now_;
    for (std::int64_t step = first; step <= end; step += shape_.interval, now_ += 2) {
      const std::string loss = value(step);
      time_ = 100 + draw(9000);
      log_.loss[step] = loss;
      for (int source = 0; source < sources_; ++source) {
        if (shape_.one_source_each && source != attempt % sources_) continue;
        if (shape_.rank_changes && source != (step < changes ? 0 : 1)) continue;
        put(source, step_line(step, loss, now_ + 0.01 * source));
      }
      add_reports(step, first);
    }
    if (shape_.flushed) flush(begins);
    if (!last && (shape_.resumes || draw(2) == 0)) add_traceback();
    now_ += 40;
  }

  // Each source says why the run died, behind what it printed.
  void add_traceback() {
    now_ += 1;
    for (int source = 0; source < sources_; ++source)
      for (const char* line :
           {"Traceback (most recent call last):", "  File \"train.py\", line 4, in <module>",
            "RuntimeError: the loss scaler has had enough"})
        put(source, line);
  }

  void add_reports(std::int64_t step, std::int64_t first) {
    if ((step - first) / shape_.interval >= shape_.reports) return;
    for (int rank = 0; rank < 4; ++rank) {
      const std::string word = fmt::format("{}.5", 100 + draw(900));
      if (rank == 0) log_.memory.push_back(word);
      lines_.push_back({-1, now_ - 0.7 + 0.1 * draw(15), report_line(rank, step, word)});
    }
  }

  void put(int source, std::string text) {
    double& last = last_[source];
    last =
        std::max(last, now_ + (shape_.lag > 0 && source > 0 ? 0.1 * draw(10 * shape_.lag) : 0.01 * draw(50)));
    lines_.push_back({source, last, std::move(text)});
  }

  // All but the first source's lines since then come now.
  void flush(double since) {
    for (Line& line : lines_)
      if (line.source > 0 && line.arrives >= since) line.arrives = now_ + 0.001 * line.source;
  }

  // Another run writes the same steps into the same source, as fast, somewhat behind or before.
  void add_second_writer() {
    double at = 0.5 + draw(static_cast<int>(now_ / 2));
    for (std::int64_t step = shape_.interval; step <= log_.total; step += shape_.interval) {
      log_.other_loss[step] = value(step);
      lines_.push_back({0, at, step_line(step, log_.other_loss[step], at), true});
      at += 1.5 + 0.1 * draw(11);
    }
  }

  std::string prefix(int source) const {
    if (source < 0 || shape_.files || (sources_ == 1 && !shape_.ranks_vary)) return "";
    return fmt::format("node{}: ", source);
  }

  void write_line(const Line& line, std::string& text) {
    std::string whole = line.text;
    if (shape_.torn && whole.size() > 100 && draw(4) == 0) {
      const auto at = static_cast<std::size_t>(40 + draw(static_cast<int>(whole.size()) - 50));
      text += prefix(line.source) + whole.substr(0, at) + "\n";
      text += (draw(2) == 0 ? "" : prefix(line.source)) + whole.substr(at) + "\n";
      return;
    }
    text += prefix(line.source) + whole + "\n";
    if (draw(5) == 0) text += "some words of a trainer that say nothing\n";
  }

  void write() {
    std::stable_sort(lines_.begin(), lines_.end(),
                     [](const Line& a, const Line& b) { return a.arrives < b.arrives; });
    for (std::size_t i = 1; shape_.two_writers && i < lines_.size(); ++i)
      log_.turns += lines_[i].second != lines_[i - 1].second ? 1 : 0;
    if (shape_.end_to_end)
      std::stable_sort(lines_.begin(), lines_.end(),
                       [](const Line& a, const Line& b) { return a.source < b.source; });
    for (int file = 0; file < (shape_.files ? sources_ : 1); ++file) {
      std::string text;
      for (const Line& line : lines_)
        if (!shape_.files || std::max(line.source, 0) == file) write_line(line, text);
      log_.files.emplace_back(fmt::format("{}.log", static_cast<char>('a' + file)), std::move(text));
    }
  }

  Shape shape_;
  std::mt19937_64 random_;
  Log log_;
  int sources_ = 1;
  bool deterministic_ = false;
  int begun_ = 0;
  int ended_ = 0;
  int time_ = 0;  // of the step at hand
  double now_ = 1;
  std::map<int, double> last_;
  std::vector<Line> lines_;
};

inline std::vector<Shape> shapes() {
  return {
      {.name = "one run"},
      {.name = "several ranks", .ranks_vary = true, .lag = 3, .reports = 2},
      {.name = "restarts", .most_attempts = 4, .reports = 1},
      {.name = "resumes", .most_attempts = 4, .resumes = true, .reports = 1},
      {.name = "crash loop", .crash_loop = true},
      {.name = "crash loop of ranks", .sources = 2, .crash_loop = true},
      {.name = "ranks and restarts", .ranks_vary = true, .most_attempts = 4, .lag = 2, .reports = 1},
      {.name = "ranks and resumes", .ranks_vary = true, .most_attempts = 4, .resumes = true, .lag = 2},
      {.name = "elastic restarts with times",
       .sources = 3,
       .most_attempts = 4,
       .one_source_each = true,
       .times = true},
      {.name = "flushed at exit", .sources = 2, .most_attempts = 3, .flushed = true},
      {.name = "flushed at exit, with times",
       .sources = 2,
       .most_attempts = 3,
       .resumes = true,
       .flushed = true,
       .times = true},
      {.name = "end to end", .sources = 2, .most_attempts = 3, .end_to_end = true},
      {.name = "end to end, resumes",
       .sources = 3,
       .most_attempts = 3,
       .resumes = true,
       .end_to_end = true,
       .times = true},
      {.name = "late tails with times",
       .sources = 2,
       .most_attempts = 3,
       .resumes = true,
       .lag = 60,
       .times = true},
      {.name = "late tails", .sources = 2, .most_attempts = 3, .lag = 60, .clear = false},
      {.name = "printing rank changes", .sources = 2, .rank_changes = true},
      {.name = "printing rank changes, restarts, times",
       .sources = 2,
       .most_attempts = 3,
       .rank_changes = true,
       .times = true,
       .clear = false},
      {.name = "every 10 steps",
       .ranks_vary = true,
       .most_attempts = 3,
       .resumes = true,
       .lag = 2,
       .interval = 10},
      {.name = "every 100 steps", .most_attempts = 3, .interval = 100},
      {.name = "files of ranks", .sources = 3, .most_attempts = 3, .resumes = true, .files = true},
      {.name = "files of ranks, with times", .sources = 3, .most_attempts = 3, .files = true, .times = true},
      {.name = "torn lines", .ranks_vary = true, .most_attempts = 2, .torn = true},
      {.name = "elastic restarts", .sources = 3, .most_attempts = 4, .one_source_each = true, .clear = false},
      {.name = "elastic resumes",
       .sources = 3,
       .most_attempts = 4,
       .resumes = true,
       .one_source_each = true,
       .clear = false},
      {.name = "printing rank changes, restarts",
       .sources = 2,
       .most_attempts = 3,
       .rank_changes = true,
       .clear = false},
      {.name = "two writers", .two_writers = true, .clear = false},
      {.name = "two writers every 10 steps", .interval = 10, .two_writers = true, .clear = false},
  };
}

}  // namespace gate::extract::simulator
