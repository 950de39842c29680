// How this gate was built.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gate::cli {

// The commit that it was built from, `e783aba` or `e783aba-dirty`; "" where nobody knew. It alone is in a
// file of its own, which scripts/_commit writes.
extern const std::string_view build_commit;

struct Build {
  std::string version;
  std::string commit;
  std::string kind;                                            // `static` or `dynamic`
  std::string type;                                            // `Release`
  std::string sanitizers;                                      // `address,undefined`, or ""
  std::string compiler;                                        // `g++ 12.2.0`
  std::string cpp_library;                                     // `libstdc++ 12`
  std::string c_library;                                       // `glibc 2.36`
  std::string architecture;                                    // `x86_64`
  std::vector<std::pair<std::string, std::string>> libraries;  // names and versions; "" tells no version
};

Build this_build();

}  // namespace gate::cli
