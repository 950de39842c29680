#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "gate/base/text.h"
#include "worker/source.h"

namespace gate::worker {

namespace {

using nlohmann::json;

constexpr std::size_t longest_line = std::size_t{4} << 20, most_lines = 500;

const json* member(const json& object, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const auto found = object.find(name); found != object.end() && !found->is_null()) return &*found;
  return nullptr;
}

// What is below 0, or runs over, is as if it were not told.
std::int64_t number_in(const json& object, const char* name, std::int64_t otherwise) {
  const json* value = member(object, {name});
  const bool is_told = value != nullptr && value->is_number_unsigned();
  return is_told && std::in_range<std::int64_t>(value->get<std::uint64_t>()) ? value->get<std::int64_t>()
                                                                             : otherwise;
}

// Return the values of the members of a JSON object as they stand in its text, by their keys: what is parsed
// does not tell what stands twice.
std::multimap<std::string, std::string> members_of(std::string_view text) {
  std::multimap<std::string, std::string> members;
  std::string key;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t at = text.find('{'); at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"')
      while (text[++at] != '"') at += text[at] == '\\' ? 1 : 0;
    const bool ends_member = depth == 1 && (c == ',' || c == '}');
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    if (depth == 1 && c == ':') key = json::parse(text.substr(begin, at - begin));
    if (ends_member && !key.empty())
      members.emplace(std::exchange(key, ""), trim(text.substr(begin, at - begin)));
    if ((depth == 1 && (c == ':' || c == '{')) || ends_member) begin = at + 1;
  }
  return members;
}

// Fill the message in from its line.
Status read_line(const std::string& line, Incoming& message) {
  const auto is_shallow = [](int depth, json::parse_event_t, json&) { return depth <= 32; };
  const json object = json::parse(line, is_shallow, false);
  if (!object.is_object()) return fail("is no JSON object");
  const json *topic = member(object, {"topic"}), *payload = member(object, {"payload", "value"});
  constexpr const char* form = "; a line is {\"topic\": \"..._created\", \"payload\": {...}}";
  if (topic == nullptr || !topic->is_string()) return fail(std::string("has no topic") + form);
  if (payload == nullptr) return fail(std::string("has no payload") + form);
  message.place.topic = topic->get<std::string>();
  message.place.partition = number_in(object, "partition", -1);
  message.place.offset = number_in(object, "offset", message.place.offset);
  message.place.timestamp = number_in(object, "ts", 0);
  const auto members = members_of(line);
  for (const char* name : {"topic", "payload", "value"})
    if (members.count(name) > 1) return fail("says " + std::string(name) + " twice");
  const auto told = object.contains("payload") && !object["payload"].is_null() ? "payload" : "value";
  message.payload = payload->is_string() ? payload->get<std::string>() : members.find(told)->second;
  return {};
}

class FileSource : public Source {
 public:
  FileSource(std::string name, int file, fs::Path aside)
      : name_(std::move(name)), file_(file), aside_(std::move(aside)) {}
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override {
    if (file_ > STDIN_FILENO) ::close(file_);
  }

  Result<std::vector<Incoming>> take(Duration limit) override {
    std::vector<Incoming> messages;
    if (!has_line()) read_more(limit);
    if (!trouble_.empty()) return fail(trouble_);
    while (messages.size() < most_lines && has_line()) messages.push_back(next_line());
    return messages;
  }

  Status acknowledge() override { return {}; }

  Status put_aside(const Incoming& message, const std::string& reason) override {
    const json line{{"topic", message.place.topic},
                    {"partition", message.place.partition},
                    {"offset", message.place.offset},
                    {"line", message.where},
                    {"error", reason},
                    {"payload", message.payload}};
    return fs::append_file(aside_, line.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
  }

  bool is_over() const override { return has_ended_ && !has_line(); }
  std::string trouble() const override { return trouble_; }

 private:
  bool has_line() const {
    return text_.find('\n', at_) != std::string::npos || (has_ended_ && at_ < text_.size()) ||
           text_.size() - at_ > longest_line;
  }

  Incoming next_line() {
    const std::size_t end = std::min({text_.find('\n', at_), text_.size(), at_ + longest_line});
    Incoming message;
    message.place = {name_, -1, ++lines_, 0};
    message.where = name_ + ":" + std::to_string(lines_);
    const std::string line = text_.substr(at_, end - at_);
    at_ = std::min(text_.size(), end + 1);
    if (const Status read = read_line(line, message); !read) {
      message.payload = line;
      message.problem = read.error().message;
    }
    return message;
  }

  void read_more(Duration limit) {
    text_.erase(0, std::exchange(at_, 0));
    pollfd ready{has_ended_ ? -1 : file_, POLLIN, 0};
    if (::poll(&ready, 1, static_cast<int>(limit.count())) <= 0) return;
    std::array<char, 65536> block;
    const ssize_t count = ::read(file_, block.data(), block.size());
    if (count > 0) text_.append(block.data(), static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR && errno != EAGAIN)
      trouble_ = name_ + ": " + std::generic_category().message(errno);
    has_ended_ = count == 0 || !trouble_.empty();
  }

  const std::string name_;
  const int file_;
  const fs::Path aside_;
  std::string text_;
  std::size_t at_ = 0;
  std::int64_t lines_ = 0;
  bool has_ended_ = false;
  std::string trouble_;
};

}  // namespace

Result<std::unique_ptr<Source>> file_source(const std::string& file, const fs::Path& aside) {
  if (file == "-") return std::make_unique<FileSource>("standard input", STDIN_FILENO, aside);
  const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) return fail(file + ": " + std::generic_category().message(errno));
  return std::make_unique<FileSource>(file, opened, aside);
}

}  // namespace gate::worker
