#include "gate/places/mirror.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <utility>

#include "gate/base/text.h"
#include "gate/base/time.h"

namespace gate::app {

namespace {

constexpr std::uintmax_t head_size = std::uintmax_t{64} << 10, end_size = 4096;
constexpr mode_t mode_of_copies = 0666;  // the umask takes away from it
constexpr Duration shortest_pause{200}, longest_pause{5000};

tl::unexpected<Error> not_copied(const fs::Path& file) {
  return fail(file.string() + ": cannot be written: " + std::generic_category().message(errno));
}

// Writes into the file, from a byte on.
Status write_at(const fs::Path& file, std::uintmax_t from, std::string_view bytes) {
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode_of_copies);
  if (fd < 0) return not_copied(file);
  Status written;
  while (written && !bytes.empty()) {
    const ssize_t count = ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(from));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      written = not_copied(file);
      break;
    }
    bytes.remove_prefix(static_cast<std::size_t>(count));
    from += static_cast<std::uintmax_t>(count);
  }
  ::close(fd);
  return written;
}

// Whoever looks takes it for one that was written before the launch.
void make_old(const fs::Path& file) {
  std::error_code ignored;
  std::filesystem::last_write_time(file, fs::FileTime::clock::now() - std::chrono::days(1), ignored);
}

}  // namespace

Mirror::Mirror(hosts::FarFiles& files, std::vector<MirroredFolder> folders, fs::Path store,
               MirrorOptions options)
    : files_(files), folders_(std::move(folders)), store_(std::move(store)), options_(options) {}

Mirror::~Mirror() { end_following(); }

std::vector<std::string> Mirror::note(const Cut& cut) { return update_once(Age::before_launch, cut); }

void Mirror::follow() {
  try {
    thread_ = std::jthread([this](const std::stop_token& stop) { keep_up(stop); });
  } catch (const std::system_error&) {  // no thread is to be had: all comes at the end
  }
}

void Mirror::keep_up(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any woken;
  while (!stop.stop_requested()) {
    const auto began = SteadyClock::now();
    update_once(Age::as_its_times_say,
                {.stop = [&] { return std::string(stop.stop_requested() ? "it goes on later" : ""); }});
    const Duration pause = std::clamp(4 * since(began), shortest_pause, longest_pause);
    std::unique_lock lock(mutex);
    woken.wait_for(lock, stop, pause, [] { return false; });
  }
}

void Mirror::end_following() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

std::vector<std::string> Mirror::update(const Cut& cut) {
  end_following();
  return update_once(Age::as_its_times_say, cut);
}

// What is known is taken to its end before names change: who follows a name goes on to another file then.
std::vector<std::string> Mirror::update_once(Age age, const Cut& cut) {
  cut_ = cut;
  left_.clear();
  std::set<std::string> problems;
  const auto note = [&](const Status& status) {
    if (!status) problems.insert(status.error().message);
  };
  const Result<std::vector<Found>> all = find();
  if (!all) return {all.error().message};
  std::vector<Found> fresh;
  std::set<FileIdentity> seen;
  for (const Found& found : *all) {
    if (!seen.insert(found.state.identity).second) continue;  // by another name
    const auto known = copies_.find(found.state.identity);
    const Result<bool> grown = known == copies_.end() ? false : has_only_grown(found, known->second);
    if (!grown)
      note(tl::unexpected(grown.error()));
    else if (*grown)
      note(take_rest(found));
    else
      fresh.push_back(found);
  }
  for (const Found& found : fresh) note(add_copy(found, age));
  for (const Found& found : *all) note(give_name(found));
  drop_names(*all);
  for (const Found& found : fresh) note(take_rest(found));
  if (!left_.empty()) problems.insert(words_of_left());
  return {problems.begin(), problems.end()};
}

std::string Mirror::words_of_left() const {
  constexpr std::size_t most_names = 5;
  const std::string speed = files_.speed();
  return cut_.why(count_of(std::ssize(left_), "file") + " not fetched") +
         (speed.empty() ? "" : " (" + speed + ")") + ": " + some_of(left_, most_names);
}

Result<std::vector<Mirror::Found>> Mirror::find() const {
  std::vector<Found> all;
  for (const MirroredFolder& folder : folders_) {
    if (folder.globs.empty()) continue;
    GATE_TRY(const std::vector<hosts::FarFile> files, files_.find(folder.there, folder.globs, cut_));
    for (const hosts::FarFile& file : files)
      if (!folder.matches || folder.matches(file.path))
        all.push_back({folder.there / file.path, folder.here / file.path, file.state});
  }
  return all;
}

