// What launchers and collectors of logs put before a line: `0: [default0]:`, `31: `, `192.168.205.202: `,
// `(TaskRunner pid=1) `, colours, and before all of them a time.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gate::extract {

// The launcher words at the start of a line, or behind a time there: `2025-06-02T07:00:00.1Z stdout F 0: `.
struct Prefix {
  std::string_view outer;   // the first one with its colon, without blanks: `0:`; "" if there is none
  std::size_t payload = 0;  // where the text begins that the outermost launcher was given, to the byte
  std::size_t end = 0;      // where the text behind all of them, or behind the time, begins
  std::string_view source;  // all of them without blanks and colon at the ends: `0: [default0]`
};

// How much of a line its prefix may take.
inline constexpr std::size_t longest_prefix = 256;

// Return the prefix of a line; what stands behind longest_prefix changes nothing.
Prefix parse_prefix(std::string_view line);

// Return the rank that the innermost prefix `[rank3]` or `[default3]` names, or the only one `3`, or nothing.
std::optional<int> rank_of_prefix(std::string_view source);

// Return the source with that rank in its innermost prefix: `0: [rank3]` -> `0: [rank1]`, `0` -> `0 [rank1]`.
std::string with_rank(std::string_view source, int rank);

// Return the rank that a file's name tells: `worker_3.log`, `rank-03.out`, `rank3/stdout.log`,
// `3/stdout.log`, or nothing.
std::optional<int> rank_of_file(std::string_view name);

// Return the line without terminal escape sequences; `scratch` holds it if it had some.
std::string_view strip_escapes(std::string_view line, std::string& scratch);

}  // namespace gate::extract
