// One list of members for both directions of JSON.
//
// What a struct looks like in a file is one function template, `members(io, value)`, that names its members
// in their order. With a MemberWriter it writes them, with a MemberReader it reads them; so what is written
// is what is read back:
//
//   void members(auto& io, Is<GreenUntil> auto& green) {
//     io.text("run", green.run);
//     io.number("runs_ago", green.runs_ago);
//     io.known_number("commits", green.commits);
//   }
//
// `known_` members are written only where there is something to say. A member that is absent leaves what the
// struct has by itself. Where the two directions differ, `custom` takes one function for each.
#pragma once

#include <algorithm>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "gate/base/sentence.h"
#include "gate/base/text.h"
#include "schema/json/json_fields.h"
#include "schema/json/json_out.h"

namespace gate::schema {

// A value as `members` of either direction takes it: const while it is written.
template <class T, class Value>
concept Is = std::same_as<std::remove_const_t<T>, Value>;

// A sentence is two members: `reason`, and `reason_zh` where Chinese has other words.
inline std::string in_chinese(std::string_view name) { return std::string(name) + "_zh"; }

inline Sentence read_sentence(const std::string& english, const std::string& chinese) {
  return chinese.empty() ? Sentence(english) : Sentence(english, chinese);
}

class MemberWriter {
 public:
  explicit MemberWriter(JsonOut& out) : out_(out) {}

  void text(std::string_view name, const std::string& value) { out_.text(name, value); }
  void required_text(std::string_view name, const std::string& value) { out_.text(name, value); }
  void known_text(std::string_view name, const std::string& value) { out_.known_text(name, value); }
  void text_or_default(std::string_view name, const std::string& value) { out_.text(name, value); }
  void text(std::string_view name, const Sentence& value) {
    out_.text(name, value.english());
    if (value.is_said()) out_.text(in_chinese(name), value.in(Language::chinese));
  }
  void known_text(std::string_view name, const Sentence& value) {
    if (!value.empty()) text(name, value);
  }
  void texts(std::string_view name, const std::vector<Sentence>& values) {
    out_.texts(name, texts_of(values, &Sentence::english));
    const auto chinese = texts_of(values, [](const Sentence& one) { return one.in(Language::chinese); });
    if (std::ranges::any_of(values, &Sentence::is_said)) out_.texts(in_chinese(name), chinese);
  }
  void known_texts(std::string_view name, const std::vector<Sentence>& values) {
    if (!values.empty()) texts(name, values);
  }
  void texts(std::string_view name, const std::vector<std::string>& values) { out_.texts(name, values); }
  void known_texts(std::string_view name, const std::vector<std::string>& values) {
    if (!values.empty()) out_.texts(name, values);
  }
  void text_map(std::string_view name, const std::map<std::string, std::string>& values) {
    out_.object(name, [&] {
      for (const auto& [key, value] : values) out_.text(key, value);
    });
  }
  void known_text_map(std::string_view name, const std::map<std::string, std::string>& values) {
    if (!values.empty()) text_map(name, values);
  }
  void number(std::string_view name, std::integral auto value) { out_.number(name, value); }
  void nonzero(std::string_view name, std::integral auto value) {
    if (value != 0) out_.number(name, value);
  }
  template <std::integral Number>
  void known_number(std::string_view name, const std::optional<Number>& value) {
    out_.known_number(name, value);
  }
  void flag(std::string_view name, bool value) { out_.flag(name, value); }
  void known_flag(std::string_view name, bool value) {
    if (value) out_.flag(name, true);
  }
  void duration(std::string_view name, Duration value) { out_.duration(name, value); }
  void known_duration(std::string_view name, const std::optional<Duration>& value) {
    if (value) out_.duration(name, *value);
  }

  // A value of a vocabulary, by its name.
  template <class T, class Parse>
  void named(std::string_view name, const T& value, Parse) {
    out_.text(name, to_string(value));
  }
  template <class T, class Parse>
  void named_if_known(std::string_view name, const T& value, Parse) {
    out_.text(name, to_string(value));
  }

  template <class T>
  void object(std::string_view name, const T& value) {
    out_.object(name, [&] { members(*this, value); });
  }
  template <class T>
  void known_object(std::string_view name, const std::optional<T>& value) {
    if (value) object(name, *value);
  }
  template <class T>
  void list(std::string_view name, const std::vector<T>& values) {
    out_.list(name, [&] {
      for (const T& value : values) object("", value);
    });
  }
  template <class T>
  void known_list(std::string_view name, const std::vector<T>& values) {
    if (!values.empty()) list(name, values);
  }
  template <class Write, class Read>
  void custom(std::string_view, Write write, Read) {
    write(out_);
  }

 private:
  JsonOut& out_;
};

// Which members a struct may have in a file.
enum class Others { passed_over, refused };

class MemberReader {
 public:
  MemberReader(const Fields& fields, Others others) : fields_(fields), others_(others) {}

  // Return what the members make; where others are refused, complain of them before anything else.
  template <class T>
  static T read(const Fields& fields, Others others = Others::passed_over) {
    T value{};
    MemberReader reader(fields, others);
    const std::size_t before = fields.complaints().size();
    members(reader, value);
    if (others == Others::refused) fields.only(reader.names_, before);
    return value;
  }

