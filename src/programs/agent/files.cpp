#include "agent/files.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <utility>

#include "gate/base/set_aside.h"
#include "gate/base/tail.h"
#include "gate/base/text.h"
#include "gate/devices/leases.h"

namespace gate::agent {

namespace {

using hosts::Frame;
using hosts::WordReader;

constexpr std::size_t most_files = 20000;  // of one answer, which is well below hosts::longest_frame
constexpr std::size_t most_bytes = hosts::longest_frame / 2;
constexpr std::array<std::string_view, 8> verbs{"plant", "blob", "folder", "remove",
                                                "find",  "read", "exists", "settle"};

Result<Frame> find(WordReader& words) {
  const fs::Path folder = words.text();
  const std::vector<std::string> globs = words.rest();
  std::set<std::string> paths;
  for (const std::string& glob : globs)
    for (std::string& path : fs::files_for(folder, glob))
      if (hosts::is_plain_path(path) && glob_match(glob, path)) paths.insert(std::move(path));
  Frame answer;
  std::size_t files = 0, bytes = 0;
  for (const std::string& path : paths) {
    const FileState state = state_of(folder / path);
    if (state.identity.inode == 0) continue;
    answer.push_back(path);
    hosts::add(answer, state);
    bytes += path.size();
    if (bytes > most_bytes || ++files > most_files)
      return fail("more than " + std::to_string(most_files) + " files match " + join(globs, ", "));
  }
  return answer;
}

Result<Frame> read(WordReader& words) {
  const std::string path = words.text();
  const FileIdentity wanted = hosts::read_identity(words);
  const auto from = static_cast<std::uintmax_t>(words.number());
  const std::int64_t count = std::clamp<std::int64_t>(words.number(), 0, hosts::file_block);
  const Fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return system_failure(path, "read");
  if (state_of(path_of(file)).identity != wanted) return fail(path + ": another file stands there now");
  return Frame{bytes_at(path_of(file), from, static_cast<std::size_t>(count))};
}

}  // namespace

HostedFiles::HostedFiles(const fs::Path& folder, std::function<void()> changed)
    : blobs_(folder.parent_path().parent_path() / "blobs", folder.filename().string()),
      tree_(folder / "tree", blobs_),
      changed_(std::move(changed)),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

bool HostedFiles::knows(const std::string& verb) { return std::ranges::find(verbs, verb) != verbs.end(); }

// What a disk that hangs keeps from being answered is asked anew behind each cut.
void HostedFiles::ask(Frame question) {
  const std::lock_guard lock(mutex_);
  if (!open_.insert(question[1]).second) return;
  questions_.push_back(std::move(question));
  asked_.notify_all();
}

std::vector<Frame> HostedFiles::answers() {
  const std::lock_guard lock(mutex_);
  return std::exchange(answers_, {});
}

void HostedFiles::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (asked_.wait(lock, stop, [this] { return !questions_.empty(); }) && !stop.stop_requested()) {
    const Frame question = std::move(questions_.front());
    questions_.pop_front();
    lock.unlock();
    const Result<Frame> answer = answer_to(question);
    Frame reply{"reply", question[1], answer ? "ok" : "fail"};
    if (answer)
      reply.insert(reply.end(), answer->begin(), answer->end());
    else
      reply.push_back(answer.error().message);
    lock.lock();
    open_.erase(question[1]);
    answers_.push_back(std::move(reply));
    changed_();
  }
}

Result<Frame> HostedFiles::answer_to(const Frame& question) const {
  WordReader words(question, 2);
  const std::string verb = words.text();
  if (verb == "find") return find(words);
  if (verb == "read") return read(words);
  if (verb == "exists") return Frame{fs::exists(words.text()) ? "1" : "0"};
  if (verb == "plant") {
    GATE_TRY(const auto entries, hosts::read_entries(words));
    return tree_.plant(entries);
  }
  if (verb == "blob") {
    const std::string hash = words.text();
    const std::int64_t offset = words.number();
    const bool is_last = words.flag();
    const std::string bytes = words.text();
    if (!words.is_good()) return fail("its words are malformed");
    GATE_TRY_STATUS(blobs_.put(hash, offset, is_last, bytes));
    return Frame{};
  }
  if (verb == "folder") {
    GATE_TRY(const std::int64_t time, tree_.make_folder(words.text()));
    return Frame{std::to_string(time)};
  }
  if (verb == "settle") return settle(devices::lease_folder() / fs::Path(words.text()));
  GATE_TRY_STATUS(tree_.remove(words.text()));
  return Frame{};
}

}  // namespace gate::agent
