// The variables of the contract as they are set, and what is wrong with them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gate/config/accuracy_contract.h"

namespace gate::config {

// A value as it is set under one of the names of its row.
struct ContractValue {
  std::string name, value;
};

// Return all that is set of the row, in the order of its names, without blanks around it.
std::vector<ContractValue> values_of(const ContractRow& row, const ContractVariables& variables);

// Gathers the mistakes, and puts them in the order of the rows.
class ContractMistakes {
 public:
  // Remember what is wrong with the variable of that canonical name.
  void add(std::string_view name, std::string message);

  // Tell whether nothing was wrong with it so far.
  bool is_sound(std::string_view name) const;

  bool empty() const { return mistakes_.empty(); }
  Diagnostics take();

 private:
  std::vector<std::pair<std::size_t, std::string>> mistakes_;  // place of the row, message
};

}  // namespace gate::config
