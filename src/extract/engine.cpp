#include "extract/engine.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "extract/attempts/judged.h"
#include "extract/attempts/resolve_attempts.h"
#include "extract/scan/prefix.h"

namespace gate::extract {

namespace {

constexpr std::size_t telling_head = 12;
constexpr std::size_t slice_size = std::size_t{256} << 10;
constexpr std::size_t most_shown = std::size_t{8} << 20;  // of a log that nobody understands

// Event files come behind all other readers: what a log prints of the same metric counts.
constexpr std::size_t events_reader = std::numeric_limits<std::size_t>::max();

std::int64_t sum(const std::vector<std::int64_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

bool holds_nothing(const Extraction& extraction) {
  return std::all_of(extraction.matches.begin(), extraction.matches.end(),
                     [](const MatchCount& count) { return count.matches == 0; });
}

// Which attempt is meant is known at the end only.
bool keeps_all(const Options& options) {
  return options.attempt.number || options.all_attempts || !options.of_attempts.empty();
}

}  // namespace

// The user's patterns come first among the readers: what a person says of a metric counts.
Engine::Engine(Options options, const std::vector<const FormatSpec*>& formats, FormatMode meant,
               std::vector<PatternReader> patterns)
    : options_(std::move(options)),
      patterns_(std::move(patterns)),
      formats_(formats),
      tracks_(options_.metrics, keeps_all(options_) ? Keep::all : Keep::judged, formats, meant,
              patterns_.size(), [this](const Origin& origin) { note_match(origin); }),
      owners_(formats_, patterns_) {
  for (const PatternReader& pattern : patterns_)
    in_columns_.push_back(in_columns(pattern, numbering_of(options_.metrics, pattern.row().metric)));
  gather_sample({});
}

void Engine::begin_file(std::string name, std::optional<int> rank) {
  if (!rank) rank = rank_of_file(name);
  LineSkimmer lines(
      [this](const Line& line) { read(line); },
      [this](const Stretch& stretch, std::uint32_t line) { return take_stretch(stretch, line); },
      [this] { return awake(); });
  files_.push_back({FileLook(std::move(name)), std::move(lines), rank});
  resume_file(files_.size() - 1);
}

void Engine::resume_file(std::size_t index) {
  if (index != current_) messages_.end_file();
  current_ = index;
}

void Engine::feed(std::string_view bytes) {
  for (; bytes.size() > slice_size; bytes.remove_prefix(slice_size))
    feed(bytes.substr(0, slice_size), skim(bytes.substr(0, slice_size)));
  feed(bytes, skim(bytes));
}

ScanResult Engine::skim(std::string_view bytes) const {
  ScanResult skim;
  if (!owners_.learned()) return skim;
  skim.done = true;
  if (reads_ahead())
    StretchReader(owners_, patterns_, in_columns_).read(bytes, skim);
  else
    skim.newlines =
        owners_.find_lines(bytes, [&](const FoundLine& line, const Wanted&) { skim.lines.push_back(line); });
  return skim;
}

void Engine::feed(std::string_view bytes, const ScanResult& skimmed) {
  if (files_.empty()) begin_file("", std::nullopt);
  File& file = files_[current_];
  file.look.see(bytes);
  if (file.told) return take(file, bytes, skimmed);
  file.head += bytes;
  if (file.head.size() >= telling_head) tell_kind(file);
}

void Engine::learn(std::string_view sample) { owners_.learn(sample); }

// A log shorter than the sample is read line by line: finding out what is rare in it would take longer.
void Engine::gather_sample(std::string_view bytes) {
  if (owners_.learned()) return;
  sample_ += bytes.substr(0, options_.scan_after - sample_.size());
  if (sample_.size() == options_.scan_after) learn(std::exchange(sample_, {}));
}

// Whoever is told of each sample wants them in the order of the log.
bool Engine::reads_ahead() const {
  return !tracks_.are_told() && !owners_.any_wants_all() &&
         std::ranges::any_of(in_columns_, [](InColumns numbered) { return numbered != InColumns::none; });
}

bool Engine::take_stretch(const Stretch& stretch, std::uint32_t line) {
  if (!tracks_.post(stretch, patterns_, here(line))) return false;
  note_match({here(line), ""}, stretch.records);
  for (const StretchColumn& column : stretch.columns)
    patterns_[column.pattern].count_matches(column.samples.size());
  return true;
}

bool Engine::wants_shapes() const { return !matched_ && shown_ < most_shown; }

bool Engine::awake() const {
  return !owners_.learned() || owners_.any_wants_all() || tracks_.awake() || messages_.awake() ||
         wants_shapes();
}

void Engine::tell_kind(File& file) {
  file.told = true;
  if (looks_like_events(file.head)) file.events = begin_events(file);
  const std::string head = std::exchange(file.head, {});
  take(file, head, skim(head));
}

// A record of an event file stands on no line that could be quoted. The event files of a folder are one after
// the other of one writer: a run that goes on begins a new one.
std::unique_ptr<EventReader> Engine::begin_events(const File& file) {
  const auto index = static_cast<std::uint32_t>(current_);
  const std::string& name = file.look.name();
  const std::uint32_t lane =
      event_lanes_.try_emplace(name.substr(0, name.rfind('/') + 1), index).first->second;
  const auto post = [this, index, lane, rank = file.rank](const Record& record, Place) {
    const Origin origin{{index, 0}, "", "", rank, lane};
    note_match(origin);
    tracks_.post(events_reader, record, origin);
  };
  return std::make_unique<EventReader>(index, problems_, tally_, post);
}

void Engine::take(File& file, std::string_view bytes, const ScanResult& skimmed) {
  if (file.events) return file.events->feed(bytes);
  file.lines.feed(bytes, skimmed);
  gather_sample(bytes);
}

void Engine::finish_file(File& file) {
  if (!file.told) tell_kind(file);
  file.events ? file.events->finish() : file.lines.finish();
  tracks_.end_file(static_cast<std::uint32_t>(current_));
}

Place Engine::here(std::uint32_t line) const { return {static_cast<std::uint32_t>(current_), line}; }

void Engine::read(const Line& line) {
  if (line.cut == Cut::too_long) tell_long_line(line);
  const CleanLine text = clean(line);
  owners_.find(text, wanted_);
  record_line_.reset();
  tracks_.read(text, wanted_.owners);
  const bool may_be_message = (wanted_.owners & LineOwners::of_messages()) != 0 || messages_.awake();
  if (may_be_message && record_line_ != line.number && messages_.see(shown(text)))
    tracks_.fail(text.place.file);
  read_patterns(patterns_, owners_, text, wanted_,
                [&](std::size_t pattern, const Record& record) { post(pattern, record, text); });
  if (wants_shapes()) see_shape(text);
}

void Engine::post(std::size_t pattern, const Record& record, const CleanLine& line) {
  const Origin origin{line.place, line.source, line.text};
  note_match(origin);
  tracks_.post(pattern, record, origin);
}

void Engine::see_shape(const CleanLine& line) {
  shown_ += line.text.size();
  shapes_.see(shown(line).text);
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
  clean.ended = line.ended;
  if (clean.cut_in_pieces) clean.own = strip_escapes(line.text.substr(0, line.own), plain_).size();
  clean.text = strip_escapes(line.text, plain_);
  if (!clean.cut_in_pieces) clean.own = clean.text.size();
  clean.place = here(line.number);
  clean.rank = files_[current_].rank;
  set_prefix(line, clean);
  return clean;
}

// What a launcher put before a line holds for all parts of it.
void Engine::set_prefix(const Line& line, CleanLine& clean) {
  std::string& line_start = files_[current_].line_start;
  if (line.part == Part::first) line_start = clean.text.substr(0, longest_prefix);
  const Prefix prefix = parse_prefix(line_start);
  clean.outer = prefix.outer;
  clean.source = prefix.source;
  clean.payload = line.part == Part::first ? prefix.payload : 0;
}

void Engine::note_match(const Origin& origin, std::size_t count) {
  files_[origin.place.file].look.count_matches(count);
  matched_ = true;
  record_line_ = origin.place.line;
}

void Engine::count(const FormatCandidate& track, Extraction& extraction) const {
  for (const File& file : files_) {
    extraction.files.push_back(file.look.name());
    extraction.bytes += file.look.bytes();
    extraction.lines += file.lines.lines();
  }
  for (const FormatReader& reader : track.readers()) {
    if (sum(reader.matches()) > 0) extraction.formats.emplace_back(reader.format().row.name);
    for (std::size_t i = 0; i < reader.matches().size(); ++i)
      extraction.matches.push_back({std::string(reader.format().extractors[i].name), reader.matches()[i]});
  }
  for (const PatternReader& pattern : patterns_)
    extraction.matches.push_back({pattern.name(), pattern.matches()});
  count_events(extraction);
}

void Engine::count_events(Extraction& extraction) const {
  std::int64_t scalars = 0;
  bool any = false;
  for (const File& file : files_) {
    if (!file.events) continue;
    any = true;
    scalars += file.events->matches();
  }
  if (!any) return;
  if (scalars > 0) extraction.formats.emplace_back(event_format.name);
  extraction.matches.push_back({std::string(event_extractors().front()), scalars});
}

// Nothing at all was understood: say of each file what it is, and show what its lines look like.
void Engine::tell_nothing(Extraction& extraction) {
  for (std::size_t i = 0; i < files_.size(); ++i)
    problems_.add(ProblemKind::unreadable, {static_cast<std::uint32_t>(i), 1},
                  files_[i].events ? "no scalar that is read" : files_[i].look.why_nothing());
  if (std::none_of(files_.begin(), files_.end(), [](const File& file) { return file.look.is_text(); }))
    return;
  const std::string& file = files_.front().look.name();
  for (std::string& note : shapes_.notes(file.empty() ? "-" : file))
    extraction.notes.push_back(std::move(note));
}

void Engine::tell_crash_marks() {
  for (std::size_t i = 0; i < files_.size(); ++i)
    if (files_[i].look.matched() && !files_[i].look.is_text() && !files_[i].events)
      problems_.add(ProblemKind::other, {static_cast<std::uint32_t>(i), 1},
                    "the log holds NUL bytes, as a crashed host leaves them");
}

// Say which formats read parts of the log and are not meant, or that nobody can tell.
void Engine::tell_choice(std::span<const Found> found, const Choice& choice, Extraction& extraction) {
  if (!choice.tied.empty())
    problems_.add(ProblemKind::unreadable, {0, 1}, tie_text(found, choice));
  else if (choice.best)
    for (std::string& note : also_read(found, choice)) extraction.notes.push_back(std::move(note));
}

void Engine::settle_all(FormatCandidate& track, Extraction& extraction) {
  problems_.add(track.problems());
  const bool said = options_.attempt.said || options_.attempt.number || !options_.of_attempts.empty();
  const InDoubt in_doubt = options_.sources == Sources::together ? InDoubt::together
                           : said                                ? InDoubt::next
                                                                 : InDoubt::undecided;
  const Restarts restarts = options_.restarts ? Restarts::expected : Restarts::problem;
  judge_attempt(settle(track.books(), in_doubt, restarts, options_.metrics, extraction.files, problems_),
                options_.attempt, options_.of_attempts, options_.metrics, extraction, problems_);
}

// Nodes count the ranks of their processes anew: names that tell ranks must tell those of the whole run.
void Engine::tell_equal_ranks() {
  std::map<int, const File*> files;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const File& file = files_[i];
    if (!file.rank || !file.look.matched()) continue;
    const auto [it, first] = files.try_emplace(*file.rank, &file);
    if (!first)
      problems_.add(ProblemKind::other, {static_cast<std::uint32_t>(i), 1},
                    "it is of rank " + std::to_string(*file.rank) + " by its name, and so is " +
                        it->second->look.name() +
                        ": what ranks print of their own is told apart only by ranks of the whole run");
  }
}

Extraction Engine::finish() {
  if (files_.empty()) begin_file("", std::nullopt);
  for (current_ = 0; current_ < files_.size(); ++current_) finish_file(files_[current_]);
  const std::vector<Found> found = tracks_.found();
  const Choice choice = choose(found);
  const bool tied = !choice.tied.empty();
  Extraction extraction;
  count(tied ? tracks_.bare() : tracks_.leading(), extraction);
  if (!tied) settle_all(tracks_.leading(), extraction);
  tell_choice(found, choice, extraction);
  tell_crash_marks();
  tell_equal_ranks();
  if (!tied && holds_nothing(extraction)) tell_nothing(extraction);
  for (std::string& note : tally_.notes()) extraction.notes.push_back(std::move(note));
  for (const PatternReader& pattern : patterns_)
    if (std::string why = pattern.why_slow(); !why.empty()) extraction.notes.push_back(std::move(why));
  problems_.move_into(extraction);
  messages_.move_into(extraction);
  return extraction;
}

}  // namespace gate::extract
