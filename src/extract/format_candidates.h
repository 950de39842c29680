// The tracks of a log: one for each format where one of them is meant, or one for all that were named.
//
// A track begins at the first record of its format, with what other readers (the user's patterns, event
// files) gave until then. The track of the format that is meant leads: its samples are told while the log is
// read, and it is the one that is settled at the end.
#pragma once

#include <deque>
#include <functional>
#include <span>
#include <vector>

#include "extract/choice.h"
#include "extract/format_candidate.h"
#include "extract/patterns/user_pattern.h"
#include "extract/scan/literal_windows.h"
#include "gate/extract/extractor.h"

namespace gate::extract {

// Each format on a track of its own, one of which is meant; or all on one track.
enum class FormatMode : std::uint8_t { one, all };

class FormatCandidates {
 public:
  // `saw` is called before a record of a format is posted. Readers of formats are numbered from
  // `first_reader` on.
  FormatCandidates(const MetricTable& metrics, Keep keep, std::span<const FormatSpec* const> formats,
                   FormatMode meant, std::size_t first_reader, std::function<void(const Origin&)> saw);
  FormatCandidates(const FormatCandidates&) = delete;
  FormatCandidates& operator=(const FormatCandidates&) = delete;

  // Take a line in which literals stand that these owners want: bit i is that of format i.
  void read(const CleanLine& line, ReaderMask owners);

  // Tell whether a format waits for whatever line comes next.
  bool awake() const { return awake_ != 0; }

  void end_file(std::uint32_t file);

  // Take a record of a reader that is no format: it counts whichever format is meant.
  void post(std::size_t reader, const Record& record, const Origin& origin);

  // Take a stretch whose block's first line is there, unless its records must be posted one by one: returns
  // whether it was taken. `patterns` are those of its columns.
  bool post(const Stretch& stretch, std::span<const PatternReader> patterns, Place first);

  // The file says that a run failed.
  void fail(std::uint32_t file);

  void on_sample(std::function<void(const LiveSample&)> take);

  // Tell whether somebody is told of each sample.
  bool are_told() const { return take_ != nullptr; }

  // Return the track that leads as far as it is known.
  FormatCandidate& leading() const;

  // Return the track that holds what no format read, or all.
  FormatCandidate& bare() { return tracks_.front(); }

  // Return what each format found, where one of them is meant.
  std::vector<Found> found() const;

 private:
  void set_awake(const FormatReader& reader, ReaderMask bit);
  void saw(FormatCandidate& track, const Origin& origin);
  void begin(FormatCandidate& track);
  void tell(const FormatCandidate& track, const LiveSample& sample);

  std::function<void(const Origin&)> saw_;
  std::function<void(const LiveSample&)> take_;
  mutable std::deque<FormatCandidate> tracks_;  // the first one is the bare one
  std::vector<FormatReader*> readers_;          // of all tracks, by format
  ReaderMask awake_ = 0;
  std::vector<FormatCandidate*> begun_;  // tracks that are given what is posted
  mutable FormatCandidate* leading_ = nullptr;
  mutable bool may_have_changed_ = false;  // who leads
  const FormatCandidate* told_ = nullptr;  // the one whose sample was told last
};

}  // namespace gate::extract
