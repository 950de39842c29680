#include <algorithm>
#include <system_error>

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
    for (Names* names : {&listing_.files, &listing_.others, &listing_.unread}) std::ranges::sort(*names);
  }

 private:
  using Names = std::vector<std::string>;

  // Lists a folder by its name from the first one on: "" is that itself, others end with a slash.
  void list_one(const std::string& name) {
    std::error_code error;
    const Path folder = name.empty() ? folder_ : folder_ / name;
    for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
      sort_in(name, *it);
    const bool absent = error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
    if (!error || absent) return;
    listing_.unread.push_back(name.empty() ? "." : name.substr(0, name.size() - 1));
    if (listing_.why.empty()) listing_.why = error.message();
  }

  void sort_in(const std::string& folder, const std::filesystem::directory_entry& entry) {
    std::error_code ignored;
    const std::string& path = entry.path().native();
    std::string name = folder + path.substr(path.rfind('/') + 1);
    if (!entry.is_symlink(ignored) && entry.is_directory(ignored)) return waiting_.push_back(name + '/');
    (entry.is_regular_file(ignored) ? listing_.files : listing_.others).push_back(std::move(name));
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
