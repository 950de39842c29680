#include "extract/messages/message_log.h"

#include <algorithm>
#include <optional>

#include "extract/messages/message_rows.h"
#include "gate/base/text.h"

namespace gate::extract {

namespace {

constexpr std::size_t longest_quote = 300;
constexpr std::size_t most_own_errors = 32;  // of one script; more of them tell nothing

// The line, or of a long one what begins at the message.
std::string quote(std::string_view line, std::size_t begin) {
  if (begin > longest_quote / 2) line.remove_prefix(begin);
  return printable(trim(line), longest_quote);
}

bool is_own_error(const KnownMessage& message) { return message.name == own_error_name; }

// Times, counts and addresses differ from line to line.
std::string shape_of(std::string_view line) {
  std::string shape(line);
  std::ranges::replace_if(shape, is_digit, '0');
  return shape;
}

}  // namespace

const MessageRow* MessageLog::read(const CleanLine& line) {
  if (!tracebacks_.quotes(line.text) && is_program_text(line.text)) return nullptr;
  const std::size_t raised = tracebacks_.read(line.text);
  std::optional<FoundMessage> found = find_message(line.text, line.own);
  if (!found && raised != std::string_view::npos)
    found = {&*std::ranges::find(messages(), traceback_name, &MessageRow::name), raised,
             as_is(printable(trim(line.text.substr(raised)), 160))};
  if (found) add(*found, line);
  if (found && tells_process_end(line.text))
    process_ends_.insert_or_assign(line.place.file,
                                   ProcessEnd{quote(line.text, found->begin), "", line.place.line});
  return found && found->row->weight != MessageWeight::hint ? found->row : nullptr;
}

void MessageLog::add(const FoundMessage& found, const CleanLine& line) {
  const MessageRow& row = *found.row;
  const bool is_own = row.name == own_error_name;
  const std::string shape = is_own ? shape_of(line.text) : "";
  auto it = std::ranges::find_if(messages_, [&](const LoggedMessage& logged) {
    return logged.message.name == row.name && logged.shape == shape;
  });
  const auto is_one = [](const LoggedMessage& logged) { return is_own_error(logged.message); };
  if (is_own && it == messages_.end() && std::ranges::count_if(messages_, is_one) == most_own_errors) return;
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
                                .what = is_own ? as_is(quote(line.text, found.begin)) : found.what,
                                .advice = row.advice.said(),
                                .text = quote(line.text, found.begin),
                                .line = line.place.line,
                                .count = 0,
                                .is_order = row.said == Said::to_run,
                                .is_passed_over = true},
                               is_code,
                               shape});
  const bool is_memory = row.name.ends_with("out_of_memory");
  if (is_memory && is_held_by_others_ && is_held_by_others_(line.text))
    it->message.kind = MessageClass::infra;
  it->message.is_passed_over &= tracebacks_.is_passed_over();
  it->message.is_death |= tells_death(line.text);
  it->last = line.place;
  ++it->message.count;
}

void MessageLog::settle_own_errors() {
  bool told = false;
  std::erase_if(messages_, [&](const LoggedMessage& logged) {
    return is_own_error(logged.message) && (logged.message.count > 1 || std::exchange(told, true));
  });
}

void MessageLog::move_into(Extraction& extraction) {
  settle_own_errors();
  for (auto& [place, last, message, is_code, shape] : messages_) {
    if (place.file < extraction.files.size()) message.file = extraction.files[place.file];
    if (last.file < extraction.files.size()) message.last_file = extraction.files[last.file];
    message.last_line = last.line;
    extraction.messages.push_back(std::move(message));
  }
  messages_.clear();
  for (auto& [file, end] : std::exchange(process_ends_, {})) {
    if (file < extraction.files.size()) end.file = extraction.files[file];
    extraction.process_ends.push_back(std::move(end));
  }
}

}  // namespace gate::extract
