// The inside of Extractor: bytes -> lines -> records -> buffers -> attempts.
//
// Bytes come in blocks. What can be said of a block without knowing what came before it is said first, by any
// thread (scan); all that has a memory is done by one thread, in the order of the log (feed). A line goes
//
//   scan            a literal of a reader stands on it, else it is passed over (scan/literal_scan.h). What
//                   nothing but patterns wants is read right there, into columns (stretch_reader.h)
//   LineSkimmer     tells wanted lines with their numbers, and stretches of columns. As long as somebody
//                   waits for what comes next (has_pending), it tells every line
//   clean           without escape sequences; its launcher's prefix is its source
//   candidates_     each format has the line on a track of its own (format_candidates.h); a record of it goes
//                   into the books of that track, with place and source
//   messages_       unless a record stands on it: a known message, an exception, a traceback
//   patterns_       the suite's own; what they read goes into the books of all tracks
//   shapes_         what nobody read: its shape is counted, for the note on numbers that nothing reads
//
// At the end (finish) it is chosen which format is meant (choice.h), and the books of that track alone are
// put together to attempts (attempts/assign.h), of which one is judged. Files do not mix on the way: each has
// its own skimmer and prefix, and is read until another one is fed. A file of scalars that a tracker wrote
// (TensorBoard's event files) has a reader in place of lines.
//
// The first bytes (Options::scan_after) are read line by line: they are the sample in which it is learned
// what is rare in this log. A shorter log never gets to scanning.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "extract/events/event_reader.h"
#include "extract/format_candidates.h"
#include "extract/line_readers.h"
#include "extract/messages/message_log.h"
#include "extract/patterns/user_pattern.h"
#include "extract/profiler_arguments.h"
#include "extract/records/readings.h"
#include "extract/scan/line_shapes.h"
#include "extract/scan/line_splitter.h"
#include "extract/setup_arguments.h"
#include "extract/stretch_reader.h"
#include "extract/tracker_links.h"
#include "gate/base/sentence.h"
#include "gate/extract/extractor.h"

namespace gate::extract {

// What a file is, where no line of it was understood.
class FileProfile {
 public:
  explicit FileProfile(std::string name) : name_(std::move(name)) {}

  void add(std::string_view bytes);
  void count_matches(std::size_t more) { matches_ += static_cast<std::int64_t>(more); }

  // Return why nothing was read: `empty`, `binary (gzip ...)`, `no line of a known format`.
  Sentence why_nothing() const;

  const std::string& name() const { return name_; }
  std::int64_t bytes() const { return bytes_; }
  bool is_text() const { return !binary_ && !blank_; }
  bool matched() const { return matches_ > 0; }
  std::int64_t matches() const { return matches_; }

 private:
  std::string name_;
  std::string head_;  // its first bytes
  std::int64_t bytes_ = 0;
  std::int64_t matches_ = 0;
  bool binary_ = false;  // it has NUL bytes
  bool blank_ = true;
};

class Engine {
 public:
  Engine(Options options, const std::vector<const FormatSpec*>& formats, FormatMode mode,
         std::vector<PatternReader> patterns);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void begin_file(std::string name, std::optional<int> rank);
  void resume_file(std::size_t index);
  void feed(std::string_view bytes);
  void feed(std::string_view bytes, const ScanResult& scanned);
  ScanResult scan(std::string_view bytes) const;
  void learn(std::string_view sample);
  void begin_start();
  Extraction finish();

  void on_sample(std::function<void(const LiveSample&)> on_sample) {
    candidates_.on_sample(std::move(on_sample));
  }
  bool is_profiled() const { return profiler_.is_on(); }
  const Live& live() const { return candidates_.leading().live(); }

 private:
  struct File {
    FileProfile profile;
    LineSkimmer lines;
    std::optional<int> rank;
    bool told = false;                         // what it is
    std::string head = {};                     // held back until that is told
    std::unique_ptr<EventReader> events = {};  // reads it instead of lines
    std::string line_start = {};  // the first part of the physical line, as far as its prefix may reach
  };

  void tell_kind(File& file);
  std::unique_ptr<EventReader> begin_events(const File& file, const TrackerKind& kind);
  std::uint32_t stream_of(std::uint32_t index);
  void feed_kind(File& file, std::string_view bytes, const ScanResult& scanned);
  void collect_sample(std::string_view bytes);
  bool store_stretch(const Stretch& stretch, const FoundLine& found, std::string_view text,
                     std::uint32_t line);
  void collect_between(const Stretch& stretch, const FoundLine& found, std::string_view text);
  bool wants_shapes() const;
  bool collects_unread() const;
  void collect_unread(std::string_view lines);
  void collect_unread(CleanLine line, ReaderMask readers);
  bool has_pending() const;
  void read(const LogLine& line);
  CleanLine clean(const LogLine& line);
  const MessageRow* read_message(const CleanLine& line);  // how it says that the run failed, or nullptr
  bool is_held_by_others(std::string_view line) const;
  CleanLine shown(CleanLine line);
  void set_prefix(const LogLine& line, CleanLine& clean);
  void note_match(const RecordOrigin& origin, std::size_t count = 1);
  LinePlace here(std::uint32_t line) const;
  std::int64_t count_matches() const;
  void count(const FormatCandidate& candidate, Extraction& extraction) const;
  void count_events(Extraction& extraction) const;
  void judge(FormatCandidate& candidate, Extraction& extraction);
  static void tell_filled(const AttemptBuffers& buffers, Extraction& extraction);
  void tell_bar(const FormatCandidate& candidate, Extraction& extraction) const;
  Sentence resumed_at_end() const;
  void tell_loaded(Extraction& extraction) const;
  void tell_nothing(Extraction& extraction);
  void tell_unread(Extraction& extraction);
  void tell_crash_marks();
  void tell_torn_ends(Extraction& extraction) const;
  void tell_equal_ranks();
  void tell_choice(std::span<const FoundFormat> found, const Choice& choice, Extraction& extraction);

  Options options_;
  ProblemLog problems_;  // of lines and files, whatever they mean
  MessageLog messages_;
  ProfilerArguments profiler_;
  SetupArguments setup_;
  TrackerLinks links_;
  std::vector<PatternReader> patterns_;
  std::vector<const FormatSpec*> formats_;
  FormatCandidates candidates_;
  LineReaders line_readers_;
  std::vector<InColumns> in_columns_;  // how the values of each pattern are numbered there
  std::string sample_;                 // the beginning of the log, until there is enough of it
  LiteralHits wanted_;                 // of the line at hand
  EventTally tally_;
  std::map<std::string, std::uint32_t, std::less<>> event_streams_;  // the first file of each run or folder
  std::deque<File> files_;
  std::size_t current_ = 0;
  LineShapes shapes_;                           // of lines that nothing read
  std::size_t shown_ = 0;                       // bytes of these
  std::optional<std::int64_t> matches_beside_;  // records among which these stood, where there were more
  bool matched_ = false;
  std::optional<std::uint32_t> record_line_;  // the line on which a record was found last
  std::string plain_;                         // the line without escape sequences
  std::string masked_;
};

}  // namespace gate::extract
