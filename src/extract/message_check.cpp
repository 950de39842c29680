#include "extract/message_check.h"

#include <algorithm>
#include <set>

#include "extract/engine.h"
#include "extract/messages/rows.h"
#include "extract/scan/pattern.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

std::string chosen_for(std::string_view log) {
  Engine engine({}, {}, FormatMode::all, {});
  engine.feed(log);
  const Extraction extraction = engine.finish();
  const KnownMessage* cause = choose_cause(extraction.messages);
  return cause == nullptr ? "none" : cause->name;
}

bool is_exercised(const MessageRow& row, std::string_view literal) {
  return std::any_of(row.specimens.begin(), row.specimens.end(), [&](std::string_view specimen) {
    return specimen.find(literal) != std::string_view::npos;
  });
}

void append_lines(std::vector<std::string>& wrong, const std::vector<std::string>& more) {
  wrong.insert(wrong.end(), more.begin(), more.end());
}

}  // namespace

std::vector<std::string> check_message(const MessageRow& row) {
  std::vector<std::string> wrong;
  const auto say = [&](const std::string& what) { wrong.push_back(std::string(row.name) + ": " + what); };
  if (!RE2(piece(row.pattern), pattern_options()).ok()) say("its pattern is none");
  if (row.specimens[0].empty()) say("no specimen exercises it");
  for (const std::string_view specimen : row.specimens)
    if (!specimen.empty())
      if (const std::string chosen = chosen_for(specimen); chosen != row.name)
        say("the message chosen for `" + printable(specimen, 80) + "` is " + chosen);
  for (const std::string_view literal : row.literals)
    if (!literal.empty() && !is_exercised(row, literal))
      say("no specimen exercises the literal `" + std::string(literal) + "`");
  return wrong;
}

std::vector<std::string> check_look_alike(std::string_view line) {
  const std::string chosen = chosen_for(line);
  if (chosen == "none") return {};
  return {chosen + ": matches the look-alike `" + printable(line, 80) + "`"};
}

std::vector<std::string> check_messages() {
  std::vector<std::string> wrong;
  std::set<std::string_view> names;
  for (const MessageRow& row : messages()) {
    if (!names.insert(row.name).second) wrong.push_back(std::string(row.name) + ": a name twice");
    append_lines(wrong, check_message(row));
  }
  for (const std::string_view line : look_alikes()) append_lines(wrong, check_look_alike(line));
  return wrong;
}

}  // namespace gate::extract