  void text(std::string_view name, std::string& value) { value = fields_.text(known(name)); }
  void required_text(std::string_view name, std::string& value) {
    value = fields_.required_text(known(name));
  }
  void known_text(std::string_view name, std::string& value) { text(name, value); }
  void text(std::string_view name, Sentence& value) {
    value = read_sentence(fields_.text(known(name)), fields_.text(known(in_chinese(name))));
  }
  void known_text(std::string_view name, Sentence& value) { text(name, value); }
  void texts(std::string_view name, std::vector<Sentence>& values) {
    const std::vector<std::string> english = fields_.texts(known(name)),
                                   chinese = fields_.texts(known(in_chinese(name)));
    for (std::size_t i = 0; i < english.size(); ++i)
      values.push_back(read_sentence(english[i], i < chinese.size() ? chinese[i] : ""));
  }
  void known_texts(std::string_view name, std::vector<Sentence>& values) { texts(name, values); }
  // Where it is absent or "", what the struct has by itself.
  void text_or_default(std::string_view name, std::string& value) {
    if (const std::string told = fields_.text(known(name)); !told.empty()) value = told;
  }
  void texts(std::string_view name, std::vector<std::string>& values) { values = fields_.texts(known(name)); }
  void known_texts(std::string_view name, std::vector<std::string>& values) { texts(name, values); }
  void text_map(std::string_view name, std::map<std::string, std::string>& values) {
    const Json* json = fields_.object(known(name));
    if (json == nullptr) return;
    const Fields fields(*json, fields_.complaints());
    for (const Json& member : json->items) values.emplace(member.key, fields.text(member.key));
  }
  void known_text_map(std::string_view name, std::map<std::string, std::string>& values) {
    text_map(name, values);
  }
  template <std::integral Number>
  void number(std::string_view name, Number& value) {
    value = read_number<Number>(name).value_or(value);
  }
  template <std::integral Number>
  void nonzero(std::string_view name, Number& value) {
    number(name, value);
  }
  template <std::integral Number>
  void known_number(std::string_view name, std::optional<Number>& value) {
    value = read_number<Number>(name);
  }
  void flag(std::string_view name, bool& value) { value = fields_.flag(known(name), value); }
  void known_flag(std::string_view name, bool& value) { flag(name, value); }
  void duration(std::string_view name, Duration& value) { value = fields_.duration(known(name)); }
  void known_duration(std::string_view name, std::optional<Duration>& value) {
    if (fields_.member(known(name), Json::Kind::number) != nullptr) value = fields_.duration(name);
  }

  // Required, and complained of where the name is unknown.
  template <class T>
  void named(std::string_view name, T& value, std::optional<T> (*parse)(std::string_view)) {
    value = fields_.named(known(name), parse, value);
  }

  // Where the name is absent or unknown, what the struct has by itself.
  template <class T>
  void named_if_known(std::string_view name, T& value, std::optional<T> (*parse)(std::string_view)) {
    value = parse(fields_.text(known(name))).value_or(value);
  }

  template <class T>
  void object(std::string_view name, T& value) {
    if (const Json* json = fields_.object(known(name))) value = read_item<T>(*json);
  }
  template <class T>
  void known_object(std::string_view name, std::optional<T>& value) {
    if (const Json* json = fields_.object(known(name))) value = read_item<T>(*json);
  }
  template <class T>
  void list(std::string_view name, std::vector<T>& values) {
    for (const Json& json : fields_.list(known(name))) values.push_back(read_item<T>(json));
  }
  template <class T>
  void known_list(std::string_view name, std::vector<T>& values) {
    list(name, values);
  }
  template <class Write, class Read>
  void custom(std::string_view name, Write, Read read) {
    known(name);
    read(fields_);
  }

 private:
  // Remember a name that the struct has, where others are refused.
  template <class Name>
  const Name& known(const Name& name) {
    if (others_ == Others::refused) names_.emplace_back(name);
    return name;
  }

  // What does not fit into an int is complained of; a line beyond 32 bits is nobody's.
  template <std::integral Number>
  std::optional<Number> read_number(std::string_view name) {
    if constexpr (std::same_as<Number, int>) {
      return fields_.small_integer(known(name));
    } else {
      const auto number = fields_.integer(known(name));
      return number ? std::optional(static_cast<Number>(*number)) : std::nullopt;
    }
  }

  template <class T>
  T read_item(const Json& json) const {
    return read<T>(Fields(json, fields_.complaints()), others_);
  }

  const Fields& fields_;
  Others others_;
  std::vector<std::string> names_;
};

// Return the document that holds the members of the value.
template <class T>
std::string write_document(const T& value) {
  JsonOut out;
  MemberWriter(out).object("", value);
  return out.take();
}

// Return what the members of the document, an object, make; or all that was complained of.
template <class T>
Result<T> read_document(std::string_view text, const std::string& name) {
  GATE_TRY(const auto document, parse_json(text, name));
  Complaints complaints(text, name);
  T value = MemberReader::read<T>(Fields(document, complaints));
  if (!complaints.empty()) return tl::unexpected(complaints.error());
  return value;
}

// What a file says of its own schema: the first member of a document. Another one than `schema` is complained
// of.
void schema_member(auto& io, std::string_view schema) {
  io.custom(
      "schema", [&](JsonOut& out) { out.text("schema", schema); },
      [&](const Fields& fields) {
        const std::string told = fields.required_text("schema");
        if (told == schema || told.empty()) return;
        fields.complaints().add(
            fields.json().find("schema")->at,
            "unknown schema \"" + printable(told, 80) + "\"; this gate reads " + std::string(schema));
      });
}

}  // namespace gate::schema
