// The program curl, as a child of gate.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "gate/base/result.h"
#include "net/memory_file.h"

namespace gate::net {

// What it is given and what it writes; the number is that of its descriptor.
struct CurlFiles {
  MemoryFile config;   // 0
  MemoryFile answer;   // 1
  MemoryFile errors;   // 2
  MemoryFile message;  // 3
  MemoryFile head;     // 4
  int into = -1;       // 1 in place of `answer`, where there is one
};

// Return the path of the program. Fails where PATH has none.
Result<std::string> find_curl();

class CurlProcess {
 public:
  // Start the program with the arguments, in a session of its own: no signal of a terminal reaches it.
  CurlProcess(const std::string& file, const std::vector<std::string>& arguments, const CurlFiles& files);
  CurlProcess(const CurlProcess&) = delete;
  CurlProcess& operator=(const CurlProcess&) = delete;
  ~CurlProcess();  // it has ended then

  // Kill it, if it runs: it writes no more then.
  void end();

  // Why it was not started; 0 where it was.
  int error() const { return error_; }

  // Return the code that it exited with, -1 where a signal ended it; nothing while it runs.
  std::optional<int> poll();

 private:
  pid_t pid_ = 0;
  int error_ = 0;
  std::optional<int> code_;
};

}  // namespace gate::net
