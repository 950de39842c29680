#include "config/tables/receiver_table.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <vector>

#include "config/tables/setting_types.h"
#include "config/toml/values.h"
#include "config/toml/vocabulary.h"
#include "gate/base/text.h"

namespace gate::config {

namespace {

template <auto member, auto read>
Status put_receiver(Receiver& receiver, const RawValue& word) {
  GATE_TRY(auto value, read(word));
  receiver.*member = std::move(value);
  return {};
}

Result<NoticeKind> kind(const RawValue& word) {
  std::vector<std::string_view> names;
  for (const NoticeKindRow& row : notice_kinds()) names.push_back(row.name);
  return read_choice(word, "kind", names).map([](std::size_t i) { return notice_kinds()[i].kind; });
}

bool is_blank_or_control(char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; }

bool is_web_address(std::string_view text) {
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (to_lower(text.substr(0, scheme.size())) != scheme) continue;
    const std::string_view rest = text.substr(scheme.size());
    return !rest.empty() && std::string_view("/?#").find(rest[0]) == std::string_view::npos &&
           std::none_of(rest.begin(), rest.end(), is_blank_or_control);
  }
  return false;
}

Result<std::string> address(const RawValue& word) {
  Result<std::string> text = read_filled_text(word);
  if (text && !is_web_address(*text)) return fail("the url does not begin with https://HOST or http://HOST");
  return text;
}

Result<std::string> variable(const RawValue& word) {
  Result<std::string> text = read_filled_text(word);
  if (text && !is_variable_name(*text))
    return fail("what stands here is no name of a variable; write the name alone, such as TEAM_WEBHOOK");
  return text;
}

Result<NotifyOn> moment(const RawValue& word) {
  constexpr std::array<std::string_view, 2> names{"red", "always"};
  return read_choice(word, "moment", names).map([](std::size_t i) { return static_cast<NotifyOn>(i); });
}

Result<int> retries(const RawValue& word) { return read_count(word, 0); }

struct ReceiverSlot {
  SettingRow row;
  Status (*set)(Receiver&, const RawValue&);
};

using R = Receiver;
constexpr auto receiver_slots = std::to_array<ReceiverSlot>({
    {{"kind", "word", "", "notify", "generic, slack, feishu, dingtalk or wecom: the shape of the message"},
     put_receiver<&R::kind, kind>},
    {{"url", "text", "", "notify", "the webhook's address; who knows it can write to the receiver"},
     put_receiver<&R::url, address>},
    {{"url_env", "variable", "", "notify",
      "the variable that holds the address, which keeps it out of the file"},
     put_receiver<&R::url_env, variable>},
    {{"secret_env", "variable", "", "notify", "the variable with the signing secret of feishu and dingtalk"},
     put_receiver<&R::secret_env, variable>},
    {{"on", "word", "red", "notify", "red: when the exit code is not 0; always"},
     put_receiver<&R::on, moment>},
    {{"timeout", "duration", "10s", "notify", "limit of all tries together"},
     put_receiver<&R::timeout, read_positive_duration>},
    {{"retries", "count", "2", "notify",
      "further tries after no connection, 429 or 5xx; a message may come twice"},
     put_receiver<&R::retries, retries>},
});

constexpr auto receiver_rows = rows_of(receiver_slots);

}  // namespace

std::span<const SettingRow> notify_keys() { return receiver_rows; }

Status set_receiver_key(Receiver& receiver, std::string_view key, const RawValue& word) {
  return find_slot(receiver_slots, key)->set(receiver, word);
}

Receiver built_in_receiver(std::string name) {
  Receiver receiver;
  receiver.name = std::move(name);
  for (const ReceiverSlot& slot : receiver_slots) {
    if (slot.row.built_in.empty()) continue;
    [[maybe_unused]] const Status done =
        slot.set(receiver, untyped(std::string(slot.row.built_in), {}, "built-in"));
    assert(done);
  }
  return receiver;
}

}  // namespace gate::config
