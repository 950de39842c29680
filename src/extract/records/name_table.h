// The names that records of one kind may hold, for finding one in no time.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "extract/records/record.h"

namespace gate::extract {

class NameTable {
 public:
  struct Name {
    std::string_view printed;
    const FieldRow* row = nullptr;  // the first one of that name; none: it is only asked for
    std::uint64_t need = 0;         // one bit for each name that is needed
    bool one = false;               // one of those of which one is needed
  };

  // The views and rows outlive the object. At most 64 names may be needed.
  explicit NameTable(std::span<const FieldRow> rows, std::span<const std::string_view> needs = {},
                     std::span<const std::string_view> one_of = {});

  // Return what is known of a printed name, or nullptr.
  const Name* find(std::string_view printed) const;

  // Return the bits of all names that are needed.
  std::uint64_t needs() const { return needs_; }

 private:
  Name& add(std::string_view printed);
  void sort();

  std::vector<Name> names_;            // by length
  std::vector<std::uint32_t> begins_;  // where those of each length begin, and where the longest end
  std::uint64_t needs_ = 0;
};

}  // namespace gate::extract
