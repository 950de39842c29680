// A file of scalars to records, beside FormatReader's lines to records. What the engine does with a file:
//
//   tracker_kind_of(its first bytes, ...)  tells it from a log; the engine holds them back until they tell it
//   EventReader reader({kind, name, index}, metrics, problems_, tally_, [&](const Record&, LinePlace) { ...
//   }); reader.feed(bytes);                   instead of the line splitter, the messages and the shapes of
//   lines reader.finish();                      where end_file() is tally_.notes()                        in
//   finish(), once for all files
//
// Each scalar is a record of its own: role follower, number the step, one field, no rank, LinePlace::line the
// number of its record in the file (from 1; of a binary file it is no line that could be quoted). Each metric
// is an extractor of its own, the same in all files, so that a step that falls under it begins an attempt for
// it: tags may follow one another step by step, or each whole behind the other, and a resumed run goes on in
// a file of its own. The word, and what else the record views, lasts as long as the call; its row for good.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "extract/events/tracker_kinds.h"
#include "extract/records/readings.h"
#include "extract/records/record.h"
#include "gate/model/numbers/metric.h"

namespace gate::extract {

// Why a scalar is left out.
//   numbered_otherwise  by samples or tokens: see is_numbered_otherwise
//   read_already        another tag that came earlier in its file, or in its run, means the same metric
//   too_many_tags       the file has more tags of its own than are read
enum class LeftOut : std::uint8_t { numbered_otherwise, read_already, too_many_tags };

// Which tag of a file or run gives a metric.
using TagOfMetric = std::map<std::string, std::string, std::less<>>;

// What the files of scalars of one run hold and gate leaves out: counted, and said once for all of them.
class EventTally {
 public:
  // Return what the files have in common that say of themselves that they are of one run.
  TagOfMetric& tags_of(std::string_view run) { return tags_[std::string(run)]; }

  // Return a number for the metric: the same in all files.
  std::size_t index_of(std::string_view metric);

  void leave_out(LeftOut why, std::string_view tag);
  void add_other_values(std::int64_t count) { other_values_ += count; }

  // Return a note for each reason, with some of the tags. The order in which files come makes no difference.
  std::vector<Sentence> notes() const;

 private:
  struct LeftOutTags {
    std::int64_t scalars = 0;
    std::set<std::string> tags;  // at most most_tags
  };
  static constexpr std::size_t most_tags = 1000;
  static constexpr std::size_t reasons = static_cast<std::size_t>(LeftOut::too_many_tags) + 1;

  std::array<LeftOutTags, reasons> left_out_;
  std::map<std::string, TagOfMetric> tags_;  // by run
  std::map<std::string, std::size_t, std::less<>> indices_;
  std::int64_t other_values_ = 0;
};

// A file that is read, and its index in Extraction::files.
struct ScalarSource {
  const TrackerKind* kind;
  std::string_view path;
  std::uint32_t file;
};

// Reads one file of scalars. A tag that means no known metric is a metric of its own: the tag with `_` for
// each character that is no letter, digit or one of `_ - . / ( ) %`.
class EventReader {
 public:
  using OnRecord = std::function<void(const Record&, LinePlace)>;

  // Problems go to the log, what is left out to the tally.
  // Metrics that are numbered by report are read under names of their own, see step_metrics.h.
  EventReader(const ScalarSource& source, const MetricTable& metrics, ProblemLog& problems, EventTally& tally,
              OnRecord on_record);
  EventReader(const EventReader&) = delete;
  EventReader& operator=(const EventReader&) = delete;

  void feed(std::string_view bytes) { scalars_->feed(bytes); }

  // Let go of the file: tell of what its end cuts off. Call it once.
  void finish();

  std::int64_t matches() const { return matches_; }
  const TrackerKind& kind() const { return *kind_; }
  std::string_view run() const { return scalars_->run(); }

 private:
  void read(const Scalar& scalar);
  const FieldRow* row_of(std::string_view tag);
  bool is_otherwise(std::string_view tag) const;
  bool is_read_already(const FieldRow& row);
  const FieldRow* row_by_step(const FieldRow& known);
  const FieldRow* new_own_row(std::string_view tag);

  const TrackerKind* kind_;
  std::uint32_t file_;
  const MetricTable* metrics_;
  ProblemLog* problems_;
  EventTally* tally_;
  OnRecord on_record_;
  std::unique_ptr<ScalarFile> scalars_;
  struct OwnTag {
    std::string tag;
    std::string metric;
    FieldRow row;
  };
  std::map<std::string, std::unique_ptr<OwnTag>, std::less<>> own_;  // by tag
  std::map<std::string_view, std::unique_ptr<OwnTag>> by_step_;      // by tag
  TagOfMetric own_metrics_;
  TagOfMetric* read_metrics_;  // these, or those of the run
  std::int64_t matches_ = 0;
};

}  // namespace gate::extract
