#include "gate/places/extra_logs.h"

#include <algorithm>
#include <ctime>
#include <string_view>
#include <system_error>

#include "gate/base/natural.h"
#include "gate/base/text.h"
#include "gate/config/case_names.h"
#include "gate/extract/tracked_runs.h"
#include "gate/model/numbers/step_set.h"
#include "gate/places/post_launch.h"

namespace gate::app {

namespace {

constexpr std::string_view digits = "0123456789";
constexpr std::size_t longest_beginning = std::size_t{64} << 10;
constexpr std::size_t most_beginnings = 4096;   // in memory
constexpr std::int64_t second = 1'000'000'000;  // in ns, as are all times here

std::int64_t time_of(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return now.tv_sec * second + now.tv_nsec;
}

// The kernel stamps local files by this clock, which is a few milliseconds behind the finer ones.
std::int64_t file_clock() { return time_of(CLOCK_REALTIME_COARSE); }

std::int64_t lead_of_file_clock() { return file_clock() - time_of(CLOCK_MONOTONIC_COARSE); }

std::string with_rank(const std::string& glob, const std::string& rank) {
  return config::expand(glob, {{"rank", rank}, {"scratch", "{scratch}"}}).value_or(glob);
}

// Return the glob as it is seen from its folder.
std::string relative_glob(const std::string& glob) { return placed(glob).below; }

const fs::Path& base_of(const LogPlace& place, const std::string& glob) {
  const auto base = placed(glob).base;
  if (base == &ArtifactSource::scratch) return place.scratch;
  return base == &ArtifactSource::root ? place.root : place.cwd;
}

fs::Path folder_of_glob(const fs::Path& kept, std::size_t node, std::size_t glob) {
  return of_node(kept / "logs", node) / std::to_string(glob + 1);
}

// The extra logs that a launch has kept, each with its rank.
std::vector<std::pair<fs::Path, std::optional<int>>> kept_logs(const fs::Path& kept, std::size_t nodes,
                                                               const std::vector<std::string>& globs) {
  std::vector<std::pair<fs::Path, std::optional<int>>> logs;
  for (std::size_t i = 0; i < globs.size(); ++i)
    for (std::size_t node = 0; node < nodes; ++node) {
      const fs::Path folder = folder_of_glob(kept, node, i);
      std::vector<std::string> files = fs::files_below(folder);
      std::ranges::sort(files, natural_less);
      for (const std::string& file : files)
        logs.emplace_back(folder / file, rank_in(relative_glob(globs[i]), file));
    }
  return logs;
}

struct EventTimes {
  Moment first, last;
};

// Return the time of the line if it is an event of FlagPerf's or MLPerf's and tells one of this century.
std::optional<Moment> event_time(std::string_view line) {
  constexpr std::string_view key = "\"time_ms\": ";
  constexpr std::size_t millisecond_digits = 13;
  const std::size_t at = line.find(key);
  const bool is_event = line.find("[PerfLog] {") < at || line.find(":::MLLOG {") < at;
  if (at == line.npos || !is_event) return std::nullopt;
  line.remove_prefix(at + key.size());
  const std::string_view number = line.substr(0, line.find_first_not_of(digits));
  const auto time = number.size() == millisecond_digits ? parse_integer(number) : std::nullopt;
  return time ? std::optional(Moment(std::chrono::milliseconds(*time))) : std::nullopt;
}

// Return the first and the last time that both ends of the file tell.
std::optional<EventTimes> event_times(const std::string& file) {
  const std::uintmax_t size = state_of(file).size;
  const std::string head = bytes_at(file, 0, longest_beginning),
                    end = bytes_at(file, size - std::min<std::uintmax_t>(size, longest_beginning),
                                   longest_beginning);
  std::optional<EventTimes> times;
  for (const std::string& text : {head, end})
    for (const std::string_view line : split(text, '\n'))
      if (const std::optional<Moment> time = event_time(line))
        times = times ? EventTimes{std::min(times->first, *time), std::max(times->last, *time)}
                      : EventTimes{*time, *time};
  return times;
}

// What is longer than a page of blanks is a log that says something.
bool is_blank(const fs::Path& log) {
  constexpr std::uintmax_t page = 4096;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(log, error);
  if (error || size > page) return false;
  const auto text = fs::read_file(log);
  return text && trim(*text).empty();
}

}  // namespace

std::optional<int> rank_in(const std::string& glob, const std::string& path) {
  if (glob.find("{rank}") == std::string::npos) return std::nullopt;
  for (std::size_t at = 0; (at = path.find_first_of(digits, at)) != std::string::npos;) {
    const std::size_t end = std::min(path.find_first_not_of(digits, at), path.size());
    const std::string number = path.substr(at, end - at);
    const auto rank = number.size() < 10 ? parse_integer(number) : std::nullopt;
    if (rank && glob_match(with_rank(glob, number), path)) return static_cast<int>(*rank);
    at = end;
  }
  return std::nullopt;
}

bool matches_log(const std::string& glob, const std::string& path) {
  return glob.find("{rank}") == std::string::npos ? glob_match(glob, path) : rank_in(glob, path).has_value();
}

std::string without_rank(const std::string& glob) { return with_rank(glob, "*"); }

bool may_be_log(const std::string& path) {
  const auto parts = split(path, '/');
  return std::ranges::find(parts, std::string_view(".gate")) == parts.end();
}

OldLogs::OldLogs(const fs::Path& fresh)
    : fresh_(state_of(fresh)), clock_(file_clock()), lead_(lead_of_file_clock()) {}

void OldLogs::keep(const fs::Path& file, FileMark mark) {
  const FileState& state = mark.state;
  std::string bytes = bytes_at(file, 0, longest_beginning);
  const auto breaks = std::ranges::count_if(bytes, [](char c) { return c == '\n' || c == '\r'; });
  const bool is_one_line = state.size <= bytes.size() && breaks < 2;
  if (!bytes.empty() && beginnings_.size() < most_beginnings)
    beginnings_.push_back({std::move(bytes), state.size, is_one_line});
  marks_[{state.identity.device, state.identity.inode}] = std::move(mark);
}

std::uintmax_t OldLogs::start_of(const fs::Path& file) {
  const FileState state = state_of(file);
  const auto mark = marks_.find({state.identity.device, state.identity.inode});
  if (mark != marks_.end())
    if (const std::uintmax_t start = written_since(mark->second, file); start > 0) return start;
  if (const std::uintmax_t start = copied(file); start > 0) return start;
  if (mark != marks_.end() && mark->second.state.identity == state.identity) return 0;
  if (!is_older(state)) return 0;
  note(file);
  return state.size;
}

std::uintmax_t OldLogs::copied(const fs::Path& file) const {
  const std::string bytes = beginnings_.empty() ? "" : bytes_at(file, 0, longest_beginning + 1);
  std::uintmax_t size = 0;
  if (bytes.empty()) return size;
  for (const Beginning& old : beginnings_) {
    const bool is_part = std::string_view(old.bytes).starts_with(bytes);
    const bool is_more = std::string_view(bytes).starts_with(old.bytes);
    if (is_part || (is_more && !old.is_one_line)) size = std::max(size, old.size);
  }
  return size;
}

bool OldLogs::is_older(const FileState& state) const {
  const bool same_clock = state.identity.device == fresh_.identity.device;
  const std::int64_t set_back = lead_ - lead_of_file_clock();
  const std::int64_t launch = (same_clock ? fresh_.written : clock_) - (set_back > second ? set_back : 0);
  const bool made_before = state.identity.born != 0 && state.identity.born < launch;
  return made_before || state.written < launch;
}

LogCopy::LogCopy(Tail tail, std::size_t index, Result<store::LogFile> copy, const Masker& masker)
    : tail_(std::move(tail)), index_(index), masked_(masker) {
  if (copy)
    copy_ = std::move(*copy);
  else
    first_failure_ = tl::unexpected(copy.error());
}

void LogCopy::remember(const Status& status) {
  if (first_failure_) first_failure_ = status;
}

void LogCopy::end_unpacking() {
  if (const std::string torn = unpacker_->finish(); !torn.empty()) remember(fail(torn));
}

void LogCopy::begin_unpacking(extract::Extractor& extractor) {
  unpacker_.emplace([this, &extractor](std::string_view plain) {
    if (copy_) copy_->append(masked_.feed(plain));
    extractor.feed(plain);
  });
}

void LogCopy::read(extract::Extractor& extractor) {
  extractor.resume_file(index_);
  if (!unpacker_) begin_unpacking(extractor);
  const auto on_change = [&](Tail::Change change) {
    if (change == Tail::Change::none || change == Tail::Change::gone) return;
    end_unpacking();
    begin_unpacking(extractor);
  };
  remember(tail_.read([&](std::string_view bytes) { unpacker_->feed(bytes); }, on_change));
}

Status LogCopy::finish(extract::Extractor& extractor) {
  read(extractor);
  end_unpacking();
  if (!copy_) return first_failure_;
  copy_->append(masked_.finish());
  remember(copy_->close());
  return first_failure_;
}

ExtraLogs::ExtraLogs(std::vector<std::string> globs, std::vector<LogPlace> places, const fs::Path& raw_log,
                     Masker masker, Elsewhere elsewhere, std::size_t nodes)
    : globs_(std::move(globs)),
      places_(std::move(places)),
      kept_(raw_log.parent_path()),
      nodes_(nodes),
      masker_(std::move(masker)),
      elsewhere_(std::move(elsewhere)),
      old_(std::make_unique<OldLogs>(raw_log)) {
  for (const ExtraLog& log : find()) old_->note(log.file);
}

std::vector<ExtraLog> ExtraLogs::find() const {
  std::vector<ExtraLog> logs;
  std::set<FileIdentity> seen;
  for (std::size_t i = 0; i < globs_.size(); ++i)
    for (const LogPlace& place : places_) find_in(place, i, seen, logs);
  return logs;
}

void ExtraLogs::find_in(const LogPlace& place, std::size_t number, std::set<FileIdentity>& seen,
                        std::vector<ExtraLog>& logs) const {
  const fs::Path& base = base_of(place, globs_[number]);
  const std::string glob = relative_glob(globs_[number]);
  std::vector<std::string> files = fs::files_for(base, without_rank(glob));
  std::erase_if(files, [&](const std::string& f) { return !may_be_log(f) || !matches_log(glob, f); });
  extract::leave_out_beside_runs(files, extract::KeptConsole::left_out);
  std::ranges::sort(files, natural_less);
  for (const std::string& path : files) {
    const FileState state = state_of(base / path);
    if (state.identity.inode != 0 && seen.insert(state.identity).second)
      logs.push_back({number, place.node, path, base / path, state, rank_in(glob, path)});
  }
}

bool ExtraLogs::has_news(const ExtraLog& log) {
  const bool is_known = copies_.contains(log.file.string()) || read_.contains(log.state.identity);
  return !is_known && !others_.contains(log.state.identity) && old_->start_of(log.file) < log.state.size;
}

void ExtraLogs::poll(extract::Extractor& extractor) {
  if (!globs_.empty() && throttle_.is_due()) throttle_.run([&] { read_all(extractor); });
}

// What is followed already comes first: it tells which files it has read, under whatever name they are found
// afterwards.
void ExtraLogs::read_all(extract::Extractor& extractor) {
  const auto read = [&](LogCopy& copy) {
    copy.read(extractor);
    read_.insert(copy.identity());
  };
  for (auto& [file, copy] : copies_) read(*copy.copy);
  std::vector<ExtraLog> fresh = find();
  std::erase_if(fresh, [&](const ExtraLog& log) { return !has_news(log); });
  note_others(fresh);
  for (const ExtraLog& log : fresh)
    if (!others_.contains(log.state.identity)) read(add_copy(log, extractor));
}

// To look at all processes is not for free: it is done when a file appears, and after the end.
void ExtraLogs::note_others(const std::vector<ExtraLog>& logs) {
  if (logs.empty()) return;
  const auto identity = [](const ExtraLog& log) { return log.state.identity; };
  for (launch::OpenFile& file : elsewhere_())
    if (std::ranges::find(logs, file.identity, identity) != logs.end())
      others_.emplace(file.identity, std::move(file));
}

LogCopy& ExtraLogs::add_copy(const ExtraLog& log, extract::Extractor& extractor) {
  const fs::Path kept = folder_of_glob(kept_, log.node, log.glob) / log.path;
  extractor.begin_file(kept.string(), log.rank);
  const std::size_t index = copies_.size() + nodes_;
  Tail tail(log.file, [old = old_.get()](const fs::Path& file) { return old->start_of(file); });
  auto copy = std::make_unique<LogCopy>(std::move(tail), index, store::LogFile::create(kept), masker_);
  return *(copies_[log.file.string()] = {log.glob, std::move(copy)}).copy;
}

std::vector<Problem> ExtraLogs::finish(extract::Extractor& extractor) {
  std::vector<Problem> problems;
  std::vector<int> found(globs_.size(), 0);
  if (globs_.empty()) return problems;
  read_all(extractor);
  for (auto& [file, copy] : copies_) {
    ++found[copy.glob];
    if (const Status copied = copy.copy->finish(extractor); !copied)
      problems.push_back({ProblemKind::torn, file, 0, masker_.mask(copied.error().message)});
  }
  const std::vector<ExtraLog> logs = find();
  note_others(logs);
  for (std::size_t i = 0; i < globs_.size(); ++i)
    if (found[i] == 0) notes_.push_back(why_nothing(i, logs));
  for (const ExtraLog& log : logs) {
    const auto other = others_.find(log.state.identity);
    if (other == others_.end()) continue;
    const Sentence words = masker_.mask(say({"it is written by case {} ({})", "它由用例 {} 写出（{}）"},
                                            printable(other->second.case_name, 120), other->second.writer));
    if (read_.contains(log.state.identity))
      problems.push_back({ProblemKind::torn, log.file.string(), 0,
                          say({"{}, too: whose lines are whose?", "{}：分不清哪些行是谁的"}, words)});
    else
      notes_.push_back(say({"log: {} is left out: {}", "log：略去 {}：{}"}, printable(log.path, 120), words));
  }
  return problems;
}

Sentence ExtraLogs::why_nothing(std::size_t glob, const std::vector<ExtraLog>& logs) const {
  const Sentence why =
      say({"log: the script wrote to no file that matches {}", "log：脚本没有写任何匹配 {} 的文件"},
          printable(globs_[glob], 120));
  const auto old = std::ranges::find_if(
      logs, [&](const ExtraLog& log) { return log.glob == glob && !others_.contains(log.state.identity); });
  if (old == logs.end()) return why;
  return why + say({"; what {} holds was there before the launch", "；{} 的内容在启动之前就有"},
                   printable(old->path, 120));
}

std::string artifact_key(std::string name) {
  std::ranges::replace(name, '.', '_');
  return name;
}

fs::Path of_node(const fs::Path& path, std::size_t node) {
  if (node == 0) return path;
  return path.parent_path() /
         (path.stem().string() + ".node" + std::to_string(node) + path.extension().string());
}

Sentence told_earlier(const std::vector<std::string>& files, Moment began, Duration lasted) {
  constexpr Duration skew = std::chrono::minutes(5);
  std::optional<EventTimes> all;
  for (const std::string& file : files)
    if (const std::optional<EventTimes> one = event_times(file))
      all = all ? EventTimes{std::min(all->first, one->first), std::max(all->last, one->last)} : one;
  if (!all) return {};
  if (all->last < began - skew)
    return say({"the log is of an earlier run: its last event is of {}, and the launch of {}",
                "日志属于更早的运行：最后一个事件的时间是 {}，而启动时间是 {}"},
               to_iso(all->last), to_iso(began));
  if (all->last - all->first > lasted + skew)
    return say({"the log is of another run: its events span {}, and the script ran for {}",
                "日志属于另一次运行：事件跨越 {}，而脚本只运行了 {}"},
               rough(std::chrono::duration_cast<Duration>(all->last - all->first)), rough(lasted));
  return {};
}

void note_silent_nodes(const fs::Path& log, std::size_t nodes, Extraction& extraction) {
  if (nodes < 2) return;
  std::vector<std::int64_t> silent;
  for (std::size_t node = 0; node < nodes; ++node)
    if (!fs::is_folder(of_node(log.parent_path() / "logs", node)) && is_blank(of_node(log, node)))
      silent.push_back(static_cast<std::int64_t>(node));
  extraction.provenance.setup[std::string(silent_nodes_fact)] =
      silent.empty() ? "none" : to_string(StepSet(silent));
}

Answer<Extraction> read_launch(const std::string& log, const std::vector<std::string>& globs,
                               extract::Options options) {
  GATE_TRY(extract::Extractor extractor, or_usage(extract::Extractor::make(std::move(options))));
  const auto feed = [&](std::string_view bytes) { extractor.feed(bytes); };
  std::size_t nodes = 0;
  for (; nodes == 0 || fs::exists(of_node(log, nodes)); ++nodes) {
    const std::string file = of_node(log, nodes).string();
    extractor.begin_file(file);
    GATE_TRY_STATUS(or_usage(fs::read_blocks(file, feed)));
  }
  for (const auto& [file, rank] : kept_logs(fs::Path(log).parent_path(), nodes, globs)) {
    extractor.begin_file(file.string(), rank);
    GATE_TRY_STATUS(or_usage(fs::read_blocks(file, feed)));
  }
  Extraction extraction = extractor.finish();
  note_silent_nodes(log, nodes, extraction);
  return extraction;
}

}  // namespace gate::app
