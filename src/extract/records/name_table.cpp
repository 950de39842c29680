#include "extract/records/name_table.h"

#include <algorithm>

namespace gate::extract {

NameTable::NameTable(std::span<const FieldRow> rows, std::span<const std::string_view> needs,
                     std::span<const std::string_view> one_of) {
  for (const FieldRow& row : rows)
    if (Name& name = add(row.printed); name.row == nullptr) name.row = &row;
  for (const std::string_view need : needs) {
    Name& name = add(need);
    if (name.need == 0) name.need = needs_ + 1;
    needs_ |= name.need;
  }
  for (const std::string_view one : one_of) add(one).one = true;
  sort();
}

NameTable::Name& NameTable::add(std::string_view printed) {
  const auto it =
      std::find_if(names_.begin(), names_.end(), [&](const Name& name) { return name.printed == printed; });
  return it == names_.end() ? names_.emplace_back(Name{printed}) : *it;
}

void NameTable::sort() {
  std::stable_sort(names_.begin(), names_.end(),
                   [](const Name& a, const Name& b) { return a.printed.size() < b.printed.size(); });
  for (std::uint32_t i = 0; i < names_.size(); ++i)
    while (begins_.size() <= names_[i].printed.size()) begins_.push_back(i);
  begins_.push_back(static_cast<std::uint32_t>(names_.size()));
}

const NameTable::Name* NameTable::find(std::string_view printed) const {
  if (printed.size() + 1 >= begins_.size()) return nullptr;
  const Name* const end = names_.data() + begins_[printed.size() + 1];
  for (const Name* name = names_.data() + begins_[printed.size()]; name != end; ++name)
    if (name->printed == printed) return name;
  return nullptr;
}

}  // namespace gate::extract
