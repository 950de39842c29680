#include "config/tables/document_tables.h"

#include <algorithm>
#include <array>

#include "config/tables/key_table.h"
#include "gate/base/text.h"
#include "gate/config/case_names.h"

namespace gate::config {

namespace {

Result<NoticeKind> read_kind(const RawValue& raw) {
  std::vector<std::string_view> names;
  for (const NoticeKindRow& row : notice_kinds()) names.push_back(row.name);
  return read_choice(raw, "kind", names).map([](std::size_t i) { return notice_kinds()[i].kind; });
}

bool is_web_address(std::string_view text) {
  for (const std::string_view scheme : {"https://", "http://"}) {
    if (to_lower(text.substr(0, scheme.size())) != scheme) continue;
    const std::string_view rest = text.substr(scheme.size());
    return !rest.empty() && std::string_view("/?#").find(rest[0]) == std::string_view::npos &&
           std::ranges::none_of(rest,
                                [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; });
  }
  return false;
}

Result<std::string> read_address(const RawValue& raw) {
  Result<std::string> text = read_filled_text(raw);
  if (text && !is_web_address(*text)) return fail("the url does not begin with https://HOST or http://HOST");
  return text;
}

Result<std::string> read_variable(const RawValue& raw) {
  Result<std::string> text = read_filled_text(raw);
  if (text && !is_variable_name(*text))
    return fail("what stands here is no name of a variable; write the name alone, such as TEAM_WEBHOOK");
  return text;
}

using R = Receiver;
constexpr auto receiver_table = std::to_array<AssignRow<Receiver>>({
    {{"kind", "generic, slack, feishu, dingtalk or wecom", "", "notify", "the message format"},
     assign_member<&R::kind, read_kind>},
    {{"url", "text", "", "notify", "webhook address; whoever knows it can post"},
     assign_member<&R::url, read_address>},
    {{"url_env", "variable", "", "notify", "variable with the address, to keep it out of the file"},
     assign_member<&R::url_env, read_variable>},
    {{"secret_env", "variable", "", "notify", "variable with the signing secret of feishu and dingtalk"},
     assign_member<&R::secret_env, read_variable>},
    {{"on", "red or always", "red", "notify", "when to notify; red: if the exit code is not 0"},
     [](R& r, const RawValue& raw) {
       return assign(r.on, read_enum<NotifyOn>(raw, "moment", {"red", "always"}));
     }},
});

constexpr auto receiver_rows = rows_of(receiver_table);

// Reads one [notify.NAME].
class ReceiverReader {
 public:
  ReceiverReader(const Branch& branch, Diagnostics& mistakes)
      : branch_(branch), mistakes_(mistakes), receiver_(built_in_of<Receiver>(receiver_table)) {
    receiver_.name = branch.key;
  }

  Receiver read();

 private:
  const Branch* find(std::string_view key) const;
  void report(const Position& at, std::string message) { mistakes_.push_back({at, std::move(message)}); }
  std::string name() const { return "notify \"" + printable(branch_.key, 80) + "\""; }
  void read_key(const Branch& key);
  void check_kind();
  void check_address();
  void check_secret();

  const Branch& branch_;
  Diagnostics& mistakes_;
  Receiver receiver_;
  bool kind_known_ = false;
};

const Branch* ReceiverReader::find(std::string_view key) const {
  return row_in(branch_.tree.branches, key, &Branch::key);
}

Receiver ReceiverReader::read() {
  for (const Branch& key : branch_.tree.branches) read_key(key);
  check_kind();
  check_address();
  check_secret();
  return std::move(receiver_);
}

void ReceiverReader::read_key(const Branch& key) {
  const bool is_read = assign_key(receiver_table, receiver_rows, key, receiver_, mistakes_);
  kind_known_ |= is_read && key.key == "kind";
}

void ReceiverReader::check_kind() {
  if (find("kind") != nullptr) return;
  const auto names = texts_of(notice_kinds(), &NoticeKindRow::name);
  report(branch_.at, name() + " has no kind; write one of: " + join(names, ", "));
}

void ReceiverReader::check_address() {
  const Branch *url = find("url"), *variable = find("url_env");
  if (url == nullptr && variable == nullptr)
    report(branch_.at, name() + " has neither a url_env nor a url; write e.g. url_env = \"TEAM_WEBHOOK\"");
  if (url != nullptr && variable != nullptr)
    report(url->at, name() + " has both a url and a url_env; leave one of them out");
}

void ReceiverReader::check_secret() {
  const Branch* secret = find("secret_env");
  if (secret == nullptr || !kind_known_ || row(receiver_.kind).is_signed != Signed::nowhere) return;
  report(secret->at, name() + ": a message of the kind " + std::string(row(receiver_.kind).name) +
                         " is not signed; leave secret_env out");
}

}  // namespace

std::span<const SettingRow> notify_keys() { return receiver_rows; }

std::vector<Receiver> read_receivers(const TomlTree& table, Diagnostics& mistakes) {
  std::vector<Receiver> receivers;
  for (const Branch& branch : table.branches) {
    if (branch.tree.is_table())
      receivers.push_back(ReceiverReader(branch, mistakes).read());
    else
      mistakes.push_back({branch.at, "[notify] holds tables, one for each receiver, such as [notify.team]"});
  }
  return receivers;
}

}  // namespace gate::config
