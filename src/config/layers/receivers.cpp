#include "config/layers/receivers.h"

#include <algorithm>

#include "config/tables/receiver_table.h"
#include "config/toml/vocabulary.h"
#include "gate/base/text.h"
#include "gate/config/settings.h"

namespace gate::config {

namespace {

class ReceiverReader {
 public:
  ReceiverReader(const Branch& branch, Diagnostics& mistakes)
      : branch_(branch), mistakes_(mistakes), receiver_(built_in_receiver(branch.key)) {}

  Receiver read();

 private:
  const Branch* find(std::string_view key) const;
  void report(const Position& at, std::string message) { mistakes_.push_back({at, std::move(message)}); }
  std::string named() const { return "notify \"" + printable(branch_.key, 80) + "\""; }
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
  const auto& all = branch_.tree.branches;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Branch& b) { return b.key == key; });
  return found == all.end() ? nullptr : &*found;
}

Receiver ReceiverReader::read() {
  for (const Branch& key : branch_.tree.branches) read_key(key);
  check_kind();
  check_address();
  check_secret();
  return std::move(receiver_);
}

void ReceiverReader::read_key(const Branch& key) {
  if (find_row(notify_keys(), key.key) == nullptr)
    return report(key.at, unknown("key", key.key, keys_of(notify_keys())));
  const Status done = set_receiver_key(receiver_, key.key, key.tree.word);
  if (!done) report(key.tree.word.at, done.error().message);
  kind_known_ |= done && key.key == "kind";
}

void ReceiverReader::check_kind() {
  if (find("kind") != nullptr) return;
  std::vector<std::string> names;
  for (const NoticeKindRow& row : notice_kinds()) names.emplace_back(row.name);
  report(branch_.at, named() + " has no kind; write one of: " + join(names, ", "));
}

void ReceiverReader::check_address() {
  const Branch *url = find("url"), *variable = find("url_env");
  if (url == nullptr && variable == nullptr)
    report(branch_.at, named() + " has neither a url_env nor a url; write e.g. url_env = \"TEAM_WEBHOOK\"");
  if (url != nullptr && variable != nullptr)
    report(url->at, named() + " has both a url and a url_env; leave one of them out");
}

void ReceiverReader::check_secret() {
  const Branch* secret = find("secret_env");
  if (secret == nullptr || !kind_known_ || row(receiver_.kind).is_signed != Signed::nowhere) return;
  report(secret->at, named() + ": a message of the kind " + std::string(row(receiver_.kind).name) +
                         " is not signed; leave secret_env out");
}

}  // namespace

std::vector<Receiver> read_receivers(const Tree& table, Diagnostics& mistakes) {
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
