#include <algorithm>
#include <system_error>

#include "gate/base/fs.h"

namespace gate::fs {

namespace {

// Walks without recursion, as deep as the tree may be.
class Lister {
 public:
  Lister(const Path& folder, Listing& listing) : folder_(folder), listing_(listing) {}

  void list() {
    for (waiting_.push_back(folder_); !waiting_.empty();) {
      const Path next = std::move(waiting_.back());
      waiting_.pop_back();
      list_one(next);
    }
    for (Names* names : {&listing_.files, &listing_.others, &listing_.unread}) std::ranges::sort(*names);
  }

 private:
  using Names = std::vector<std::string>;

  void list_one(const Path& folder) {
    std::error_code error;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
      sort_in(*it);
    const bool absent = error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
    if (error && !absent) listing_.unread.push_back(name_of(folder));
  }

  void sort_in(const std::filesystem::directory_entry& entry) {
    std::error_code ignored;
    if (!entry.is_symlink(ignored) && entry.is_directory(ignored)) return waiting_.push_back(entry.path());
    Names& names = entry.is_regular_file(ignored) ? listing_.files : listing_.others;
    names.push_back(name_of(entry.path()));
  }

  std::string name_of(const Path& path) const { return path.lexically_relative(folder_).generic_string(); }

  const Path& folder_;
  Listing& listing_;
  std::vector<Path> waiting_;
};

}  // namespace

Listing list_below(const Path& folder) {
  Listing listing;
  Lister lister(folder, listing);
  lister.list();
  return listing;
}

std::vector<std::string> files_below(const Path& folder) { return list_below(folder).files; }

std::vector<std::string> files_for(const Path& root, const std::string& glob) {
  const std::string fixed = glob.substr(0, std::min(glob.find_first_of("*?["), glob.size()));
  const std::string folder = fixed.substr(0, fixed.rfind('/') + 1);
  std::vector<std::string> files = files_below(root / folder);
  for (std::string& file : files) file.insert(0, folder);
  return files;
}

}  // namespace gate::fs
