// The inside of Extractor: bytes -> lines -> records -> books -> attempts.
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
#include "extract/file_look.h"
#include "extract/format_candidates.h"
#include "extract/messages/message_log.h"
#include "extract/patterns/user_pattern.h"
#include "extract/reader_mask.h"
#include "extract/records/problem_log.h"
#include "extract/scan/line_shapes.h"
#include "extract/scan/line_skimmer.h"
#include "extract/stretch_reader.h"
#include "gate/extract/extractor.h"

namespace gate::extract {

class Engine {
 public:
  Engine(Options options, const std::vector<const FormatSpec*>& formats, FormatMode meant,
         std::vector<PatternReader> patterns);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void begin_file(std::string name, std::optional<int> rank);
  void resume_file(std::size_t index);
  void feed(std::string_view bytes);
  void feed(std::string_view bytes, const ScanResult& skim);
  ScanResult skim(std::string_view bytes) const;
  void learn(std::string_view sample);
  Extraction finish();

  void on_sample(std::function<void(const LiveSample&)> take) { tracks_.on_sample(std::move(take)); }
  const Live& live() const { return tracks_.leading().live(); }

 private:
  struct File {
    FileLook look;
    LineSkimmer lines;
    std::optional<int> rank;
    bool told = false;                         // what it is
    std::string head = {};                     // held back until that is told
    std::unique_ptr<EventReader> events = {};  // reads it instead of lines
    std::string line_start = {};  // the first part of the physical line, as far as its prefix may reach
  };

  void tell_kind(File& file);
  std::unique_ptr<EventReader> begin_events(const File& file);
  void take(File& file, std::string_view bytes, const ScanResult& skim);
  void gather_sample(std::string_view bytes);
  bool take_stretch(const Stretch& stretch, std::uint32_t line);
  bool wants_shapes() const;
  bool awake() const;
  bool reads_ahead() const;
  void finish_file(File& file);
  void read(const Line& line);
  void post(std::size_t pattern, const Record& record, const CleanLine& line);
  CleanLine clean(const Line& line);
  void see_shape(const CleanLine& line);
  CleanLine shown(CleanLine line);
  void set_prefix(const Line& line, CleanLine& clean);
  void note_match(const Origin& origin, std::size_t count = 1);
  void tell_long_line(const Line& line);
  Place here(std::uint32_t line) const;
  void count(const FormatCandidate& track, Extraction& extraction) const;
  void count_events(Extraction& extraction) const;
  void settle_all(FormatCandidate& track, Extraction& extraction);
  void tell_nothing(Extraction& extraction);
  void tell_crash_marks();
  void tell_equal_ranks();
  void tell_choice(std::span<const Found> found, const Choice& choice, Extraction& extraction);

  Options options_;
  ProblemLog problems_;  // of lines and files, whatever they mean
  MessageLog messages_;
  std::vector<PatternReader> patterns_;
  std::vector<const FormatSpec*> formats_;
  FormatCandidates tracks_;
  LineOwners owners_;
  std::vector<InColumns> in_columns_;  // how the values of each pattern are numbered there
  std::string sample_;                 // the beginning of the log, until there is enough of it
  Wanted wanted_;                      // of the line at hand
  EventTally tally_;
  std::map<std::string, std::uint32_t> event_lanes_;  // the first event file of each folder
  std::deque<File> files_;
  std::size_t current_ = 0;
  LineShapes shapes_;
  std::size_t shown_ = 0;  // bytes of lines whose shapes were seen
  bool matched_ = false;
  std::optional<std::uint32_t> record_line_;  // the line on which a record was found last
  std::string plain_;                         // the line without escape sequences
  std::string masked_;
};

}  // namespace gate::extract
