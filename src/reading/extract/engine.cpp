#include "extract/engine.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "extract/attempts/judged.h"
#include "extract/attempts/resolve_attempts.h"
#include "extract/events/step_metrics.h"
#include "extract/messages/memory_holders.h"
#include "extract/scan/prefix.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

struct Magic {
  std::string_view bytes;
  const char *what, *in_chinese;
};

constexpr std::array magics{
    Magic{"\x1f\x8b", "gzip data; unpack it first", "gzip 数据；请先解压"},
    Magic{"\x28\xb5\x2f\xfd", "zstd data; unpack it first", "zstd 数据；请先解压"},
    Magic{"\xfd"
          "7zXZ",
          "xz data; unpack it first", "xz 数据；请先解压"},
    Magic{"BZh", "bzip2 data; unpack it first", "bzip2 数据；请先解压"},
    Magic{"PK\x03\x04", "a zip archive; unpack it first", "zip 压缩包；请先解压"},
    Magic{"\x7f"
          "ELF",
          "a program", "一个程序"},
    Magic{"\xff\xfe", "UTF-16 text; convert it to UTF-8 first", "UTF-16 文本；请先转成 UTF-8"},
    Magic{"\xfe\xff", "UTF-16 text; convert it to UTF-8 first", "UTF-16 文本；请先转成 UTF-8"},
};

constexpr std::size_t magic_size = 8;
constexpr std::size_t slice_size = std::size_t{256} << 10;
constexpr std::size_t most_shown = std::size_t{8} << 20;   // of a log that nobody understands
constexpr std::size_t most_unread = std::size_t{1} << 20;  // of the lines that nothing reads
constexpr std::size_t most_unread_told = 3;
constexpr std::size_t longest_shown_name = 40;
constexpr std::size_t longest_example = 120;

// Files of scalars come behind all other readers: what a log prints of the same metric counts.
constexpr std::size_t events_reader = std::numeric_limits<std::size_t>::max();

// Which attempt is meant is known at the end only.
Keep keep_of(const Options& options) {
  const bool all = options.attempt.number || options.all_attempts || !options.of_attempts.empty();
  return all ? Keep::all : Keep::judged;
}

}  // namespace

void FileProfile::add(std::string_view bytes) {
  if (head_.size() < magic_size) head_ += bytes.substr(0, magic_size - head_.size());
  bytes_ += static_cast<std::int64_t>(bytes.size());
  if (!binary_) binary_ = bytes.find('\0') != std::string_view::npos;
  if (blank_) blank_ = trim(bytes).empty();
}

Sentence FileProfile::why_nothing() const {
  if (bytes_ == 0) return say({"the log is empty", "日志是空的"});
  const auto it =
      std::ranges::find_if(magics, [&](const Magic& magic) { return head_.starts_with(magic.bytes); });
  if (it != magics.end()) return say({"the file is {}", "文件是 {}"}, Sentence(it->what, it->in_chinese));
  if (binary_) return say({"the file is binary: it holds NUL bytes", "文件是二进制：含 NUL 字节"});
  return blank_ ? say({"the log holds only blanks", "日志里只有空白"})
                : say({"no line of a known format", "没有已知格式的行"});
}

// The user's patterns come first among the readers: what a person says of a metric counts.
Engine::Engine(Options options, const std::vector<const FormatSpec*>& formats, FormatMode mode,
               std::vector<PatternReader> patterns)
    : options_(std::move(options)),
      messages_([this](std::string_view line) { return is_held_by_others(line); }),
      profiler_(options_.profiler),
      patterns_(std::move(patterns)),
      formats_(formats),
      candidates_(options_.metrics, keep_of(options_), formats, mode, options_.steps_of, patterns_.size(),
                  [this](const RecordOrigin& origin) { note_match(origin); }),
      line_readers_(formats_, patterns_) {
  for (const PatternReader& pattern : patterns_)
    in_columns_.push_back(in_columns(pattern, numbering_of(options_.metrics, pattern.row().metric)));
  collect_sample({});
}

void Engine::begin_file(std::string name, std::optional<int> rank) {
  if (!rank) rank = rank_of_file(name);
  LineSkimmer lines([this](const LogLine& line) { read(line); },
                    [this](const Stretch& stretch, const FoundLine& found, std::string_view text,
                           std::uint32_t line) { return store_stretch(stretch, found, text, line); },
                    [this](std::string_view passed) { collect_unread(passed); },
                    [this] { return has_pending(); });
  files_.push_back({FileProfile(std::move(name)), std::move(lines), rank});
  resume_file(files_.size() - 1);
}

