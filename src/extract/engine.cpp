#include "extract/engine.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "extract/judged.h"
#include "extract/prefix.h"
#include "extract/settle.h"

namespace gate::extract {

namespace {

constexpr std::size_t longest_prefix = 256;

std::int64_t sum(const std::vector<std::int64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

}  // namespace

Engine::Engine(Options options, const std::vector<const FormatSpec*>& formats,
               std::vector<PatternReader> patterns)
    : options_(std::move(options)),
      ledger_(options_.metrics, problems_),
      splitter_([this](const Line& line) { read(line); }),
      patterns_(std::move(patterns)) {
  for (std::size_t i = 0; i < formats.size(); ++i)
    readers_.emplace_back(*formats[i], problems_,
                          [this, i, format = formats[i]](const Record& record, const Origin& origin) {
                            post(i, record, origin, format->expected);
                          });
}

void Engine::begin_file(std::string name) {
  end_file();
  files_.emplace_back(std::move(name));
}

void Engine::feed(std::string_view bytes) {
  if (files_.empty()) begin_file("");
  files_.back().see(bytes);
  splitter_.feed(bytes);
}

void Engine::end_file() {
  splitter_.finish();
  for (FormatReader& reader : readers_) reader.end_file();
  messages_.end_file();
}

Place Engine::here(std::uint32_t line) const { return {static_cast<std::uint32_t>(files_.size() - 1), line}; }

void Engine::read(const Line& line) {
  if (line.cut == Cut::too_long) tell_long_line(line);
  const CleanLine text = clean(line);
  record_line_.reset();
  for (FormatReader& reader : readers_) reader.read(text);
  if (record_line_ != line.number) messages_.see(shown(text));
  for (std::size_t i = 0; i < patterns_.size(); ++i)
    patterns_[i].read(text, [&](const Record& record, const Origin& origin) {
      post(readers_.size() + i, record, origin, {});
    });
  if (!matched_) shapes_.see(shown(text).text);
}

CleanLine Engine::shown(CleanLine line) {
  if (!options_.mask) return line;
  masked_ = options_.mask(line.text);
  line.text = masked_;
  line.own = std::min(line.own, masked_.size());
  return line;
}

// A piece of a long line is told once for the line.
void Engine::tell_long_line(const Line& line) {
  if (line.part == Part::first)
    problems_.add(ProblemKind::other, here(line.number), "a very long line, read in pieces");
}

CleanLine Engine::clean(const Line& line) {
  CleanLine clean;
  clean.cut_in_pieces = line.cut == Cut::too_long;
  clean.own = strip_escapes(line.text.substr(0, line.own), plain_).size();
  clean.text = strip_escapes(line.text, plain_);
  if (!clean.cut_in_pieces) clean.own = clean.text.size();
  clean.place = here(line.number);
  set_prefix(line, clean);
  return clean;
}

// What a launcher put before a line holds for all parts of it.
void Engine::set_prefix(const Line& line, CleanLine& clean) {
  if (line.part == Part::first) line_start_ = clean.text.substr(0, longest_prefix);
  const Prefix prefix = parse_prefix(line_start_);
  clean.outer = prefix.outer;
  clean.source = prefix.source;
  clean.payload = line.part == Part::first ? prefix.payload : 0;
}

void Engine::post(std::size_t reader, const Record& record, const Origin& origin,
                  std::span<const FieldRow> expected) {
  files_.back().count_match();
  matched_ = true;
  record_line_ = origin.place.line;
  live_.see(ledger_.post(reader, record, origin, expected));
}

void Engine::count(Extraction& extraction) const {
  for (const FileLook& file : files_) {
    extraction.files.push_back(file.name());
    extraction.bytes += file.bytes();
  }
  extraction.lines = splitter_.lines();
  for (const FormatReader& reader : readers_) {
    if (sum(reader.matches()) > 0) extraction.formats.emplace_back(reader.format().row.name);
    for (std::size_t i = 0; i < reader.matches().size(); ++i)
      extraction.matches.push_back({std::string(reader.format().extractors[i]), reader.matches()[i]});
  }
  for (const PatternReader& pattern : patterns_)
    extraction.matches.push_back({pattern.name(), pattern.matches()});
}

// Nothing at all was understood: say of each file what it is, and show what its lines look like.
void Engine::tell_files(Extraction& extraction) {
  const bool nothing = !matched_;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const Place place{static_cast<std::uint32_t>(i), 1};
    if (nothing) problems_.add(ProblemKind::unreadable, place, files_[i].why_nothing());
    if (files_[i].matched() && !files_[i].is_text())
      problems_.add(ProblemKind::other, place, "the log holds NUL bytes, as a crashed host leaves them");
  }
  const bool text =
      std::any_of(files_.begin(), files_.end(), [](const FileLook& file) { return file.is_text(); });
  if (!nothing || !text) return;
  const std::string file = files_.front().name().empty() ? "-" : files_.front().name();
  for (std::string& note : shapes_.notes(file)) extraction.notes.push_back(std::move(note));
}

Extraction Engine::finish() {
  if (files_.empty()) begin_file("");
  end_file();
  Extraction extraction;
  count(extraction);
  judge_attempt(settle(ledger_.books(), options_.metrics, extraction.files, problems_), options_.attempt,
                options_.metrics, extraction);
  tell_files(extraction);
  problems_.move_into(extraction);
  messages_.move_into(extraction);
  return extraction;
}

}  // namespace gate::extract
