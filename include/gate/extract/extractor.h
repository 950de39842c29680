// From log bytes to series.
//
//   Extractor extractor = *Extractor::make(options);
//   extractor.begin_file("train.log");
//   extractor.feed(bytes);             // any number of times, cut anywhere
//   Extraction result = extractor.finish();
//
// Feeding a log cut at any bytes gives the same result as feeding it whole.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/extract/scan_result.h"
#include "gate/model/numbers/live_sample.h"
#include "gate/model/numbers/metric.h"
#include "gate/model/runs/extraction.h"

namespace gate::extract {

// A metric of gate.toml with its own pattern: named groups `value` (required), `step`, `rank`. Without `step`
// a value belongs to the step that its source printed last, or is the k-th of its attempt where the metric is
// numbered so.
struct UserPattern {
  std::string metric;
  std::string regex;
  Decimal scale{1, 0};          // the value is multiplied by it
  std::string group = "value";  // the named group that holds the value
  std::string origin = {};      // as messages call it; "": metrics.METRIC.pattern
  bool thousands = false;       // a single comma between digits parts thousands
};

// Fails where Extractor::make() does because of the pattern, whose value may stand in a group of the metric's
// name, too.
Status check_pattern(const UserPattern& pattern);

// Return the named groups of the regex but `step` and `rank`, in their order: what it reads. Nothing of one
// that RE2 refuses.
std::vector<std::string> metrics_in(const std::string& regex);

// Return the patterns that a regex makes where no gate.toml declares metrics: one for each named group but
// `step` and `rank`, for a metric of the group's name. Fails as Extractor::make() does.
Result<std::vector<UserPattern>> patterns_of(const std::string& regex, const std::string& origin);

// A metric of gate.toml that JSON lines hold under the name `key`; nested names are joined with points.
struct JsonMetric {
  std::string metric;
  std::string key;
  Decimal scale{1, 0};  // the value is multiplied by it
};

// What JSON lines call their numbers and values; "" is one of the usual names.
struct JsonNames {
  std::string step, total, rank;
  std::vector<JsonMetric> metrics;

  bool empty() const { return step.empty() && total.empty() && rank.empty() && metrics.empty(); }
};

// Which attempt is judged, and what a person said of it.
struct AttemptChoice {
  std::optional<int> number;  // the k-th, from 1; none: the last one
  bool said = false;          // a person said so: what may be an attempt of its own is one
};

// A metric of another attempt than the one that is judged, with the name that its series get.
struct AttemptMetric {
  std::string name;  // `lm_loss@1`
  std::string metric;
  AttemptChoice attempt;
};

// How the sources of a log (ranks, hosts, files) belong together: as their lines, times and values tell, or
// the k-th run of each is one attempt.
enum class Sources : std::uint8_t { automatic, together };

// What numbers the records of the Trainer of transformers, which print no step: the progress bar that is
// drawn beside them, where there is one; or each is one more.
enum class StepsOf : std::uint8_t { bar, count };

// What the flags of a script tell of a profiler, `--profile --profile-step-start 5 --profile-step-end 7`: it
// counts where the log prints no argument `profile`, and without steps in logs of Megatron-LM alone.
struct ProfilerFlags {
  std::optional<std::string> start, end = {};  // as written; "": its text does not tell it; none: no flag
};

struct Options {
  // Names of formats; empty or {"auto"}: decided from the content; {"none"}: patterns alone.
  std::vector<std::string> formats;
  std::vector<UserPattern> patterns;
  MetricTable metrics;
  AttemptChoice attempt;
  std::vector<AttemptMetric> of_attempts = {};  // what is judged beside it
  Sources sources = Sources::automatic;
  StepsOf steps_of = StepsOf::bar;
  bool all_attempts =
      false;  // keep them, however many there are; else of a storm of restarts some are only counted
  std::optional<ProfilerFlags> profiler = {};  // none: the script turns none on
  bool restarts = false;  // the script starts a failed training again: a restart is no problem
  JsonNames json = {};    // for format `jsonl`; where a log holds one of the names, auto means this format
  // How a line is shown: what is quoted of lines that hold no record (known messages, what an unknown log
  // looks like) is quoted from what this makes of them. None: as they are. Samples are read before it.
  std::function<std::string(std::string_view)> mask = nullptr;
  // Tells whether a process of that number is none of the run's: a device's memory that it holds before the
  // first step is missing by no fault of the run. None: nobody knows.
  std::function<bool(std::int64_t)> is_foreign = nullptr;
  // So much of a log is read line by line before lines that hold nothing are passed over. It changes how fast
  // a log is read, and nothing else.
  std::size_t scan_after = std::size_t{64} << 10;
  // How many threads whoever reads the log's files may use; 0: as many as there are cores, up to four.
  std::size_t threads = 0;
};

class Extractor {
 public:
  // Fails with the offending word: an unknown format (with a suggestion), a pattern that RE2 refuses (with
  // its reason and place) or that lacks the group `value`.
  static Result<Extractor> make(Options options);

  Extractor(Extractor&&) noexcept;
  Extractor& operator=(Extractor&&) noexcept;
  ~Extractor();

  // Call `on_sample` for each sample as soon as its line is complete.
  void on_sample(std::function<void(const LiveSample&)> on_sample);

  // Start a further file of the same run; its name is what problems and samples are located by. `rank` is
  // that of the process that writes it; where none is given the name may tell it (`worker_3.log`).
  void begin_file(std::string name, std::optional<int> rank = std::nullopt);

  // Go on with a file that was begun earlier, by its place among them from 0: growing files may take turns.
  void resume_file(std::size_t index);

  // Take bytes of the file that was begun or resumed last.
  void feed(std::string_view bytes);

  // The script was started again: what follows in all files is of its further start, which goes on at some
  // step. A line that has not ended was cut off. What was said of failures until now is forgotten: whoever
  // starts a script again knows how it ended.
  void begin_start();

  // Look at some of the log ahead: from then on lines that hold nothing are passed over.
  void learn(std::string_view sample);

  // Return what there is to read in bytes that will be fed, whichever bytes come before them: most of the
  // work of reading, and the part that several threads may do at once while another one feeds, behind
  // learn(). What is returned refers to the bytes, which stay where they are until they were fed.
  ScanResult scan(std::string_view bytes) const;

  // Take bytes with what scan() said of them.
  void feed(std::string_view bytes, const ScanResult& scanned);

  // Return what was read; the last line counts without a newline. Call it once. Where nothing at all was
  // understood, each file has a problem `unreadable` that says what it is, and notes show what its lines look
  // like. Of each kind of problem 1000 are kept; a note counts the rest.
  Extraction finish();

  // What is known so far: the last step printed in the current attempt, and the total that its log announces.
  std::int64_t last_step() const;
  std::optional<std::int64_t> total() const;

  // Tell whether the log tells so far that steps of the training are profiled.
  bool is_profiled() const;

 private:
  struct State;
  explicit Extractor(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace gate::extract
