// Python's tracebacks, each under the launcher prefix of its lines:
//
//   [rank3]: Traceback (most recent call last):
//   [rank3]:   File "train.py", line 4, in <module>
//   [rank3]: ValueError: hidden size 100 is not divisible by 8
//
// Lines of other ranks may stand between them. Behind `Exception ignored in: ...` and `Exception in thread
// ...` stands one that ends no process.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace gate::extract {

class Tracebacks {
 public:
  // Read the next line. Return where in it the exception begins if it is the last line of a traceback, else
  // npos.
  std::size_t read(std::string_view line);

  // Tell whether the line, which was read, is a line of code that an open traceback quotes.
  bool quotes(std::string_view line) const;

  // Tell whether the line that was read last is of a traceback that ends no process.
  bool is_passed_over() const { return is_passed_over_; }

  // Forget what is open: a file ends.
  void clear() {
    open_.clear();
    announced_.clear();
  }

  bool empty() const { return open_.empty(); }

 private:
  struct Open {
    int lines = 0;  // since it was opened
    bool is_passed_over = false;
  };

  void open(std::string_view prefix);
  std::size_t close(std::string_view line);

  std::map<std::string, Open, std::less<>> open_;  // by prefix
  std::set<std::string, std::less<>> announced_;   // prefixes under which one is to come that ends no process
  bool is_passed_over_ = false;
};

}  // namespace gate::extract
