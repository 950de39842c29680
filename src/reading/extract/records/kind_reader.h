// Records of one kind, found and read in a text.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "extract/records/fields.h"
#include "extract/records/record_kind.h"
#include "extract/scan/head_pattern.h"

namespace gate::extract {

class KindReader {
 public:
  KindReader(const RecordKind& kind, std::size_t extractor);

  struct RecordHead {
    const KindReader* reader = nullptr;
    std::size_t begin = 0;
    std::size_t end = 0;
    HeadPattern::Groups groups{};
  };

  // Append where records of this kind may begin in the text.
  void find_heads(std::string_view text, std::vector<RecordHead>& heads) const;

  struct Read {
    Record record;
    bool is_record = false;  // false: it is none after all; its begin and end tell what was looked at
  };

  // Return the record of that head, up to `end` or, if it is a literal that ends elsewhere, up to that.
  Read read(const RecordHead& head, std::size_t end, std::string_view text) const;

  Role role() const { return kind_->role; }

  // Return what is wrong with the kind itself, one line each.
  std::vector<std::string> faults() const;

 private:
  struct Draft;

  // A named group of the head: one of the record's own numbers, or a field.
  struct HeadGroup {
    std::size_t index = 0;
    std::string name;
    const FieldRow* own = nullptr;
  };

  // What the kind's expressions are made into when a line first holds the literal, in any thread: of all
  // formats that would take half of a short run's time.
  struct Expressions {
    explicit Expressions(const RecordKind& kind);

    HeadPattern head;
    std::unique_ptr<RE2> pattern;   // none: the kind's style says it
    std::vector<HeadGroup> groups;  // of the head, by index
  };
  struct Made {
    std::once_flag once;
    std::optional<const Expressions> expressions;
  };

  const Expressions& expressions() const;

  void read_groups(const RecordHead& head, Draft& draft) const;
  void read_body(const RecordHead& head, std::string_view text, Draft& draft) const;
  void read_fields(std::string_view body, Draft& draft) const;
  void read_all_fields(std::string_view body, Draft& draft) const;
  void add_last(std::string_view name, std::string_view word, Draft& draft) const;
  void read_bars(std::string_view body, Draft& draft) const;
  void read_literal(std::string_view text, std::size_t begin, Draft& draft) const;
  void add(std::string_view name, std::string_view word, Draft& draft) const;
  bool is_record(const Draft& draft) const;

  const RecordKind* kind_;
  std::size_t extractor_;
  NameTable names_;
  std::unique_ptr<Made> made_ = std::make_unique<Made>();
};

}  // namespace gate::extract
