#include "gate/hosts/sent_tree.h"

#include <algorithm>
#include <array>

#include "gate/base/text.h"

namespace gate::hosts {

namespace {

constexpr std::array<std::string_view, 3> kind_words{"file", "program", "link"};

Result<TreeEntry> read_entry(WordReader& words) {
  const std::string kind = words.text();
  const auto* word = std::ranges::find(kind_words, kind);
  TreeEntry entry{words.text(), EntryKind::file, words.text()};
  if (!words.is_good() || word == kind_words.end()) return fail("the list of files is malformed");
  entry.kind = static_cast<EntryKind>(word - kind_words.begin());
  const std::string shown = "\"" + printable(entry.path, 200) + "\"";
  if (!is_plain_path(entry.path)) return fail(shown + " is no path below a folder");
  const bool is_empty = entry.content.empty() || entry.content.find('\0') != std::string::npos;
  if (entry.kind == EntryKind::link ? is_empty : !is_sha256(entry.content))
    return fail(shown + " has no content");
  return entry;
}

}  // namespace

bool is_plain_path(std::string_view path) {
  if (path.find('\0') != std::string_view::npos) return false;
  const std::vector<std::string_view> parts = split(path, '/');
  return !parts.empty() && std::ranges::none_of(parts, [](std::string_view part) {
    return part.empty() || part == "." || part == "..";
  });
}

bool is_sha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

void add(Frame& message, const TreeEntry& entry) {
  message.emplace_back(kind_words.at(static_cast<std::size_t>(entry.kind)));
  message.push_back(entry.path);
  message.push_back(entry.content);
}

Result<std::vector<TreeEntry>> read_entries(WordReader& words) {
  std::vector<TreeEntry> entries;
  while (words.has_more()) {
    GATE_TRY(TreeEntry entry, read_entry(words));
    entries.push_back(std::move(entry));
  }
  return entries;
}

}  // namespace gate::hosts