void Engine::resume_file(std::size_t index) {
  if (index != current_) messages_.end_file();
  current_ = index;
}

void Engine::feed(std::string_view bytes) {
  for (; bytes.size() > slice_size; bytes.remove_prefix(slice_size))
    feed(bytes.substr(0, slice_size), scan(bytes.substr(0, slice_size)));
  feed(bytes, scan(bytes));
}

ScanResult Engine::scan(std::string_view bytes) const {
  ScanResult result;
  if (!line_readers_.learned()) return result;
  result.done = true;
  // Whoever is told of each sample wants them in the order of the log; so does a value without a step, which
  // belongs to the one that another pattern read last.
  const bool has_followers = std::ranges::any_of(patterns_, [&](const PatternReader& pattern) {
    return !pattern.has_step() && numbering_of(options_.metrics, pattern.row().metric) == Numbering::step;
  });
  const bool reads_ahead =
      !candidates_.has_listener() && !line_readers_.any_wants_all() && !has_followers &&
      std::ranges::any_of(in_columns_, [](InColumns numbered) { return numbered != InColumns::none; });
  if (reads_ahead)
    StretchReader(line_readers_, patterns_, in_columns_).read(bytes, result);
  else
    result.newlines = line_readers_.find_lines(
        bytes, [&](const FoundLine& line, const LiteralHits&) { result.lines.push_back(line); });
  return result;
}

void Engine::feed(std::string_view bytes, const ScanResult& scanned) {
  if (files_.empty()) begin_file("", std::nullopt);
  File& file = files_[current_];
  file.profile.add(bytes);
  if (file.told) return feed_kind(file, bytes, scanned);
  file.head += bytes;
  if (tells_kind(file.head)) tell_kind(file);
}

void Engine::learn(std::string_view sample) { line_readers_.learn(sample); }

// A log shorter than the sample is read line by line: finding out what is rare in it would take longer.
void Engine::collect_sample(std::string_view bytes) {
  if (line_readers_.learned()) return;
  sample_ += bytes.substr(0, options_.scan_after - sample_.size());
  if (sample_.size() == options_.scan_after) learn(std::exchange(sample_, {}));
}

bool Engine::store_stretch(const Stretch& stretch, const FoundLine& found, std::string_view text,
                           std::uint32_t line) {
  if (!candidates_.store(stretch, patterns_, here(line))) return false;
  note_match({here(line), ""}, stretch.records);
  for (const StretchColumn& column : stretch.columns) {
    patterns_[column.pattern].count_matches(column.samples.size());
    patterns_[column.pattern].note_ending(column);
  }
  collect_between(stretch, found, text);
  return true;
}

// Look at the lines between those of the stretch that a pattern read.
void Engine::collect_between(const Stretch& stretch, const FoundLine& found, std::string_view text) {
  if (!collects_unread()) return;
  std::vector<std::int64_t> read;
  for (const StretchColumn& column : stretch.columns)
    for (const SampleView& sample : column.samples) read.push_back(sample.line);
  std::ranges::sort(read);
  read.erase(std::unique(read.begin(), read.end()), read.end());
  if (std::ssize(read) == stretch.newlines + 1) return;
  std::int64_t number = found.before;
  for (const std::string_view line : split(text, '\n'))
    if (!std::ranges::binary_search(read, number++)) collect_unread(line);
}

bool Engine::wants_shapes() const { return !matched_ && shown_ < most_shown; }

bool Engine::collects_unread() const { return shown_ < most_unread; }

void Engine::collect_unread(std::string_view lines) {
  for (; collects_unread() && !lines.empty();
       lines.remove_prefix(std::min(lines.find('\n'), lines.size() - 1) + 1)) {
    std::string_view line = lines.substr(0, lines.find('\n'));
    while (line.ends_with('\r')) line.remove_suffix(1);
    for (const std::string_view part : split(line, '\r')) {
      CleanLine clean;
      clean.text = strip_escapes(part, plain_);
      collect_unread(clean, 0);
    }
  }
}

void Engine::collect_unread(CleanLine line, ReaderMask readers) {
  shown_ += line.text.size() + 1;
  shapes_.add(shown(line).text, readers);
  if (!collects_unread() && !matches_beside_) matches_beside_ = count_matches();
}

