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

}  // namespace

bool MessageLog::read(const CleanLine& line) {
  const std::size_t raised = tracebacks_.read(line.text);
  std::optional<FoundMessage> found = find_message(line.text, line.own);
  if (!found && raised != std::string_view::npos)
    found = {&*std::ranges::find(messages(), traceback_name, &MessageRow::name), raised,
             printable(trim(line.text.substr(raised)), 160)};
  if (found) add(*found, line);
  return found && found->row->weight != MessageWeight::hint;
}

void MessageLog::add(const FoundMessage& found, const CleanLine& line) {
  const MessageRow& row = *found.row;
  auto it =
      std::ranges::find_if(messages_, [&](const auto& logged) { return logged.message.name == row.name; });
  const bool is_code = tracebacks_.quotes(line.text);
  if (it != messages_.end() && it->is_code && !is_code) {
    messages_.erase(it);
    it = messages_.end();
  }
  if (it == messages_.end())
    it = messages_.insert(it, {line.place,
                               line.place,
                               {.name = std::string(row.name),
                                .kind = row.kind,
                                .weight = row.weight,
                                .what = found.what,
                                .advice = std::string(row.advice),
                                .text = quote(line.text, found.begin),
                                .line = line.place.line,
                                .count = 0},
                               is_code});
  it->last = line.place;
  ++it->message.count;
}

void MessageLog::move_into(Extraction& extraction) {
  for (auto& [place, last, message, is_code] : messages_) {
    if (place.file < extraction.files.size()) message.file = extraction.files[place.file];
    if (last.file < extraction.files.size()) message.last_file = extraction.files[last.file];
    message.last_line = last.line;
    extraction.messages.push_back(std::move(message));
  }
  messages_.clear();
}

}  // namespace gate::extract
