#include "gate/config/tolerance_edit.h"

#include <algorithm>
#include <map>
#include <vector>

#include "config/toml/toml_tree.h"
#include "gate/base/text.h"
#include "gate/config/margins.h"

namespace gate::config {

namespace {

using KeyPath = std::vector<std::string>;
using SaidValues = std::map<KeyPath, std::string>;

void add_said(const TomlTree& tree, const KeyPath& path, SaidValues& said) {
  said[path] = std::to_string(static_cast<int>(tree.raw.kind)) + tree.raw.text;
  for (const Branch& branch : tree.branches) {
    KeyPath below = path;
    below.push_back(branch.key);
    add_said(branch.tree, below, said);
  }
  for (std::size_t i = 0; i < tree.items.size(); ++i) {
    KeyPath below = path;
    below.push_back(std::to_string(i));
    add_said(tree.items[i], below, said);
  }
}

SaidValues said_by(const TomlTree& tree) {
  SaidValues said;
  add_said(tree, {}, said);
  return said;
}

// Return the path of the tolerance: `case`, the glob of just this case, `rules`, the rule, `tolerance`.
KeyPath path_of(const ToleranceEdit& edit) {
  std::string glob;
  for (const char c : edit.case_name)
    glob += is_glob(std::string(1, c)) ? "[" + std::string(1, c) + "]" : std::string(1, c);
  return {"case", glob, "rules", edit.rule, "tolerance"};
}

// Return the branches along the path, as far as there are any.
std::vector<const Branch*> branches_along(const TomlTree& root, const KeyPath& path) {
  std::vector<const Branch*> found;
  const TomlTree* tree = &root;
  for (const std::string& key : path) {
    const auto branch = std::ranges::find(tree->branches, key, &Branch::key);
    if (branch == tree->branches.end()) break;
    found.push_back(&*branch);
    tree = &branch->tree;
  }
  return found;
}

// Return the keys from the place on, `rules.throughput.tolerance`.
std::string dotted(const KeyPath& path, std::size_t from) {
  std::string keys;
  for (std::size_t i = from; i < path.size(); ++i) keys += (keys.empty() ? "" : ".") + toml_key(path[i]);
  return keys;
}

// The lines of a file, each with its end.
struct FileLines {
  std::vector<std::string> lines;
  std::string end = "\n";

  explicit FileLines(const std::string& text) {
    if (text.find("\r\n") != std::string::npos) end = "\r\n";
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t next = std::min(text.find('\n', i), text.size() - 1) + 1;
      lines.push_back(text.substr(i, next - i));
      i = next;
    }
  }

  std::string text() const { return join(lines, ""); }
  void insert(std::size_t at, const std::string& line) {
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(at), line + end);
  }
};

bool is_own_comment(const std::string& line) {
  return std::string(trim(line)).starts_with("# " + std::string(edit_mark));
}

// Tell whether the edited text says what was said before and the tolerance, and nothing else.
bool says_just(const std::string& edited, const std::string& file, const TomlTree& before,
               const KeyPath& path, const std::string& tolerance) {
  const auto after = parse_toml(edited, file);
  if (!after) return false;
  SaidValues then = said_by(before), now = said_by(*after);
  const std::string wanted = std::to_string(static_cast<int>(RawValue::Kind::text)) + tolerance;
  if (const auto leaf = now.find(path); leaf == now.end() || leaf->second != wanted) return false;
  for (std::size_t length = 1; length <= path.size(); ++length) {
    const KeyPath part(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(length));
    if (length == path.size() || !then.contains(part)) then.erase(part), now.erase(part);
  }
  return then == now;
}

// Return the line with the new value in place of the old one, "" where the line is not just `keys = "old"`
// and perhaps a comment.
std::string replaced_line(const std::string& line, const std::string& old, const std::string& fresh) {
  const std::size_t equals = line.find('=');
  if (equals == std::string::npos || line.substr(0, equals).find_first_of("{}#,") != std::string::npos)
    return "";
  const std::size_t value = line.find_first_not_of(" \t", equals + 1);
  for (const char* quote : {"\"", "'"}) {
    const std::string quoted = quote + old + quote;
    if (value == std::string::npos || line.compare(value, quoted.size(), quoted) != 0) continue;
    const std::string_view rest = trim(std::string_view(line).substr(value + quoted.size()));
    if (rest.empty() || rest.starts_with('#'))
      return line.substr(0, value) + toml_text(fresh) + line.substr(value + quoted.size());
  }
  return "";
}

