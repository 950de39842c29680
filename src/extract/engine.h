// The inside of Extractor: bytes -> lines -> records -> books -> attempts.
//
// Where the format is to be found out, each one has a track of its own, which begins at its first record with
// what the user's patterns gave until then; the track of the format that is meant is the one that counts.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "extract/choice.h"
#include "extract/event_reader.h"
#include "extract/file_look.h"
#include "extract/line_shapes.h"
#include "extract/line_splitter.h"
#include "extract/message_log.h"
#include "extract/problem_log.h"
#include "extract/track.h"
#include "extract/user_pattern.h"
#include "gate/extract/extractor.h"

namespace gate::extract {

// Each format on a track of its own, one of which is meant; or all on one track.
enum class Meant : std::uint8_t { one, all };

class Engine {
 public:
  Engine(Options options, const std::vector<const FormatSpec*>& formats, Meant meant,
         std::vector<PatternReader> patterns);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void begin_file(std::string name, std::optional<int> rank);
  void resume_file(std::size_t index);
  void feed(std::string_view bytes);
  Extraction finish();

  void on_sample(std::function<void(const LiveSample&)> take);
  const Live& live() const { return leading_->live(); }

 private:
  struct File {
    FileLook look;
    LineSplitter splitter;
    std::optional<int> rank;
    bool told = false;                         // what it is
    std::string head = {};                     // held back until that is told
    std::unique_ptr<EventReader> events = {};  // reads it instead of lines
    std::string line_start = {};  // the first part of the physical line, as far as its prefix may reach
  };

  void tell_kind(File& file);
  std::unique_ptr<EventReader> begin_events(std::optional<int> rank);
  void take(File& file, std::string_view bytes);
  void finish_file(File& file);
  void read(const Line& line);
  CleanLine clean(const Line& line);
  CleanLine shown(CleanLine line);
  void set_prefix(const Line& line, CleanLine& clean);
  void saw(Track& track, const Origin& origin);
  void begin(Track& track);
  void post_all(std::size_t reader, const Record& record, const Origin& origin);
  void note_match(const Origin& origin);
  void tell_long_line(const Line& line);
  void tell_sample(const Track& track, const LiveSample& sample);
  std::vector<Found> found() const;
  Place here(std::uint32_t line) const;
  void count(const Track& track, Extraction& extraction) const;
  void count_events(Extraction& extraction) const;
  void settle_all(Track& track, Extraction& extraction);
  void tell_nothing(Extraction& extraction);
  void tell_crash_marks();
  void tell_choice(const Choice& choice, Extraction& extraction);

  Options options_;
  ProblemLog problems_;  // of lines and files, whatever they mean
  MessageLog messages_;
  std::vector<PatternReader> patterns_;
  std::deque<Track> tracks_;   // the first one is that of the patterns, or of everything
  std::vector<Track*> begun_;  // tracks that are given what the patterns read
  Track* leading_;             // the one that counts as far as it is known
  std::function<void(const LiveSample&)> take_;
  const Track* told_ = nullptr;  // the one whose sample was told last
  EventTally tally_;
  std::deque<File> files_;
  std::size_t current_ = 0;
  LineShapes shapes_;
  bool matched_ = false;
  std::optional<std::uint32_t> record_line_;  // the line on which a record was found last
  std::string plain_;                         // the line without escape sequences
  std::string masked_;
};

}  // namespace gate::extract
