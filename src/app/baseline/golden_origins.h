// Which tools the golden files of a tree are of.
#pragma once

#include <map>
#include <string>

namespace gate::app {

class GoldenOrigins {
 public:
  // Count a file; an origin that no profile is called by counts nothing.
  void note(const std::string& origin);

  // Return the profile of the tool that most files are of, the first by name of as many; "" without any.
  std::string commonest() const;

  // Return what cannot be told where there are several; "" else.
  std::string doubt() const;

 private:
  std::map<std::string, int> files_of_;
};

}  // namespace gate::app
