// Gathers the series of one golden file: what they are called, counted in and numbered by.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "gate/base/text.h"
#include "gate/model/numbers/decimal.h"
#include "gate/model/runs/baseline.h"
#include "schema/json/json_fields.h"

namespace gate::schema {

struct GoldenMetric {
  std::string name;
  std::string unit;
  Decimal to_gate{1, 0};  // one unit of the file in the metric's unit
};

// Return the metric of gate's own name, in gate's own unit.
GoldenMetric metric_named(std::string_view name);

// Return the metric that a tool of the Megatron family means by a key of its golden values (`iteration-time`,
// in seconds) or of its log (`elapsed time per iteration (ms)`). An unknown key names itself, in lower case
// and with `_` for what is no letter or digit; the name is empty if nothing remains.
GoldenMetric metric_of_key(std::string_view key);

// Which texts in the place of a number say that it was not recorded: `nan` and the infinities, or any.
enum class Texts : std::uint8_t { not_finite, any };

// What the file says of the steps that the positions of a list are: nothing, these, or that they are some.
enum class Placed : std::uint8_t { untold, told, unknown };

// The steps of a list without step numbers: element i is of step start + i * interval. Where nobody can tell
// the steps, its values are left out, and their steps stand as not recorded. A list of a speed of which
// nothing is told, and which is shorter than another such list of the file, is of the last steps: its tools
// leave out the first ones, which are slow. One value alone may be a mean as well, and is taken as step 1. A
// list of a loss that is shorter than one of a speed is a mistake.
struct Positions {
  int start = 1;
  int interval = 1;
  Placed placed = Placed::untold;
};

inline constexpr std::string_view full_precision = "full";  // a key's `value_precision`: nothing is rounded

// What a note says of keys that no reader knows.
Sentence unknown_keys(const std::vector<std::string>& keys);

class GoldenSeries {
 public:
  GoldenSeries(Texts unrecorded, Complaints& complaints)
      : unrecorded_(unrecorded), complaints_(&complaints) {}

  // Take the list of a key; its steps are assumed, which becomes a note.
  void add_list(const Json& key, const Json& list, const GoldenMetric& metric, Positions positions = {});

  // Take the members of a key's object (or named list) whose keys are steps, in any order; the key "0" is of
  // step `zero`. Complains of keys that are no whole number and of a step twice.
  void add_steps(const Json& key, const Json& steps, const GoldenMetric& metric, std::int64_t zero = 0);

  // Take one number as the first report of a metric that is numbered so.
  void add_report(const Json& number, const GoldenMetric& metric);

  // Note that a key is no one's but its file's: what it holds is a metric of its name.
  void add_own(const Json& member) {
    own_.push_back("\"" + printable(member.key, 80) + "\" (" + printable(metric_of_key(member.key).name, 80) +
                   ")");
  }

  // Leave out a member that no reader knows, which becomes a note.
  void skip(const Json& member) { skipped_.push_back("\"" + printable(member.key, 80) + "\""); }

  bool empty() const { return series_.empty(); }

  // Move all series into a run of the baseline, and append what a reader should know of them to its notes. A
  // series without any value is kept if the file names steps of it.
  void move_into(Baseline& baseline);

 private:
  Series start(const Json& json, const GoldenMetric& metric, Numbering numbered);
  void append(Series& series, std::int64_t number, const Json& json, const GoldenMetric& metric);
  void place_lists(Baseline& baseline);
  void refuse_short_losses(std::size_t speeds);
  void finish(const Json& key, const Json& values, Series series);

  struct ReadList {
    std::string key;
    std::size_t at;      // offset of its list
    std::size_t series;  // its place in series_
    std::size_t size;
    Positions positions;
  };

  Texts unrecorded_;
  Complaints* complaints_;
  std::vector<Series> series_;
  std::set<std::string> names_;
  std::vector<std::string> skipped_;  // keys
  std::vector<std::string> own_;      // likewise, with their metrics
  std::vector<Sentence> left_out_;    // notes
  std::string null_;                  // Baseline::null_value
  NamesBySentence unused_;            // why -> keys without values
  std::vector<ReadList> lists_;
};

}  // namespace gate::schema
