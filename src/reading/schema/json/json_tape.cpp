#include "schema/json/json_tape.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "gate/base/text.h"
#include "schema/json/json_tokens.h"

namespace gate::schema {

namespace {

// Return the content of the text whose opening quote stands at the offset, of JSON that was read.
std::string text_at(std::string_view text, std::size_t at) {
  TokenCursor cursor(text, at);
  cursor.text();
  const std::string_view quoted = cursor.text_from(at);
  if (quoted.find('\\') == std::string_view::npos) return std::string(quoted.substr(1, quoted.size() - 2));
  return nlohmann::json::parse(quoted, nullptr, false).get<std::string>();
}

double non_finite_number(std::string_view word) {
  if (word == "NaN") return std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  return word[0] == '-' ? -infinity : infinity;
}

// Receives the parser's reports (nlohmann's SAX interface fixes the names) and grows the row of nodes.
class TapeWriter {
 public:
  TapeWriter(std::string_view text, std::size_t from, const JsonTape& tape, std::vector<TapeNode>& nodes)
      : text_(text), from_(from), tape_(tape), nodes_(nodes), cursor_(text, from) {}

  bool null() { return add(Json::Kind::null, cursor_.word()); }
  bool boolean(bool) { return add(Json::Kind::boolean, cursor_.word()); }
  bool number_integer(std::int64_t value) { return add_number(static_cast<double>(value)); }
  bool number_unsigned(std::uint64_t value) { return add_number(static_cast<double>(value)); }
  bool number_float(double value, const std::string&) { return add_number(value); }
  bool binary(nlohmann::json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::Kind::object); }
  bool start_array(std::size_t) { return open(Json::Kind::list); }
  bool end_object() { return unique_keys() && close(); }
  bool end_array() { return close(); }

  bool string(std::string&) {
    if (cursor_.is_quoted()) return add(Json::Kind::text, cursor_.text());
    const std::size_t at = cursor_.word();
    return add(Json::Kind::number, at, non_finite_number(cursor_.text_from(at)));
  }

  bool key(std::string&) {
    if (!cursor_.is_quoted()) return stop(cursor_.word(), "not JSON: a key without quotes");
    key_at_ = static_cast<std::uint32_t>(cursor_.text());
    return true;
  }

  bool parse_error(std::size_t read, const std::string&, const nlohmann::detail::exception& problem) {
    const std::size_t offset = std::min(from_ + (read > 0 ? read - 1 : 0), text_.size());
    return stop(offset, "not JSON: " + plain_message(problem.what()) + advice_on(text_, offset));
  }

  Status status() const {
    if (error_) return tl::unexpected(*error_);
    return {};
  }

 private:
  bool stop(std::size_t offset, std::string message) {
    error_ = tape_.error_at(offset, std::move(message));
    return false;
  }

  bool add(Json::Kind kind, std::size_t at, double number = 0) {
    if (nodes_.size() == max_tape_values)
      return stop(at, "more than " + std::to_string(max_tape_values) + " values");
    const auto end = static_cast<std::uint32_t>(nodes_.size() + 1);
    nodes_.push_back({number, static_cast<std::uint32_t>(at), key_at_, end, kind});
    key_at_ = no_offset;
    return true;
  }

  bool add_number(double value) { return add(Json::Kind::number, cursor_.word(), value); }

  bool open(Json::Kind kind) {
    const std::size_t at = cursor_.bracket();
    if (open_.size() == max_json_depth)
      return stop(at, "nested deeper than " + std::to_string(max_json_depth) + " levels");
    if (!add(kind, at)) return false;
    open_.push_back(static_cast<std::uint32_t>(nodes_.size() - 1));
    return true;
  }

  bool close() {
    cursor_.bracket();
    nodes_[open_.back()].end = static_cast<std::uint32_t>(nodes_.size());
    open_.pop_back();
    return true;
  }

  bool unique_keys() {
    keys_.clear();
    for (std::uint32_t node = open_.back() + 1; node < nodes_.size(); node = nodes_[node].end)
      keys_.emplace_back(text_at(text_, nodes_[node].key_at), nodes_[node].key_at);
    std::ranges::sort(keys_);
    const auto twice = std::ranges::adjacent_find(keys_, {}, &Key::first);
    return twice == keys_.end() || stop(std::next(twice)->second, "key \"" + printable(twice->first) +
                                                                      "\" a second time; remove one of them");
  }

  using Key = std::pair<std::string, std::uint32_t>;

  std::string_view text_;
  std::size_t from_;
  const JsonTape& tape_;
  std::vector<TapeNode>& nodes_;
  TokenCursor cursor_;
  std::vector<std::uint32_t> open_;
  std::uint32_t key_at_ = no_offset;
  std::vector<Key> keys_;
  std::optional<Error> error_;
};

}  // namespace

JsonTape::JsonTape(std::string_view text, const std::string& name)
    : text_(text), name_(name), quoted_(quote_non_finite(text)) {}

Status JsonTape::read(std::size_t from, std::size_t to) {
  nodes_.clear();
  const std::string_view parsed = quoted_.empty() ? text_ : std::string_view(quoted_);
  TapeWriter writer(text_.substr(0, to), from, *this, nodes_);
  nlohmann::json::sax_parse(parsed.begin() + from, parsed.begin() + to, &writer);
  return writer.status();
}

std::string JsonTape::key(std::uint32_t node) const { return text_at(text_, nodes_[node].key_at); }

std::string JsonTape::content(std::uint32_t node) const { return text_at(text_, nodes_[node].at); }

Error JsonTape::error_at(std::size_t offset, std::string message) const {
  return {gate::to_string(Diagnostic{position_of(text_, offset, name_), std::move(message)})};
}

}  // namespace gate::schema
