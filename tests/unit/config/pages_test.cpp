// What the pages say of gate.toml is what gate reads: each block, each assignment between backticks, and each
// that a message advises.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "gate/base/fs.h"
#include "gate/base/text.h"
#include "gate/config/policy.h"

namespace gate::config::pages_test {
namespace {

// Text of a page, a line of prose or a block of TOML.
struct Piece {
  std::string text;
  std::int64_t line = 0;  // of the page, where it begins
  bool is_toml = false;
};

// The lines of a block lose the blanks before its fence; prose is joined up to an empty line or a block.
std::vector<Piece> pieces_of(const std::string& page) {
  std::vector<Piece> pieces(1);
  std::string fence;
  std::int64_t number = 0;
  for (const std::string_view line : split(page, '\n')) {
    ++number;
    const std::string_view trimmed = trim(line);
    const bool is_fence = trimmed.starts_with("```"), is_inside = !fence.empty();
    if (is_fence || (!is_inside && trimmed.empty())) {
      if (is_fence) fence = is_inside ? "" : trimmed;
      pieces.push_back({"", number + 1, fence == "```toml"});
      continue;
    }
    if (is_inside && fence != "```toml") continue;
    Piece& piece = pieces.back();
    piece.text.append(is_inside ? line : trimmed).append(is_inside ? "\n" : " ");
  }
  return pieces;
}

std::string mistakes_in(const std::string& toml, const std::string& file) {
  // What `gate init LOG` wrote into the file of first-hour/my-log, of which the page shows a rule.
  constexpr std::string_view written =
      "\n[metrics.tok_per_second]\npattern = '(?P<value>\\S+) tok/s'\nbetter = \"higher\"\n";
  const auto policy = Policy::parse(toml + std::string(written), file);
  return policy ? "" : to_string(policy.error());
}

// Return the mistakes of the page's blocks, but for those that the page shows.
std::string wrong_blocks(const std::string& page, const std::string& path) {
  std::map<std::string, std::string> files;
  std::string wrong;
  for (const Piece& piece : pieces_of(page)) {
    if (!piece.is_toml) continue;
    constexpr std::string_view added = ", added";
    std::string name(piece.text, 0, piece.text.find('\n')), toml = piece.text;
    if (name.ends_with(added))
      toml = files[name.substr(0, name.size() - added.size())] += toml;
    else if (name.starts_with("# "))
      files[name] = toml;
    const std::string mistakes = mistakes_in(toml, "gate.toml");
    if (page.find(mistakes) == page.npos)
      wrong += path + ":" + std::to_string(piece.line) + ": " + mistakes + "\n";
  }
  return wrong;
}

// A table in which an assignment may stand; one with names of people's own, such as [peaks], would take any.
struct Table {
  std::string_view head;
  std::string_view only = "";  // the key that it is asked for; "": each
};

constexpr std::array tables{
    Table{"[suite]"},
    Table{"[defaults]"},
    Table{"[case.\"*\"]"},
    Table{"[group.g]\ncases = \"g/*.sh\""},
    Table{"[group.g]\ncases = \"g/*.sh\"\nlaunch = \"bash {script} {args}\"", "kind"},
    Table{"[rules]"},
    Table{"[rules.lm_loss]"},
    Table{"[rules.lm_loss.waive]\nuntil = \"2026-12-31\""},
    Table{"[metrics.own]\npattern = 'own: (?P<value>\\S+)'"},
    Table{"[metrics.own]"},
    Table{"[hosts]", "sync"},
    Table{"[notify.x]\nkind = \"slack\""},
    Table{"[store.s3]"},
    Table{"[store.obs]"},
    Table{"[features.\"x\"]"},
    Table{"[worker]"},
    Table{"[case.\"*\".outputs.o]"},
    Table{"[case.\"*\".stages.download]"},
    Table{"[case.\"*\".phase.x]"},
    Table{"[case.\"*\".model]"},
    Table{"[case.\"*\".slurm]"},
    Table{"[case.\"*\".kubernetes]"},
};

// A word in capitals stands for any.
bool has_placeholder(std::string_view text) {
  return text.find("\"...\"") != text.npos ||
         std::ranges::any_of(split_words(text), [](std::string_view word) {
           const std::string_view name = word.substr(std::min(word.size(), word.find_first_not_of("[\".,")));
           return !name.empty() && name.front() >= 'A' && name.front() <= 'Z';
         });
}

// Tell whether the table takes the assignment; where one of them holds a placeholder, whether it has the key.
bool is_taken(const std::string& assignment, std::string_view head) {
  const std::string mistakes = mistakes_in(std::string(head) + "\n" + assignment + "\n", "");
  const bool is_open = head != "[rules]" && (has_placeholder(assignment) || head.find(".NAME]") != head.npos);
  return mistakes.empty() || (is_open && mistakes.find("unknown key") == mistakes.npos);
}

bool is_taken_somewhere(const std::string& assignment) {
  const std::string key(trim(std::string_view(assignment).substr(0, assignment.find('='))));
  return std::ranges::any_of(tables, [&](const Table& table) {
    return (table.only.empty() || table.only == key) && is_taken(assignment, table.head);
  });
}

bool is_of_key(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.'; }

// Tell whether the code is `key = value` of TOML, and no words of a shell or another language.
bool is_assignment(const std::string& code) {
  const std::size_t equals = code.find(" = ");
  if (equals == code.npos || !std::ranges::all_of(code.substr(0, equals), is_of_key)) return false;
  return mistakes_in("[platforms]\nx = " + code.substr(equals + 3), "").find("syntax error") ==
         std::string::npos;
}

// Return the table that the page says, `in [suite]` behind the code; "" where it says none.
std::string table_behind(const std::vector<std::string_view>& parts, std::size_t code) {
  const bool is_told =
      code + 2 < parts.size() && parts[code + 2].starts_with('[') &&
      (trim(parts[code + 1]) == "under" || trim(parts[code + 1]) == "below" || trim(parts[code + 1]) == "in");
  return is_told ? std::string(parts[code + 2]) : "";
}

// Return the assignments between backticks that no table takes, or not the one that is said; `[suite] name =
// "x"` says it, too.
std::string wrong_spans(const std::string& page, const std::string& path) {
  std::string wrong;
  for (const Piece& piece : pieces_of(page)) {
    if (piece.is_toml) continue;
    const std::vector<std::string_view> parts = split(piece.text, '`');
    for (std::size_t i = 1; i + 1 < parts.size(); i += 2) {
      const std::size_t end = parts[i].starts_with('[') ? parts[i].find("] ") : parts[i].npos;
      const bool is_headed = end != parts[i].npos;
      const std::string head = is_headed ? std::string(parts[i].substr(0, end + 1)) : table_behind(parts, i);
      const std::string code(is_headed ? parts[i].substr(end + 2) : parts[i]);
      if (!is_assignment(code)) continue;
      if (!(head.empty() ? is_taken_somewhere(code) : is_taken(code, head)))
        wrong += path + ":" + std::to_string(piece.line) + ": " + head + " " + code + "\n";
    }
  }
  return wrong;
}

// Return the texts between quotes of a line of C++, without their backslashes.
std::vector<std::string> literals_in(std::string_view line) {
  std::vector<std::string> literals;
  bool is_inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      is_inside = !is_inside;
      if (is_inside) literals.emplace_back();
    } else if (is_inside) {
      constexpr std::string_view plus_minus = "\\u00b1";
      const bool is_plus_minus = line.substr(i).starts_with(plus_minus);
      if (line[i] == '\\' && i + 1 < line.size()) i += is_plus_minus ? plus_minus.size() - 1 : 1;
      is_plus_minus ? literals.back().append("\u00b1") : literals.back().append(1, line[i]);
    }
  }
  return literals;
}

// Return the first assignment of a truth, a number or a text in a sentence; "" if there is none, or it is a
// part of a table.
std::string advised_in(const std::string& sentence) {
  const std::size_t equals = sentence.find(" = ");
  if (equals == sentence.npos) return "";
  std::size_t begin = equals, end = equals + 3;
  while (begin > 0 && is_of_key(sentence[begin - 1])) --begin;
  if (sentence[end] == '"')
    end = sentence.find('"', end + 1) + 1;
  else
    while (end < sentence.size() && is_of_key(sentence[end])) ++end;
  const std::string value = sentence.substr(equals + 3, end == 0 ? 0 : end - equals - 3);
  const bool is_value = value == "true" || value == "false" || value.starts_with('"') ||
                        (!value.empty() && value.front() >= '0' && value.front() <= '9');
  const bool is_part = begin > 1 && sentence.compare(begin - 2, 2, "{ ") == 0;
  return begin < equals && sentence[begin] != '.' && is_value && !is_part
             ? sentence.substr(begin, end - begin)
             : "";
}

std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder, std::string_view ending) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ending) files.push_back(entry.path());
  return files;
}