std::string replaced_text(FileLines lines, const Branch& leaf, const ToleranceEdit& edit) {
  const auto at = static_cast<std::size_t>(leaf.at.line) - 1;
  if (at >= lines.lines.size()) return "";
  const std::string line = replaced_line(lines.lines[at], leaf.tree.raw.text, edit.tolerance);
  if (line.empty()) return "";
  lines.lines[at] = line;
  const std::string comment = "# " + edit.comment;
  if (at > 0 && is_own_comment(lines.lines[at - 1]))
    lines.lines[at - 1] = comment + lines.end;
  else
    lines.insert(at, comment);
  return lines.text();
}

// Return the texts with the tolerance behind the head of each table along the path, the innermost first, and
// at the end.
std::vector<std::string> inserted_texts(const FileLines& before, const std::vector<const Branch*>& along,
                                        const KeyPath& path, const ToleranceEdit& edit) {
  std::vector<std::string> texts;
  for (std::size_t depth = along.size(); depth >= 2; --depth) {
    const auto at = static_cast<std::size_t>(along[depth - 1]->at.line);
    if (at > before.lines.size() || !trim(before.lines[at - 1]).starts_with('[')) continue;
    FileLines lines = before;
    if (!lines.lines[at - 1].ends_with('\n')) lines.lines[at - 1] += lines.end;
    lines.insert(at, dotted(path, depth) + " = " + toml_text(edit.tolerance));
    lines.insert(at, "# " + edit.comment);
    texts.push_back(lines.text());
  }
  FileLines lines = before;
  if (!lines.lines.empty() && !lines.lines.back().ends_with('\n')) lines.lines.back() += lines.end;
  if (!lines.lines.empty()) lines.lines.push_back(lines.end);
  for (const std::string& line : {"[" + case_key(edit.case_name) + "]", "# " + edit.comment,
                                  dotted(path, 2) + " = " + toml_text(edit.tolerance)})
    lines.lines.push_back(line + lines.end);
  texts.push_back(lines.text());
  return texts;
}

}  // namespace

std::vector<Sentence> lines_to_paste(const std::string& case_name, std::span<const judge::Noise> noise,
                                     int least_runs) {
  std::map<std::string, const judge::Noise*> widest;
  for (const judge::Noise& one : noise) {
    if (!judge::is_noisy(one) || one.runs.baseline < least_runs || judge::fitting_tolerance(one).empty())
      continue;
    const auto [found, is_new] = widest.try_emplace(one.rule, &one);
    if (!is_new && *one.rate > *found->second->rate) found->second = &one;
  }
  std::vector<Sentence> lines;
  for (const auto& [rule, one] : widest) {
    const std::string line =
        dotted({"rules", rule, "tolerance"}, 0) + " = " + toml_text(judge::fitting_tolerance(*one));
    lines.push_back(
        say({"within 1 % with, in gate.toml below [{}]: {}", "不超过 1 % 需在 gate.toml 的 [{}] 下写：{}"},
            case_key(case_name), line));
  }
  return lines;
}

Result<std::string> with_tolerance(const std::string& toml, const std::string& file,
                                   const ToleranceEdit& edit) {
  const auto before = parse_toml(toml, file);
  if (!before) return fail(to_string(before.error()));
  const KeyPath path = path_of(edit);
  const std::vector<const Branch*> along = branches_along(*before, path);
  const bool is_there = along.size() == path.size();
  const std::vector<std::string> texts =
      is_there ? std::vector{replaced_text(FileLines(toml), *along.back(), edit)}
               : inserted_texts(FileLines(toml), along, path, edit);
  for (const std::string& text : texts)
    if (!text.empty() && says_just(text, file, *before, path, edit.tolerance)) return text;
  const std::string place = along.size() < 2 ? file : to_string(along.back()->at);
  return fail(place + ": to be changed by hand: " + dotted(path, 0) + " = " + toml_text(edit.tolerance));
}

}  // namespace gate::config
