#include "gate/config/names.h"

#include <algorithm>
#include <set>

#include "gate/base/text.h"

namespace gate::config {

namespace {

std::string_view without_dot(std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  return path;
}

// The folders of the glob before its first part that selects, with the last slash.
std::string_view fixed_folder(std::string_view glob) {
  const std::string_view fixed = glob.substr(0, std::min(glob.find_first_of("*?["), glob.size()));
  const std::size_t slash = fixed.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : fixed.substr(0, slash + 1);
}

bool is_hidden(std::string_view path) {
  const std::vector<std::string_view> parts = split(path, '/');
  return std::any_of(parts.begin(), parts.end(),
                     [](std::string_view part) { return part.starts_with('_') || part.starts_with('.'); });
}

std::string_view case_name(std::string_view path, std::string_view folder) {
  path.remove_prefix(folder.size());
  if (path.ends_with(".sh") && path.size() > 3) path.remove_suffix(3);
  return path;
}

bool selects(std::string_view word, const CaseScript& found) {
  const std::string_view path = without_dot(word);
  if (word == found.name || path == found.script) return true;
  return is_glob(word) && (glob_match(word, found.name) || glob_match(path, found.script));
}

std::string nothing_selected(const std::string& word, std::span<const CaseScript> found) {
  std::vector<std::string> names;
  for (const CaseScript& one : found) {
    names.push_back(one.name);
    names.push_back(one.script);
  }
  return "no case \"" + printable(word, 80) + "\"" +
         (found.empty() ? "; the suite has no cases" : did_you_mean(without_dot(word), names));
}

}  // namespace

std::vector<CaseScript> find_cases(std::string_view cases_glob, std::span<const std::string> files) {
  const std::string_view glob = without_dot(cases_glob), folder = fixed_folder(glob);
  std::vector<CaseScript> found;
  for (const std::string& file : files) {
    if (!glob_match(glob, file) || is_hidden(std::string_view(file).substr(folder.size()))) continue;
    found.push_back({std::string(case_name(file, folder)), file});
  }
  std::sort(found.begin(), found.end(),
            [](const CaseScript& a, const CaseScript& b) { return a.name < b.name; });
  return found;
}

Result<std::vector<std::string>> select(std::span<const std::string> words,
                                        std::span<const CaseScript> found) {
  std::vector<std::string> names;
  for (const CaseScript& one : found)
    if (words.empty() ||
        std::any_of(words.begin(), words.end(), [&](const std::string& word) { return selects(word, one); }))
      names.push_back(one.name);
  std::vector<std::string> mistakes;
  for (const std::string& word : words)
    if (std::none_of(found.begin(), found.end(), [&](const CaseScript& one) { return selects(word, one); }))
      mistakes.push_back(nothing_selected(word, found));
  if (!mistakes.empty()) return fail(join(mistakes, "\n"));
  return names;
}

}  // namespace gate::config
