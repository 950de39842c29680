#include "schema/json/json_in.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "gate/base/text.h"
#include "gate/base/utf8.h"
#include "schema/json/json_tokens.h"

namespace gate::schema {

namespace {

// A list that stays text: from behind its bracket to before the other one.
struct FoldedList {
  std::size_t begin = 0, end = 0;
  std::size_t words = 0;
};

// Receives the parser's reports (nlohmann's SAX interface fixes the names) and grows the tree.
class Builder {
 public:
  // The parser does not see what is folded.
  Builder(std::string_view text, const std::string& name, std::size_t most_values,
          std::vector<FoldedList> folds = {})
      : text_(text), name_(name), most_values_(most_values), cursor_(text), folds_(std::move(folds)) {}

  bool null() { return add(Json::Kind::null, cursor_.word()); }
  bool boolean(bool) { return add_word(Json::Kind::boolean); }
  bool number_integer(std::int64_t) { return add_word(Json::Kind::number); }
  bool number_unsigned(std::uint64_t) { return add_word(Json::Kind::number); }
  bool number_float(double, const std::string&) { return add_word(Json::Kind::number); }
  bool string(std::string& content) {
    if (!cursor_.is_quoted()) return add_word(Json::Kind::number);  // see quote_non_finite()
    return add(Json::Kind::text, cursor_.text(), std::move(content));
  }
  bool binary(nlohmann::json::binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::Kind::object); }
  bool start_array(std::size_t) { return open(Json::Kind::list) && fold(*path_.back()); }
  bool end_object() { return unique_keys(*path_.back()) && close(); }
  bool end_array() { return close(); }

  bool key(std::string& content) {
    if (!cursor_.is_quoted()) return stop(cursor_.word(), "not JSON: a key without quotes");
    key_at_ = cursor_.text();
    key_ = std::move(content);
    return true;
  }

  bool parse_error(std::size_t read, const std::string&, const nlohmann::detail::exception& problem) {
    const std::size_t offset = std::min(read > 0 ? read - 1 : 0, text_.size());
    return stop(offset, "not JSON: " + plain_message(problem.what()) + advice_on(text_, offset));
  }

  Result<Json> take() {
    if (error_) return tl::unexpected(*error_);
    return std::move(root_.items.front());
  }

 private:
  bool stop(std::size_t offset, std::string message) {
    error_ = Error{gate::to_string(Diagnostic{position_of(text_, offset, name_), std::move(message)})};
    return false;
  }

  bool add(Json::Kind kind, std::size_t at, std::string content = {}) {
    if (++count_ > most_values_) return stop(at, "more than " + std::to_string(most_values_) + " values");
    path_.back()->items.push_back({kind,
                                   static_cast<std::uint32_t>(at),
                                   static_cast<std::uint32_t>(key_at_),
                                   std::move(key_),
                                   std::move(content),
                                   {}});
    key_.clear();
    return true;
  }

  bool add_word(Json::Kind kind) {
    const std::size_t at = cursor_.word();
    return add(kind, at, std::string(cursor_.text_from(at)));
  }

  bool open(Json::Kind kind) {
    const std::size_t at = cursor_.bracket();
    if (path_.size() > max_json_depth)
      return stop(at, "nested deeper than " + std::to_string(max_json_depth) + " levels");
    if (!add(kind, at)) return false;
    path_.push_back(&path_.back()->items.back());
    return true;
  }

  bool fold(Json& list) {
    if (folded_ == folds_.size() || folds_[folded_].begin != list.at + 1) return true;
    const FoldedList& one = folds_[folded_++];
    count_ += list.folded = one.words;
    if (count_ > most_values_) return stop(list.at, "more than " + std::to_string(most_values_) + " values");
    list.text = text_.substr(one.begin, one.end - one.begin);
    cursor_ = TokenCursor(text_, one.end);
    return true;
  }

  bool close() { return cursor_.bracket(), path_.pop_back(), true; }

  bool unique_keys(const Json& object) {
    const auto key_of = [](const Json* member) -> const std::string& { return member->key; };
    std::vector<const Json*> members;
    for (const Json& member : object.items) members.push_back(&member);
    std::ranges::stable_sort(members, {}, key_of);
    const auto twice = std::ranges::adjacent_find(members, {}, key_of);
    return twice == members.end() ||
           stop((*std::next(twice))->key_at,
                "key \"" + printable((*twice)->key) + "\" a second time; remove one of them");
  }

