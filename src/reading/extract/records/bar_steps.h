// Steps for records that print none, from the progress bar that is drawn beside them.
//
//    19%|#9   | 370/1900 [13:50<30:11, 71.20s/it]\r                \r{'loss': 1.712, 'epoch': 0.28}
//    19%|#9   | 370/1900 [13:50<30:11, 71.20s/it]\r 19%|#9   | 371/1900 [13:51<30:11, 71.20s/it]
//
// tqdm leaves drawings out for a tenth of a second where steps are fast, and draws once more right behind
// what was written. So such a line is held until the bar is drawn again: its step lies between what the bar
// showed before and behind it. Two lines without a drawing between them were not written when the bar stood
// there (a buffer held them back), unless they are one that was written twice: they take no step of a bar,
// and neither does any line behind them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "extract/records/record.h"
#include "extract/scan/progress_bar.h"
#include "gate/extract/extractor.h"

namespace gate::extract {

// What a line holds for it. stepless: a record without a step, of the kind of that index. other: another
// record, which must not come before those that are held.
struct LineContent {
  std::optional<std::size_t> stepless;
  bool other = false;
};

class BarSteps {
 public:
  using OnLine = std::function<void(const CleanLine&)>;
  using Look = std::function<LineContent(std::string_view line)>;

  BarSteps(StepsOf steps_of, Look look, OnLine on_line)
      : steps_of_(steps_of), look_(std::move(look)), on_line_(std::move(on_line)) {}

  // Hand the line on, at once or later, with the step that a bar shows for it.
  void read(const CleanLine& line);

  // Tell whether a line is held, for which each further one matters.
  bool has_pending() const { return held_ > 0; }

  // Let go of what is held of a file: it ends.
  void end_file(std::uint32_t file);

  // Return what the bar showed last that tells the steps of lines; where none does, the one with the largest
  // total. Of several files it is of the one in which such a bar was drawn last.
  std::optional<ShownStep> shown() const;

 private:
  struct HeldLine {
    std::size_t kind = 0;
    std::string text, outer, source;
    CleanLine line;  // its views are set when it is let go
  };
  struct NumberedLine {
    std::int64_t step = 0;
    std::string text = {};
  };
  struct FileBar {
    std::vector<HeldLine> held = {};                 // of different kinds: they were written at one step
    std::optional<ShownStep> last = {};              // drawing of any bar
    std::optional<ShownStep> before = {};            // the last one before the held lines
    std::optional<ShownStep> own = {};               // of the bar that tells the steps
    std::map<std::size_t, NumberedLine> steps = {};  // the last one of each kind
    std::int64_t interval = 0;                       // between two; 0: not known
    bool is_counted = false;                         // no bar tells steps
  };
  // The steps that a line may be of: between two drawings, or none comes behind it.
  struct Between {
    std::int64_t first = 0;
    std::optional<std::int64_t> last;
    bool is_first_sure = false;  // so much time lies between the drawings that no step was left out
  };

  void draw(FileBar& bar, const ShownStep& drawn);
  void hold(FileBar& bar, std::size_t kind, const CleanLine& line);
  void let_go(FileBar& bar, const std::optional<ShownStep>& after);
  static Between between(FileBar& bar, const std::optional<ShownStep>& after);
  static std::int64_t take_step(FileBar& bar, const HeldLine& held, const Between& between);

  StepsOf steps_of_;
  Look look_;
  OnLine on_line_;
  std::map<std::uint32_t, FileBar> bars_;  // by file
  std::size_t held_ = 0;                   // lines
  std::optional<std::uint32_t> drawn_;     // the file in which such a bar was drawn last
};

}  // namespace gate::extract
