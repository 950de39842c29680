#include "app/further_logs.h"

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

FurtherLogs::FurtherLogs(std::vector<std::string> globs, fs::Path cwd, fs::Path kept, Masker masker)
    : globs_(std::move(globs)), cwd_(std::move(cwd)), kept_(std::move(kept)), masker_(std::move(masker)) {
  for (const FurtherLog& log : find()) marks_.emplace(log.file.string(), mark_of(log.file));
}

std::vector<FurtherLog> FurtherLogs::find() const {
  std::vector<FurtherLog> logs;
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  for (std::size_t i = 0; i < globs_.size(); ++i) {
    const auto seen_glob = seen_from(globs_[i], cwd_);
    const fs::Path& base = seen_glob.first;
    const std::string& glob = seen_glob.second;
    std::vector<std::string> files = fs::files_for(base, with_rank(glob, "*"));
    std::erase_if(files, [&](const std::string& f) { return is_of_gate(f) || !matches_log(glob, f); });
    std::ranges::sort(files, natural_less);
    for (const std::string& path : files) {
      const FileMark mark = mark_of(base / path);
      if (mark.inode != 0 && seen.emplace(mark.device, mark.inode).second)
        logs.push_back({i, path, base / path, rank_in(glob, path)});
    }
  }
  return logs;
}

std::uintmax_t FurtherLogs::start_of(const FurtherLog& log) const {
  const auto mark = marks_.find(log.file.string());
  return mark == marks_.end() ? 0 : written_since(mark->second, log.file);
}

bool FurtherLogs::has_grown(const FurtherLog& log) const { return start_of(log) != mark_of(log.file).size; }

void FurtherLogs::look(extract::Extractor& extractor) {
  if (globs_.empty() || !pace_.is_due()) return;
  pace_.run([&] { read_all(extractor); });
}

void FurtherLogs::read_all(extract::Extractor& extractor) {
  for (const FurtherLog& log : find())
    if (!copies_.contains(log.file.string()) && has_grown(log)) begin(log, extractor);
  for (auto& [file, copy] : copies_) copy.copy->read(extractor);
}

void FurtherLogs::begin(const FurtherLog& log, extract::Extractor& extractor) {
  const fs::Path kept = folder_of_glob(kept_, log.glob) / log.path;
  extractor.begin_file(kept.string(), log.rank);
  const std::size_t index = copies_.size() + 1;
  copies_[log.file.string()] = {log.glob, std::make_unique<LogCopy>(Tail(log.file, start_of(log)), index,
                                                                    store::LogFile::create(kept), masker_)};
}

std::vector<Problem> FurtherLogs::finish(extract::Extractor& extractor) {
  std::vector<Problem> problems;
  std::vector<int> found(globs_.size(), 0);
  read_all(extractor);
  for (auto& [file, copy] : copies_) {
    ++found[copy.glob];
    if (const std::string wrong = copy.copy->finish(extractor); !wrong.empty())
      problems.push_back({ProblemKind::torn, file, 0, masker_.mask(wrong)});
  }
  for (std::size_t i = 0; i < globs_.size(); ++i)
    if (found[i] == 0)
      notes_.push_back("log: the script wrote to no file that matches " + printable(globs_[i], 120));
  return problems;
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
