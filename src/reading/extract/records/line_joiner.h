// Lines that are read together, before records are looked for.
//
// A record may stand on several lines, and a progress bar is drawn again and again, first with the values of
// the step before:
//
//   [step=1/739]                     Epoch 0:  20%|##  | 2/10 [00:01<00:04, train_loss=2.5]
//       train/CrossEntropyLoss=11.2  Epoch 0:  20%|##  | 2/10 [00:01<00:04, train_loss=2.4]
//
// So such a line is held, by file and launcher prefix, until a line comes that neither goes on with it nor
// draws it again. Then it is let go, with what came of it: the lines joined by newlines, or the last drawing.
// What stands before the second part of a record, whoever put it there, is no part of it, and stands before
// its first line, too, other than the time: so lines of several writers are told apart.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>
#include <string_view>

#include "extract/records/record.h"

namespace gate::extract {

// How a format's lines belong together; each may be absent.
struct JoinRules {
  // Tell whether a line begins a record that goes on.
  std::function<bool(std::string_view line)> begins = nullptr;
  // Return what of a line goes on with the record that began before it, up to its end; "" if it does not.
  std::function<std::string_view(std::string_view line)> goes_on = nullptr;
  // Return which step a bar shows, or "" if the line is no bar.
  std::function<std::string_view(std::string_view line)> bar = nullptr;
};

class LineJoiner {
 public:
  using OnLine = std::function<void(const CleanLine&)>;

  // The rules outlive the object.
  LineJoiner(const JoinRules& rules, OnLine on_line);

  void read(const CleanLine& line);

  // Tell whether a line is held, for which each further one matters.
  bool has_pending() const { return !held_.empty(); }

  // Let go of what is held of a file: it ends.
  void end_file(std::uint32_t file);

 private:
  struct HeldLines {
    std::string text;
    std::string outer;
    std::string source;
    std::string bar;
    CleanLine line;                     // its views are set when it is let go
    std::string start;                  // its first line without times
    std::optional<std::string> before;  // what stood before its second part, without times
    int waits = 0;                      // lines of its source since it began, for a second part

    bool is_of(const CleanLine& other) const {
      return line.place.file == other.place.file && source == other.source;
    }
  };
  using Held = std::list<HeldLines>;

  void read_bar(const CleanLine& line, std::string_view bar);
  bool go_on(const CleanLine& line, std::string_view part);
  bool is_over(HeldLines& one, const CleanLine& line);
  void keep(const CleanLine& line, std::string_view bar);
  template <class Is>
  void let_go_if(Is is);

  const JoinRules* rules_;
  OnLine on_line_;
  Held held_;                       // in the order in which they began
  bool parts_stand_alone_ = false;  // nothing stands before them
};

}  // namespace gate::extract