std::int64_t Engine::count_matches() const {
  std::int64_t matches = 0;
  for (const File& file : files_) matches += file.profile.matches();
  return matches;
}

bool Engine::has_pending() const {
  return !line_readers_.learned() || line_readers_.any_wants_all() || candidates_.has_pending() ||
         messages_.has_pending() || wants_shapes();
}

void Engine::tell_kind(File& file) {
  file.told = true;
  const TrackerKind* const kind = tracker_kind_of(file.head, file.profile.name(), !patterns_.empty());
  if (kind != nullptr) file.events = begin_events(file, *kind);
  const std::string head = std::exchange(file.head, {});
  feed_kind(file, head, scan(head));
}

// A record of a file of scalars stands on no line that could be quoted.
std::unique_ptr<EventReader> Engine::begin_events(const File& file, const TrackerKind& kind) {
  add_metrics_by_step(options_.metrics);
  const auto index = static_cast<std::uint32_t>(current_);
  const auto on_record = [this, index, rank = file.rank](const Record& record, LinePlace) {
    const RecordOrigin origin{{index, 0}, "", "", rank, stream_of(index)};
    note_match(origin);
    candidates_.store(events_reader, record, origin);
  };
  return std::make_unique<EventReader>(ScalarSource{&kind, file.profile.name(), index}, options_.metrics,
                                       problems_, tally_, on_record);
}

// The files of a run are one after the other of one writer: a run that goes on begins a new one. Those of a
// folder are of one run, unless they tell theirs.
std::uint32_t Engine::stream_of(std::uint32_t index) {
  const File& file = files_[index];
  const std::string_view name = file.profile.name();
  const std::string_view told = file.events->run();
  const std::string_view run = told.empty() ? name.substr(0, name.rfind('/') + 1) : told;
  const auto known = event_streams_.find(run);
  return known != event_streams_.end() ? known->second : event_streams_.emplace(run, index).first->second;
}

void Engine::feed_kind(File& file, std::string_view bytes, const ScanResult& scanned) {
  if (file.events) return file.events->feed(bytes);
  file.lines.feed(bytes, scanned);
  collect_sample(bytes);
}

LinePlace Engine::here(std::uint32_t line) const { return {static_cast<std::uint32_t>(current_), line}; }

void Engine::read(const LogLine& line) {
  if (line.cut == LineCut::too_long && line.part == PartOrder::first)
    problems_.add(ProblemKind::other, here(line.number),
                  say({"a very long line, read in pieces", "一行过长，分段读取"}));
  const CleanLine text = clean(line);
  line_readers_.find(text, wanted_);
  record_line_.reset();
  candidates_.read(text, wanted_.readers);
  const bool may_be_message = (wanted_.readers & LineReaders::messages) != 0 || messages_.has_pending();
  const MessageRow* const message = may_be_message ? read_message(text) : nullptr;
  const bool is_message = message != nullptr;
  if (is_message) candidates_.fail(text.place.file, message->repair != Repair::none);
  bool is_of_pattern = false;
  read_patterns(patterns_, line_readers_, text, wanted_, [&](std::size_t pattern, const Record& record) {
    const RecordOrigin origin{text.place, text.source, text.text};
    note_match(origin);
    is_of_pattern = true;
    if (!text.ended && patterns_[pattern].may_be_cut(record, text.text))
      return problems_.add(ProblemKind::cut_off, text.place, cut_off_words(text.text));
    patterns_[pattern].note_ending(record.fields[0].word, record.number);
    candidates_.store(pattern, record, origin);
  });
  const bool is_unread = !is_of_pattern && !(is_message && matched_);
  if (wants_shapes() || (is_unread && collects_unread())) collect_unread(text, candidates_.took());
}

const MessageRow* Engine::read_message(const CleanLine& line) {
  const CleanLine masked = shown(line);
  profiler_.read(line.text);
  setup_.read(masked.text);
  links_.read(masked.text);
  return record_line_ == line.place.line ? nullptr : messages_.read(masked);
}

bool Engine::is_held_by_others(std::string_view line) const {
  return options_.is_foreign && live().last_step() == 0 &&
         std::ranges::any_of(memory_holders(line), options_.is_foreign);
}

