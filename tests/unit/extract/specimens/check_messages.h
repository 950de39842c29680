// Whether the table of messages does what its specimens say.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "extract/engine.h"
#include "extract/scan/re2_pattern.h"
#include "gate/base/text.h"
#include "gate/extract/messages.h"
#include "specimens/look_alikes.h"
#include "specimens/messages.h"

namespace gate::extract {

inline std::string message_chosen_for(std::string_view log) {
  Engine engine({}, {}, FormatMode::all, {});
  engine.feed(log);
  const Extraction extraction = engine.finish();
  const KnownMessage* cause = choose_cause(extraction.messages);
  return cause == nullptr ? "none" : cause->name;
}

// Return what is wrong with one row, one line each: a specimen for which another row or none is chosen, a
// row or a required literal that no specimen exercises, a pattern that is none.
inline std::vector<std::string> check_message(const MessageRow& row,
                                              const std::vector<std::string_view>& specimens) {
  std::vector<std::string> wrong;
  const auto say = [&](const std::string& what) { wrong.push_back(std::string(row.name) + ": " + what); };
  if (!RE2(piece(row.pattern), pattern_options()).ok()) say("its pattern is none");
  if (specimens.empty()) say("no specimen exercises it");
  for (const std::string_view specimen : specimens)
    if (const std::string chosen = message_chosen_for(specimen); chosen != row.name)
      say("the message chosen for `" + printable(specimen, 80) + "` is " + chosen);
  for (const std::string_view literal : row.literals)
    if (!literal.empty() && std::ranges::none_of(specimens, [&](std::string_view specimen) {
          return specimen.find(literal) != std::string_view::npos;
        }))
      say("no specimen exercises the literal `" + std::string(literal) + "`");
  return wrong;
}

// Return what is wrong if the line, which is ordinary, is taken for a message, one line each.
inline std::vector<std::string> check_look_alike(std::string_view line) {
  const std::string chosen = message_chosen_for(line);
  if (chosen == "none") return {};
  return {chosen + ": matches the look-alike `" + printable(line, 80) + "`"};
}

// Return what is wrong with the table, one line each; empty when all is well: what is wrong with a row, a
// name or a row of specimens that stands there twice or for nothing, and a look-alike that is taken for a
// message.
inline std::vector<std::string> check_messages() {
  std::vector<std::string> wrong;
  const auto append = [&](const std::vector<std::string>& more) {
    wrong.insert(wrong.end(), more.begin(), more.end());
  };
  std::set<std::string_view> names;
  for (const MessageRow& row : messages()) {
    if (!names.insert(row.name).second) wrong.push_back(std::string(row.name) + ": a name twice");
    const auto it = std::ranges::find(message_specimens, row.name, &MessageSpecimens::message);
    append(check_message(row, it == message_specimens.end() ? std::vector<std::string_view>{} : it->logs));
  }
  for (const MessageSpecimens& specimens : message_specimens)
    if (names.erase(specimens.message) == 0)
      wrong.push_back(std::string(specimens.message) + ": specimens of no message, or twice");
  for (const std::string_view line : look_alikes) append(check_look_alike(line));
  return wrong;
}

}  // namespace gate::extract