// As who looks for such files here has it: OldLogs, and keep_artifacts().
bool Mirror::is_old(const FileState& state) const {
  const bool made_before = state.identity.born != 0 && state.identity.born < options_.launched;
  return state.written < options_.launched || (options_.old == OldFiles::ends && made_before);
}

// As written_since() has it.
Result<bool> Mirror::has_only_grown(const Found& found, const Copy& copy) {
  if (found.state.size < copy.size) return false;
  if (found.state.written == copy.written) return true;
  const auto size = static_cast<std::size_t>(std::min(copy.size, end_size));
  for (const std::uintmax_t from : std::set<std::uintmax_t>{0, copy.size - size}) {
    GATE_TRY(const std::string bytes, files_.read(found.there, found.state.identity, from, size, cut_));
    if (bytes != bytes_at(copy.file, from, size)) return false;
  }
  return true;
}

Status Mirror::begin_anew(Copy& copy) {
  copy = {store_ / std::to_string(++stored_)};
  GATE_TRY_STATUS(fs::make_folder(store_));
  return write_at(copy.file, 0, "");
}

// One that is not as it was when it was taken is another file here.
Status Mirror::add_copy(const Found& found, Age age) {
  const auto known = copies_.find(found.state.identity);
  if (known != copies_.end()) return begin_anew(known->second);
  const bool is_old_file = age == Age::before_launch || is_old(found.state);
  if (is_old_file && options_.old == OldFiles::none) return {};
  Copy copy;
  GATE_TRY_STATUS(begin_anew(copy));
  if (is_old_file) {
    GATE_TRY_STATUS(take_ends(found, copy));
  }
  copies_[found.state.identity] = std::move(copy);
  return {};
}

Status Mirror::take_ends(const Found& found, Copy& copy) {
  const std::uintmax_t size = found.state.size;
  const std::uintmax_t head = std::min(size, head_size), end = std::min(size - head, end_size);
  GATE_TRY_STATUS(take(found, copy, 0, static_cast<std::size_t>(head)));
  GATE_TRY_STATUS(take(found, copy, size - end, static_cast<std::size_t>(end)));
  copy.size = size;
  copy.written = found.state.written;
  copy.is_old = true;
  make_old(copy.file);
  return {};
}

Status Mirror::take_rest(const Found& found) {
  const auto known = copies_.find(found.state.identity);
  if (known == copies_.end()) return {};
  Copy& copy = known->second;
  while (copy.size < found.state.size) {
    const auto count =
        static_cast<std::size_t>(std::min<std::uintmax_t>(found.state.size - copy.size, files_.block()));
    const std::uintmax_t before = taken_;
    const Status taken = cut_.is_over() ? fail("") : take(found, copy, copy.size, count);
    if (!taken && cut_.is_over()) return leave(found);
    GATE_TRY_STATUS(taken);
    copy.size += taken_ - before;
    if (copy.is_old) make_old(copy.file);
    if (taken_ - before < count) return {};  // it became shorter meanwhile
  }
  copy.written = found.state.written;
  return {};
}

// A log is good as far as it came; half of another file is none.
Status Mirror::leave(const Found& found) {
  left_.push_back(found.there.string());
  if (options_.old == OldFiles::none && names_.erase(found.here) > 0) ::unlink(found.here.c_str());
  return {};
}

Status Mirror::take(const Found& found, Copy& copy, std::uintmax_t from, std::size_t count) {
  if (taken_ + count > options_.most)
    return fail(found.there.string() + ": was not taken to its end: of the files of a host no more than " +
                std::to_string(options_.most >> 20) + " MiB are");
  GATE_TRY(const std::string bytes, files_.read(found.there, found.state.identity, from, count, cut_));
  GATE_TRY_STATUS(write_at(copy.file, from, bytes));
  taken_ += bytes.size();
  return {};
}

Status Mirror::give_name(const Found& found) {
  const auto copy = copies_.find(found.state.identity);
  if (copy == copies_.end()) return {};
  fs::Path& file = names_[found.here];
  if (file == copy->second.file) return {};
  const fs::Path other = store_ / "name";
  GATE_TRY_STATUS(fs::make_folder(found.here.parent_path()));
  std::error_code error;
  std::filesystem::create_hard_link(copy->second.file, other, error);
  if (!error) std::filesystem::rename(other, found.here, error);
  if (error) return fail(found.here.string() + ": cannot be made: " + error.message());
  file = copy->second.file;
  return {};
}

void Mirror::drop_names(const std::vector<Found>& all) {
  std::set<fs::Path> there;
  for (const Found& found : all) there.insert(found.here);
  std::erase_if(names_, [&](const auto& name) {
    if (there.contains(name.first)) return false;
    ::unlink(name.first.c_str());
    return true;
  });
}

}  // namespace gate::app
