#include "extract/messages/message_log.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "extract/messages/rows.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::size_t longest_quote = 300;

// The line, or of a long one what begins at the message.
std::string quote(std::string_view line, std::size_t begin) {
  if (begin > longest_quote / 2) line.remove_prefix(begin);
  return printable(trim(line), longest_quote);
}

FoundMessage exception(std::string_view line, std::size_t begin) {
  return {&message_row(traceback_name), begin, printable(trim(line.substr(begin)), 160)};
}

}  // namespace

bool MessageLog::see(const CleanLine& line) {
  const std::size_t raised = tracebacks_.see(line.text);
  std::optional<FoundMessage> found = find_message(line.text, line.own);
  if (!found && raised != std::string_view::npos) found = exception(line.text, raised);
  if (found) add(*found, line);
  return found && found->row->weight != MessageWeight::hint;
}

void MessageLog::add(const FoundMessage& found, const CleanLine& line) {
  const MessageRow& row = *found.row;
  auto it = std::find_if(entries_.begin(), entries_.end(),
                         [&](const Entry& entry) { return entry.message.name == row.name; });
  if (it == entries_.end())
    it = entries_.insert(it,
                         {line.place,
                          line.place,
                          {std::string(row.name), row.kind, row.weight, found.what, std::string(row.advice),
                           quote(line.text, found.begin), "", line.place.line, 0}});
  it->last = line.place;
  ++it->message.count;
}

void MessageLog::move_into(Extraction& extraction) {
  for (Entry& entry : entries_) {
    if (entry.place.file < extraction.files.size()) entry.message.file = extraction.files[entry.place.file];
    if (entry.last.file < extraction.files.size())
      entry.message.last_file = extraction.files[entry.last.file];
    entry.message.last_line = entry.last.line;
    extraction.messages.push_back(std::move(entry.message));
  }
  entries_.clear();
}

}  // namespace gate::extract