  std::string_view text_;
  const std::string& name_;
  std::size_t most_values_;
  TokenCursor cursor_;
  std::vector<FoldedList> folds_;
  std::size_t folded_ = 0;           // how many lists were, of those
  Json root_;                        // its only item is the document
  std::vector<Json*> path_{&root_};  // what is open; only the last one grows, so the pointers stay valid
  std::string key_;
  std::size_t key_at_ = 0;
  std::size_t count_ = 0;
  std::optional<Error> error_;
};

std::size_t behind_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\t' || text[at] == '\r'))
    ++at;
  return at;
}

bool is_at(std::string_view text, std::size_t at, char wanted) {
  return at < text.size() && text[at] == wanted;
}

constexpr bool may_fold(char c) { return is_letter_or_digit(c) || c == '.' || c == '-' || c == '+'; }

// Return the list behind the bracket before the offset; nothing where it holds anything but plain words.
std::optional<FoldedList> folded_at(std::string_view text, std::size_t begin) {
  FoldedList list{begin, 0, 0};
  std::size_t at = begin;
  do {
    at = behind_blanks(text, at);
    if (!is_at(text, at++, '"')) return std::nullopt;
    while (at < text.size() && may_fold(text[at])) ++at;
    if (!is_at(text, at++, '"')) return std::nullopt;
    ++list.words;
    at = behind_blanks(text, at);
  } while (is_at(text, at++, ','));
  list.end = at - 1;
  return is_at(text, list.end, ']') ? std::optional(list) : std::nullopt;
}

// What stands in quotes before a colon is a key, and no part of one: before a quote that closes a text there
// is none of its letters.
std::vector<FoldedList> folded_lists(std::string_view text, std::string_view key) {
  const std::string quoted = "\"" + std::string(key) + "\"";
  std::vector<FoldedList> lists;
  for (std::size_t at = text.find(quoted); at != std::string_view::npos; at = text.find(quoted, at)) {
    at = behind_blanks(text, at + quoted.size());
    if (!is_at(text, at, ':')) continue;
    at = behind_blanks(text, at + 1);
    if (!is_at(text, at, '[')) continue;
    if (const auto list = folded_at(text, at + 1)) lists.push_back(*list), at = list->end;
  }
  return lists;
}

}  // namespace

const Json* Json::find(std::string_view wanted) const {
  const auto found = std::ranges::find(items, wanted, &Json::key);
  return found == items.end() || found->kind == Kind::null ? nullptr : &*found;
}

std::string_view to_string(Json::Kind kind) {
  constexpr std::string_view words[] = {"null", "true or false", "a number", "a text", "a list", "an object"};
  return words[static_cast<std::size_t>(kind)];
}

Position position_of(std::string_view text, std::size_t offset, const std::string& name) {
  const std::string_view before = text.substr(0, offset);
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {name, static_cast<int>(1 + std::ranges::count(before, '\n')),
          static_cast<int>(1 + begun_in(before.substr(line_start)))};
}

Status check_text(std::string_view text, const std::string& name, std::size_t limit) {
  if (text.empty()) return fail(name + ": is empty (0 bytes); fetch or write it again, or remove it");
  if (holds_nothing(text))
    return fail(name + ": holds nothing but blanks; fetch or write it again, or remove it");
  if (text.size() > limit)
    return fail(name + ": is larger than " + std::to_string(limit >> 20) + " MiB; is this the right file?");
  if (const std::size_t nul = text.find('\0'); nul != std::string_view::npos)
    return fail(to_string(position_of(text, nul, name)) +
                ": a NUL byte: the file is damaged, or no UTF-8; fetch or write it again");
  return {};
}

Result<Json> parse_json(std::string_view text, const std::string& name, NonFinite non_finite,
                        std::size_t most_values) {
  GATE_TRY_STATUS(check_text(text, name));
  const std::string quoted = non_finite == NonFinite::taken ? quote_non_finite(text) : "";
  const std::string_view parsed = quoted.empty() ? text : std::string_view(quoted);
  Builder builder(text, name, most_values);
  nlohmann::json::sax_parse(parsed.begin(), parsed.end(), &builder);
  return builder.take();
}

Result<Json> parse_folded(std::string_view text, const std::string& name, std::string_view key) {
  GATE_TRY_STATUS(check_text(text, name));
  const std::vector<FoldedList> lists = folded_lists(text, key);
  std::string parsed;
  std::size_t from = 0;
  for (const FoldedList& list : lists) {
    parsed += text.substr(from, list.begin - from);
    from = list.end;
  }
  parsed += text.substr(from);
  Builder builder(text, name, max_json_values, lists);
  nlohmann::json::sax_parse(parsed.begin(), parsed.end(), &builder);
  Result<Json> tree = builder.take();
  return tree ? std::move(tree) : parse_json(text, name);  // whose errors know their places
}

}  // namespace gate::schema
