// The inside of Extractor: bytes -> lines -> records -> books -> attempts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "extract/file_look.h"
#include "extract/format_reader.h"
#include "extract/ledger.h"
#include "extract/line_shapes.h"
#include "extract/line_splitter.h"
#include "extract/live.h"
#include "extract/message_log.h"
#include "extract/problem_log.h"
#include "extract/user_pattern.h"
#include "gate/extract/extractor.h"

namespace gate::extract {

class Engine {
 public:
  Engine(Options options, const std::vector<const FormatSpec*>& formats, std::vector<PatternReader> patterns);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  void begin_file(std::string name);
  void feed(std::string_view bytes);
  Extraction finish();

  Live& live() { return live_; }

 private:
  void read(const Line& line);
  CleanLine clean(const Line& line);
  CleanLine shown(CleanLine line);
  void set_prefix(const Line& line, CleanLine& clean);
  void post(std::size_t reader, const Record& record, const Origin& origin,
            std::span<const FieldRow> expected);
  void tell_long_line(const Line& line);
  void end_file();
  Place here(std::uint32_t line) const;
  void count(Extraction& extraction) const;
  void tell_files(Extraction& extraction);

  Options options_;
  ProblemLog problems_;
  MessageLog messages_;
  Ledger ledger_;
  Live live_;
  LineSplitter splitter_;
  std::vector<FormatReader> readers_;
  std::vector<PatternReader> patterns_;
  std::vector<FileLook> files_;
  LineShapes shapes_;
  bool matched_ = false;
  std::optional<std::uint32_t> record_line_;  // the line on which a format found a record last
  std::string plain_;                         // the line without escape sequences
  std::string masked_;
  std::string line_start_;  // the first part of the physical line, as far as its prefix may reach
};

}  // namespace gate::extract
