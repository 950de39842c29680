#include "app/series/log_files.h"

#include <algorithm>
#include <map>
#include <system_error>

#include "gate/base/fs.h"
#include "gate/base/natural.h"
#include "gate/base/text.h"

namespace gate::app {

namespace {

bool has_hidden_part(const std::string& path) {
  const auto parts = split(path, '/');
  return std::ranges::any_of(parts, [](std::string_view part) { return part.starts_with('.'); });
}

Answer<std::vector<std::string>> files_of(const std::string& folder) {
  fs::Listing listing = fs::list_below(folder);
  if (!listing.unread.empty())
    return usage(folder + ": cannot list " + some_of(listing.unread, 3) + " in it; name the files");
  std::erase_if(listing.files, has_hidden_part);
  if (listing.files.empty())
    return usage(folder + ": the folder holds no file; name a log, or a folder of logs");
  for (std::string& file : listing.files) file = (fs::Path(folder) / file).string();
  return std::move(listing.files);
}

// The name by which a file that is named in two ways is found out.
std::string own_name(const std::string& file) {
  std::error_code error;
  const fs::Path own = std::filesystem::canonical(file, error);
  return error ? file : own.string();
}

std::string named_twice(const std::vector<std::string>& files) {
  std::map<std::string, std::string> seen;
  for (const std::string& file : files) {
    const auto [it, is_new] = seen.emplace(own_name(file), file);
    if (is_new) continue;
    const std::string same = it->second == file ? "" : ", as " + it->second;
    return (file == "-" ? "- (standard input)" : file) + ": named twice" + same + "; name each log once";
  }
  return "";
}

}  // namespace

Answer<std::vector<std::string>> log_files(const std::vector<std::string>& words) {
  std::vector<std::string> files;
  for (const std::string& word : words) {
    if (word == "-" || !fs::is_folder(word)) {
      files.push_back(word);
      continue;
    }
    const Answer<std::vector<std::string>> inside = files_of(word);
    if (!inside) return inside;
    files.insert(files.end(), inside->begin(), inside->end());
  }
  if (std::string twice = named_twice(files); !twice.empty()) return usage(std::move(twice));
  std::ranges::sort(files, natural_less);
  return files;
}

}  // namespace gate::app