CleanLine Engine::shown(CleanLine line) {
  if (!options_.mask) return line;
  masked_ = options_.mask(line.text);
  line.text = masked_;
  line.own = std::min(line.own, masked_.size());
  return line;
}

CleanLine Engine::clean(const LogLine& line) {
  CleanLine clean;
  clean.cut_in_pieces = line.cut == LineCut::too_long;
  clean.ended = line.ended;
  if (clean.cut_in_pieces) clean.own = strip_escapes(line.text.substr(0, line.own), plain_).size();
  clean.text = strip_escapes(line.text, plain_);
  if (!clean.cut_in_pieces) clean.own = clean.text.size();
  clean.place = here(line.number);
  clean.rank = files_[current_].rank;
  set_prefix(line, clean);
  return clean;
}

// What a launcher put before a line holds for all parts of it; a bar is no part that one was put before.
void Engine::set_prefix(const LogLine& line, CleanLine& clean) {
  std::string& line_start = files_[current_].line_start;
  const bool is_first =
      line.part == PartOrder::first || (!clean.cut_in_pieces && parse_prefix(line_start).source.empty());
  if (is_first) line_start = clean.text.substr(0, longest_prefix);
  const Prefix prefix = parse_prefix(line_start);
  clean.outer = prefix.outer;
  clean.source = prefix.source;
  clean.payload = is_first ? prefix.payload : 0;
}

void Engine::note_match(const RecordOrigin& origin, std::size_t count) {
  files_[origin.place.file].profile.count_matches(count);
  matched_ = true;
  record_line_ = origin.place.line;
}

void Engine::count(const FormatCandidate& candidate, Extraction& extraction) const {
  for (const File& file : files_) {
    extraction.files.push_back(file.profile.name());
    extraction.bytes += file.profile.bytes();
    extraction.lines += file.lines.lines();
  }
  for (const FormatReader& reader : candidate.readers()) {
    if (std::ranges::any_of(reader.matches(), [](std::int64_t count) { return count > 0; }))
      extraction.formats.emplace_back(reader.format().row.name);
    for (std::size_t i = 0; i < reader.matches().size(); ++i)
      extraction.matches.push_back({std::string(reader.format().extractors[i].name), reader.matches()[i]});
  }
  for (const PatternReader& pattern : patterns_)
    extraction.matches.push_back({pattern.name(), pattern.matches()});
  count_events(extraction);
}

// The reader of a file knows where it ends, and the problems which records were cut off.
void Engine::tell_torn_ends(Extraction& extraction) const {
  for (const Problem& problem : extraction.problems)
    if (problem.kind == ProblemKind::cut_off && std::ranges::any_of(files_, [&](const File& file) {
          return file.profile.name() == problem.file && file.lines.lines() == problem.line;
        }))
      extraction.torn_ends.push_back(problem);
}

void Engine::count_events(Extraction& extraction) const {
  for (const TrackerKind& kind : tracker_kinds()) {
    std::int64_t scalars = 0;
    bool is_there = false;
    for (const File& file : files_) {
      if (!file.events || &file.events->kind() != &kind) continue;
      is_there = true;
      scalars += file.events->matches();
    }
    if (scalars > 0) extraction.formats.emplace_back(kind.format.name);
    if (is_there) extraction.matches.push_back({std::string(kind.extractor), scalars});
  }
}

Sentence Engine::resumed_at_end() const {
  const std::int64_t loaded = *setup_.loaded();
  if (!setup_.total())
    return say({"resumed from a checkpoint of step {}: no step behind it was printed",
                "从第 {} 步的检查点续训：之后没有打印任何一步"},
               loaded);
  return loaded >= *setup_.total() ? say({"resumed at {} of {}: nothing was trained",
                                          "从第 {} 步续训（共 {} 步）：没有训练任何一步"},
                                         loaded, *setup_.total())
                                   : say({"resumed at {} of {}: no step behind it was printed",
                                          "从第 {} 步续训（共 {} 步）：之后没有打印任何一步"},
                                         loaded, *setup_.total());
}

// A run that went on from a checkpoint and printed no step before it. Several attempts are told apart with
// what they resumed from.
void Engine::tell_loaded(Extraction& extraction) const {
  const Series* records = nullptr;
  for (const Series& series : extraction.series) take_longer(records, series);
  if (!setup_.loaded() || records == nullptr || extraction.attempts.size() > 1) return;
  const std::int64_t first = records->samples().numbers().front();
  if (first > *setup_.loaded() && *setup_.loaded() > 0)
    extraction.notes.push_back(say({"it went on from a checkpoint of step {} and begins at step {}",
                                    "它从第 {} 步的检查点续训，从第 {} 步开始"},
                                   *setup_.loaded(), first));
}

