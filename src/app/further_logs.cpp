#include "app/further_logs.h"

#include <algorithm>
#include <set>
#include <utility>

#include "gate/base/natural.h"
#include "gate/base/text.h"
#include "gate/base/unpack.h"
#include "gate/config/names.h"
#include "gate/store/log_file.h"

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

void begin_file(auto& extractor, const std::string& name, std::optional<int> rank) {
  if constexpr (requires { extractor.begin_file(name, rank); })
    extractor.begin_file(name, rank);
  else
    extractor.begin_file(name);
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

FurtherLogs::FurtherLogs(std::vector<std::string> globs, fs::Path cwd, fs::Path kept)
    : globs_(std::move(globs)), cwd_(std::move(cwd)), kept_(std::move(kept)) {
  for (const FurtherLog& log : find()) marks_.emplace(log.file.string(), mark_of(log.file));
}

std::vector<FurtherLog> FurtherLogs::find() const {
  std::vector<FurtherLog> logs;
  std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
  for (std::size_t i = 0; i < globs_.size(); ++i) {
    const auto [base, glob] = seen_from(globs_[i], cwd_);
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

FurtherLogs::Progress FurtherLogs::look(const extract::Options& options) {
  Progress progress;
  if (globs_.empty() || !pace_.is_due()) return progress;
  pace_.run([&] {
    for (const FurtherLog& log : find()) scout(log, options, progress);
  });
  if (progress.last_step != last_step_)
    progress.steps = std::max<std::int64_t>(1, progress.last_step - last_step_);
  last_step_ = progress.last_step;
  return progress;
}

void FurtherLogs::scout(const FurtherLog& log, const extract::Options& options, Progress& progress) {
  auto scout = scouts_.find(log.file.string());
  if (scout == scouts_.end()) {
    Result<extract::Extractor> extractor = extract::Extractor::make(options);
    if (!extractor) return;
    begin_file(*extractor, log.file.string(), log.rank);
    scout =
        scouts_.emplace(log.file.string(), Scout{Tail(log.file, start_of(log)), std::move(*extractor)}).first;
  }
  extract::Extractor& extractor = scout->second.extractor;
  static_cast<void>(scout->second.tail.read([&](std::string_view bytes) { extractor.feed(bytes); }));
  progress.last_step = std::max(progress.last_step, extractor.last_step());
  if (extractor.total()) progress.total = std::max(progress.total, extractor.total());
}

std::vector<Problem> FurtherLogs::read(extract::Extractor& extractor, const Masker& masker) {
  std::vector<Problem> problems;
  std::vector<int> found(globs_.size(), 0);
  scouts_.clear();
  for (const FurtherLog& log : find()) {
    if (start_of(log) == mark_of(log.file).size) continue;
    ++found[log.glob];
    if (auto problem = read_one(log, extractor, masker)) problems.push_back(std::move(*problem));
  }
  for (std::size_t i = 0; i < globs_.size(); ++i)
    if (found[i] == 0)
      notes_.push_back("log: the script wrote to no file that matches " + printable(globs_[i], 120));
  return problems;
}

std::optional<Problem> FurtherLogs::read_one(const FurtherLog& log, extract::Extractor& extractor,
                                             const Masker& masker) {
  const fs::Path kept = folder_of_glob(kept_, log.glob) / log.path;
  Result<store::LogFile> copy = store::LogFile::create(kept);
  if (!copy) return Problem{ProblemKind::torn, log.file.string(), 0, copy.error().message};
  kept_any_ = true;
  StreamMasker masked(masker);
  begin_file(extractor, kept.string(), log.rank);
  Unpacker unpacker([&](std::string_view plain) {
    copy->append(masked.feed(plain));
    extractor.feed(plain);
  });
  const Status read =
      Tail(log.file, start_of(log)).read([&](std::string_view bytes) { unpacker.feed(bytes); });
  const std::string wrong = unpacker.finish();
  copy->append(masked.finish());
  const Status written = copy->close();
  const std::string why = !read ? read.error().message : !written ? written.error().message : wrong;
  return why.empty() ? std::nullopt
                     : std::optional(Problem{ProblemKind::torn, log.file.string(), 0, masker.mask(why)});
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
      begin_file(*extractor, (folder / file).string(), rank_in(own_glob(globs[i]), file));
      if (const Status read = fs::read_blocks(folder / file, feed); !read) return usage(read.error());
    }
  }
  return extractor->finish();
}

}  // namespace gate::app