TEST(Pages, SayWhatGateReads) {
  const std::filesystem::path source(GATE_SOURCE_DIR), docs = source / "docs";
  std::vector<std::filesystem::path> pages = files_below(docs, ".md");
  pages.push_back(source / "README.md");
  std::erase_if(pages, [&](const auto& path) { return path.parent_path() == docs / "decisions"; });
  EXPECT_GT(pages.size(), 50U);
  for (const std::filesystem::path& path : pages) {
    const std::string page = fs::read_file(path).value();
    EXPECT_EQ(wrong_blocks(page, path.string()), "");
    EXPECT_EQ(wrong_spans(page, path.string()), "");
  }
}

TEST(Pages, WhatIsWrongInOneIsFound) {
  const auto wrong = [](const std::string& page) { return wrong_blocks(page, "p") + wrong_spans(page, "p"); };
  EXPECT_EQ(wrong("```toml\n[case.x]\ndevizes = 8\n```\n"),
            "p:2: gate.toml:2:1: unknown key \"devizes\"; did you mean \"devices\"?\n");
  EXPECT_NE(wrong("- item\n\n  ```toml\n  [rules.lm_loss]\n  reduce = 3\n  ```\n"), "");
  EXPECT_NE(wrong("```toml\n# gate.toml\n[suite]\n```\n```toml\n# gate.toml, added\n[suite]\n```\n"), "");
  const std::string shown = "unknown key \"devizes\"; did you mean \"devices\"?";
  EXPECT_EQ(wrong("```toml\n[defaults]\ndevizes = 8\n```\ngate: gate.toml:2:1: " + shown), "");
  EXPECT_EQ(wrong("Say `devices = 8`, `devices =\n16` or `[defaults] devices = 2`, `x = y`, `A = 1`.\n"), "");
  for (const char* code : {"devizes = 8", "devices = \"eight\"", "[suite] devices = 8", "timeout = \"soon\""})
    EXPECT_NE(wrong(std::string("Say `") + code + "`.\n"), "") << code;
  EXPECT_NE(wrong("Say `devices = 8` under `[suite]`.\n"), "");
  EXPECT_EQ(wrong("Say `devices = 8` under `[defaults]`.\n"), "");
  EXPECT_NE(wrong("Say `formatz = [\"NAME\"]`, and not `formats = [\"NAME\"]`.\n"), "");
}

TEST(Pages, MessagesAdviseWhatGateReads) {
  std::size_t advised = 0;
  for (const std::filesystem::path& path : files_below(GATE_SOURCE_DIR "/src", ".cpp")) {
    if (path.string().find("/src/programs/worker/") != std::string::npos) continue;  // speaks SQL
    const std::string text = fs::read_file(path).value();
    for (const std::string_view line : split(text, '\n'))
      for (const std::string& sentence : literals_in(line))
        if (const std::string code = advised_in(sentence); !code.empty()) {
          ++advised;
          EXPECT_TRUE(is_taken_somewhere(code)) << path << ": " << code;
        }
  }
  EXPECT_GT(advised, 20U);
}

}  // namespace
}  // namespace gate::config::pages_test
