// Records of a run of W&B, as its offline file holds them, to numbers under names.
//
//   Record { history(2) metric(12) run(17) ... }     run: run_id(1)     metric: name(1) glob_name(2)
//   step_metric(4) history { item(1) ... step(2) { num(1) } }       item: key(1) nested_key(2) ...
//   value_json(16)
//
// (wandb_internal.proto of https://github.com/wandb/wandb.) Other records are passed over: the summary
// repeats the history, `stats` are numbered by the clock, and the console's output is the log.
//
// A value is one number of JSON, or NaN, Infinity, -Infinity, as such or quoted. The parts of a nested name,
// and the names within an object, are joined with points; where the same joined with `/` is a known tag, it
// is that tag. What begins with `_` is W&B's own. A media object (it has a `_type`) is one other value.
//
// Values are numbered by `_step`, W&B's count of the records. Where the run says that a metric is drawn over
// another one (define_metric) whose name tells a step or iteration (`train/global_step`, as the Trainer of
// transformers does), they are numbered by that one, as it was logged last.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "extract/records/record.h"
#include "gate/base/sentence.h"

namespace gate::extract {

class WandbRun {
 public:
  using OnValue = std::function<void(std::string_view tag, std::string_view word, std::int64_t step)>;

  // Hand over the record's values: those of known tags first, then the others by their names, for W&B writes
  // them in no order. What is no number is added to `others`. Returns why the record is left out; "": it is
  // read.
  Sentence read(std::string_view record, const OnValue& on_value, std::int64_t& others);

  // Return the run's id; "" until a record told it.
  const std::string& id() const { return id_; }

 private:
  struct Item {
    const FieldRow* row;  // of a known tag; behind all of these where it is none
    std::string tag;
    std::string_view word;
  };
  // What one record of the history says.
  struct History {
    std::vector<Item> items;
    std::set<std::string> media;  // names that begin those of a media object's parts: `image.`
    std::optional<std::int64_t> step;
    bool malformed = false;

    void add_item(std::string_view message);
    void add(std::string tag, std::string_view json);
    bool is_in_media(std::string_view tag) const;
  };

  static History read_history(std::string_view message);
  Sentence tell(History history, const OnValue& on_value, std::int64_t& others);
  void note_steps(const History& history);
  bool define(std::string_view message);
  std::optional<std::int64_t> step_of(const std::string& tag, const History& history) const;

  std::string id_;
  std::map<std::string, std::string> step_metrics_;                 // by metric; "": `_step`
  std::vector<std::pair<std::string, std::string>> step_of_globs_;  // by what the metrics' names begin with
  std::set<std::string> numbering_;                                 // metrics that number others
  std::map<std::string, std::optional<std::int64_t>>
      last_steps_;  // what they were last; none: no whole number
};

}  // namespace gate::extract
