#include "gate/stored/follow.h"

#include <array>
#include <deque>

#include "gate/base/decompress.h"
#include "gate/base/file_watcher.h"
#include "gate/base/tail.h"
#include "gate/judging/read_logs.h"

namespace gate::app {

namespace {

// One log while it is read.
struct FollowedLog {
  std::string file;
  Tail tail;
  extract::Extractor extractor;
};

std::string change_words(Tail::Change change) {
  constexpr std::array words{"", "was truncated; it is read again from its start",
                             "was replaced; the new file is read from its start",
                             "is gone; gate waits for it to come back"};
  return words.at(static_cast<std::size_t>(change));
}

// Packed logs are written at once, or end in the middle of a block until they are.
std::string why_not(const std::string& file) {
  if (file == "-")
    return "--follow -: standard input has no end to wait for; leave --follow out, or name a file";
  if (!fs::exists(file)) return file + ": cannot read: No such file or directory";
  const bool packed = is_packed(mark_of(file).head);
  return packed ? file + ": --follow: a packed log does not grow; leave --follow out" : "";
}

Result<extract::Extractor> begin_extractor(const std::string& file, const extract::Options& options,
                                           const FollowHands& hands) {
  Result<extract::Extractor> extractor = extract::Extractor::make(options);
  if (!extractor) return extractor;
  extractor->begin_file(file);
  extractor->on_sample([&hands, file](const LiveSample& live) { hands.sample(live, file); });
  return extractor;
}

Answer<std::deque<FollowedLog>> open_all(const std::vector<std::string>& files,
                                         const extract::Options& options, const FollowHands& hands) {
  std::deque<FollowedLog> all;
  for (const std::string& file : files) {
    if (std::string why = why_not(file); !why.empty()) return usage(std::move(why));
    GATE_TRY(extract::Extractor extractor, or_usage(begin_extractor(file, options, hands)));
    all.push_back({file, Tail(file), std::move(extractor)});
  }
  return all;
}

// What begins again is a log of its own: half a line that stood at the end is no line, and steps may fall.
Status poll(FollowedLog& log, const extract::Options& options, const FollowHands& hands) {
  const auto on_change = [&](Tail::Change change) {
    hands.tell(log.file + ": " + change_words(change));
    if (change == Tail::Change::gone) return;
    if (auto again = begin_extractor(log.file, options, hands)) log.extractor = std::move(*again);
  };
  return log.tail.read([&](std::string_view bytes) { log.extractor.feed(bytes); }, on_change);
}

Status poll_until_interrupted(std::deque<FollowedLog>& all, FileWatcher& watcher,
                              const extract::Options& options, const FollowHands& hands) {
  for (;;) {
    for (FollowedLog& log : all) GATE_TRY_STATUS(poll(log, options, hands));
    if (!hands.flush() || hands.interrupted()) return {};
    watcher.wait();
    if (hands.interrupted()) return {};
  }
}

}  // namespace

Answer<std::vector<Followed>> follow(const std::vector<std::string>& logs, const extract::Options& options,
                                     const FollowHands& hands) {
  GATE_TRY(const std::vector<std::string> files, log_files(logs));
  GATE_TRY(std::deque<FollowedLog> all, open_all(files, options, hands));
  FileWatcher watcher(files);
  if (Status read = poll_until_interrupted(all, watcher, options, hands); !read) return usage(read.error());
  std::vector<Followed> followed;
  for (FollowedLog& log : all) followed.push_back({log.file, log.extractor.finish()});
  return followed;
}

}  // namespace gate::app
