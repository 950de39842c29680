// How a lease outlives neither its gate nor its script.
//
// A lease is an open-file-description lock (fcntl F_OFD_SETLK) on a file that all gates of the host share.
// Such a lock belongs to the open file, and not to the process: it goes when the last descriptor of it is
// closed, by whoever has one. Ada's gate takes device 0, and is killed:
//
//     ada's worker   open /tmp/gate-leases/ascend-0000-C1-00.0, lock it, write who has it into it
//                    the descriptor goes to her guard, too (keep_open_with_guard)
//     bob's gate     cannot lock it, reads `pid 71 of ada`, and waits
//     KILL           of ada's worker: its descriptor is closed, and the guard's is not: bob waits on, for
//                    her script still has the device
//     ada's guard    stops the script, ends, and the last descriptor is closed: bob locks the file
//
// What stands in the file may be years old, so it is read only where there is a lock.
//
// Files are never removed (decision 14), for a lock on a removed file keeps nobody out: the next one makes a
// new file under the name, and locks that. Somebody cleans /tmp all the same: each second `retake` compares
// the open file with the one at the path (device and inode), and takes what is there now. If another gate was
// faster, that is said of both: `displaced` remembers whom to try for again.
//
// The folder is for all users, sticky: a file is opened without O_CREAT first (open_or_make), for the system
// refuses O_CREAT on others' files there; no link is followed, and a file with a second name is not written.
#include "gate/devices/leases.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "gate/base/text.h"
#include "gate/base/variables.h"
#include "gate/devices/ports.h"