// Nothing at all was understood: say of each file what it is, and show what its lines look like.
void Engine::tell_nothing(Extraction& extraction) {
  for (std::size_t i = 0; i < files_.size(); ++i)
    problems_.add(ProblemKind::unreadable, {static_cast<std::uint32_t>(i), 1},
                  files_[i].events  ? say({"no scalar that is read", "没有可读的标量"})
                  : setup_.loaded() ? resumed_at_end()
                                    : files_[i].profile.why_nothing());
  if (std::ranges::none_of(files_, [](const File& file) { return file.profile.is_text(); })) return;
  const std::string& file = files_.front().profile.name();
  extraction.advice = shapes_.notes(file.empty() ? "-" : file);
  std::ranges::copy(extraction.advice, std::back_inserter(extraction.notes));
}

// Say which lines a person would read numbers from, and nothing does. Where there are more of them than are
// looked at, they are taken to stand beside all records of the log as they stand beside its first ones.
void Engine::tell_unread(Extraction& extraction) {
  extraction.unread = shapes_.unread(candidates_.meant());
  const std::int64_t matches = count_matches();
  const bool is_estimate = matches_beside_.value_or(0) > 0 && *matches_beside_ < matches;
  const std::string& file = files_.front().profile.name();
  // Where there are patterns there is a gate.toml, which is not written again.
  const bool may_init = !file.empty() && file != "-" && patterns_.empty();
  for (std::size_t i = 0; i < extraction.unread.size(); ++i) {
    UnreadLines& one = extraction.unread[i];
    if (is_estimate) one.lines = one.lines * matches / *matches_beside_;
    if (i < most_unread_told)
      extraction.notes.push_back(
          say({"{}{} with {} that nothing reads: {}{}", "{}{}带有 {}，没有被读取：{}{}"},
              is_estimate ? say({"about ", "约 "}) : Sentence(), count_of(one.lines, "line", "行"),
              printable(one.name, longest_shown_name), printable(trim(one.example), longest_example),
              may_init ? say({"; gate init {} reads them", "；gate init {} 会读取"}, shell_quote(file))
                       : Sentence()));
  }
  if (extraction.unread.size() > most_unread_told)
    extraction.notes.push_back(
        say({"and {} of lines with numbers that nothing reads", "另有 {}带数字的行没有被读取"},
            count_of(std::ssize(extraction.unread) - std::ptrdiff_t{most_unread_told}, "more shape", "种")));
}

void Engine::tell_crash_marks() {
  for (std::size_t i = 0; i < files_.size(); ++i)
    if (files_[i].profile.matched() && !files_[i].profile.is_text() && !files_[i].events)
      problems_.add(ProblemKind::other, {static_cast<std::uint32_t>(i), 1},
                    say({"the log holds NUL bytes, as a crashed host leaves them",
                         "日志含 NUL 字节，主机崩溃时会这样"}));
}

// Say which formats read parts of the log and are not meant, or that nobody can tell.
void Engine::tell_choice(std::span<const FoundFormat> found, const Choice& choice, Extraction& extraction) {
  if (!choice.tied.empty())
    problems_.add(ProblemKind::unreadable, {0, 1}, tie_text(found, choice));
  else if (choice.best)
    for (Sentence& note : also_read(found, choice)) extraction.notes.push_back(std::move(note));
}

void Engine::judge(FormatCandidate& candidate, Extraction& extraction) {
  problems_.add(candidate.problems());
  const bool said = options_.attempt.said || options_.attempt.number || !options_.of_attempts.empty();
  const InDoubt in_doubt = options_.sources == Sources::together ? InDoubt::together
                           : said                                ? InDoubt::next
                                                                 : InDoubt::undecided;
  const Restarts restarts = options_.restarts ? Restarts::expected : Restarts::problem;
  judge_attempt(resolve_attempts(candidate.buffers(), in_doubt, restarts, options_.metrics, extraction.files,
                                 problems_),
                options_.attempt, options_.of_attempts, options_.metrics, extraction, problems_);
  tell_filled(candidate.buffers(), extraction);
}

