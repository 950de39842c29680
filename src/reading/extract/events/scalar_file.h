// A file that a tracker of experiments keeps its scalars in: bytes in, scalars and problems out.
//
//   EventFile file({on_scalar, on_problem});   // or another of tracker_kinds.h
//   file.feed(bytes);                          // any number of times, cut anywhere
//   file.finish();
//
// What is handed over does not depend on how the bytes are cut.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>

#include "gate/model/runs/extraction.h"

namespace gate::extract {

// A value under a tag. The views last as long as the call that they are handed over in.
struct Scalar {
  std::string_view tag;
  std::string_view word;     // a decimal, nan, inf, -inf, or a name of these
  std::int64_t step = 0;     // as the file has it, also where it is negative
  double wall_time = 0;      // seconds since 1970, as the writer's clock had them; 0: not read
  std::uint64_t offset = 0;  // of its record in the file
  std::uint32_t record = 0;  // from 1; of a text file the line
};

class ScalarFile {
 public:
  // No record is larger: one that is is left out.
  static constexpr std::uint64_t largest_record = 64ULL << 20;

  struct Handlers {
    std::function<void(const Scalar&)> on_scalar;
    // `torn`: the file ends within a record. `unreadable`: a record is damaged or too large. `malformed`: it
    // is none of its kind. The text names the record and its place.
    std::function<void(ProblemKind, std::uint32_t record, Sentence text)> on_problem;
  };

  explicit ScalarFile(Handlers handlers) : handlers_(std::move(handlers)) {}
  ScalarFile(const ScalarFile&) = delete;
  ScalarFile& operator=(const ScalarFile&) = delete;
  virtual ~ScalarFile() = default;

  virtual void feed(std::string_view bytes) = 0;

  // Tell of a record that the end cuts off. Call it once.
  virtual void finish() = 0;

  // Return what files of one run have in common, as far as this one was read; "": the folder tells it.
  virtual std::string_view run() const { return ""; }

  // How many records came to their end, also damaged ones, and how many values in them were no scalars.
  std::int64_t records() const { return ended_; }
  std::int64_t other_values() const { return other_values_; }

 protected:
  void complain(ProblemKind kind, std::uint32_t record, std::uint64_t offset, const Sentence& what) const {
    handlers_.on_problem(
        kind, record, say({"record {} at byte {}: {}", "第 {} 条记录（字节 {}）：{}"}, record, offset, what));
  }

  static Sentence cut_off_after(std::uint64_t bytes) {
    return say({"cut off after {}: the file ends here", "在 {}之后被截断：文件到此为止"},
               count_of(static_cast<std::int64_t>(bytes), "byte", "个字节"));
  }

  static Sentence too_large(std::uint64_t bytes) {
    return say({"its {} are more than gate reads at once: the record is left out",
                "它的 {} 超过 gate 一次读取的上限：略去该记录"},
               count_of(static_cast<std::int64_t>(bytes), "byte", "个字节"));
  }

  Handlers handlers_;
  std::int64_t ended_ = 0;
  std::int64_t other_values_ = 0;
};

}  // namespace gate::extract
