#include "app/run/further_logs.h"

#include <algorithm>
#include <set>
#include <utility>

#include "gate/base/natural.h"
#include "gate/base/text.h"
#include "gate/config/names.h"

namespace gate::app {

namespace {

constexpr std::string_view digits = "0123456789";

std::string with_rank(const std::string& glob, const std::string& rank) {
  return config::expand(glob, {{"rank", rank}}).value_or(glob);
}

// Where a glob is seen from, and what is left of it.
std::pair<fs::Path, std::string> seen_from(const std::string& glob, const fs::Path& cwd) {
  return glob.starts_with('/') ? std::pair{fs::Path("/"), glob.substr(1)} : std::pair{cwd, glob};
}

// What gate itself writes is no log of the script.
bool is_of_gate(const std::string& path) {
  const auto parts = split(path, '/');
  return std::ranges::find(parts, std::string_view(".gate")) != parts.end();
}

std::string own_glob(const std::string& glob) { return glob.starts_with('/') ? glob.substr(1) : glob; }

fs::Path folder_of_glob(const fs::Path& kept, std::size_t glob) {
  return kept / "logs" / std::to_string(glob + 1);
}

std::string words_of(const launch::OpenFile& file) {
  return "it is written by case " + printable(file.case_name, 120) + " (" + file.writer + ")";
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

FurtherLogs::FurtherLogs(std::vector<std::string> globs, fs::Path cwd, const fs::Path& raw_log, Masker masker,
                         Elsewhere elsewhere)
    : globs_(std::move(globs)),
      cwd_(std::move(cwd)),
      kept_(raw_log.parent_path()),
      masker_(std::move(masker)),
      elsewhere_(std::move(elsewhere)),
      old_(std::make_unique<OldLogs>(raw_log)) {
  for (const FurtherLog& log : find()) old_->note(log.file);
}

std::vector<FurtherLog> FurtherLogs::find() const {
  std::vector<FurtherLog> logs;
  std::set<FileIdentity> seen;
  for (std::size_t i = 0; i < globs_.size(); ++i) {
    const auto seen_glob = seen_from(globs_[i], cwd_);
    const fs::Path& base = seen_glob.first;
    const std::string& glob = seen_glob.second;
    std::vector<std::string> files = fs::files_for(base, with_rank(glob, "*"));
    std::erase_if(files, [&](const std::string& f) { return is_of_gate(f) || !matches_log(glob, f); });
    std::ranges::sort(files, natural_less);
    for (const std::string& path : files) {
      const FileState state = state_of(base / path);
      if (state.identity.inode != 0 && seen.insert(state.identity).second)
        logs.push_back({i, path, base / path, state, rank_in(glob, path)});
    }
  }
  return logs;
}

bool FurtherLogs::has_news(const FurtherLog& log) {
  const bool is_known = copies_.contains(log.file.string()) || read_.contains(log.state.identity);
  return !is_known && !others_.contains(log.state.identity) && old_->start_of(log.file) < log.state.size;
}

void FurtherLogs::look(extract::Extractor& extractor) {
  if (globs_.empty() || !pace_.is_due()) return;
  pace_.run([&] { read_all(extractor); });
}

// What is followed already comes first: it tells which files it has read, under whatever name they are found
// afterwards.
void FurtherLogs::read_all(extract::Extractor& extractor) {
  const auto read = [&](LogCopy& copy) {
    copy.read(extractor);
    read_.insert(copy.identity());
  };
  for (auto& [file, copy] : copies_) read(*copy.copy);
  std::vector<FurtherLog> fresh = find();
  std::erase_if(fresh, [&](const FurtherLog& log) { return !has_news(log); });
  see_others(fresh);
  for (const FurtherLog& log : fresh) {
    if (others_.contains(log.state.identity)) continue;
    begin(log, extractor);
    read(*copies_[log.file.string()].copy);
  }
}

// A look at all processes is not for free: it is taken where a file appears, and after the end.
void FurtherLogs::see_others(const std::vector<FurtherLog>& logs) {
  if (logs.empty()) return;
  const auto identity = [](const FurtherLog& log) { return log.state.identity; };
  for (launch::OpenFile& file : elsewhere_())
    if (std::ranges::find(logs, file.identity, identity) != logs.end())
      others_.emplace(file.identity, std::move(file));
}

void FurtherLogs::begin(const FurtherLog& log, extract::Extractor& extractor) {
  const fs::Path kept = folder_of_glob(kept_, log.glob) / log.path;
  extractor.begin_file(kept.string(), log.rank);
  const std::size_t index = copies_.size() + 1;
  Tail tail(log.file, [old = old_.get()](const fs::Path& file) { return old->start_of(file); });
  copies_[log.file.string()] = {
      log.glob, std::make_unique<LogCopy>(std::move(tail), index, store::LogFile::create(kept), masker_)};
}

std::vector<Problem> FurtherLogs::finish(extract::Extractor& extractor) {
  std::vector<Problem> problems;
  std::vector<int> found(globs_.size(), 0);
  if (globs_.empty()) return problems;
  read_all(extractor);
  for (auto& [file, copy] : copies_) {
    ++found[copy.glob];
    if (const Status copied = copy.copy->finish(extractor); !copied)
      problems.push_back({ProblemKind::torn, file, 0, masker_.mask(copied.error().message)});
  }
  const std::vector<FurtherLog> logs = find();
  see_others(logs);
  for (std::size_t i = 0; i < globs_.size(); ++i)
    if (found[i] == 0) notes_.push_back(why_nothing(i, logs));
  for (const FurtherLog& log : logs) {
    const auto other = others_.find(log.state.identity);
    if (other == others_.end()) continue;
    const std::string words = masker_.mask(words_of(other->second));
    if (read_.contains(log.state.identity))
      problems.push_back({ProblemKind::torn, log.file.string(), 0, words + ", too: whose lines are whose?"});
    else
      notes_.push_back("log: " + printable(log.path, 120) + " is left out: " + words);
  }
  return problems;
}

std::string FurtherLogs::why_nothing(std::size_t glob, const std::vector<FurtherLog>& logs) const {
  std::string why = "log: the script wrote to no file that matches " + printable(globs_[glob], 120);
  const auto old = std::ranges::find_if(
      logs, [&](const FurtherLog& log) { return log.glob == glob && !others_.contains(log.state.identity); });
  if (old != logs.end()) why += "; what " + printable(old->path, 120) + " holds was there before the launch";
  return why;
}

Answer<Extraction> read_launch(const std::string& log, const std::vector<std::string>& globs,
                               extract::Options options) {
  Result<extract::Extractor> extractor = extract::Extractor::make(std::move(options));
  if (!extractor) return usage(extractor.error());
  const auto feed = [&](std::string_view bytes) { extractor->feed(bytes); };
  extractor->begin_file(log);
  if (const Status read = fs::read_blocks(log, feed); !read) return usage(read.error());
  for (std::size_t i = 0; i < globs.size(); ++i) {
    const fs::Path folder = folder_of_glob(fs::Path(log).parent_path(), i);
    std::vector<std::string> files = fs::files_below(folder);
    std::ranges::sort(files, natural_less);
    for (const std::string& file : files) {
      extractor->begin_file((folder / file).string(), rank_in(own_glob(globs[i]), file));
      if (const Status read = fs::read_blocks(folder / file, feed); !read) return usage(read.error());
    }
  }
  return extractor->finish();
}

}  // namespace gate::app