// Of a metric that no other rank printed, the log holds fillers alone.
void Engine::tell_filled(const AttemptBuffers& buffers, Extraction& extraction) {
  for (const auto& [metric, filler] : buffers.filled) {
    const bool is_held =
        std::ranges::find(extraction.series, metric, &Series::metric) != extraction.series.end();
    if (is_held || !extraction.doubt.empty()) continue;
    extraction.filled.push_back(
        {metric,
         say({"{} is {} throughout, which ranks print that have none: the log of another rank holds it",
              "{} 始终是 {}，这是没有该值的 rank 打印的：请给出有该值的 rank 的日志"},
             metric, filler)});
    extraction.notes.push_back(extraction.filled.back().text);
  }
}

// A bar is of the last attempt.
void Engine::tell_bar(const FormatCandidate& candidate, Extraction& extraction) const {
  const auto asked = static_cast<std::size_t>(options_.attempt.number.value_or(0));
  if (extraction.series.empty() || (asked != 0 && asked != extraction.attempts.size())) return;
  for (const FormatReader& reader : candidate.readers())
    if (const std::optional<ShownStep> shown = reader.shown(); shown && reader.steps() > 0)
      extraction.bar = ShownBar{shown->step, shown->total};
}

// Nodes count the ranks of their processes from 0: names that tell ranks must tell those of the whole run.
void Engine::tell_equal_ranks() {
  std::map<int, const File*> files;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const File& file = files_[i];
    if (!file.rank || !file.profile.matched()) continue;
    const auto [it, first] = files.try_emplace(*file.rank, &file);
    if (!first)
      problems_.add(ProblemKind::other, {static_cast<std::uint32_t>(i), 1},
                    say({"it is of rank {} by its name, and so is {}: what ranks print of their own is told "
                         "apart only by "
                         "ranks of the whole run",
                         "按文件名它属于 rank {}，{} 也是：各 rank 自己打印的内容只能按整个运行的 rank 区分"},
                        *file.rank, it->second->profile.name()));
  }
}

void Engine::begin_start() {
  const std::size_t current = current_;
  for (current_ = 0; current_ < files_.size(); ++current_) {
    File& file = files_[current_];
    if (!file.told && !file.head.empty()) tell_kind(file);
    if (!file.events) file.lines.break_off();
    candidates_.end_file(static_cast<std::uint32_t>(current_));
  }
  current_ = current;
  candidates_.begin_start();
  messages_.clear();
}

Extraction Engine::finish() {
  if (files_.empty()) begin_file("", std::nullopt);
  for (current_ = 0; current_ < files_.size(); ++current_) {
    File& file = files_[current_];
    if (!file.told) tell_kind(file);
    if (file.events)
      file.events->finish();
    else
      file.lines.finish();
    candidates_.end_file(static_cast<std::uint32_t>(current_));
  }
  const std::vector<FoundFormat> found = candidates_.found();
  const Choice choice = choose(found);
  const bool tied = !choice.tied.empty();
  Extraction extraction;
  count(tied ? candidates_.unclaimed() : candidates_.leading(), extraction);
  if (!tied) judge(candidates_.leading(), extraction);
  if (!tied) tell_bar(candidates_.leading(), extraction);
  tell_choice(found, choice, extraction);
  tell_crash_marks();
  tell_equal_ranks();
  const auto found_any = [](const MatchCount& count) { return count.matches > 0; };
  if (!tied)
    std::ranges::none_of(extraction.matches, found_any) ? tell_nothing(extraction) : tell_unread(extraction);
  links_.tell(extraction);
  for (Sentence& note : tally_.notes()) extraction.notes.push_back(std::move(note));
  constexpr std::int64_t worth_a_word = std::int64_t{64} << 20;  // bytes; less is read at once anyhow
  for (const PatternReader& pattern : patterns_)
    if (Sentence why = extraction.bytes >= worth_a_word ? pattern.why_slow() : Sentence(); !why.empty())
      extraction.notes.push_back(std::move(why));
  problems_.move_into(extraction);
  tell_torn_ends(extraction);
  messages_.move_into(extraction);
  name_step_series(extraction, options_.metrics);
  profiler_.tell(extraction);
  extraction.provenance.setup = setup_.facts(extraction.series);
  extraction.off_arguments = setup_.off();
  tell_loaded(extraction);
  return extraction;
}

}  // namespace gate::extract