namespace gate::devices {

namespace {

constexpr mode_t for_all = 0666, folder_for_all = 01777;

std::string reason() { return std::generic_category().message(errno); }

struct flock whole_file() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

// Lock the open file, not the process: a copy of the descriptor keeps the lock.
bool lock(int file) {
  struct flock all = whole_file();
  return ::fcntl(file, F_OFD_SETLK, &all) == 0;
}

void unlock(int file) {
  struct flock all = whole_file();
  all.l_type = F_UNLCK;
  ::fcntl(file, F_OFD_SETLK, &all);
}

bool is_locked(int file) {
  struct flock all = whole_file();
  return ::fcntl(file, F_OFD_GETLK, &all) == 0 && all.l_type != F_UNLCK;
}

// An existing file is opened without O_CREAT: in a sticky folder the system refuses that for files of others.
int open_or_make(const std::string& path) {
  constexpr int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
  for (int tries = 0; tries < 3; ++tries) {
    int file = ::open(path.c_str(), flags);
    if (file >= 0 || errno != ENOENT) return file;
    file = ::open(path.c_str(), flags | O_CREAT | O_EXCL, for_all);
    if (file >= 0) ::fchmod(file, for_all);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

bool is_regular(int file) {
  struct stat facts {};
  return ::fstat(file, &facts) == 0 && S_ISREG(facts.st_mode);
}

// Tell whether the open file is the one at the path.
bool is_at(int file, const std::string& path) {
  struct stat open {
  }, there{};
  return ::fstat(file, &open) == 0 && ::lstat(path.c_str(), &there) == 0 && open.st_dev == there.st_dev &&
         open.st_ino == there.st_ino;
}

// Not by name: a static binary cannot read the user database.
std::string user_of(const struct stat& facts) { return "uid " + std::to_string(facts.st_uid); }

// Return whose it is that stands there, or else the folder, where that is another user.
std::string foreign_owner(const std::filesystem::path& path) {
  struct stat facts {};
  if (::lstat(path.c_str(), &facts) != 0 && ::lstat(path.parent_path().c_str(), &facts) != 0) return "";
  if (facts.st_uid == ::geteuid()) return "";
  return (S_ISDIR(facts.st_mode) ? "; the folder is of " : "; it is of ") + user_of(facts) +
         ", who can remove it, as root can";
}

bool has_two_names(int file) {
  struct stat facts {};
  return ::fstat(file, &facts) == 0 && facts.st_nlink > 1;
}

Holder unknown_holder(int file) {
  struct stat facts {};
  Holder holder;
  if (::fstat(file, &facts) == 0 && facts.st_uid != ::geteuid()) holder.owner = user_of(facts);
  return holder;
}

Holder read_holder(int file) {
  std::array<char, 4096> text{};
  const ssize_t size = ::pread(file, text.data(), text.size(), 0);
  const nlohmann::json json = nlohmann::json::parse(
      std::string_view(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0), nullptr, false);
  if (!json.is_object()) return unknown_holder(file);
  const auto text_at = [&](const char* name) {
    const auto it = json.find(name);
    return it != json.end() && it->is_string() ? it->get<std::string>() : std::string();
  };
  const auto pid = json.find("pid");
  return {pid != json.end() && pid->is_number_integer() ? pid->get<std::int64_t>() : 0,
          text_at("host"),
          text_at("user"),
          text_at("run"),
          text_at("case"),
          text_at("since")};
}

bool write_holder(int file, const Holder& holder) {
  const nlohmann::json json{{"pid", holder.pid}, {"host", holder.host},      {"user", holder.user},
                            {"run", holder.run}, {"case", holder.case_name}, {"since", holder.since}};
  const std::string text = json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  return ::ftruncate(file, 0) == 0 &&
         ::pwrite(file, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size());
}

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-'; }

}  // namespace

Sentence text(const Holder& holder) {
  Sentence who = holder.pid > 0 ? say({"pid {}", "pid {}"}, holder.pid) : say({"a process", "一个进程"});
  if (!holder.user.empty()) who += say({" of {}", "，用户 {}"}, printable(holder.user, 40));
  if (!holder.host.empty()) who += say({" on {}", "，主机 {}"}, printable(holder.host, 60));
  std::vector<Sentence> facts;
  if (!holder.case_name.empty())
    facts.push_back(say({"case {}", "用例 {}"}, printable(holder.case_name, 80)));
  if (!holder.run.empty()) facts.push_back(say({"run {}", "运行 {}"}, printable(holder.run, 60)));
  if (!holder.owner.empty()) facts.push_back(say({"its lease is of {}", "其租约文件属于 {}"}, holder.owner));
  if (!holder.since.empty()) facts.push_back(say({"since {}", "自 {}"}, printable(holder.since, 40)));
  return facts.empty() ? who : say({"{} ({})", "{}（{}）"}, who, join(facts, comma));
}

std::string lease_of(const Device& device) {
  std::string name = !device.bus.empty()    ? device.bus
                     : !device.uuid.empty() ? device.uuid
                                            : std::to_string(device.index);
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !is_name(c); }, '-');
  return device.vendor + "-" + name;
}

std::string lease_of_port(int port) { return "port-" + std::to_string(port); }

std::vector<Result<std::optional<Holder>>> Leases::take_each(const std::vector<std::string>& names,
                                                             const Holder& me) {
  std::vector<Result<std::optional<Holder>>> taken;
  for (const std::string& name : names) taken.push_back(take(name, me));
  return taken;
}

FolderLeases::FolderLeases(std::string folder, std::function<void(int)> opened)
    : folder_(std::move(folder)), opened_(std::move(opened)) {}

FolderLeases::FolderLeases(FolderLeases&& other) noexcept
    : folder_(std::move(other.folder_)),
      opened_(std::move(other.opened_)),
      files_(std::exchange(other.files_, {})),
      taken_(std::exchange(other.taken_, {})),
      displaced_(std::exchange(other.displaced_, {})) {}

FolderLeases::~FolderLeases() {
  for (const auto& [name, file] : files_) {
    unlock(file);
    ::close(file);
  }
}

Result<FolderLeases> FolderLeases::open(const std::string& folder, std::function<void(int)> opened) {
  FolderLeases leases(folder, std::move(opened));
  GATE_TRY_STATUS(leases.make_folder());
  return leases;
}

Status FolderLeases::make_folder() const {
  if (::mkdir(folder_.c_str(), folder_for_all) == 0) {
    ::chmod(folder_.c_str(), folder_for_all);  // whatever the umask is
  } else if (errno != EEXIST) {
    return fail("cannot make the folder of leases " + folder_ + ": " + reason() +
                "; GATE_LEASE_DIR names another one");
  }
  struct stat facts {};
  if (::stat(folder_.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode))
    return fail("the folder of leases " + folder_ + " is no folder; GATE_LEASE_DIR names another one");
  return {};
}

std::string FolderLeases::path_of(const std::string& name) const { return folder_ + "/" + name; }

Result<int> FolderLeases::file_of(const std::string& name) {
  if (const auto it = files_.find(name); it != files_.end()) return it->second;
  GATE_TRY_STATUS(make_folder());
  const std::string path = path_of(name);
  const int file = open_or_make(path);
  const std::string why = reason();
  if (file < 0) return fail("cannot open the lease " + path + ": " + why + foreign_owner(path));
  if (!is_regular(file)) {
    ::close(file);
    return fail("the lease " + path + " is no regular file" + foreign_owner(path));
  }
  files_.emplace(name, file);
  if (opened_) opened_(file);
  return file;
}

void FolderLeases::forget(const std::string& name) {
  if (const auto it = files_.find(name); it != files_.end()) ::close(it->second), files_.erase(it);
}

// A lock on a file that was removed meanwhile excludes nobody: the file that is there now is opened instead.
Result<int> FolderLeases::present_file_of(const std::string& name) {
  Result<int> file = file_of(name);
  if (file && !is_at(*file, path_of(name))) forget(name), file = file_of(name);
  if (file && has_two_names(*file))
    return fail("the lease " + path_of(name) +
                " has a second name: what it holds may be a file of somebody's; remove it" +
                foreign_owner(path_of(name)));
  return file;
}

Result<std::optional<Holder>> FolderLeases::take(const std::string& name, const Holder& me) {
  GATE_TRY(const int file, present_file_of(name));
  if (lock(file)) {
    if (write_holder(file, me)) {
      taken_.insert_or_assign(name, me);
      return Result<std::optional<Holder>>();
    }
    const std::string why = reason();
    unlock(file);
    return fail("cannot write the lease " + path_of(name) + ": " + why);
  }
  if (errno != EAGAIN && errno != EACCES)
    return fail("cannot lock the lease " + path_of(name) + ": " + reason());
  return std::optional(read_holder(file));
}

void FolderLeases::give_back(const std::string& name) {
  taken_.erase(name);
  displaced_.erase(name);
  if (const auto it = files_.find(name); it != files_.end()) unlock(it->second);
}

std::vector<Leases::Displaced> FolderLeases::retake() {
  std::vector<Displaced> found;
  for (const auto& [name, me] : std::map(taken_)) {
    const auto file = files_.find(name);
    const bool in_place = file != files_.end() && is_at(file->second, path_of(name));
    if (in_place && !displaced_.contains(name)) continue;
    const auto holder = take(name, me);
    Displaced& displaced = found.emplace_back();
    displaced.name = name;
    if (!holder) displaced.trouble = holder.error().message;
    if (holder && *holder) displaced.by = **holder;
    const bool is_ours = holder && !*holder;
    is_ours ? void(displaced_.erase(name)) : void(displaced_.insert(name));
  }
  return found;
}

std::optional<Holder> FolderLeases::holder(const std::string& name) const {
  const int file = ::open((folder_ + "/" + name).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return std::nullopt;
  std::optional<Holder> found;
  if (is_regular(file) && is_locked(file)) found = read_holder(file);
  ::close(file);
  return found;
}

std::string lease_folder() {
  constexpr const char* shared_leases = "/tmp/gate-leases";
  const std::string told = own_variable("GATE_LEASE_DIR");
  return told.empty() ? shared_leases : told;
}

bool is_free(int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return true;  // nobody can tell
  const int yes = 1;            // as servers do: a connection that has ended is in nobody's way
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<in_port_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  const bool free = ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(socket);
  return free;
}

}  // namespace gate::devices
