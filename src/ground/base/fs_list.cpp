#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

#include "gate/base/fs.h"
#include "gate/base/set_aside.h"

namespace gate::fs {

namespace {

// Walks without recursion, as deep as the tree may be.
class Lister {
 public:
  Lister(const Path& folder, Listing& listing) : folder_(folder), listing_(listing) {}

  void list() {
    for (waiting_.push_back(""); !waiting_.empty();) {
      const std::string next = std::move(waiting_.back());
      waiting_.pop_back();
      list_one(next);
    }
    for (Names* names : {&listing_.files, &listing_.others, &listing_.unread})
      if (!std::ranges::is_sorted(*names)) std::ranges::sort(*names);
  }

 private:
  using Names = std::vector<std::string>;

  // Lists a folder by its name from the first one on: "" is that itself, others end with a slash.
  void list_one(const std::string& name) {
    const Path path = name.empty() ? folder_ : folder_ / name;
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), ::closedir);
    std::vector<std::pair<std::string, mode_t>> found;
    const dirent* entry = nullptr;
    while (folder && (errno = 0, entry = ::readdir(folder.get())) != nullptr)
      if (const std::string_view own = entry->d_name; own != "." && own != "..")
        found.emplace_back(name + entry->d_name, type_of(::dirfd(folder.get()), *entry));
    const int error = errno;
    sort_in(std::move(found));
    if (error == 0 || error == ENOENT || error == ENOTDIR) return;
    listing_.unread.push_back(name.empty() ? "." : name.substr(0, name.size() - 1));
    if (listing_.why.empty()) listing_.why = std::generic_category().message(error);
  }

  // Return the type of what the folder has; of a link that of the file it leads to, and its own where that is
  // none.
  static mode_t type_of(int folder, const dirent& entry) {
    if (entry.d_type == DT_DIR) return S_IFDIR;
    if (entry.d_type == DT_REG) return S_IFREG;
    struct stat own {};
    ::fstatat(folder, entry.d_name, &own, AT_SYMLINK_NOFOLLOW);
    struct stat meant {};
    const bool leads_to_file =
        S_ISLNK(own.st_mode) && ::fstatat(folder, entry.d_name, &meant, 0) == 0 && S_ISREG(meant.st_mode);
    return leads_to_file ? S_IFREG : own.st_mode & S_IFMT;
  }

  // Those of one folder are sorted while they are few. The last that waits is the next that is listed.
  void sort_in(std::vector<std::pair<std::string, mode_t>> found) {
    std::ranges::sort(found);
    for (auto it = found.rbegin(); it != found.rend(); ++it)
      if (it->second == S_IFDIR) waiting_.push_back(it->first + '/');
    for (auto& [name, type] : found)
      if (type != S_IFDIR) (type == S_IFREG ? listing_.files : listing_.others).push_back(std::move(name));
  }

  const Path& folder_;
  Listing& listing_;
  Names waiting_;
};

}  // namespace

Listing list_below(const Path& folder) {
  Listing listing;
  Lister lister(folder, listing);
  lister.list();
  return listing;
}

std::vector<std::string> files_below(const Path& folder) { return list_below(folder).files; }

Result<std::vector<std::string>> all_files_below(const Path& folder) {
  Listing listing = list_below(folder);
  if (listing.unread.empty()) return std::move(listing.files);
  return fail((folder / listing.unread.front()).lexically_normal().string() +
              ": cannot list the folder: " + listing.why);
}

std::string folder_before_hole(std::string_view pattern) {
  const std::string_view fixed = pattern.substr(0, pattern.find_first_of("*?[{"));
  return std::string(fixed.substr(0, fixed.rfind('/') + 1));
}

Listing list_for(const Path& root, const std::string& glob) {
  const std::string fixed = glob.substr(0, std::min(glob.find_first_of("*?["), glob.size()));
  std::error_code error;
  if (fixed == glob) {
    Listing one;
    if (std::filesystem::is_regular_file(root / glob, error)) one.files.push_back(glob);
    return one;
  }
  const std::string folder = fixed.substr(0, fixed.rfind('/') + 1);
  Listing listing = list_below(root / folder);
  std::erase_if(listing.files, is_set_aside);
  for (auto* names : {&listing.files, &listing.others, &listing.unread})
    for (std::string& name : *names) name = name == "." ? folder : folder + name;
  return listing;
}

std::vector<std::string> files_for(const Path& root, const std::string& glob) {
  return list_for(root, glob).files;
}

}  // namespace gate::fs
