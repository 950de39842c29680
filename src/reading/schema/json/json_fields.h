// Typed reading of JSON objects. What does not fit is complained of at its place and read as if it were
// absent, so that a reader is one plain pass and all complaints about a file come together.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/text.h"
#include "gate/base/time.h"
#include "schema/json/json_in.h"

namespace gate::schema {

class Complaints {
 public:
  Complaints(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

  // Remember a complaint about what stands at the offset. Those beyond the first 20 are only counted.
  void add(std::size_t offset, std::string message) { insert(count_, offset, std::move(message)); }

  // Remember it before what was complained of after the first `place` complaints.
  void insert(std::size_t place, std::size_t offset, std::string message);

  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }

  // Return all complaints, one a line.
  Error error() const;

 private:
  std::string_view text_;
  std::string name_;
  Diagnostics kept_;
  std::size_t count_ = 0;
};

// The members of one object. A member that is null counts as absent.
class Fields {
 public:
  // Complains if the value is no object, which then has no members.
  Fields(const Json& object, Complaints& complaints);

  // Complain of every member of another name, with a suggestion: before what was complained of after the
  // first `place` complaints.
  void only(const std::vector<std::string>& names, std::size_t place) const;

  std::string text(std::string_view name) const;           // "" if absent
  std::string required_text(std::string_view name) const;  // complains if absent or ""
  std::string word(std::string_view name) const;           // a text, or a number's own text; "" if absent
  bool flag(std::string_view name, bool otherwise) const;

  // Return the value that the required text is the name of; complains of a name that `parse` does not know,
  // and returns `otherwise`.
  template <typename T>
  T named(std::string_view name, std::optional<T> (*parse)(std::string_view), T otherwise) const {
    const std::string word = required_text(name);
    const std::optional<T> value = parse(word);
    if (!value && !word.empty())
      complaints_->add(json_->find(name)->at,
                       "unknown " + std::string(name) + " \"" + printable(word, 40) + "\"");
    return value.value_or(otherwise);
  }

  // Return the whole number of at least `least`, or nothing if absent.
  std::optional<std::int64_t> integer(std::string_view name, std::int64_t least = 0) const;

  // Return the same, if it fits into an int; complains if it does not.
  std::optional<int> small_integer(std::string_view name) const;

  // Return what decimal seconds say; complains of what is no plausible number of them.
  Duration duration(std::string_view name) const;

  std::vector<std::string> texts(std::string_view name) const;  // a list of texts; empty if absent
  std::span<const Json> list(std::string_view name) const;      // empty if absent
  const Json* object(std::string_view name) const;              // nullptr if absent

  // Return the member of that kind, or nullptr; complains of another kind.
  const Json* member(std::string_view name, Json::Kind kind) const;

  // Complain that the member is missing. Not of a value that is no object: that was said.
  void missing(std::string_view name, std::string_view advice = "") const;

  const Json& json() const { return *json_; }
  Complaints& complaints() const { return *complaints_; }

 private:
  const Json* json_;
  Complaints* complaints_;
  bool is_object_ = true;
};

// Return the number, or nothing with a complaint unless it is a whole number of at least `least`.
std::optional<std::int64_t> integer_of(const Json& json, std::int64_t least, Complaints& complaints);

}  // namespace gate::schema
