// What a log says of its own set-up before it trains: on how many ranks, with which batch, sequence and
// precision. Numbers of another set-up are no regression, whoever changed it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "gate/model/numbers/series.h"

namespace gate::extract {

class SetupArguments {
 public:
  // One of these stands in each line that read() wants.
  static std::vector<std::string_view> literals();

  void read(std::string_view line);

  // Return fact -> value; of a fact of which the log says several things all of them, sorted. The
  // batch is that of the series where nothing else tells it.
  std::map<std::string, std::string> facts(const std::vector<Series>& series) const;

  // Return the iteration of the checkpoint that the log says it loaded last; nothing where it says none.
  std::optional<std::int64_t> loaded() const { return loaded_; }

  // Return the last step that its arguments announce.
  std::optional<std::int64_t> total() const { return total_; }

  // Return the arguments of a line each, `use_mc2 ........ False`, that are False, or a size of 1, wherever
  // the log tells them.
  std::set<std::string> off() const;

 private:
  void read_switch(std::string_view line);
  void read_checkpoint(std::string_view line);

  std::map<std::string, std::vector<std::string>> said_;
  std::map<std::string, bool> is_on_;  // by the name of an argument
  bool is_off_ = false;                // a type of half precision is not used
  std::optional<std::int64_t> loaded_, total_;
};

}  // namespace gate::extract
