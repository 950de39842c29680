// The rules of a case.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "gate/model/rules/rule.h"

namespace gate {

// Rules that copies share, for a suite may hold them for each of ten thousand cases. They never change: who
// wants others takes a vector of them, changes that, and sets it.
class RuleList {
 public:
  RuleList() = default;
  RuleList(std::vector<Rule> rules) : rules_(std::make_shared<const std::vector<Rule>>(std::move(rules))) {}

  operator const std::vector<Rule>&() const { return all(); }

  auto begin() const { return all().begin(); }
  auto end() const { return all().end(); }
  std::size_t size() const { return all().size(); }
  bool empty() const { return all().empty(); }

 private:
  const std::vector<Rule>& all() const {
    static const std::vector<Rule> none;
    return rules_ ? *rules_ : none;
  }

  std::shared_ptr<const std::vector<Rule>> rules_;  // nullptr: none
};

}  // namespace gate
