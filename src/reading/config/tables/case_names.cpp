#include "gate/config/case_names.h"

#include <algorithm>

#include "gate/base/text.h"
#include "gate/config/flagperf.h"

namespace gate::config {

namespace {

std::string_view without_dot(std::string_view path) {
  while (path.starts_with("./")) path.remove_prefix(2);
  return path;
}

// The folders of the glob before its first part that selects, with the last slash.
std::string_view fixed_folder_of(std::string_view glob) {
  const std::string_view fixed = glob.substr(0, glob.find_first_of("*?["));
  return fixed.substr(0, fixed.rfind('/') + 1);  // npos + 1 is 0
}

bool is_hidden(std::string_view path) {
  return std::ranges::any_of(
      split(path, '/'), [](std::string_view part) { return part.starts_with('_') || part.starts_with('.'); });
}

bool selects(std::string_view word, const CaseScript& script) {
  const std::string_view path = without_dot(word);
  if (word == script.name || word == script.base() || path == script.script) return true;
  return is_glob(word) && (glob_match(word, script.name) || glob_match(path, script.script));
}

// Say which cases there are of the benchmark that the key names; without any, which there are at all.
std::string no_flagperf_case(const std::string& word, const FlagPerfCase& key,
                             std::span<const CaseScript> scripts) {
  constexpr std::size_t most = 12;
  std::vector<std::string> of_benchmark, all;
  for (const CaseScript& one : scripts) {
    const std::string base = one.name.substr(0, one.name.rfind('@'));
    all.push_back(one.name);
    if (("/" + base).ends_with("/" + key.name())) of_benchmark.push_back(one.name);
  }
  const std::string known = !of_benchmark.empty()
                                ? "of " + key.name() + " there are " + some_of(of_benchmark, most)
                            : all.empty() ? "the suite has no cases"
                                          : "there are " + some_of(all, most);
  return "no case \"" + printable(word, 80) + "\"; " + known +
         "; of a key that is new in CASES gate init --dry-run prints the lines for gate.toml";
}

// Names that begin with the word, or lie deeper than its last `*` goes, are meant by a glob: `'st/**'`; ""
// where none does.
std::string glob_below(const std::string& word, std::span<const CaseScript> scripts) {
  if (const std::string deeper = std::string(without_dot(word)) + "*"; word.ends_with('*'))
    return std::ranges::any_of(scripts, [&](const CaseScript& one) { return glob_match(deeper, one.name); })
               ? "; a * ends at a /: write '" + printable(deeper, 80) + "' for those below it"
               : "";
  const std::string folder = std::string(without_dot(word)) + (word.ends_with('/') ? "" : "/");
  const bool is_folder = std::ranges::any_of(scripts, [&](const CaseScript& one) {
    return one.name.starts_with(folder) || one.script.starts_with(folder);
  });
  return is_folder ? "; write '" + printable(folder, 80) + "**' for those below it" : "";
}

std::string nothing_selected(const std::string& word, std::span<const CaseScript> scripts) {
  if (const std::string glob = glob_below(word, scripts); !glob.empty())
    return "no case \"" + printable(word, 80) + "\"" + glob;
  if (const auto key = read_flagperf_key(word)) return no_flagperf_case(word, *key, scripts);
  std::vector<std::string> names;
  for (const CaseScript& one : scripts) {
    names.push_back(one.name);
    names.push_back(one.script);
  }
  return "no case \"" + printable(word, 80) + "\"" +
         (scripts.empty() ? "; the suite has no cases" : did_you_mean(without_dot(word), names));
}

// Return which of the scripts the word selects. A key of FlagPerf's is one only where nothing is called so.
std::vector<bool> selection(const std::string& word, std::span<const CaseScript> scripts) {
  std::vector<bool> chosen;
  for (const CaseScript& one : scripts) chosen.push_back(selects(word, one));
  const auto key = read_flagperf_key(word);
  if (key && std::ranges::find(chosen, true) == chosen.end())
    for (std::size_t i = 0; i < scripts.size(); ++i) chosen[i] = is_flagperf_case(*key, scripts[i].name);
  return chosen;
}

// Tell whether a file that the glob selects gives its folder's name: `cases/*/config.yaml`.
bool names_folders(std::string_view glob) {
  const std::size_t slash = glob.rfind('/');
  return is_glob(glob) && slash != glob.npos && !is_glob(glob.substr(slash)) && !glob.ends_with(".sh");
}

// Return the file that is the case of that name under the glob; "" where the glob selects none that could be.
std::string script_of(std::string_view cases_glob, std::string_view name) {
  const std::string_view glob = without_dot(cases_glob);
  std::string path = std::string(fixed_folder_of(glob)).append(name);
  if (names_folders(glob)) path += glob.substr(glob.rfind('/'));
  if (glob.ends_with(".sh")) path += ".sh";
  return glob_match(glob, path) ? path : "";
}

std::string unknown_placeholder(std::string_view key, const std::map<std::string, std::string>& values) {
  const auto known = texts_of(values, [&](const auto& one) { return "{" + one.first + "}"; });
  const std::string written = "{" + std::string(key) + "}", hint = did_you_mean(written, known);
  return "unknown placeholder \"" + printable(written, 80) + "\"" +
         (hint.empty() ? "; known: " + join(known, ", ") : hint);
}

}  // namespace

std::string Variant::name() const {
  std::string name = base;
  for (const AxisValue& one : values) {
    name += name.size() == base.size() ? "@" : ",";
    name += one.axis == size_axis ? one.value : one.axis + "=" + one.value;
  }
  return name;
}

std::string base_in(std::string_view name) { return std::string(name.substr(0, name.find('@'))); }

std::string case_path(std::string_view cases_glob, std::string_view file) {
  const std::string_view glob = without_dot(cases_glob), folder = fixed_folder_of(glob);
  file.remove_prefix(folder.size());
  if (names_folders(glob)) return std::string(file.substr(0, file.rfind('/')));
  if (file.ends_with(".sh") && file.size() > 3) file.remove_suffix(3);
  return std::string(file);
}

std::string no_case_matches(std::string_view glob, std::span<const CaseGroup> groups,
                            std::span<const std::string> names) {
  std::vector<std::string> scripts;
  const std::string base = base_in(glob);
  for (const CaseGroup& group : groups)
    if (!is_glob(base) && base.starts_with(group.prefix()))
      for (const std::string& cases : group.cases)
        if (std::string script = script_of(cases, base.substr(group.prefix().size())); !script.empty())
          scripts.push_back(std::move(script));
  return "no case matches \"" + printable(glob, 80) + "\"" +
         (scripts.empty() ? "" : ": there is no " + printable(join(scripts, " and no "), 200)) +
         did_you_mean(glob, names);
}

std::vector<CaseScript> find_cases(std::string_view cases_glob, std::span<const std::string> files) {
  const std::string_view glob = without_dot(cases_glob), folder = fixed_folder_of(glob);
  std::vector<CaseScript> found;
  for (const std::string& file : files)
    if (glob_match(glob, file) && !is_hidden(std::string_view(file).substr(folder.size())))
      found.push_back({case_path(glob, file), file});
  std::ranges::sort(found, {}, &CaseScript::name);
  return found;
}

Result<std::vector<std::string>> select(std::span<const std::string> words,
                                        std::span<const CaseScript> scripts) {
  std::vector<bool> chosen(scripts.size(), words.empty());
  std::vector<std::string> names, mistakes;
  for (const std::string& word : words) {
    const std::vector<bool> of_word = selection(word, scripts);
    if (std::ranges::find(of_word, true) == of_word.end())
      mistakes.push_back(nothing_selected(word, scripts));
    for (std::size_t i = 0; i < scripts.size(); ++i) chosen[i] = chosen[i] || of_word[i];
  }
  if (!mistakes.empty()) return fail(join(mistakes, "\n"));
  for (std::size_t i = 0; i < scripts.size(); ++i)
    if (chosen[i]) names.push_back(scripts[i].name);
  return names;
}

std::string variable_after(std::string_view case_name) {
  std::string variable = "GATE_AFTER_";
  for (const char c : case_name)
    variable += !is_letter_or_digit(c) ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return variable;
}

bool is_variable_name(std::string_view name) {
  return !name.empty() && !is_digit(name[0]) &&
         std::ranges::all_of(name, [](char c) { return is_letter_or_digit(c) || c == '_'; });
}

std::vector<std::string> holes_of(std::string_view text) {
  std::vector<std::string> keys;
  for (std::size_t open; (open = text.find('{')) != std::string_view::npos;) {
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) break;
    keys.emplace_back(text.substr(open + 1, close - open - 1));
    text.remove_prefix(close + 1);
  }
  return keys;
}

std::string_view variable_of_hole(std::string_view key) {
  constexpr std::string_view prefix = "env.";
  if (!key.starts_with(prefix) || !is_variable_name(key.substr(prefix.size()))) return "";
  return key.substr(prefix.size());
}

Result<std::string> expand(std::string_view text, const std::map<std::string, std::string>& values) {
  std::string out;
  for (std::size_t open; (open = text.find('{')) != std::string_view::npos;) {
    const std::size_t close = text.find('}', open);
    if (close == std::string_view::npos) return fail("a { of \"" + printable(text, 80) + "\" is not closed");
    const std::string_view key = text.substr(open + 1, close - open - 1);
    const auto value = values.find(std::string(key));
    if (value == values.end()) return fail(unknown_placeholder(key, values));
    out.append(text.substr(0, open)).append(value->second);
    text.remove_prefix(close + 1);
  }
  return out.append(text);
}

}  // namespace gate::config
